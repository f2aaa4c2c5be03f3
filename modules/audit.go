package modules

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Audited is a state function that tells what is there of what it is about, for an audit, where its describer is not
// asked by the state's name.
type Audited interface {
	StateFunc
	// Properties are those of what is there now, none where nothing is. Secrets are not among them.
	Properties(ctx context.Context, env *Env, h host.Reader) (map[string]string, error)
}

// Is is the property that every thing has: whether it is there, and how.
const Is = "is"

// Absent is Is of what is not there.
const Absent = "absent"

// auditable says by whom the states of a function can be audited: the function itself, or the describer.
func (r *Registry) auditable(spec *StateSpec) (self bool, by *Describer) {
	if _, self = spec.New().(Audited); self {
		return true, nil
	}
	module, _, _ := strings.Cut(spec.Name, ".")
	for _, d := range r.Describers() {
		if d.Kind == module && (d.ByName || d.Properties != nil) {
			return false, &d
		}
	}
	return false, nil
}

// Auditable are the modules with states that can be audited, sorted.
func (r *Registry) Auditable() []string {
	out := map[string]bool{}
	for _, name := range r.StateNames() {
		module, function, _ := strings.Cut(name, ".")
		if !out[module] && r.CanAudit(module, function) {
			out[module] = true
		}
	}
	return slices.Sorted(maps.Keys(out))
}

// CanAudit says whether the states of a function can be audited.
func (r *Registry) CanAudit(module, function string) bool {
	spec := r.find(module, function)
	if spec == nil {
		return false
	}
	self, by := r.auditable(spec)
	return self || by != nil
}

// HasProperty says whether what a state is about may have a property of the name: what is told of it, or an argument of
// the state.
func (r *Registry) HasProperty(low *state.Low, name string) bool {
	if spec := r.find(low.Module, low.Func); spec != nil {
		if _, d := r.auditable(spec); d != nil && d.PropertyNames != nil {
			return slices.Contains(d.PropertyNames, name)
		}
	}
	declared, _ := r.Takes(low.Module, low.Func, name)
	return declared || name == Is
}

// Properties are what is there now of the thing that a state, whose function is bound, is about. Secrets are not among
// them.
func (r *Registry) Properties(ctx context.Context, env *Env, h host.Reader, low *state.Low,
	fn StateFunc) (map[string]string, error) {
	if f, ok := fn.(Audited); ok {
		out, err := f.Properties(ctx, env, h)
		switch {
		case err != nil:
			return nil, err
		case out == nil:
			out = map[string]string{Is: Absent}
		case out[Is] == "":
			out[Is] = "present"
		}
		return out, nil
	}
	_, d := r.auditable(r.find(low.Module, low.Func))
	switch {
	case d == nil:
		return nil, fmt.Errorf("nobody tells what is there of %s", low.Fun())
	case d.Properties != nil:
		return d.Properties(h, low.Name)
	}
	return described(ctx, d, &Look{Env: env, Host: h, Names: []string{low.Name}, System: true})
}

// described is what a describer tells of one name.
func described(ctx context.Context, d *Describer, l *Look) (map[string]string, error) {
	if err := d.Describe(ctx, l); err != nil {
		return nil, err
	}
	out := map[string]string{Is: Absent}
	for _, t := range l.Things {
		if t.Func == "" || slices.Contains(l.Missing, t.ID) {
			continue
		}
		_, out[Is], _ = strings.Cut(t.Func, ".")
		for k, v := range t.Args.All() {
			out[value.String(k)] = value.String(v)
		}
	}
	return out, nil
}
