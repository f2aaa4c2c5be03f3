package ini

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestConformance(t *testing.T) {
	const file = "/etc/app.ini"
	with := func(text string) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) {
			if text != "" {
				m.MustWrite(file, text, 0o640)
			}
		})
	}
	sections := map[string]map[string]any{"main": {"a": 1, "b": "two"}}
	names := value.DictOf("main", value.NewList(value.Str("a"), value.Str("none")))
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"no file": with(""),
			"empty":   with("\n"),
			"another": with("top=1\n[other]\na = 1\n[main]\n; b = 1\na=0\nc : d\n"),
			"there":   with("[main]\na = 1\nb = two\n"),
		},
		Deeds: []modtest.Deed{
			modtest.State("ini.options_present", file, "sections", sections),
			modtest.State("ini.options_present", file, "sections", sections, "strict", true, "no_spaces", true),
			modtest.State("ini.options_present", file, "sections", map[string]any{"top": 2}),
			modtest.State("ini.options_present", "/nowhere/app.ini", "sections", sections),
			modtest.State("ini.options_absent", file, "sections", names),
			modtest.State("ini.sections_present", file, "sections", map[string]any{"main": nil, "new": nil}),
			modtest.State("ini.sections_present", file, "sections", []string{"new"}),
			modtest.State("ini.options_absent", file, "sections", []string{"top"}),
			modtest.State("ini.options_absent", file),
			modtest.State("ini.sections_absent", file, "sections", map[string]any{"main": nil}),
		},
	}.Run(t)
}
