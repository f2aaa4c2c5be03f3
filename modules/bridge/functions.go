package bridge

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// A described function is one of the tree's, as its module tells of it.
type described struct {
	name   string   // "meta.classify"
	params []string // "a", "b=", "*args", "**kwargs"
	doc    string
	file   File
}

// describe asks a file for its functions. One that does not load, by what its __virtual__ says or by an error, has
// none.
func (b *Bridge) describe(f File) ([]described, error) {
	ctx := context.Background()
	h := b.cfg.Machine
	v, err := b.ask(ctx, b.cfg.Env(h), h, f, value.DictOf("op", value.Str("describe"), "kind", value.Str(f.Kind),
		"name", value.Str(f.module())))
	if err != nil {
		return nil, err
	}
	var out []described
	for _, m := range items(v) {
		d := dict(m)
		if why, ok := d.GetStr("missing"); ok && why != value.Value(value.None) {
			b.note(fmt.Sprintf("%s is not loaded: %s", f.Path, value.String(why)))
		}
		functions, _ := d.GetStr("functions")
		for name, of := range dict(functions).All() {
			params, _ := dict(of).GetStr("params")
			fun := described{name: value.String(name), file: f}
			if doc, ok := dict(of).GetStr("doc"); ok {
				fun.doc = value.String(doc)
			}
			for _, p := range items(params) {
				fun.params = append(fun.params, value.String(p))
			}
			out = append(out, fun)
		}
	}
	return out, nil
}

// dict is the map that a child said, an empty one where it said something else.
func dict(v value.Value) *value.Dict {
	if d, ok := v.(*value.Dict); ok {
		return d
	}
	return value.NewDict(0)
}

func items(v value.Value) []value.Value {
	if l, ok := v.(*value.List); ok {
		return l.Items
	}
	return nil
}

// note tells the log of a file that is not loaded.
func (b *Bridge) note(text string) {
	if log := b.cfg.Env(b.cfg.Machine).Log; log != nil {
		log("warning", text)
	}
}

// call calls a function of the tree's.
func (b *Bridge) call(ctx context.Context, c *modules.Call, f described) (value.Value, error) {
	return b.ask(ctx, c.Env, c.Host, f.file, value.DictOf("op", value.Str("call"), "kind", value.Str(f.file.Kind),
		"fun", value.Str(f.name), "args", value.NewList(c.Args...), "kwargs", c.Kwargs))
}

// Execs are the sources of the tree's execution functions, a family for each file.
func (b *Bridge) Execs() []modules.Source {
	return b.families(Modules, func(family *modules.Family, functions []described) {
		for _, f := range functions {
			spec := modules.ExecSpec{Name: f.name, Doc: doc(f), Params: f.params, Class: modules.Own}
			spec.Fn = func(ctx context.Context, c *modules.Call) (value.Value, error) { return b.call(ctx, c, f) }
			family.Execs = append(family.Execs, spec)
		}
	})
}

// States are the sources of the tree's state functions, a family for each file.
func (b *Bridge) States() []modules.Source {
	return b.families(States, func(family *modules.Family, functions []described) {
		var watcher *described
		for i, f := range functions {
			if strings.HasSuffix(f.name, ".mod_watch") {
				watcher = &functions[i]
			}
		}
		for _, f := range functions {
			if !strings.HasSuffix(f.name, ".mod_watch") && !strings.HasSuffix(f.name, ".mod_init") {
				family.States = append(family.States, b.stateSpec(f, watcher))
			}
		}
	})
}

// families are the sources of a kind, one for each file.
func (b *Bridge) families(kind string, fill func(family *modules.Family, functions []described)) []modules.Source {
	var out []modules.Source
	for _, file := range b.modules(kind) {
		out = append(out, modules.Source{Name: file.module(), Make: func() modules.Family {
			family := modules.Family{Name: file.module()}
			var functions []described
			if functions, family.Broken = b.describe(file); family.Broken == nil {
				fill(&family, functions)
			}
			return family
		}})
	}
	return out
}

// doc is a docstring with the place that it comes from.
func doc(f described) string {
	text := strings.TrimSpace(f.doc)
	if text == "" {
		text = f.name
	}
	return text + "\n\nFrom " + f.file.Path
}
