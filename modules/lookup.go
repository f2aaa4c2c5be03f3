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
	sources := make([]Source, len(families))
	for i, f := range families {
		sources[i] = Source{f.Name, func() Family { return f }}
	}
	r := newRegistry(sources)
	t, err := r.collect()
	r.built = func() *tables { return t }
	return r, err
}

// Lazy makes a registry of families that are made when they are needed: to look up file.managed takes the family file
// and no other. Everything else takes all of them. It panics then if two functions have one name.
func Lazy(sources ...Source) *Registry {
	r := newRegistry(sources)
	r.built = sync.OnceValue(func() *tables {
		t, err := r.collect()
		if err != nil {
			panic(err) // a mistake in the program's own list, which New finds in a test
		}
		return t
	})
	return r
}

func newRegistry(sources []Source) *Registry {
	r := &Registry{sources: make([]source, len(sources)), found: map[[2]string]*StateSpec{}, watch: map[string]bool{}}
	for i, s := range sources {
		r.sources[i] = onceMade(s)
	}
	r.all = sync.OnceValue(r.merged)
	r.names = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(r.all().states)) })
	r.enames = sync.OnceValue(func() []string { return slices.Sorted(maps.Keys(r.all().execs)) })
	r.modules = sync.OnceValue(r.stateModules)
	r.watchers = sync.OnceValue(r.watching)
	return r
}

func onceMade(s Source) source {
	return source{s.Name, sync.OnceValue(func() *Family {
		f := s.Make()
		for i := range f.States {
			f.States[i].cell = &planCell{}
		}
		return &f
	})}
}

// collect makes all families of the program's own.
func (r *Registry) collect() (*tables, error) {
	t := &tables{states: make(map[string]*StateSpec, 256), execs: make(map[string]*ExecSpec, 1024)}
	for _, s := range r.sources {
		if err := t.add(s.family()); err != nil {
			return nil, fmt.Errorf("family %s: %w", s.name, err)
		}
	}
	return t, nil
}

// ofModule is the family that has a module's name, nil when there is none.
func (r *Registry) ofModule(module string) *Family {
	for _, s := range r.sources {
		if s.name == module {
			return s.family()
		}
	}
	return nil
}

// find is the state function of a module, in the family of that name if it is there. nil when there is none.
func (r *Registry) find(module, function string) *StateSpec {
	key := [2]string{module, function}
	r.mu.Lock()
	defer r.mu.Unlock()
	if s, ok := r.found[key]; ok {
		return s
	}
	s := r.state(module, module+"."+function)
	r.found[key] = s
	return s
}

func (r *Registry) state(module, name string) *StateSpec {
	if f := r.states.of(module); f != nil {
		return f.state(name)
	}
	if f := r.ofModule(module); f != nil {
		if s := f.state(name); s != nil {
			return s
		}
	}
	if s := r.built().states[name]; s != nil || len(r.states) == 0 {
		return s
	}
	return r.all().states[name]
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

func (t *tables) add(f *Family) error {
	for i := range f.States {
		s := &f.States[i]
		if err := register(t.states, s, s.Name, s.Aliases, "state"); err != nil {
			return err
		}
	}
	for i := range f.Execs {
		e := &f.Execs[i]
		if err := register(t.execs, e, e.Name, e.Aliases, "execution"); err != nil {
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
func (r *Registry) State(name string) (*StateSpec, bool) { s, ok := r.all().states[name]; return s, ok }

// Exec is the execution function of the name, "grains.get".
func (r *Registry) Exec(name string) (*ExecSpec, bool) {
	module, _, _ := strings.Cut(name, ".")
	if f := r.execs.of(module); f != nil {
		return f.exec(name)
	}
	if f := r.ofModule(module); f != nil {
		if e, ok := f.exec(name); ok {
			return e, true
		}
	}
	if e, ok := r.built().execs[name]; ok || len(r.execs) == 0 {
		return e, ok
	}
	e, ok := r.all().execs[name]
	return e, ok
}

// Built are the names of the program's own state functions and execution functions.
func (r *Registry) Built() (states, execs []string) {
	t := r.built()
	return slices.Sorted(maps.Keys(t.states)), slices.Sorted(maps.Keys(t.execs))
}

// StateNames are the names of all state functions, sorted.
func (r *Registry) StateNames() []string { return slices.Clone(r.names()) }

// ExecNames are the names of all execution functions, sorted.
func (r *Registry) ExecNames() []string { return slices.Clone(r.enames()) }

// HasExecModule says whether a module has execution functions.
func (r *Registry) HasExecModule(module string) bool {
	if f := r.execs.of(module); f != nil {
		return f.Broken != nil || len(f.Execs) > 0
	}
	if f := r.ofModule(module); f != nil && len(f.Execs) > 0 {
		return true
	}
	names := r.enames()
	i, _ := slices.BinarySearch(names, module+".")
	return i < len(names) && strings.HasPrefix(names[i], module+".")
}

// Modules are the modules that have state functions, sorted.
func (r *Registry) Modules() []string { return slices.Clone(r.modules()) }

// Takes says whether the function declares the argument, and whether it is given all that it does not declare. It is a
// state.Takes.
func (r *Registry) Takes(module, function, arg string) (declared, any bool) {
	s := r.find(module, function)
	if s == nil {
		return false, false
	}
	p := s.planOf()
	return p.byName[arg] != nil, p.rest != nil
}

// Lookup is the state function of a module. When there is none, the diagnostic, whose place the caller sets, names the
// nearest one.
// Salt differs: it fails the one state whose function it does not know.
func (r *Registry) Lookup(module, function string) (*StateSpec, *diag.Diagnostic) {
	if s := r.find(module, function); s != nil {
		return s, nil
	}
	if f := r.states.of(module); f != nil && f.Broken != nil {
		return nil, diag.Errorf(diag.Pos{}, "unknown state module %q: %v", module, f.Broken)
	}
	if !slices.Contains(r.modules(), module) {
		if hint := outside(module); hint != "" {
			return nil, diag.Errorf(diag.Pos{}, "%s.%s is not in gostate", module, function).WithHint("%s", hint)
		}
		d := diag.Errorf(diag.Pos{}, "unknown state module %q in %s.%s", module, module, function)
		if near := diag.Nearest(module, r.modules()); near != "" {
			d.WithHint("did you mean %q?", near+"."+function)
		} else {
			d.WithHint("gostate doc lists the modules; one of the tree's own belongs in _states (docs/bridge.md)")
		}
		return nil, d
	}
	functions := r.functionsOf(module)
	d := diag.Errorf(diag.Pos{}, "unknown state function %q: module %q has no function %q", module+"."+function, module,
		function)
	if near := diag.Nearest(function, functions); near != "" {
		d.WithHint("did you mean %q?", module+"."+near)
	} else {
		d.WithHint("it has %s", strings.Join(functions, ", "))
	}
	return nil, d
}

// ArgumentsOf are the arguments that the functions of a module have ("file"), or one function ("file.managed"); nil
// where there is none.
func (r *Registry) ArgumentsOf(what string) (names []string) {
	module, function, one := strings.Cut(what, ".")
	functions := []string{function}
	if !one {
		functions = r.functionsOf(module)
	}
	for _, fn := range functions {
		if s := r.find(module, fn); s != nil {
			names = append(names, s.planOf().names...)
		}
	}
	return names
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
