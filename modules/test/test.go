// Package test is the functions of Salt's test module: states that succeed, fail or change as they are told, for trying
// out trees, requisites and outputters, and execution functions to try out calls. They touch nothing.
package test

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family is all functions of the package.
func Family() modules.Family {
	return modules.Family{Name: "test", States: []modules.StateSpec{
		nop(), succeedWithoutChanges(), succeedWithChanges(), failWithoutChanges(), failWithChanges(), configurable(),
		showNotification(), checkPillar(), modWatch(),
	}, Execs: execs()}
}

// A base is what all of them share: they react to a watch.
type base struct{}

func (base) ModWatch() modules.StateFunc { return &ModWatch{} }

// pretended are the changes that these states claim.
func pretended() state.Changes {
	return value.DictOf("testing", value.DictOf("old", value.Str("Unchanged"), "new",
		value.Str("Something pretended to change")))
}

// a pretence is a state with a fixed outcome.
type pretence struct {
	changes, fails   bool
	comment, preview string
}

func (p pretence) act(ctx context.Context, h host.Host) (state.Effect, error) {
	e := state.Settled(p.comment)
	switch {
	case p.fails && !p.changes:
		return e, errors.New(p.comment)
	case !p.changes:
		return e, nil
	}
	e.Changes, e.Preview, e.Once = pretended(), p.preview, true
	return e, pretend(ctx, h, p.fails, p.comment)
}

// pretend fails on a machine where it is told to. As in Salt, a preview does not foretell that.
func pretend(ctx context.Context, h host.Host, fails bool, comment string) error {
	return h.Do(ctx, host.Deed{What: "pretend", Do: func(context.Context) error {
		if fails {
			return errors.New(comment)
		}
		return nil
	}, Foretell: func(host.Host) error { return nil }})
}
