package module

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

func TestConformance(t *testing.T) {
	const own = "what a function does is its own"
	modtest.Suite{
		Family:     Family(),
		Situations: modtest.Situations{"any": modtest.Memory(nil, nil)},
		Env:        func(*testing.T) *modules.Env { return &modules.Env{Exec: &execs{}} },
		Deeds: []modtest.Deed{
			modtest.State("module.run", "x", "test.a", []any{"one"}).Untold(own),
			modtest.State("module.run", "test.a", "m_name", "nginx").Untold(own),
			modtest.State("module.run", "bad.fn").Untold(own),
			modtest.State("module.run", "raising.fn").Untold(own),
			modtest.State("module.run", "no.such"),
			modtest.State("module.run", "test.strict"),
			modtest.State("module.wait", "test.a"),
			modtest.State("module.wait", "test.a").Watched().Untold(own),
			modtest.State("module.watch", "test.a").Watched().Untold(own),
			modtest.State("module.wait", "no.such").Watched(),
		},
	}.Run(t)
}
