package modules

import "strings"

// HasModWatch says whether functions of the module react to a watch. Where none does, watch means require.
func (r *Registry) HasModWatch(module string) bool { return r.watchers()[module] }

func (r *Registry) watching() map[string]bool {
	out := map[string]bool{}
	for n, s := range r.states {
		if _, ok := s.New().(Watcher); ok {
			module, _, _ := strings.Cut(n, ".")
			out[module] = true
		}
	}
	return out
}
