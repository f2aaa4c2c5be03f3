package modules

import (
	"context"
	"fmt"
	"math/rand"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
)

// keeper keeps things: name to how.
type keeper struct{ things [][3]string } // name, property, value

func (k *keeper) Act(context.Context, *Env, host.Host) (state.Effect, error) {
	return state.Effect{}, nil
}

func (k *keeper) Claim(c *Claims) {
	for _, t := range k.things {
		if c.Thing("path", t[0]) {
			c.Is("", "file")
			c.Wants(t[1], t[2])
		}
	}
}

func keepers(things ...[][3]string) (low []*state.Low, bound []StateFunc) {
	for i, t := range things {
		low = append(low, &state.Low{ID: fmt.Sprint("s", i), Module: "file", Func: "managed", Index: i,
			Pos: diag.Pos{File: "a.sls", Line: i + 1, Col: 1}})
		bound = append(bound, &keeper{t})
	}
	return low, bound
}

func told(ds []*diag.Diagnostic) string {
	var out []string
	for _, d := range ds {
		out = append(out, d.Severity.String()+" "+d.Msg+" "+d.Related[0].Pos.String())
	}
	return strings.Join(out, "\n")
}

func TestConflicts(t *testing.T) {
	low, bound := keepers(
		[][3]string{{"/a", "mode", "0644"}, {"/b", "mode", "0600"}, {"/b", "user", "x"}}, // a thing twice in one state
		[][3]string{{"/a", "mode", "0600"}},
		[][3]string{{"/a", "user", "root"}},
		[][3]string{{"/c", "", ""}},
		[][3]string{{"/a", "user", "0"}}, // may well be root
		[][3]string{{"/a", "user", "joe"}},
	)
	low[3].Reqs = []state.Requisite{{Kind: state.Onfail}}
	bound = append(bound, nil, &keeper{[][3]string{{"/c", "mode", "1"}}})
	low = append(low, low[0], low[0])
	const want = `%[1]s file.managed of ID 's1' fights with file.managed of ID 's0' over path '/a': they differ in mode a.sls:1:1
note file.managed of ID 's2' keeps path '/a', as file.managed of ID 's0' does a.sls:1:1
note file.managed of ID 's4' keeps path '/a', as file.managed of ID 's0' does a.sls:1:1
%[1]s file.managed of ID 's5' fights with file.managed of ID 's2' over path '/a': they differ in user a.sls:3:1`
	for severity, strict := range map[string]bool{"warning": false, "error": true} {
		if got := told(Conflicts(low, bound, strict)); got != fmt.Sprintf(want, severity) {
			t.Errorf("got\n%s\nwant\n%s", got, fmt.Sprintf(want, severity))
		}
	}
}

// TestConflictsDeterministic holds on random states that what is found is the same each time, and just what comparing
// all with all finds: the states that agree or differ with one that came before.
func TestConflictsDeterministic(t *testing.T) {
	r := rand.New(rand.NewSource(3))
	for range 300 {
		things := make([][][3]string, 2+r.Intn(6))
		for i := range things {
			for range 1 + r.Intn(2) {
				things[i] = append(things[i], [3]string{fmt.Sprint("/", r.Intn(4)), "mode", fmt.Sprint(r.Intn(3))})
			}
		}
		low, bound := keepers(things...)
		got := Conflicts(low, bound, false)
		if again := Conflicts(low, bound, false); told(got) != told(again) {
			t.Fatalf("%v: got\n%s\nthen\n%s", things, told(got), told(again))
		}
		for i := range things {
			name := fmt.Sprintf("of ID 's%d' ", i)
			found := slices.ContainsFunc(got, func(d *diag.Diagnostic) bool {
				return strings.HasPrefix(d.Msg, "file.managed "+name)
			})
			if found != meets(things, i) {
				t.Fatalf("%v: state %d: told %t", things, i, found)
			}
		}
	}
}

// meets says whether a state keeps what an earlier one keeps.
func meets(things [][][3]string, i int) bool {
	for _, own := range things[i] {
		for _, other := range things[:i] {
			if slices.ContainsFunc(other, func(t [3]string) bool { return t[0] == own[0] }) {
				return true
			}
		}
	}
	return false
}

// BenchmarkConflicts is the check of states that keep one thing each.
func BenchmarkConflicts(b *testing.B) {
	for _, n := range []int{10_000, 100_000} {
		b.Run(fmt.Sprint(n), func(b *testing.B) {
			things := make([][][3]string, n)
			for i := range things {
				things[i] = [][3]string{{fmt.Sprint("/srv/file-", i), "mode", "0644"}}
			}
			low, bound := keepers(things...)
			b.ReportAllocs()
			for b.Loop() {
				if ds := Conflicts(low, bound, true); len(ds) > 0 {
					b.Fatal(told(ds))
				}
			}
		})
	}
}
