package alternatives

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

const notes = "manual\n/usr/bin/editor\neditor.1.gz\n/usr/share/man/man1/editor.1.gz\n\n/bin/nano\n40\n/usr/share/man/man1/nano.1.gz\n/usr/bin/vim\n30\n\n\n"

func TestStates(t *testing.T) {
	tests := []struct {
		name    string
		spec    modules.StateSpec
		args    []any
		changes string // "" when nothing changes
		ran     string
		err     string
	}{
		{"registered", installSpec(), []any{"link", value.Str("/usr/bin/editor"), "path", value.Str("/usr/bin/vim"), "priority", value.Int(1)}, "", "", ""},
		{"new", installSpec(), []any{"link", value.Str("/usr/bin/editor"), "path", value.Str("/bin/ed"), "priority", value.Int(1)},
			"{'name': 'editor', 'link': '/usr/bin/editor', 'path': '/bin/ed', 'priority': 1}", "--install /usr/bin/editor editor /bin/ed 1", ""},
		{"set already", setSpec(), []any{"path", value.Str("/bin/nano")}, "", "", ""},
		{"set", setSpec(), []any{"path", value.Str("/usr/bin/vim")}, "{'path': '/usr/bin/vim'}", "--set editor /usr/bin/vim", ""},
		{"set to nothing", setSpec(), []any{"path", value.Str("/bin/ed")}, "", "", "Alternative /bin/ed for editor doesn't exist"},
		{"remove", removeSpec(), []any{"path", value.Str("/bin/nano")}, "{'path': '/bin/nano'}", "--remove editor /bin/nano", ""},
		{"removed already", removeSpec(), []any{"path", value.Str("/bin/ed")}, "", "", ""},
		{"auto", autoSpec(), nil, "{'result': 'auto'}", "--auto editor", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := host.NewMemory()
			h.MustWrite("/var/lib/dpkg/alternatives/editor", notes, 0o644)
			h.MustMkdir("/etc/alternatives")
			if err := h.Symlink("/bin/nano", "/etc/alternatives/editor"); err != nil {
				t.Fatal(err)
			}
			h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "editor", Name: "editor", Args: value.DictOf(tt.args...)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			f, err := modtest.Of(fn).Check(context.Background(), nil, h)
			if err != nil {
				if err.Error() != tt.err {
					t.Errorf("error %v, want %q", err, tt.err)
				}
				return
			}
			changes, ran := "", ""
			if f.Pending {
				changes = value.Repr(f.Changes)
				if _, err := modtest.Of(fn).Apply(context.Background(), nil, h, f); err != nil {
					t.Fatal(err)
				}
				ran = strings.Join(h.Ran[0].Args[1:], " ")
				h.Promise(f.Effects...)
				if again, err := modtest.Of(fn).Check(context.Background(), nil, h); err != nil || again.Pending {
					t.Errorf("what is promised is pending: %+v %v", again, err)
				}
			}
			if d := cmp.Diff([]string{tt.changes, tt.ran}, []string{changes, ran}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
