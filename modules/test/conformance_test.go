package test

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

func TestConformance(t *testing.T) {
	const unlike = "as in Salt, a pretended failure is not foretold"
	pillar := value.DictOf("text", value.Str("x"), "number", value.Int(1))
	modtest.Suite{
		Family:     Family(),
		Situations: modtest.Situations{"any": modtest.Memory(nil, nil)},
		Env: func(*testing.T) *modules.Env {
			return &modules.Env{Cache: modules.NewCache(), Pillar: func(p string) (value.Value,
				bool) {
				return value.Lookup(pillar, p, ":")
			}}
		},
		Deeds: []modtest.Deed{
			modtest.State("test.nop", "x"),
			modtest.State("test.nop", "x").Watched(),
			modtest.State("test.succeed_without_changes", "x"),
			modtest.State("test.succeed_with_changes", "x", "comment", "well"),
			modtest.State("test.fail_without_changes", "x"),
			modtest.State("test.fail_with_changes", "x").Untold(unlike),
			modtest.State("test.configurable_test_state", "x", "changes", false, "comment", "quiet"),
			modtest.State("test.configurable_test_state", "x", "warnings", "careful"),
			modtest.State("test.configurable_test_state", "x", "result", false).Untold(unlike),
			modtest.State("test.configurable_test_state", "x", "result", false, "changes", false, "allow_test_mode_failure",
				true),
			modtest.State("test.show_notification", "x", "text", "hello"),
			modtest.State("test.check_pillar", "x", "present", "text", "integer", "number"),
			modtest.State("test.check_pillar", "x", "string", "number"),
			modtest.State("test.mod_watch", "x"),
		},
	}.Run(t)
}
