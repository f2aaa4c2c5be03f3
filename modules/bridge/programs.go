package bridge

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Grains are what the tree's own grains say, one file after the other. One that fails is noted and has none.
func (b *Bridge) Grains(ctx context.Context) *value.Dict {
	out := value.NewDict(0)
	h := b.cfg.Machine
	env := b.cfg.Env(h)
	asked := false
	for _, f := range b.modules(Grains) {
		if f.Python() && asked {
			continue // one question is for all of them
		}
		asked = asked || f.Python()
		v, err := b.ask(ctx, env, h, f, value.DictOf("op", value.Str("grains")))
		d, ok := v.(*value.Dict)
		switch {
		case err == nil && ok:
			out.Update(d)
		case err == nil:
			err = fmt.Errorf("gave %s, which is no dict", value.Repr(v))
			fallthrough
		default:
			b.note(fmt.Sprintf("grains of %s: %v", f.Path, err))
		}
	}
	return out
}

// A Text is a file that a renderer of the tree's, or Python itself, makes data of.
type Text struct {
	// Path is the file; SLS and Env are what Salt calls it and the environment.
	Path, SLS, Env string
	Text           string
	Vars           *value.Dict
}

// Python runs a file that is Python itself: with the operation "run" the one of #!py, whose function run gives the
// data, with "pyobjects" the one of #!pyobjects, whose calls are states.
func (b *Bridge) Python(ctx context.Context, env *modules.Env, h host.Host, op string, t Text) (value.Value, error) {
	f := File{Rel: ".py", Path: t.Path}
	v, err := b.ask(ctx, env, h, f, value.DictOf("op", value.Str(op), "file", value.Str(t.Path), "text",
		value.Str(t.Text), "sls", value.Str(t.SLS), "saltenv", value.Str(t.Env), "vars", t.vars()))
	return v, placed(err)
}

// Render gives a text to a renderer of the tree's, which makes text or data of it.
func (b *Bridge) Render(ctx context.Context, env *modules.Env, h host.Host, renderer, arg string, t Text) (value.Value,
	error) {
	for _, f := range b.modules(Renderers) {
		if f.module() != renderer {
			continue
		}
		kwargs := t.vars().Copy()
		kwargs.Update(value.DictOf("saltenv", value.Str(t.Env), "sls", value.Str(t.SLS), "argline", value.Str(arg),
			"tmplpath", value.Str(t.Path)))
		v, err := b.ask(ctx, env, h, f, value.DictOf("op", value.Str("call"), "kind", value.Str(Renderers), "fun",
			value.Str(renderer+".render"), "args", value.NewList(value.Str(t.Text)), "kwargs", kwargs))
		return v, placed(err)
	}
	return nil, errors.New("the tree has no renderer " + renderer)
}

func (t Text) vars() *value.Dict {
	if t.Vars == nil {
		return value.NewDict(0)
	}
	return t.Vars
}

// placed is an error of the tree's code at its place.
func placed(err error) error {
	var t *Thrown
	if errors.As(err, &t) {
		return diag.Errorf(t.Pos, "%s", t.text())
	}
	return err
}

// Pillar asks an external pillar of the tree's for what it adds.
func (b *Bridge) Pillar(ctx context.Context, name, id string, pillar *value.Dict,
	arg value.Value) (value.Value, error) {
	h := b.cfg.Machine
	for _, f := range b.modules(Pillars) {
		if f.module() != name {
			continue
		}
		args, kwargs := value.NewList(value.Str(id), pillar), value.NewDict(0)
		switch a := arg.(type) {
		case *value.Dict:
			kwargs = a
		case *value.List:
			args.Items = append(args.Items, a.Items...)
		default:
			args.Items = append(args.Items, a)
		}
		return b.ask(ctx, b.cfg.Env(h), h, f, value.DictOf("op", value.Str("call"), "kind", value.Str(Pillars), "fun",
			value.Str(name+".ext_pillar"), "args", args, "kwargs", kwargs))
	}
	return nil, errors.New("the tree has no external pillar " + name)
}
