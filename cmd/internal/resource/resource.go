// Package resource says what is on a machine as an SLS that, applied to it, changes nothing.
//
// The families tell of their kinds of things (modules.Describer), with what their state functions look with. What is
// told is tried on an overlay of the machine before it is shown: a state that would change something becomes a comment
// with the reason, and so does one that holds a secret. Nothing of the machine is ever written.
package resource

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A Request asks for one kind, by names or globs, or for all kinds where Kind is "".
type Request struct {
	Kind            string
	Names           []string
	System, Secrets bool
	// Copy keeps the content of a file and gives its source; nil keeps none.
	Copy func(path string) (source string, err error)
	// Hides says whether arguments hold what is shown to nobody.
	Hides func(t *modules.Thing) bool
}

// A Group is what was found of one kind.
type Group struct {
	Kind, Doc string
	Things    []*modules.Thing
	// Missing is what was asked for and is not there, Unmatched the globs that fit nothing.
	Missing, Unmatched []string
	// Err is why a kind could not be told of, where all were asked for.
	Err error
}

// An Answer is what was found.
type Answer struct {
	Groups []*Group
	whole  bool
	ids    map[*modules.Thing]string
}

// Find is the kind of a name.
func Find(all []modules.Describer, kind string) (*modules.Describer, error) {
	var names []string
	for i := range all {
		d := &all[i]
		if d.Kind == kind || slices.Contains(d.Other, kind) {
			return d, nil
		}
		names = append(append(names, d.Kind), d.Other...)
	}
	e := diag.Errorf(diag.Pos{}, "unknown kind of resource %q", kind)
	if near := diag.Nearest(kind, names); near != "" {
		return nil, e.WithHint("did you mean %q?", near)
	}
	return nil, e.WithHint("gostate resource lists the kinds")
}

// Tell looks at the machine.
func Tell(ctx context.Context, all []modules.Describer, env *modules.Env, h host.Reader, r Request) (*Answer, error) {
	w := teller{all, env, h, r}
	a := &Answer{whole: r.Kind == "", ids: map[*modules.Thing]string{}}
	if !a.whole {
		d, err := Find(all, r.Kind)
		if err != nil {
			return nil, err
		}
		g, err := w.group(ctx, d)
		if err != nil {
			return nil, err
		}
		a.Groups = []*Group{g}
	} else if err := w.groups(ctx, a); err != nil {
		return nil, err
	}
	w.hide(a)
	a.name()
	return a, nil
}

// A teller asks the Describers.
type teller struct {
	all  []modules.Describer
	env  *modules.Env
	host host.Reader
	req  Request
}

// groups asks all. One that has nothing to look at here, or fails, does not keep the others from telling.
func (w *teller) groups(ctx context.Context, a *Answer) error {
	for i := range w.all {
		d := &w.all[i]
		if d.Kind == "file" { // which tells of nothing unasked
			continue
		}
		g, err := w.group(ctx, d)
		switch {
		case ctx.Err() != nil:
			return context.Cause(ctx)
		case err != nil && errors.Is(err, fs.ErrNotExist):
			continue
		case err != nil:
			g = &Group{Kind: d.Kind, Doc: d.Doc, Err: err}
		}
		a.Groups = append(a.Groups, g)
	}
	return nil
}

// group is what one Describer tells, each thing of it tried.
func (w *teller) group(ctx context.Context, d *modules.Describer) (*Group, error) {
	l := w.look(w.req.Names)
	if err := d.Describe(ctx, l); err != nil {
		return nil, err
	}
	for i, t := range l.Things {
		l.Things[i] = w.tried(ctx, l, t)
	}
	return &Group{Kind: d.Kind, Doc: d.Doc, Things: l.Things, Missing: l.Missing, Unmatched: l.Unmatched()}, nil
}

func (w *teller) look(names []string) *modules.Look {
	return &modules.Look{Env: w.env, Host: w.host, Names: names, System: w.req.System, Secrets: w.req.Secrets,
		Whole: w.req.Kind == "", Copy: w.req.Copy,
		Kinds: func(ctx context.Context, kind string, names []string) ([]*modules.Thing, error) {
			d, err := Find(w.all, kind)
			if err != nil {
				return nil, err
			}
			l := w.look(names)
			err = d.Describe(ctx, l)
			return l.Things, err
		}}
}

// tried is the thing, or words in its place where its state would change something.
func (w *teller) tried(ctx context.Context, l *modules.Look, t *modules.Thing) *modules.Thing {
	if err := readBack(t); err != nil {
		return leftOut(t, "%v", err)
	}
	if slices.Contains(l.Missing, t.ID) {
		return t
	}
	if err := l.Holds(ctx, t); err != nil {
		return leftOut(t, "%s does not keep it as it is: %v", t.Func, err)
	}
	return t
}

// readBack is the error for what YAML cannot hold, such as bytes that are no letters.
func readBack(t *modules.Thing) error {
	all := value.NewList(value.Str(t.ID), value.Str(t.Name), t.Args)
	text, err := yaml.Encode(all, options())
	if err != nil {
		return err
	}
	if v, err := yaml.Decode(t.ID, []byte(text)); err != nil || !value.Equal(v, all) {
		return errors.New("an SLS cannot hold it as it is: it has bytes that are no letters")
	}
	return nil
}

func leftOut(t *modules.Thing, format string, args ...any) *modules.Thing {
	return &modules.Thing{ID: t.ID, Args: value.NewDict(0), Notes: append(slices.Clone(t.Notes),
		t.ID+" is left out: "+fmt.Sprintf(format, args...))}
}

// hide puts words in the place of what holds a secret. What is a secret is known when all was looked at: one of a later
// thing may be in an earlier one.
func (w *teller) hide(a *Answer) {
	if w.req.Hides == nil {
		return
	}
	for _, last := range []bool{false, true} {
		for _, g := range a.Groups {
			for i, t := range g.Things {
				if t.Func != "" && w.req.Hides(t) && last {
					g.Things[i] = leftOut(t, "it holds a secret, which --show-secrets shows")
				}
			}
		}
	}
}

// name gives each thing an ID of its own: the name of the thing, with its kind before it where other kinds are told of
// beside. What is told twice (a key that a source of packages needs, and that lies in /etc) is told once.
func (a *Answer) name() {
	used, told := map[string]bool{}, map[[2]string]bool{}
	for _, g := range a.Groups {
		g.Things = slices.DeleteFunc(g.Things, func(t *modules.Thing) bool {
			key := [2]string{t.Func, cmp.Or(t.Name, t.ID)}
			again := told[key] && strings.HasPrefix(t.Func, "file.")
			told[key] = t.Func != ""
			return again
		})
		for _, t := range g.Things {
			if t.Func == "" {
				continue
			}
			id := t.ID
			if a.whole && id != g.Kind && id != g.Kind+"s" && !strings.HasPrefix(t.Func, "file.") || reserved(id) {
				id = g.Kind + " " + id
			}
			plain := id
			for n := 2; used[id]; n++ {
				id = fmt.Sprintf("%s (%d)", plain, n)
			}
			used[id] = true
			a.ids[t] = id
		}
	}
}

// reserved says whether an SLS takes a key for something else than an ID.
func reserved(id string) bool {
	return slices.Contains([]string{"include", "extend", "exclude"}, id) ||
		strings.HasPrefix(id, "__") || strings.TrimSpace(id) == ""
}

// body is the declaration of a thing: {function: [arguments]}.
func (a *Answer) body(t *modules.Thing) *value.Dict {
	args := value.NewList()
	_, several := t.Args.GetStr("pkgs")
	if name := cmp.Or(t.Name, t.ID); name != a.ids[t] && !several {
		args.Items = append(args.Items, value.DictOf("name", value.Str(name)))
	}
	for k, v := range t.Args.All() {
		args.Items = append(args.Items, value.DictOf(value.String(k), v))
	}
	if needs := a.needs(t); len(needs.Items) > 0 {
		args.Items = append(args.Items, value.DictOf("require", needs))
	}
	return value.DictOf(t.Func, args)
}

// needs are the requisites of a thing: what it stands on, where that is told of.
func (a *Answer) needs(t *modules.Thing) *value.List {
	out := value.NewList()
	for _, after := range t.After {
		for _, g := range a.Groups {
			for _, o := range g.Things {
				if g.Kind == after[0] && o.ID == after[1] && a.ids[o] != "" {
					module, _, _ := strings.Cut(o.Func, ".")
					out.Items = append(out.Items, value.DictOf(module, value.Str(a.ids[o])))
				}
			}
		}
	}
	return out
}

// High is the answer as high data.
func (a *Answer) High() *value.Dict {
	out := value.NewDict(0)
	for _, g := range a.Groups {
		for _, t := range g.Things {
			if t.Func != "" {
				out.SetStr(a.ids[t], a.body(t))
			}
		}
	}
	return out
}
