package alternatives

import (
	"context"
	"errors"
	"io/fs"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

const notes = "manual\n/usr/bin/editor\neditor.1.gz\n/usr/share/man/man1/editor.1.gz\n\n/bin/nano\n40\n/usr/share/man/man1/nano.1.gz\n/usr/bin/vim\n30\n\n\n"

func machine(t *testing.T) *host.Memory {
	h := host.NewMemory()
	h.MustWrite("/var/lib/dpkg/alternatives/editor", notes, 0o644)
	for _, f := range []string{"/bin/nano", "/usr/bin/vim", "/bin/ed", "/usr/share/man/man1/nano.1.gz"} {
		h.MustWrite(f, "", 0o755)
	}
	h.MustMkdir("/etc/alternatives")
	for link, to := range map[string]string{"/etc/alternatives/editor": "/bin/nano", "/usr/bin/editor": "/etc/alternatives/editor",
		"/etc/alternatives/editor.1.gz": "/usr/share/man/man1/nano.1.gz", "/usr/share/man/man1/editor.1.gz": "/etc/alternatives/editor.1.gz"} {
		if err := h.Symlink(to, link); err != nil {
			t.Fatal(err)
		}
	}
	h.Script = func(host.Cmd) (*host.Output, error) { return &host.Output{}, nil }
	return h
}

func TestStates(t *testing.T) {
	install := func(path string) []any {
		return []any{"link", value.Str("/usr/bin/editor"), "path", value.Str(path), "priority", value.Int(50)}
	}
	path := func(p string) []any { return []any{"path", value.Str(p)} }
	tests := []struct {
		name    string
		spec    modules.StateSpec
		args    []any
		changes string // "" when nothing is to do
		ran     string
		err     string
		leaves  string // what is taken, and its manual page, on the overlay
	}{
		{"registered", installSpec(), install("/usr/bin/vim"), "", "", "", "/bin/nano /usr/share/man/man1/nano.1.gz"},
		{"new", installSpec(), install("/bin/ed"), "{'name': 'editor', 'link': '/usr/bin/editor', 'path': '/bin/ed', 'priority': 50}",
			"--install /usr/bin/editor editor /bin/ed 50", "", "/bin/nano /usr/share/man/man1/nano.1.gz"},
		{"not there", installSpec(), install("/bin/none"), "", "", "alternative path /bin/none doesn't exist", "/bin/nano /usr/share/man/man1/nano.1.gz"},
		{"set already", setSpec(), path("/bin/nano"), "", "", "", "/bin/nano /usr/share/man/man1/nano.1.gz"},
		{"set", setSpec(), path("/usr/bin/vim"), "{'path': '/usr/bin/vim'}", "--set editor /usr/bin/vim", "", "/usr/bin/vim "},
		{"set to nothing", setSpec(), path("/bin/ed"), "", "", "Alternative /bin/ed for editor doesn't exist", "/bin/nano /usr/share/man/man1/nano.1.gz"},
		{"remove", removeSpec(), path("/bin/nano"), "{'path': '/usr/bin/vim'}", "--remove editor /bin/nano", "", "/usr/bin/vim "},
		{"removed already", removeSpec(), path("/bin/ed"), "", "", "", "/bin/nano /usr/share/man/man1/nano.1.gz"},
		{"auto", autoSpec(), nil, "{'result': 'auto'}", "--auto editor", "", "/bin/nano /usr/share/man/man1/nano.1.gz"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := machine(t)
			fn, diags := modules.Bind(&tt.spec, &state.Low{ID: "editor", Name: "editor", Args: value.DictOf(tt.args...)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			over := host.Forecast(h)
			e, err := fn.Act(context.Background(), nil, over)
			if tt.err != "" {
				if err == nil || !strings.HasPrefix(err.Error(), tt.err) || !errors.Is(err, fs.ErrNotExist) {
					t.Errorf("error %v, want %q, which a package may mend", err, tt.err)
				}
				return
			}
			changes, ran := "", ""
			if e.Alters() {
				changes = value.Repr(e.Changes)
				if done, err := fn.Act(context.Background(), nil, h); err != nil || value.Repr(done.Changes) != changes {
					t.Errorf("the run: %+v %v", done, err)
				}
				ran = strings.Join(h.Ran[0].Args[1:], " ")
			}
			taken, _ := over.Readlink("/etc/alternatives/editor")
			page, _ := over.Readlink("/etc/alternatives/editor.1.gz")
			if d := cmp.Diff([]string{tt.changes, tt.ran, tt.leaves}, []string{changes, ran, taken + " " + page}); d != "" || err != nil {
				t.Errorf("%v (-want +got):\n%s", err, d)
			}
			if again, err := fn.Act(context.Background(), nil, over); err != nil || again.Alters() {
				t.Errorf("what the overlay has is not what was wanted: %+v %v", again, err)
			}
		})
	}
}

func TestNotesAreKept(t *testing.T) {
	c, err := look(machine(t), "editor")
	if err != nil || c.notes() != notes {
		t.Errorf("%v\n%s", err, cmp.Diff(notes, c.notes()))
	}
}

func TestTheLastChoiceTakesTheLinkAlong(t *testing.T) {
	over := host.Forecast(machine(t))
	for _, p := range []string{"/bin/nano", "/usr/bin/vim"} {
		if _, err := (&Remove{Name: "editor", Path: p}).Act(context.Background(), nil, over); err != nil {
			t.Fatal(err)
		}
	}
	for _, p := range []string{"/usr/bin/editor", "/etc/alternatives/editor", "/var/lib/dpkg/alternatives/editor", "/usr/share/man/man1/editor.1.gz"} {
		if _, err := over.Lstat(p); err == nil {
			t.Errorf("%s is left", p)
		}
	}
}
