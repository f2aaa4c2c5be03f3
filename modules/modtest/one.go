package modtest

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// One lets a single deed act on a machine, or on an overlay of one, for what a test wants to know of its effect.
func (s Suite) One(t *testing.T, h host.Host, d Deed) (state.Effect, error) {
	t.Helper()
	var err error
	if s.registry, err = modules.New(s.Family); err != nil {
		t.Fatal(err)
	}
	fn, low := s.bind(t, d)
	return fn.Act(t.Context(), s.env(t, low), h)
}
