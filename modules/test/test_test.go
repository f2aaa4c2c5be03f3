package test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// bind makes a state function from JSON arguments; nil when they are refused.
func bind(t *testing.T, fun, args string) modules.StateFunc {
	t.Helper()
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(args)
	if err != nil {
		t.Fatal(err)
	}
	spec, bad := reg.Lookup("test", fun)
	if bad != nil {
		t.Fatal(bad)
	}
	fn, _ := modules.Bind(spec, &state.Low{ID: "x", Name: "x", Module: "test", Func: fun, Args: v.(*value.Dict)})
	return fn
}

func shown(v state.Changes) string {
	if v == nil || v.Len() == 0 {
		return ""
	}
	s, _ := value.DumpsJSON(v, value.JSONOptions{})
	return s
}

const change = `{"testing": {"old": "Unchanged", "new": "Something pretended to change"}}`

func TestOutcomes(t *testing.T) {
	for _, c := range []struct {
		fun, args     string
		preview, runs string // outcome, changes, comment
	}{
		{"nop", `{}`, "same  Success!", ""},
		{"nop", `{"comment": "hi", "anything": 1}`, "same  hi", ""},
		{"succeed_without_changes", `{}`, "same  Success!", ""},
		{"succeed_with_changes", `{}`, "pending " + change + " If we weren't testing, this would be successful with changes",
			"done " + change + " Success!"},
		{"fail_without_changes", `{}`, "failed  Failure!", ""},
		{"fail_with_changes", `{"comment": "no"}`, "pending " + change +
			" If we weren't testing, this would be failed with changes", "failed " + change + " no"},
		{"configurable_test_state", `{"comment": "c"}`, "pending " + change + " c", "done " + change + " c"},
		{"configurable_test_state", `{"changes": false, "result": false, "comment": "c"}`, "same  c", "failed  c"},
		{"configurable_test_state", `{"changes": false, "result": false, "comment": "c", "allow_test_mode_failure": true}`,
			"failed  c", ""},
		{"configurable_test_state", `{"changes": true, "result": false, "comment": "c"}`, "pending " + change + " c",
			"failed " + change + " c"},
		{"show_notification", `{"text": "hello"}`, "same  hello", ""},
		{"check_pillar", `{"present": ["a"], "string": "a", "integer": "n", "listing": "l", "dictionary": "d", "boolean": "b"}`, "same  ", ""},
		{"check_pillar", `{"present": ["x"], "string": "n"}`,
			"failed  Pillar key \"x\" is missing.\nPillar key \"n\" is not string.", ""},
		{"check_pillar", `{"string": "n", "verbose": true}`, "failed  Pillar key \"n\" is not string. It is int: 1.", ""},
		{"mod_watch", `{}`, `pending {"Requisites with changes": ["file: /etc/motd"]} Watch statement fired.`,
			`done {"Requisites with changes": ["file: /etc/motd"]} Watch statement fired.`},
	} {
		t.Run(c.fun+c.args, func(t *testing.T) {
			fn := bind(t, c.fun, c.args)
			pillar := value.DictOf("a", value.Str("t"), "n", value.Int(1), "l", value.NewList(), "d", value.NewDict(0), "b",
				value.Bool(false))
			env := &modules.Env{Pillar: func(key string) (value.Value, bool) { return pillar.GetStr(key) },
				Fired: []*state.Low{{Module: "file", ID: "/etc/motd"}}}
			h := hosttest.NewMemory()
			f, err := modtest.Of(fn).Check(context.Background(), env, h)
			word := map[bool]string{false: "same", true: "pending"}[f.Pending]
			if err != nil {
				word, f.Comment = "failed", err.Error()
			}
			if d := cmp.Diff(c.preview, strings.Join([]string{word, shown(f.Changes), f.Comment}, " ")); d != "" {
				t.Errorf("check (-want +got):\n%s", d)
			}
			if c.runs == "" {
				return
			}
			a, err := modtest.Of(fn).Apply(context.Background(), env, h, f)
			word = "done"
			if err != nil {
				word, a.Comment = "failed", err.Error()
			}
			if d := cmp.Diff(c.runs, strings.Join([]string{word, shown(a.Changes), a.Comment}, " ")); d != "" {
				t.Errorf("apply (-want +got):\n%s", d)
			}
		})
	}
}

func TestWarnings(t *testing.T) {
	f, err := modtest.Of(bind(t, "configurable_test_state", `{"warnings": ["a", "b"]}`)).Check(context.Background(), nil,
		hosttest.NewMemory())
	if d := cmp.Diff([]string{"a", "b"}, f.Warnings); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestRandom(t *testing.T) {
	fn := bind(t, "configurable_test_state", `{"changes": "Random", "result": "Random"}`)
	seen := map[string]bool{}
	for range 200 {
		a, err := modtest.Of(fn).Apply(context.Background(), nil, hosttest.NewMemory(), modtest.Forecast{})
		seen[shown(a.Changes)] = true
		seen[map[bool]string{true: "ok", false: "failed"}[err == nil]] = true
	}
	if len(seen) != 4 {
		t.Errorf("200 throws gave only %v", seen)
	}
}

func TestRefused(t *testing.T) {
	for fun, args := range map[string]string{
		"configurable_test_state": `{"changes": "perhaps"}`,
		"show_notification":       `{}`,
		"check_pillar":            `{"presnt": "a"}`,
	} {
		if bind(t, fun, args) != nil {
			t.Errorf("test.%s takes %s", fun, args)
		}
	}
}
