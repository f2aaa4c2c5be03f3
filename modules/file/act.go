package file

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An effect is what a state function did to a machine, or to an overlay of it.
type effect struct {
	changes *value.Dict
	comment string
	// preview is the comment of test mode, "" for comment; foretold are its changes, nil for changes.
	preview  string
	foretold *value.Dict
	warnings []string
	// pending says that there is something to do although no changes are shown for it.
	pending bool
	// once marks an edit that is not repeated until nothing changes: there is nothing to check again after it.
	once bool
}

func newEffect() effect { return effect{changes: value.NewDict(0)} }

// settled is an effect without changes.
func settled(comment string) effect {
	e := newEffect()
	e.comment = comment
	return e
}

// An actor is a state function that is written once: what it does.
type actor interface {
	act(ctx context.Context, env *modules.Env, h host.Host) (effect, error)
}

// check does it to an overlay of the machine.
func check(ctx context.Context, env *modules.Env, h host.Reader, a actor) (state.Forecast, error) {
	e, err := a.act(ctx, env, host.NewOverlay(h))
	f := state.Forecast{Changes: e.changes, Comment: e.comment, Warnings: e.warnings, Action: e.once}
	if e.preview != "" {
		f.Comment = e.preview
	}
	if e.foretold != nil {
		f.Changes = e.foretold
	}
	f.Pending = e.pending || (e.changes != nil && e.changes.Len() > 0)
	return f, err
}

// apply does it. Its warnings were shown with the check.
func apply(ctx context.Context, env *modules.Env, h host.Host, a actor) (state.Applied, error) {
	e, err := a.act(ctx, env, h)
	return state.Applied{Changes: e.changes, Comment: e.comment}, err
}
