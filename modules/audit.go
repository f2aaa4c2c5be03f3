package modules

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// auditable is who tells of the things that states of a module are about, nil where nobody does.
func (r *Registry) auditable(module string) *Describer {
	for _, d := range r.Describers() {
		if d.Kind == module {
			return &d
		}
	}
	if f := r.ofModule(module); f != nil && len(f.Describers) > 0 {
		return &f.Describers[0]
	}
	return nil
}

// Auditable are the modules whose states can be audited, sorted.
func (r *Registry) Auditable() []string {
	var out []string
	for _, name := range r.StateNames() {
		module, _, _ := strings.Cut(name, ".")
		if !slices.Contains(out, module) && r.auditable(module) != nil {
			out = append(out, module)
		}
	}
	slices.Sort(out)
	return out
}

// CanAudit says whether a module's states can be audited.
func (r *Registry) CanAudit(module string) bool { return r.auditable(module) != nil }

// HasProperty says whether what a state is about may have a property of the name: what is told of it, or an argument of
// the state.
func (r *Registry) HasProperty(low *state.Low, name string) bool {
	d := r.auditable(low.Module)
	if d != nil && d.PropertyNames != nil {
		return slices.Contains(d.PropertyNames, name)
	}
	declared, _ := r.Takes(low.Module, low.Func, name)
	return declared || name == isProperty
}

// isProperty is what a thing is: the function of the state that says so, or absent.
const isProperty = "is"

// Properties are what is there now of the thing that a state is about. Secrets are not among them.
func (r *Registry) Properties(ctx context.Context, env *Env, h host.Reader, low *state.Low) (map[string]string, error) {
	d := r.auditable(low.Module)
	if d == nil {
		return nil, fmt.Errorf("nobody tells what is there of %s", low.Module)
	}
	if d.Properties != nil {
		return d.Properties(h, low.Name)
	}
	l := &Look{Env: env, Host: h, Names: []string{low.Name}, System: true}
	if err := d.Describe(ctx, l); err != nil {
		return nil, err
	}
	out := map[string]string{isProperty: "absent"}
	for _, t := range l.Things {
		if t.Func == "" || slices.Contains(l.Missing, t.ID) {
			continue
		}
		_, out[isProperty], _ = strings.Cut(t.Func, ".")
		for k, v := range t.Args.All() {
			out[value.String(k)] = value.String(v)
		}
	}
	return out, nil
}
