// Package test is the state functions of Salt's test module: states that succeed, fail or change as they are told, for
// trying out trees, requisites and outputters. They touch nothing.
package test

import (
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// Family is all functions of the package.
func Family() modules.Family {
	return modules.Family{Name: "test", States: []modules.StateSpec{
		nop(), succeedWithoutChanges(), succeedWithChanges(), failWithoutChanges(), failWithChanges(), configurable(),
		showNotification(), checkPillar(), modWatch(),
	}}
}

// A base is what all of them share: they hold no lock, so they may run beside anything, and react to a watch.
type base struct{}

func (base) Locks() []string             { return nil }
func (base) ModWatch() modules.StateFunc { return &ModWatch{} }

// pretended are the changes that these states claim.
func pretended() state.Changes {
	return value.DictOf("testing", value.DictOf("old", value.Str("Unchanged"), "new", value.Str("Something pretended to change")))
}

// a pretence is a state with a fixed outcome.
type pretence struct {
	changes, fails   bool
	comment, preview string
}

func (p pretence) check() (state.Forecast, error) {
	if !p.changes {
		if p.fails {
			return state.Forecast{}, errors.New(p.comment)
		}
		return state.Forecast{Comment: p.comment}, nil
	}
	return state.Forecast{Pending: true, Changes: pretended(), Comment: p.preview, Action: true}, nil
}

func (p pretence) apply() (state.Applied, error) {
	a := state.Applied{Changes: pretended(), Comment: p.comment}
	if p.fails {
		return a, errors.New(p.comment)
	}
	return a, nil
}

func orElse(text, def string) string {
	if text == "" {
		return def
	}
	return text
}
