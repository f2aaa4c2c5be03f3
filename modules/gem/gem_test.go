package gem

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
		name, gem string
		spec      modules.StateSpec
		args      []any
		changes   string // "" when nothing changes
		ran       string
	}{
		{"there", "rake", installedSpec(), nil, "", ""},
		{"the version is there", "rake", installedSpec(), []any{"version", value.Str("12.3.1")}, "", ""},
		{"other version", "rake", installedSpec(), []any{"version", value.Str("14.0")}, "{'rake': 'Installed'}", "gem install rake --version 14.0 --no-document"},
		{"new", "sass", installedSpec(), []any{"ri", value.Bool(true)}, "{'sass': 'Installed'}", "gem install sass"},
		{"removed", "rake", removedSpec(), nil, "{'rake': 'Removed'}", "gem uninstall rake --all --executables --ignore-dependencies"},
		{"removed already", "sass", removedSpec(), nil, "", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := host.NewMemory()
			h.MustWrite("/usr/bin/gem", "", 0o755)
			ran := ""
			h.Script = func(c host.Cmd) (*host.Output, error) {
				if c.Args[1] == "list" {
					return &host.Output{Stdout: []byte("rake (13.0.6, default: 12.3.1)\nrake-compiler (1.0)\n")}, nil
				}
				ran = strings.Join(c.Args, " ")
				return &host.Output{}, nil
			}
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "x", Name: tt.gem, Args: value.DictOf(tt.args...)})
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
