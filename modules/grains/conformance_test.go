package grains

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const file = "/etc/gostate/grains"

// env is of a machine whose grains are these, with what the file had when they were read; JSON stands for YAML.
func env(t *testing.T, grains string) *modules.Env {
	return &modules.Env{Grains: modtest.Dict(t, grains), Opts: modtest.Dict(t, `{"conf_file": "/etc/gostate/minion"}`),
		Cache: modules.NewCache(),
		Serialize: func(_ string, v value.Value, _ *value.Dict) (string, error) {
			return value.DumpsJSON(v, value.JSONOptions{})
		},
		Deserialize: func(_, text string) (value.Value, error) { return value.ParseJSON(text) }}
}

func TestConformance(t *testing.T) {
	const all = `{"os": "Debian", "roles": ["db", "web"], "tree": {"a": {"b": 1}}}`
	with := func(text string) func(*testing.T) host.Host {
		return modtest.Memory(nil, func(m *hosttest.Memory) {
			if text != "" {
				m.MustWrite(file, text, 0o640)
			}
		})
	}
	on := func(fun, name string, args ...any) modtest.Deed { return modtest.State("grains."+fun, name, args...) }
	list := []string{"web", "new"}
	modtest.Suite{
		Family: Family(),
		Env:    func(t *testing.T) *modules.Env { return env(t, all) },
		Situations: modtest.Situations{"no file": with(""),
			"noted": with(`{"tier": "web", "roles": ["db", "web"], "none": null}`), "broken": with(`{"a": `)},
		Deeds: []modtest.Deed{
			on("present", "tier", "value", "web"), on("present", "tier", "value", "db"), on("present", "new", "value", 4),
			on("present", "tree", "value", "flat"), on("present", "tree", "value", "flat", "force", true),
			on("present", "tier", "value", list),
			on("present", "tree:a:c", "value", true), on("present", "tier:below", "value", 1),
			on("present", "a,b", "value", 1, "delimiter", ","),
			on("absent", "tier"), on("absent", "tier", "destructive", true), on("absent", "nope"), on("absent", "roles"),
			on("absent", "roles", "force", true),
			on("absent", "none"), on("absent", "none", "destructive", true), on("absent", "tree:a:b", "destructive", true),
			on("append", "roles", "value", "new"), on("append", "roles", "value", "web"), on("append", "tier", "value", "x"),
			on("append", "tier", "value", "x", "convert", true), on("append", "none", "value", "x", "convert", true),
			on("append", "nope", "value", "x"),
			on("list_present", "roles", "value", list), on("list_present", "roles", "value", "db"),
			on("list_present", "fresh", "value", "x"),
			on("list_present", "tier", "value", "x"), on("list_absent", "roles", "value", list),
			on("list_absent", "nope", "value", "x"),
			on("list_absent", "tier", "value", "x"),
		},
	}.Run(t)
}

// TestListPresent: of a list of which one value is missing, that one comes.
func TestListPresent(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite(file, `{"roles": ["db", "web"]}`, 0o644)
	for _, spec := range Family().States {
		if spec.Name != "grains.list_present" {
			continue
		}
		fn, _ := modules.Bind(&spec, &state.Low{ID: "roles", Name: "roles",
			Args: value.DictOf("value", value.From([]string{"web", "new"}))})
		if _, err := fn.Act(t.Context(), env(t, `{"roles": ["db", "web"]}`), h); err != nil {
			t.Fatal(err)
		}
	}
	if got, _ := h.ReadFile(file); string(got) != `{"roles": ["db", "web", "new"]}`+"\n" {
		t.Errorf("the file has %s", got)
	}
}

func TestWriting(t *testing.T) {
	h := hosttest.NewMemory()
	h.MustWrite(file, `{"tier": "web"}`, 0o644)
	modtest.Execs{Family: Family(), Host: h, Env: env(t, `{"os": "Debian", "tier": "web"}`)}.Table(t, [][4]string{
		{"grains.set", `["a:b", 1]`, "", "{'comment': '', 'changes': {'a': {'b': 1}}, 'result': True}"},
		{"grains.set", `["a:b", 1]`, "", "{'comment': 'Grain is already set', 'changes': {}, 'result': True}"},
		{"grains.set", `["a", 1]`, "", `{'comment': "The key 'a' exists but is a dict or a list. Use 'force=True' to overwrite.", 'changes': {}, 'result': False}`},
		{"grains.setval", `["l", ["x"]]`, "", "{'l': ['x']}"},
		{"grains.append", `["l", "y"]`, "", "{'l': ['x', 'y']}"},
		{"grains.append", `["l", "y"]`, "", "'The val y was already in the list l'"},
		{"grains.append", `["os", "y"]`, "", "'The key os is not a valid list'"},
		{"grains.remove", `["l", "x"]`, "", "{'l': ['y']}"},
		{"grains.setvals", `[{"m": 1, "n": 2}]`, "", "{'m': 1, 'n': 2}"},
		{"grains.delval", `["m"]`, "", "{'comment': '', 'changes': {'m': None}, 'result': True}"},
		{"grains.delkey", `["n"]`, "", "{'comment': '', 'changes': {'n': None}, 'result': True}"},
		{"grains.delkey", `["n"]`, `{"nope": 1}`, "error: delkey() got an unexpected keyword argument 'nope'"},
	})
	if got, _ := h.ReadFile(file); string(got) != `{"tier": "web", "a": {"b": 1}, "l": ["y"], "m": null}`+"\n" {
		t.Errorf("the file has %s", got)
	}
}
