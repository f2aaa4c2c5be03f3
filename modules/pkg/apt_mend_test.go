package pkg

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// TestMended: what a full disk left unpacked without its dependencies is mended first, and foretold. A mending that
// takes packages away is not done.
func TestMended(t *testing.T) {
	for _, tt := range []struct{ name, mending, fault string }{
		{"brings what is missing", "Inst needed (1.0 x [amd64])\nConf needed (1.0 x [amd64])\nConf half (1.0 x [amd64])\n",
			""},
		{"removes", "Remv half [1.0]\n", "removes half: that is for you to decide"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			m, env := newBench(hello(), "half 1.0")
			raw, _ := m.ReadFile("/var/lib/dpkg/status")
			whole := string(raw) + "Package: needed\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.0\n\n"
			m.MustWrite("/var/lib/dpkg/status", strings.Replace(string(raw), "Package: half\nStatus: install ok installed",
				"Package: half\nStatus: install ok unpacked", 1), 0o644)
			m.Script = broken(m, m.Script, tt.mending, whole)
			preview := host.NewOverlay(m)
			told, err := bind(t, installedSpec(), "vim", nil).Act(t.Context(), env, preview)
			if !saysOf(err, tt.fault) {
				t.Fatalf("the preview: %v, want %q", err, tt.fault)
			}
			e, err := bind(t, installedSpec(), "vim", nil).Act(t.Context(), env, m)
			if !saysOf(err, tt.fault) {
				t.Fatalf("the run: %v, want %q", err, tt.fault)
			}
			if tt.fault != "" {
				return
			}
			want := "{'half': {'old': '', 'new': '1.0'}, 'needed': {'old': '', 'new': '1.0'}, " +
				"'vim': {'old': '', 'new': '2:9.1'}}"
			if value.Repr(e.Changes) != want || value.Repr(told.Changes) != want {
				t.Errorf("changes %v, foretold %v", value.Repr(e.Changes), value.Repr(told.Changes))
			}
		})
	}
}

func saysOf(err error, fault string) bool {
	return err == nil && fault == "" || err != nil && fault != "" && strings.Contains(err.Error(), fault)
}

// broken is an apt that refuses everything but to mend, until that was done: then the database is the whole one.
func broken(m *hosttest.Memory, apt func(host.Cmd) (*host.Output, error), mending, whole string,
) func(host.Cmd) (*host.Output, error) {
	return func(c host.Cmd) (*host.Output, error) {
		raw, _ := m.ReadFile("/var/lib/dpkg/status")
		mends := slices.Contains(c.Args, "--fix-broken")
		switch {
		case mends && slices.Contains(c.Args, "-s"):
			return &host.Output{Stdout: []byte(mending)}, nil
		case mends:
			m.MustWrite("/var/lib/dpkg/status", whole, 0o644)
			return &host.Output{}, nil
		case c.Args[0] == "apt-get" && strings.Contains(string(raw), "ok unpacked"):
			return &host.Output{Code: 100, Stdout: []byte("You might want to run 'apt --fix-broken install' to correct these.\n" +
				"The following packages have unmet dependencies:\n half : Depends: needed but it is not going to be installed\n"),
				Stderr: []byte("E: Unmet dependencies. Try 'apt --fix-broken install' with no packages.\n")}, nil
		}
		return apt(c)
	}
}
