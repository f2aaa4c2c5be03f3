package modules

import (
	"slices"
	"strings"
)

// HasModWatch says whether functions of the module react to a watch. Where none does, watch means require.
func (r *Registry) HasModWatch(module string) bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	known, ok := r.watch[module]
	if !ok {
		f := r.ofModule(module)
		known = f != nil && slices.ContainsFunc(f.States, func(s StateSpec) bool { return s.reactsFor(module) }) ||
			r.watchers()[module]
		r.watch[module] = known
	}
	return known
}

// watching are the modules that have a function that reacts to a watch.
func (r *Registry) watching() map[string]bool {
	out := map[string]bool{}
	for n, s := range r.all().states {
		if module, _, _ := strings.Cut(n, "."); s.reacts() {
			out[module] = true
		}
	}
	return out
}

func (s StateSpec) reactsFor(module string) bool {
	return strings.HasPrefix(s.Name, module+".") && s.reacts()
}

func (s StateSpec) reacts() bool {
	_, ok := s.New().(Watcher)
	return ok
}
