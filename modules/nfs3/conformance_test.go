package nfs3

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const some = `# what we export
/srv 10.0.0.0/8(rw,sync)

/a /b *(ro) # both
/c 192.0.2.1(rw) \
   192.0.2.2(ro)
`

func with(text string) func(*testing.T) host.Host {
	tools := func(*hosttest.Memory, host.Cmd) (*host.Output, error) {
		return &host.Output{Stderr: []byte("exportfs: no subtree_check\n")}, nil
	}
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/sbin/exportfs", "", 0o755)
		m.MustMkdir("/etc")
		if text != "" {
			m.MustWrite("/etc/exports", text, 0o644)
		}
	})
}

func clients(t *testing.T, text string) value.Value { return modtest.JSON(t, text) }

func TestConformance(t *testing.T) {
	s := func(fun, name string, args ...any) modtest.Deed {
		return modtest.State("nfs_export."+fun, name, args...)
	}
	modtest.Suite{
		Family:     States(),
		Situations: modtest.Situations{"not installed": modtest.Memory(nil, nil), "no file": with(""), "some": with(some)},
		Deeds: []modtest.Deed{
			s("present", "/srv", "hosts", "10.0.0.0/8", "options", []string{"rw", "sync"}), s("present", "/srv", "hosts", "*"),
			s("present", "/new", "hosts", "*", "options", "ro"), s("present", "/a", "hosts", "*", "options", []string{"rw"}),
			s("present", "/c", "clients", clients(t, `[{"hosts": "192.0.2.1", "options": ["rw"]}, {"hosts": "192.0.2.2", `+
				`"options": ["ro"]}]`)),
			s("absent", "/srv"), s("absent", "/b"), s("absent", "/none"), s("absent", "/c", "exports", "/etc/other"),
		},
	}.Run(t)
}

// TestFile: comments and other paths stay as they are.
func TestFile(t *testing.T) {
	for _, r := range []struct {
		fn   modules.StateFunc
		want string
	}{
		{&Present{Name: "/a", Hosts: "x", Options: []string{"rw"}, Exports: "/etc/exports"}, `# what we export
/srv 10.0.0.0/8(rw,sync)

/a x(rw)
/b *(ro)
/c 192.0.2.1(rw)     192.0.2.2(ro)
`},
		{&Absent{Name: "/c", Exports: "/etc/exports"}, "# what we export\n/srv 10.0.0.0/8(rw,sync)\n\n/a /b *(ro) # both\n"},
	} {
		h := with(some)(t)
		_, err := r.fn.Act(t.Context(), nil, h)
		got, _ := h.ReadFile("/etc/exports")
		if d := cmp.Diff(r.want, string(got)); err != nil || d != "" {
			t.Errorf("%v (-want +got):\n%s", err, d)
		}
	}
}

func TestRefused(t *testing.T) {
	for _, p := range []Present{{}, {Clients: value.NewList(value.Str("x"))},
		{Clients: clients(t, `[{"hosts": "a b"}]`).(*value.List)},
		{Clients: clients(t, `[{"options": ["rw"]}]`).(*value.List)}} {
		if len(p.Validate()) != 1 {
			t.Errorf("%+v is taken", p)
		}
	}
}

func TestExecs(t *testing.T) {
	modtest.Execs{Family: Family(), Host: with(some)(t)}.Table(t, [][4]string{
		{"nfs3.list_exports", `[]`, "", `{'/srv': [{'hosts': '10.0.0.0/8', 'options': ['rw', 'sync']}], '/a': [{'hosts': '*', ` +
			`'options': ['ro']}], '/b': [{'hosts': '*', 'options': ['ro']}], '/c': [{'hosts': '192.0.2.1', 'options': ['rw']}, ` +
			`{'hosts': '192.0.2.2', 'options': ['ro']}]}`},
		{"nfs3.add_export", `[]`, `{"path": "/n", "hosts": "*", "options": ["ro"]}`, `{'hosts': '*', 'options': ['ro']}`},
		{"nfs3.del_export", `[]`, `{"path": "/none"}`, `error: '/none'`},
		{"nfs3.reload_exports", `[]`, "", `{'stdout': '', 'stderr': 'exportfs: no subtree_check', 'result': True}`},
	})
}
