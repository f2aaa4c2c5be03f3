package state

import (
	"context"
	"fmt"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// said are trees that tell what they were asked for.
type said struct{ t *testing.T }

func (s said) Show(_ context.Context, what string, r modules.TreeRequest) (value.Value, error) {
	if len(r.SLS) == 1 && r.SLS[0] == "nope" {
		return nil, value.Raise("SaltRenderError", "no such SLS")
	}
	if what == "low" {
		return modtest.JSON(s.t, `[{"__id__": "a", "__sls__": "web"}, {"__id__": "b", "__sls__": "part"}, {"__id__": "c", "__sls__": "web"}]`), nil
	}
	return value.Str(fmt.Sprint(what, r.SLS, r.Env)), nil
}

func (s said) Apply(_ context.Context, h host.Host, r modules.TreeRequest) (*value.Dict, error) {
	return value.DictOf("asked", value.Str(fmt.Sprintf("%v %v %v %q %q %q %v %v", r.SLS, r.Exclude, r.IDs, r.Env, r.Single,
		r.Name, r.Test, r.Lock)), "args", modules.OrElse(r.Args, r.Args != nil, value.None),
		"host", value.Bool(h != nil)), nil
}

func TestShow(t *testing.T) {
	x := modtest.Execs{Family: Family(), Host: hosttest.NewMemory(),
		Env: &modules.Env{Trees: said{t}, Opts: modtest.Dict(t, "{}")}}
	x.Table(t, [][4]string{
		{"state.show_top", `[]`, "", "'top[]'"},
		{"state.show_sls", `["a,b"]`, `{"saltenv": "dev"}`, "'high[a b]dev'"},
		{"state.show_highstate", `[]`, "", "'high[]'"},
		{"state.show_sls", `["a"]`, `{"pillar": {}}`, "error: show_sls() got an unexpected keyword argument 'pillar'"},
		{"state.show_states", `[]`, "", "['web', 'part']"},
		{"state.sls_exists", `["web"]`, "", "True"},
		{"state.sls_exists", `["nope"]`, "", "False"},
		{"state.id_exists", `["a,c", "web"]`, "", "True"},
		{"state.id_exists", `[["a", "x"], "web"]`, "", "False"},
		{"state.id_exists", `["a", "nope"]`, "", "error: no such SLS"},
		{"state.running", `[]`, "", "[]"},
	})
	x.Env.Trees = nil
	x.Table(t, [][4]string{{"state.show_top", `[]`, "", "error: there are no SLS files here"}})
}

func TestApply(t *testing.T) {
	asked := func(text, args string) string { return "{'asked': '" + text + "', 'args': " + args + ", 'host': True}" }
	x := modtest.Execs{Family: Family(), Host: hosttest.NewMemory(),
		Env: &modules.Env{Trees: said{t}, Opts: modtest.Dict(t, `{"test": true}`)}}
	x.Table(t, [][4]string{
		{"state.apply", `[]`, "", asked(`[] [] [] "" "" "" false false`, "None")},
		{"state.sls", `[["a", "b"]]`, `{"test": true, "exclude": "c", "saltenv": "dev"}`,
			asked(`[a b] [c] [] "dev" "" "" true false`, "None")},
		{"state.highstate", `[]`, "", asked(`[] [] [] "" "" "" false false`, "None")},
		{"state.test", `["a"]`, "", asked(`[a] [] [] "" "" "" true false`, "None")},
		{"state.sls_id", `["x", "a"]`, "", asked(`[a] [] [x] "" "" "" false false`, "None")},
		{"state.single", `["file.managed", "/f"]`, `{"mode": 644, "test": 0}`,
			asked(`[] [] [] "" "file.managed" "/f" false false`, "{'mode': 644}")},
	})
	// typed, it keeps other runs out, and the option test counts
	x.Env.Typed = true
	x.Table(t, [][4]string{{"state.apply", `["a"]`, "", asked(`[a] [] [] "" "" "" true true`, "None")},
		{"state.apply", `["a"]`, `{"test": false}`, asked(`[a] [] [] "" "" "" false true`, "None")}})
}
