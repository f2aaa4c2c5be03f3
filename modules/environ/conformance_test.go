package environ

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// vars is an environment of these variables, which setenv changes.
func vars(list ...string) func(*testing.T) *modules.Env {
	return func(*testing.T) *modules.Env {
		e := &modules.Env{Environ: list}
		e.Setenv = func(name, text string, unset bool) error {
			var left []string
			for _, kv := range e.Environ {
				if len(kv) <= len(name) || kv[:len(name)+1] != name+"=" {
					left = append(left, kv)
				}
			}
			if e.Environ = left; !unset {
				e.Environ = append(left, name+"="+text)
			}
			return nil
		}
		return e
	}
}

func TestConformance(t *testing.T) {
	machine := modtest.Memory(nil, nil)
	const own = "what follows has an environment of its own: TestSet"
	set := func(name string, v any, args ...any) modtest.Deed {
		return modtest.State("environ.setenv", name, append(args, "value", v)...)
	}
	modtest.Suite{
		Family:     Family(),
		Env:        vars("A=1", "B=two"),
		Situations: modtest.Situations{"any": machine},
		Deeds: []modtest.Deed{
			set("A", "1"), set("N", false, "false_unsets", true), set("A", "2").Untold(own), set("N", "1").Untold(own),
			set("N", false).Untold(own),
			set("A", false, "false_unsets", true).Untold(own),
			set("x", map[string]any{"A": "1", "N": "2"}, "clear_all", true).Untold(own),
		},
	}.Run(t)
}

// TestSet: what an overlay was told is seen on it, what was done is seen by all.
func TestSet(t *testing.T) {
	env, h := vars("A=1", "B=two")(t), hosttest.NewMemory()
	on := func(h host.Host) modtest.Execs { return modtest.Execs{Family: Family(), Env: env, Host: h} }
	over := host.NewOverlay(h)
	on(over).Table(t, [][4]string{
		{"environ.setval", `["A", "9"]`, "", "'9'"}, {"environ.get", `["A"]`, "", "'9'"},
		{"environ.setval", `["B", false]`, `{"false_unsets": true}`, "None"}, {"environ.has_value", `["B"]`, "", "False"},
	})
	on(h).Table(t, [][4]string{
		{"environ.get", `["A"]`, "", "'1'"},
		{"environ.setenv", `[{"C": "3", "A": false}]`, "", "{'C': '3', 'A': ''}"},
		{"environ.item", `[["A", "C"]]`, "", "{'A': '', 'C': '3'}"},
		{"environ.setenv", `[{"C": 3}]`, "", "False"},
		{"environ.setenv", `[{"C": "4"}]`, `{"clear_all": true, "false_unsets": true}`, "{'A': None, 'B': None, 'C': '4'}"},
		{"environ.items", "[]", "", "{'C': '4'}"},
	})
}
