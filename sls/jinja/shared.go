package jinja

import (
	"context"

	"github.com/gostate/gostate/state/value"
)

// globalsKey is the key of a rendering's own globals in a context.
type globalsKey struct{}

// WithGlobals gives a context whose rendering has globals of its own before those of the environment: a template that
// is imported without context sees them as they are at that moment. A Loader may change the dict while the template
// runs.
func WithGlobals(ctx context.Context, globals *value.Dict) context.Context {
	return context.WithValue(ctx, globalsKey{}, globals)
}

// globalLayer is what a template sees that is imported without context.
func (r *run) globalLayer() *layer {
	env := r.env.globalLayer()
	if d, ok := r.ctx.Value(globalsKey{}).(*value.Dict); ok {
		return &layer{dict: d.Copy(), next: env}
	}
	return env
}

// A Lazy is a variable that is computed when a template names it.
type Lazy struct{ Get func() value.Value }

// TypeName is never seen: a Lazy is replaced by its value.
func (*Lazy) TypeName() string { return "object" }

// forced is the value of a variable.
func forced(v value.Value) value.Value {
	if l, ok := v.(*Lazy); ok {
		return l.Get()
	}
	return v
}
