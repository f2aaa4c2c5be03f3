package bridge

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// stateSpec is a state function of the tree's. mod_watch of its module makes it one that watches.
func (b *Bridge) stateSpec(f described, watcher *described) modules.StateSpec {
	spec := modules.StateSpec{Name: f.name, Doc: doc(f)}
	spec.New = func() modules.StateFunc { return &stateFunc{b: b, f: f} }
	if watcher != nil {
		spec.New = func() modules.StateFunc { return &watched{stateFunc{b: b, f: f}, *watcher} }
	}
	return spec
}

// A stateFunc is a state function of the tree's with its arguments. Nobody can tell what it does but itself: where
// gostate only looks it is called with test=True, in a view of the machine, and in a run once.
type stateFunc struct {
	modules.Base
	Name string      `arg:"name,required,text" doc:"The name."`
	Rest *value.Dict `arg:"**,text"`

	b *Bridge
	f described
}

// A watched state function is one whose module has mod_watch.
type watched struct {
	stateFunc
	watcher described
}

// ModWatch is mod_watch of the module, which is told the function that watches as sfun.
func (w *watched) ModWatch() modules.StateFunc {
	rest := value.NewDict(1)
	if w.Rest != nil {
		rest = w.Rest.Copy()
	}
	_, fun, _ := strings.Cut(w.f.name, ".")
	rest.SetStr("sfun", value.Str(fun))
	return &stateFunc{Base: w.Base, Name: w.Name, Rest: w.accepted(w.watcher, rest), b: w.b, f: w.watcher}
}

// accepted are the arguments that a function takes.
func (s *stateFunc) accepted(f described, args *value.Dict) *value.Dict {
	out := value.NewDict(args.Len())
	for k, v := range args.All() {
		if name := value.String(k); f.takes(name) {
			out.SetStr(name, v)
		}
	}
	return out
}

// takes says whether the function has a parameter of the name.
func (f described) takes(name string) bool {
	return slices.ContainsFunc(f.params, func(p string) bool {
		return strings.HasPrefix(p, "**") || strings.TrimSuffix(p, "=") == name
	})
}

// Validate finds arguments that the function does not take, and those that it needs.
func (s *stateFunc) Validate() (faults []modules.Fault) {
	rest := s.Rest
	if rest == nil {
		rest = value.NewDict(0)
	}
	for k := range rest.All() {
		name := value.String(k)
		if !s.f.takes(name) {
			faults = append(faults, modules.Fault{Arg: name, Msg: fmt.Sprintf("has no argument %q", name), Hint: s.hint(name)})
		}
	}
	for _, p := range s.f.params {
		if strings.HasPrefix(p, "*") || strings.HasSuffix(p, "=") || p == "name" {
			continue
		}
		if _, ok := rest.GetStr(p); !ok {
			faults = append(faults, modules.Fault{Arg: p, Msg: fmt.Sprintf("needs the argument %q", p)})
		}
	}
	return faults
}

func (s *stateFunc) hint(name string) string {
	var known []string
	for _, p := range s.f.params {
		known = append(known, strings.TrimSuffix(p, "="))
	}
	if near := diag.Nearest(name, known); near != "" {
		return fmt.Sprintf("did you mean %q?", near)
	}
	return "its arguments are " + strings.Join(known, ", ") + ", as " + s.f.file.Path + " has them"
}

// Act calls the function. Salt differs: it calls with test=True on the machine itself; here a view of it.
func (s *stateFunc) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e := state.Effect{Pending: true, Once: true, Preview: s.f.name + " of " + s.Name + " is set to be applied"}
	err := h.Do(ctx, host.Deed{What: "apply " + s.f.name, On: host.Anything,
		Do: func(ctx context.Context) (err error) {
			e, err = s.called(ctx, env, h, false)
			return err
		},
		Foretell: func(o host.Host) error {
			if !o.Preview() { // the forecast of a run: it is called once, in the run
				return nil
			}
			told, err := s.called(ctx, env, o, true)
			if errors.Is(err, host.ErrPreview) {
				return nil // nobody can be asked
			}
			e = told
			return err
		}})
	return e, err
}

// called calls the function and reads its result.
func (s *stateFunc) called(ctx context.Context, env *modules.Env, h host.Host, test bool) (state.Effect, error) {
	kwargs := value.DictOf("name", value.Str(s.Name))
	if s.Rest != nil {
		kwargs.Update(s.Rest)
	}
	q := value.DictOf("op", value.Str("call"), "kind", value.Str(States), "fun", value.Str(s.f.name), "kwargs", kwargs,
		"test", value.Bool(test))
	if low := env.Low; low != nil {
		chunk := low.Chunk()
		chunk.Update(kwargs) // a state that is bound keeps its arguments nowhere else
		q.SetStr("about", value.DictOf("id", value.Str(low.ID), "sls", value.Str(low.SLS), "env", value.Str(low.Env),
			"low", chunk))
	}
	v, err := s.b.ask(ctx, env, h, s.f.file, q)
	if err != nil {
		return state.Effect{Once: true}, err
	}
	return effect(s.f.name, v)
}

// effect reads what a state function gives: name, result, changes, comment.
func effect(fun string, v value.Value) (state.Effect, error) {
	e := state.Effect{Once: true, Changes: value.NewDict(0)}
	d, ok := v.(*value.Dict)
	if !ok {
		return e, fmt.Errorf("%s gave %s, and not a dict with result, changes and comment", fun, value.Repr(v))
	}
	var missing []string
	for _, key := range []string{"name", "result", "changes", "comment"} {
		if _, ok := d.GetStr(key); !ok {
			missing = append(missing, key)
		}
	}
	if len(missing) > 0 {
		return e, fmt.Errorf("what %s gave lacks %s", fun, strings.Join(missing, ", "))
	}
	said, _ := d.GetStr("comment")
	e.Comment = strings.Join(value.Texts(said), "\n")
	if w, ok := d.GetStr("warnings"); ok {
		e.Warnings = value.Texts(w)
	}
	changes, _ := d.GetStr("changes")
	if e.Changes, ok = changes.(*value.Dict); !ok {
		e.Changes = value.NewDict(0)
		return e, fmt.Errorf("%s gave %s for changes, which is no dict", fun, value.Repr(changes))
	}
	result, _ := d.GetStr("result")
	switch {
	case result == value.Value(value.None):
		e.Pending = true
	case !value.Truth(result):
		return e, errors.New(e.Comment)
	}
	return e, nil
}
