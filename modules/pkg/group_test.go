package pkg

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// groupText is what dnf 4.14 said of a group with a package of each kind.
const groupText = `Last metadata expiration check: 0:00:10 ago on Sun Nov 22 12:49:18 2026.
Group: Tools
 Description: Some tools.
 Mandatory Packages:
   hello
 Default Packages:
   app
 Optional Packages:
   rest
`

func TestParseGroup(t *testing.T) {
	packages, groups := parseGroup(groupText)
	want := map[string][]string{"mandatory": {"hello"}, "default": {"app"}, "optional": {"rest"}}
	if d := cmp.Diff(want, packages); d != "" || len(groups) > 0 {
		t.Errorf("(-want +got):\n%s%v", d, groups)
	}
	_, groups = parseGroup("Environment Group: Server\n Mandatory Groups:\n   Core\n   +Standard\n")
	if d := cmp.Diff(map[string][]string{"mandatory": {"Core", "Standard"}}, groups); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestGroupInstalled installs what is missing of a group.
func TestGroupInstalled(t *testing.T) {
	for _, tt := range []struct {
		there         string
		skip          []string
		comment, want string
	}{
		{"", nil, "Group 'Tools' was installed", "{'app': {'old': '', 'new': '1.0-1'}, 'hello': {'old': '', 'new': '2.0-1'}}"},
		{"hello 2.0-1", nil, "Group 'Tools' was updated", "{'app': {'old': '', 'new': '1.0-1'}}"},
		{"hello 2.0-1", []string{"app"}, "Group 'Tools' is already installed", "{}"},
		{"", []string{"hello"}, "The following mandatory packages cannot be skipped: hello", "{}"},
	} {
		s := shelves()["dnf"]
		m := hosttest.NewMemory()
		if s.machine()(m); tt.there != "" {
			s.machine(tt.there)(m)
		}
		m.Script = func(c host.Cmd) (*host.Output, error) {
			for _, w := range c.Args {
				if w == "groupinfo" {
					return &host.Output{Stdout: []byte(groupText)}, nil
				}
			}
			return s.tools(m, c)
		}
		env := &modules.Env{Cache: modules.NewCache(), Progress: func(string) {}, Low: &state.Low{}}
		modules.Get(env.Cache, sessionKey{}, func() openSession {
			return openSession{&session{provider: s.provider, claims: map[string]Step{}}, nil}
		})
		e, err := (&GroupInstalled{Name: "Tools", Skip: tt.skip}).Act(t.Context(), env, m)
		if err != nil {
			e.Comment, e.Changes = err.Error(), value.NewDict(0)
		}
		got := "None"
		if e.Changes != nil {
			got = value.Repr(e.Changes)
		}
		if e.Comment != tt.comment || got != tt.want {
			t.Errorf("%v: %s, %s", tt, e.Comment, got)
		}
	}
}
