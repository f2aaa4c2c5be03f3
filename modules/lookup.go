package modules

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"sync"

	"github.com/gostate/gostate/state/diag"
)

// New makes a registry of the families. Two functions of one name are an error.
func New(families ...Family) (*Registry, error) {
	states, execs := 0, 0
	for _, f := range families {
		states, execs = states+len(f.States), execs+len(f.Execs)
	}
	r := &Registry{states: make(map[string]*StateSpec, states*5/4), execs: make(map[string]*ExecSpec, execs*5/4)}
	for _, f := range families {
		if err := r.addFamily(f); err != nil {
			return nil, fmt.Errorf("family %s: %w", f.Name, err)
		}
	}
	r.names = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(r.states)) })
	r.enames = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(r.execs)) })
	r.modules = sync.OnceValue(r.stateModules)
	r.watchers = sync.OnceValue(r.watching)
	return r, nil
}

func (r *Registry) stateModules() []string {
	var out []string
	for _, n := range r.names() {
		m, _, _ := strings.Cut(n, ".")
		if len(out) == 0 || out[len(out)-1] != m {
			out = append(out, m)
		}
	}
	slices.Sort(out)
	return slices.Compact(out)
}

func (r *Registry) addFamily(f Family) error {
	for i := range f.States {
		s := &f.States[i]
		s.cell = &planCell{}
		if err := register(r.states, s, s.Name, s.Aliases, "state"); err != nil {
			return err
		}
	}
	for i := range f.Execs {
		e := &f.Execs[i]
		if err := register(r.execs, e, e.Name, e.Aliases, "execution"); err != nil {
			return err
		}
	}
	return nil
}

func register[S any](m map[string]*S, spec *S, name string, aliases []string, kind string) error {
	n := name
	for i := 0; ; i++ {
		if !strings.Contains(n, ".") {
			return fmt.Errorf("the %s function %q has no module in its name", kind, n)
		}
		if m[n] != nil {
			return fmt.Errorf("two %s functions are called %s", kind, n)
		}
		m[n] = spec
		if i == len(aliases) {
			return nil
		}
		n = aliases[i]
	}
}

// State is the state function of the name, "file.managed".
func (r *Registry) State(name string) (*StateSpec, bool) { s, ok := r.states[name]; return s, ok }

// Exec is the execution function of the name, "grains.get".
func (r *Registry) Exec(name string) (*ExecSpec, bool) { e, ok := r.execs[name]; return e, ok }

// StateNames are the names of all state functions, sorted.
func (r *Registry) StateNames() []string { return slices.Clone(r.names()) }

// ExecNames are the names of all execution functions, sorted.
func (r *Registry) ExecNames() []string { return slices.Clone(r.enames()) }

// Modules are the modules that have state functions, sorted.
func (r *Registry) Modules() []string { return slices.Clone(r.modules()) }

// Lookup is the state function of a module. When there is none, the diagnostic, whose place the caller sets, names the
// nearest one.
func (r *Registry) Lookup(module, function string) (*StateSpec, *diag.Diagnostic) {
	if s, ok := r.states[module+"."+function]; ok {
		return s, nil
	}
	if !slices.Contains(r.modules(), module) {
		d := diag.Errorf(diag.Pos{}, "unknown state module %q in %s.%s", module, module, function)
		if near := diag.Nearest(module, r.modules()); near != "" {
			d.WithHint("did you mean %q?", near+"."+function)
		}
		return nil, d
	}
	functions := r.functionsOf(module)
	d := diag.Errorf(diag.Pos{}, "unknown state function %q: module %q has no function %q", module+"."+function, module, function)
	if near := diag.Nearest(function, functions); near != "" {
		d.WithHint("did you mean %q?", module+"."+near)
	} else {
		d.WithHint("it has %s", strings.Join(functions, ", "))
	}
	return nil, d
}

func (r *Registry) functionsOf(module string) []string {
	var out []string
	for _, n := range r.names() {
		if f, ok := strings.CutPrefix(n, module+"."); ok {
			out = append(out, f)
		}
	}
	return out
}
