package requisite

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDetours: a state that Salt comes to on a detour, to run what a prereq names or while a preview waits, has its turn
// all the same: it does not wait for itself.
func TestDetours(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"a prereq of a prereq", []string{
			"t s0", "t s1", "u s5 name:n2 sls:web require:t=s0 prereq:sls=n*", "u s6 sls:net name:n3 require:t=s1* onfail_all:t=s0",
			"t s8 prereq:t=s0 prereq:u=n?"}, "?s0 s1 ?s6 ?s5 s8 s0 s5 s6"},
		{"what is in a knot beside it", []string{
			"t s0 sls:net require:t=s1 require:t=n?", "t s1 sls:web", "t s4 sls:net name:n2 require:u=s6",
			"u s6 sls:net prereq:sls=web", "t s7 sls:web require:t=n?"}, "?s1 ?s7 s6 s1 s4 s0 s7"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, diags := Resolve(lows(t, c.lines...), Options{})
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, walked(t, p, "")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

// TestDetourThatIsNotTaken: the preview of s1 is its end, so that s4 comes to nothing that waits for s0.
func TestDetourThatIsNotTaken(t *testing.T) {
	p, diags := Resolve(lows(t, "t s0 prereq:t=s1 prereq:t=s4 prereq:t=s8", "t s1", "t s4 require:t=s1",
		"t s5 require:t=s0", "t s8 require:t=s5"), Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("?s1 ?s4 ?s8 s0 s4 s5 s8", walked(t, p, "s1")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// walked are the steps of a plan, previews with a question mark. The preview of the state over is its end.
func walked(t *testing.T, p *Plan, over string) string {
	t.Helper()
	var out []string
	for steps := p.Steps(); ; {
		s, ok := steps.Next()
		if !ok {
			return strings.Join(out, " ")
		}
		id := p.Low[s.State].ID
		switch {
		case s.Stuck:
			t.Errorf("%s is stuck", id)
		case s.Preview:
			out = append(out, "?"+id)
			if id == over {
				steps.Finish(s.State)
			}
		case !s.Early:
			out = append(out, id)
		}
	}
}
