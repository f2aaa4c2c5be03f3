package requisite

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gostate/gostate/state"
)

// anyLow draws low states with requisites of all kinds, by ID, name, pattern and SLS.
func anyLow(t *rapid.T) []*state.Low {
	n := rapid.IntRange(1, 30).Draw(t, "n")
	rows := state.Kinds()
	var low []*state.Low
	for i := range n {
		l := &state.Low{Module: rapid.SampledFrom([]string{"t", "u"}).Draw(t, "module"), ID: fmt.Sprintf("s%d", i),
			Func: "nop", Env: "base", Index: i,
			SLS: rapid.SampledFrom([]string{"web", "net", "db"}).Draw(t, "sls")}
		l.Name = rapid.SampledFrom([]string{l.ID, fmt.Sprintf("n%d", i/2)}).Draw(t, "name")
		reqs := map[int][]state.Requisite{}
		for range rapid.IntRange(0, 3).Draw(t, "reqs") {
			k := rapid.IntRange(0, len(rows)-1).Draw(t, "kind")
			ref := state.Ref{Module: rapid.SampledFrom([]string{"t", "u", "id"}).Draw(t, "module"),
				Target: rapid.SampledFrom([]string{fmt.Sprintf("s%d", rapid.IntRange(0, n-1).Draw(t, "to")), "s1*", "n?",
					"n3"}).Draw(t, "target")}
			if rapid.IntRange(0, 9).Draw(t, "by sls") == 0 {
				ref = state.Ref{Module: "sls", Target: rapid.SampledFrom([]string{"web", "n*"}).Draw(t, "of")}
			}
			reqs[k] = append(reqs[k], state.Requisite{Kind: rows[k].Kind, Mode: rows[k].Mode, To: ref})
		}
		for k := range rows {
			l.Reqs = append(l.Reqs, reqs[k]...)
		}
		low = append(low, l)
	}
	list(low)
	return low
}

func TestPlanProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := anyLow(t)
		p, diags := Resolve(low, Options{Lenient: true})
		again, _ := Resolve(low, Options{Lenient: true})
		if diff := cmp.Diff(order(p), order(again)); diff != "" {
			t.Fatalf("resolved twice, it differs:\n%s", diff)
		}
		if (len(p.Cycles) > 0) != diags.HasErrors() {
			t.Fatalf("%d cycles, %v", len(p.Cycles), diags.All)
		}
		place := permutation(t, p)
		if len(p.Cycles) > 0 {
			realCycles(t, p)
			return
		}
		for _, l := range low {
			for _, g := range p.Groups[l.Index] {
				for to := range p.States(g.Targets) {
					before, after := to.Index, l.Index
					if g.Kind == state.Prereq {
						before, after = after, before
						if len(low[after].Prerequired) == 0 || !slices.Contains(p.PrereqOf[after], int32(before)) {
							continue // Salt lists it not, or another's preview is enough
						}
					}
					if place[before] >= place[after] {
						t.Fatalf("%s runs after %s, which needs it (%s)", low[before].ID, low[after].ID, g.Kind)
					}
				}
			}
		}
		anySteps(t, p)
	})
}

// permutation checks that every state runs once, and gives their places.
func permutation(t *rapid.T, p *Plan) []int {
	place := make([]int, len(p.Low))
	for i, l := range p.Order {
		if place[l.Index] != 0 {
			t.Fatalf("%s runs twice", l.ID)
		}
		place[l.Index] = i + 1
	}
	if len(p.Order) != len(p.Low) {
		t.Fatalf("%d of %d states run", len(p.Order), len(p.Low))
	}
	return place
}

// realCycles checks that each edge of a cycle leads to the next state and rests on a requisite.
func realCycles(t *rapid.T, p *Plan) {
	for _, c := range p.Cycles {
		for i, e := range c.Edges {
			if e.To != c.Edges[(i+1)%len(c.Edges)].From {
				t.Fatalf("edges %+v are no cycle", c.Edges)
			}
			if e.Req == nil {
				t.Fatalf("edge %+v has no requisite", e)
			}
		}
	}
}

// anySteps checks the walk when previews end states at random: each state once, nothing before what it requires.
func anySteps(t *rapid.T, p *Plan) {
	over := map[int32]bool{}
	for steps := p.Steps(); ; {
		s, ok := steps.Next()
		if !ok {
			break
		}
		if s.Preview && over[s.State] {
			t.Fatalf("%s is previewed after its end", p.Low[s.State].ID)
		}
		for _, g := range p.Groups[s.State] {
			for _, target := range g.Targets {
				if target.Set == NotFound || g.Kind == state.Prereq || s.Preview {
					continue
				}
				if i := slices.IndexFunc(p.Sets[target.Set], func(m int32) bool { return !over[m] }); i >= 0 {
					t.Fatalf("%s comes before %s", p.Low[s.State].ID, p.Low[p.Sets[target.Set][i]].ID)
				}
			}
		}
		switch {
		case s.Stuck:
			t.Fatalf("%s is stuck", p.Low[s.State].ID)
		case s.Early:
		case !s.Preview:
			if over[s.State] {
				t.Fatalf("%s runs twice", p.Low[s.State].ID)
			}
			over[s.State] = true
		case s.Fresh && rapid.Bool().Draw(t, "over"):
			over[s.State] = true
			steps.Finish(s.State)
		}
	}
	if len(over) != len(p.Low) {
		t.Fatalf("%d of %d states run", len(over), len(p.Low))
	}
}
