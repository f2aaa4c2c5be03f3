package pkg

import (
	"slices"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// TestAggregates: one call does for all states of a function, and each reports its own.
func TestAggregates(t *testing.T) {
	for _, tt := range []struct {
		spec  modules.StateSpec
		verb  string
		there []string
		want  []string
	}{
		{removedSpec(), "remove", []string{"hello 1.0", "vim 2:9.1"},
			[]string{"{'vim': {'old': '2:9.1', 'new': ''}}", "{'hello': {'old': '1.0', 'new': ''}}"}},
		{purgedSpec(), "purge", []string{"hello 1.0 config-files", "vim 2:9.1"},
			[]string{"{'installed': {'vim': {'old': '2:9.1', 'new': ''}}, 'removed': {}}",
				"{'installed': {}, 'removed': {'hello': {'old': '1.0', 'new': ''}}}"}},
		{latestSpec(), "install", []string{"hello 1.0", "vim 2:9.0"},
			[]string{"{'vim': {'old': '2:9.0', 'new': '2:9.1'}}", "{'hello': {'old': '1.0', 'new': '2.0'}}"}},
	} {
		m, env := newBench(hello(), tt.there...)
		m.MustWrite("/var/lib/dpkg/info/hello.postrm", "", 0o755)
		first, second := bind(t, tt.spec, "vim", nil), bind(t, tt.spec, "hello", nil)
		first.(modules.Aggregator).Aggregate(t.Context(), env, []modules.StateFunc{second})
		var got []string
		for _, fn := range []modules.StateFunc{first, second} {
			if e, err := fn.Act(t.Context(), env, host.Forecast(m)); err != nil || !e.Alters() {
				t.Fatalf("forecast: %+v %v", e, err)
			}
			e, err := fn.Act(t.Context(), env, m)
			if err != nil {
				t.Fatal(err)
			}
			got = append(got, value.Repr(e.Changes))
			if e, err := fn.Act(t.Context(), env, host.Forecast(m)); err != nil || e.Alters() {
				t.Errorf("does not converge: %+v %v", e, err)
			}
		}
		if d := gocmp.Diff(tt.want, got); d != "" {
			t.Errorf("%s: changes (-want +got):\n%s", tt.verb, d)
		}
		calls := 0
		for _, c := range m.Ran {
			if slices.Contains(c.Args, tt.verb) && !slices.Contains(c.Args, "-s") {
				calls++
			}
		}
		if calls != 1 {
			t.Errorf("%s: %d calls", tt.verb, calls)
		}
	}
}

// TestRemovedTogetherFails: where one package cannot be removed, the others are.
func TestRemovedTogetherFails(t *testing.T) {
	m, env := newBench(hello(), "hello 1.0", "vim 2:9.1")
	apt := m.Script
	m.Script = func(c host.Cmd) (*host.Output, error) {
		if slices.Contains(c.Args, "hello") && !slices.Contains(c.Args, "-s") && slices.Contains(c.Args, "remove") {
			return &host.Output{Code: 100, Stderr: []byte("E: hello cannot go\n")}, nil
		}
		return apt(c)
	}
	first, second := bind(t, removedSpec(), "vim", nil), bind(t, removedSpec(), "hello", nil)
	first.(modules.Aggregator).Aggregate(t.Context(), env, []modules.StateFunc{second})
	if e, err := first.Act(t.Context(), env, m); err != nil ||
		value.Repr(e.Changes) != "{'vim': {'old': '2:9.1', 'new': ''}}" {
		t.Errorf("%s %v", value.Repr(e.Changes), err)
	}
	if _, err := second.Act(t.Context(), env, m); err == nil || !strings.Contains(err.Error(), "hello cannot go") {
		t.Errorf("the other: %v", err)
	}
}
