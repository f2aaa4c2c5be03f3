package modules

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// brought are the families of the functions that a tree brings. One hides all functions of the program's own module of
// its name, as in Salt.
type brought []source

// Bring adds the functions that a tree brings, before any function is asked for. A family is made when its name is
// asked for, and all of them when a function is asked for that the program has not, since a file may say that it is
// called otherwise.
func (r *Registry) Bring(states, execs []Source) {
	for _, s := range states {
		r.states = append(r.states, onceMade(s))
	}
	for _, s := range execs {
		r.execs = append(r.execs, onceMade(s))
	}
}

// of is the family of the name, nil when there is none.
func (b brought) of(module string) *Family {
	for _, s := range b {
		if s.name == module {
			return s.family()
		}
	}
	return nil
}

// state is the state function of the full name, nil when there is none.
func (f *Family) state(name string) *StateSpec {
	if i := slices.IndexFunc(f.States, func(s StateSpec) bool { return s.Name == name }); i >= 0 {
		return &f.States[i]
	}
	return nil
}

// exec is the execution function of the full name. A broken family has any, which fails.
func (f *Family) exec(name string) (*ExecSpec, bool) {
	if i := slices.IndexFunc(f.Execs, func(e ExecSpec) bool { return e.Name == name }); i >= 0 {
		return &f.Execs[i], true
	}
	if f.Broken == nil {
		return nil, false
	}
	return &ExecSpec{Name: name, Params: []string{"*args", "**kwargs"}, Fn: func(context.Context, *Call) (value.Value,
		error) {
		return nil, f.Broken
	}}, true
}

// merged are the program's own functions with those that a tree brings in their place.
func (r *Registry) merged() *tables {
	built := r.built()
	if len(r.states)+len(r.execs) == 0 {
		return built
	}
	t := &tables{states: map[string]*StateSpec{}, execs: map[string]*ExecSpec{}}
	for n, s := range built.states {
		t.states[n] = s
	}
	for n, e := range built.execs {
		t.execs[n] = e
	}
	for _, s := range r.states {
		put(t.states, s.name, s.family().States, func(s *StateSpec) string { return s.Name })
	}
	for _, s := range r.execs {
		put(t.execs, s.name, s.family().Execs, func(e *ExecSpec) string { return e.Name })
	}
	return t
}

// put puts the functions of a module in the place of all that it has.
func put[S any](m map[string]*S, module string, specs []S, name func(*S) string) {
	for n := range m {
		if strings.HasPrefix(n, module+".") {
			delete(m, n)
		}
	}
	for i := range specs {
		m[name(&specs[i])] = &specs[i]
	}
}
