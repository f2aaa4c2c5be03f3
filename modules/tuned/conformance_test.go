package tuned

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// store is where the fake tuned-adm keeps the profile.
const store = "/var/tuned/profile"

// tools is a tuned-adm with the lines of version 2.20.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	raw, _ := m.ReadFile(store)
	switch c.Args[1] {
	case "list":
		return &host.Output{Stdout: []byte("Available profiles:\n- balanced          - General non-specialized profile\n" +
			"- virtual-guest     - Optimize for guests\n- realtime-virtual-guest \n" +
			"Current active profile: " + string(raw) + "\n")}, nil
	case "active":
		if len(raw) == 0 {
			return &host.Output{Code: 1, Stdout: []byte("No current active profile.\n")}, nil
		}
		return &host.Output{Stdout: []byte("Current active profile: " + string(raw) + "\n")}, nil
	}
	m.MustWrite(store, strings.Join(c.Args[2:], " "), 0o644)
	return &host.Output{}, nil
}

func with(profile string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/sbin/tuned-adm", "", 0o755)
		m.MustWrite(store, profile, 0o644)
	})
}

func TestConformance(t *testing.T) {
	modtest.Suite{
		Family: Family(), Beyond: []string{"/var/tuned"},
		Situations: modtest.Situations{"not installed": modtest.Memory(tools, nil), "off": with(""),
			"real time": with("realtime-virtual-guest"), "two": with("balanced virtual-guest")},
		Deeds: []modtest.Deed{modtest.State("tuned.profile", "virtual-guest"), modtest.State("tuned.profile", "none"),
			modtest.State("tuned.off", "x")},
	}.Run(t)
}

func TestChanges(t *testing.T) {
	e, err := (&Profile{Name: "virtual-guest"}).Act(t.Context(), nil, with("realtime-virtual-guest")(t))
	got := []string{value.Repr(e.Changes), value.Repr(e.Foretold), e.Comment, e.Preview}
	want := []string{"{'old': 'realtime-virtual-guest', 'new': 'virtual-guest'}",
		"{'old': 'realtime-virtual-guest', 'new': 'Profile will be set to virtual-guest'}",
		`The state of "virtual-guest" was changed!`, `The state of "realtime-virtual-guest" will be changed.`}
	if d := cmp.Diff(want, got); err != nil || d != "" {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
}

func TestExecs(t *testing.T) {
	modtest.Execs{Family: Family(), Host: with("balanced")(t)}.Table(t, [][4]string{
		{"tuned.list", `[]`, "", `['balanced', 'virtual-guest', 'realtime-virtual-guest']`},
		{"tuned.active", `[]`, "", `'balanced'`}, {"tuned.profile", `["virtual-guest"]`, "", `'virtual-guest'`},
		{"tuned.active", `[]`, "", `'virtual-guest'`}, {"tuned.off", `[]`, "", `True`},
		{"tuned.active", `[]`, "", `'none'`},
	})
}
