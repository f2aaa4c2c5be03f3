package alternatives

import (
	"errors"
	"io/fs"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

const notes = "manual\n/usr/bin/editor\neditor.1.gz\n/usr/share/man/man1/editor.1.gz\n\n/bin/nano\n40\n/usr/share/man/man1/nano.1.gz\n/usr/bin/vim\n30\n\n\n"

// tools is an update-alternatives that does what a preview writes, but from its own words.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	args := c.Args[2:]
	fault := func(text string) (*host.Output, error) { return &host.Output{Code: 2, Stderr: []byte(text)}, nil }
	name := args[0]
	if c.Args[1] == "--install" {
		name = args[1]
	}
	ch, err := look(m, name)
	if err != nil {
		return nil, err
	}
	switch c.Args[1] {
	case "--install":
		if _, err := m.Stat(args[2]); err != nil {
			return fault("update-alternatives: error: alternative path " + args[2] + " doesn't exist")
		}
		prio, _ := strconv.Atoi(args[3])
		ch.options, ch.link = append(ch.options, option{args[2], prio, make([]string, len(ch.slaves))}), args[0]
	case "--set":
		ch.auto, ch.current = false, args[1]
	case "--auto":
		ch.auto = true
	case "--remove":
		ch.options = slices.DeleteFunc(ch.options, func(o option) bool { return o.path == args[1] })
	}
	ch.settle()
	if err := ch.relink(m); err != nil {
		return nil, err
	}
	if len(ch.options) == 0 {
		return &host.Output{}, m.Remove(ch.file)
	}
	return &host.Output{}, m.WriteFile(ch.file, strings.NewReader(ch.notes()), host.KeepAttr())
}

func nothing(m *hosttest.Memory) {
	for _, f := range []string{"/bin/nano", "/usr/bin/vim", "/bin/ed", "/usr/share/man/man1/nano.1.gz"} {
		m.MustWrite(f, "", 0o755)
	}
	m.MustMkdir("/etc/alternatives")
	m.MustMkdir("/var/lib/dpkg/alternatives")
}

func editors(m *hosttest.Memory) {
	nothing(m)
	m.MustWrite("/var/lib/dpkg/alternatives/editor", notes, 0o644)
	for link, to := range map[string]string{"/etc/alternatives/editor": "/bin/nano",
		"/usr/bin/editor":                 "/etc/alternatives/editor",
		"/etc/alternatives/editor.1.gz":   "/usr/share/man/man1/nano.1.gz",
		"/usr/share/man/man1/editor.1.gz": "/etc/alternatives/editor.1.gz"} {
		if err := m.Symlink(to, link); err != nil {
			panic(err)
		}
	}
}

func TestConformance(t *testing.T) {
	install := func(path string, prio int) modtest.Deed {
		return modtest.State("alternatives.install", "editor", "link", "/usr/bin/editor", "path", path, "priority", prio)
	}
	modtest.Suite{Family: Family(), Situations: modtest.Situations{
		"nothing": modtest.Memory(tools, nothing),
		"two":     modtest.Memory(tools, editors),
		"chosen automatically": modtest.Memory(tools, func(m *hosttest.Memory) {
			editors(m)
			m.MustWrite("/var/lib/dpkg/alternatives/editor", strings.Replace(notes, "manual", "auto", 1), 0o644)
		}),
	}, Deeds: []modtest.Deed{
		install("/usr/bin/vim", 1), install("/bin/ed", 50), install("/bin/ed", 1), install("/bin/none", 1),
		modtest.State("alternatives.set", "editor", "path", "/bin/nano"),
		modtest.State("alternatives.set", "editor", "path", "/usr/bin/vim"),
		modtest.State("alternatives.set", "editor", "path", "/bin/ed"),
		modtest.State("alternatives.remove", "editor", "path", "/bin/nano"),
		modtest.State("alternatives.remove", "editor", "path", "/bin/ed"),
		modtest.State("alternatives.auto", "editor"),
	}}.Run(t)
}

func machine() *hosttest.Memory {
	m := hosttest.NewMemory()
	editors(m)
	return m
}

func TestForeseen(t *testing.T) {
	tests := []struct {
		name  string
		fn    modules.StateFunc
		taken string // and its manual page
		err   string
	}{
		{"a better one", &Install{Name: "editor", Link: "/usr/bin/editor", Path: "/bin/ed", Priority: 50},
			"/bin/nano /usr/share/man/man1/nano.1.gz", ""},
		{"not there", &Install{Name: "editor", Link: "/usr/bin/editor", Path: "/bin/none"}, "",
			"alternative path /bin/none doesn't exist"},
		{"set", &Set{Name: "editor", Path: "/usr/bin/vim"}, "/usr/bin/vim ", ""},
		{"set to nothing", &Set{Name: "editor", Path: "/bin/ed"}, "", "Alternative /bin/ed for editor doesn't exist"},
		{"remove", &Remove{Name: "editor", Path: "/bin/nano"}, "/usr/bin/vim ", ""},
		{"auto", &Auto{Name: "editor"}, "/bin/nano /usr/share/man/man1/nano.1.gz", ""},
	}
	for _, tt := range tests {
		over := host.Forecast(machine())
		_, err := tt.fn.Act(t.Context(), nil, over)
		if tt.err != "" {
			if err == nil || !strings.HasPrefix(err.Error(), tt.err) || !errors.Is(err, fs.ErrNotExist) {
				t.Errorf("%s: error %v, want %q, which a package may mend", tt.name, err, tt.err)
			}
			continue
		}
		taken, _ := over.Readlink("/etc/alternatives/editor")
		page, _ := over.Readlink("/etc/alternatives/editor.1.gz")
		if d := cmp.Diff(tt.taken, taken+" "+page); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got):\n%s", tt.name, err, d)
		}
	}
}

func TestNotesAreKept(t *testing.T) {
	c, err := look(machine(), "editor")
	if err != nil || c.notes() != notes {
		t.Errorf("%v\n%s", err, cmp.Diff(notes, c.notes()))
	}
}

func TestTheLastChoiceTakesTheLinkAlong(t *testing.T) {
	over := host.Forecast(machine())
	for _, s := range [][3]string{
		{"/bin/nano", "Alternative for editor removed. Falling back to path /usr/bin/vim",
			"Alternative for editor is set to it's default path /usr/bin/vim"},
		{"/usr/bin/vim", "Alternative for editor removed", "Alternative for editor doesn't exist"},
	} {
		remove := &Remove{Name: "editor", Path: s[0]}
		if e, err := remove.Act(t.Context(), nil, over); err != nil || !e.Alters() || e.Comment != s[1] {
			t.Fatalf("%+v %v", e, err)
		}
		if e, err := remove.Act(t.Context(), nil, over); err != nil || e.Alters() || e.Comment != s[2] {
			t.Errorf("again: %+v %v", e, err)
		}
	}
	for _, p := range []string{"/usr/bin/editor", "/etc/alternatives/editor", "/var/lib/dpkg/alternatives/editor",
		"/usr/share/man/man1/editor.1.gz"} {
		if _, err := over.Lstat(p); err == nil {
			t.Errorf("%s is left", p)
		}
	}
}
