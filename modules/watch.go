package modules

import "strings"

// HasModWatch says whether functions of the module react to a watch. Where none does, watch means require.
func (r *Registry) HasModWatch(module string) bool {
	for _, n := range r.names() {
		if !strings.HasPrefix(n, module+".") {
			continue
		}
		if _, ok := r.states[n].New().(Watcher); ok {
			return true
		}
	}
	return false
}
