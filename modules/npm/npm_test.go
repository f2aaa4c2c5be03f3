package npm

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func TestStates(t *testing.T) {
	tests := []struct {
		name, pkg string
		spec      modules.StateSpec
		args      []any
		changes   string // "" when nothing changes
		ran       string
	}{
		{"there", "@a/gulp", installedSpec(), nil, "", ""},
		{"the version is there", "@a/gulp@2.3.0", installedSpec(), nil, "", ""},
		{"a tag is met", "@a/gulp@latest", installedSpec(), nil, "", ""},
		{"other version", "@a/gulp@2.4.0", installedSpec(), nil, "{'@a/gulp@2.4.0': 'Installed'}", "npm install @a/gulp@2.4.0 --global"},
		{"many, in a folder", "x", installedSpec(), []any{"pkgs", value.NewList(value.Str("@a/gulp"), value.Str("left-pad")), "dir", value.Str("/srv/app")},
			"{'left-pad': 'Installed'}", "npm install left-pad"},
		{"removed", "@a/gulp", removedSpec(), nil, "{'@a/gulp': 'Removed'}", "npm uninstall @a/gulp --global"},
		{"removed already", "left-pad", removedSpec(), nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := host.NewMemory()
			h.MustWrite("/usr/bin/npm", "", 0o755)
			ran := ""
			h.Script = func(c host.Cmd) (*host.Output, error) {
				if c.Args[1] == "list" {
					return &host.Output{Code: 1, Stdout: []byte(`{"dependencies": {"@a/gulp": {"version": "2.3.0"}, "left-pad": {"missing": true}}}`)}, nil
				}
				ran = strings.Join(c.Args, " ")
				return &host.Output{}, nil
			}
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.pkg, Args: value.DictOf(tt.args...)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			env := &modules.Env{Progress: func(string) {}}
			f, err := modtest.Of(fn).Check(context.Background(), env, h)
			if err != nil {
				t.Fatal(err)
			}
			changes := ""
			if f.Pending {
				changes = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(context.Background(), env, h, f); err != nil {
					t.Fatal(err)
				}
			}
			if d := cmp.Diff([]string{tt.changes, tt.ran}, []string{changes, ran}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
