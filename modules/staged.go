package modules

import (
	"context"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Staged is Act for a state function that is still written as Check and Apply.
func Staged(ctx context.Context, env *Env, h host.Host, s Stages) (state.Effect, error) {
	f, err := s.Check(ctx, env, h)
	e := state.Effect{Changes: f.Changes, Comment: f.Comment, Warnings: f.Warnings, Pending: f.Pending, Once: f.Action}
	if err != nil || !f.Pending {
		e.Changes = nil
		return e, err
	}
	if o, ok := h.(*host.Overlay); ok {
		if _, files := s.(FileEffect); files {
			var a state.Applied
			a, err = s.Apply(ctx, env, h, f)
			e.Warnings = append(e.Warnings, a.Warnings...)
			if e.Changes == nil || e.Changes.Len() == 0 {
				e.Changes = a.Changes
			}
		}
		o.Promise(f.Effects...)
		e.Foretold = f.Changes
		return e, err
	}
	a, err := s.Apply(ctx, env, h, f)
	e.Changes, e.Warnings = a.Changes, append(e.Warnings, a.Warnings...)
	if a.Comment != "" || err != nil {
		e.Comment = a.Comment
	}
	return e, err
}
