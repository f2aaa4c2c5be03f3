package requisite

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gostate/gostate/state"
)

var threeStages = []string{"pre", "main", "post"}

func TestStageOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"all of one before the next", []string{"t a stage:post", "t b", "t c stage:pre", "t d", "t e stage:pre"},
			"c e b d a"},
		{"a stage without states", []string{"t a stage:post", "t b stage:pre"}, "b a"},
		{"requisites inside", []string{"t a require:t=c", "t b stage:pre require:t=d", "t c", "t d stage:pre"}, "d b c a"},
		{"a stage as target", []string{"t a require:stage=pre", "t b stage:pre"}, "b a"},
		{"a pattern of stages", []string{"t a require:stage=p*", "t b stage:pre"}, "b a"},
		{"before a stage", []string{"t a", "t b before:stage=main stage:pre"}, "b a"},
		{"prereq of a later stage", []string{"t a", "t b stage:pre prereq:t=a", "t c stage:pre"}, "b c a"},
		{"before", []string{"t a", "t b before:t=a", "t c"}, "b a c"},
		{"notify by name", []string{"t a name:/x", "t b notify:t=/x"}, "b a"},
		{"notify a pattern", []string{"t a1", "t a2", "t b notify:t=a*"}, "b a1 a2"},
		{"an SLS before another", []string{"t a sls:x", "t b sls:x", "t c sls:y before:sls=x", "t d sls:y before:sls=x"},
			"c d a b"},
		{"subscribe", []string{"t a subscribe:t=b", "t b"}, "b a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, diags := Resolve(lows(t, c.lines...), Options{Stages: threeStages})
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if got := order(p); got != c.want {
				t.Errorf("order %q, want %q", got, c.want)
			}
		})
	}
}

func TestStageFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"require", []string{"t a stage:pre require:t=b", "t b"}, "a.sls:1:6: 'require' of ID 'a' in SLS 'a' is against " +
			"the run stages: t: a is in 'pre', t: b in 'main' | a.sls:1:1 a.sls:2:1"},
		{"one of many", []string{"t a require:t=b*", "t b1", "t b2 stage:post"}, "a.sls:1:5: 'require' of ID 'a' in SLS " +
			"'a' is against the run stages: t: a is in 'main', t: b2 in 'post' | a.sls:1:1 a.sls:3:1"},
		{"before", []string{"t a", "t b before:stage=pre", "t c stage:pre"}, "a.sls:2:5: 'before' of ID 'b' in SLS 'a' is " +
			"against the run stages: t: b is in 'main', t: c in 'pre' | a.sls:2:1 a.sls:3:1"},
		{"prereq", []string{"t a prereq:t=b", "t b stage:pre"}, "a.sls:1:5: 'prereq' of ID 'a' in SLS 'a' is against the " +
			"run stages: t: a is in 'main', t: b in 'pre' | a.sls:1:1 a.sls:2:1"},
		{"onfail", []string{"t a stage:pre onfail:t=b", "t b"}, "a.sls:1:6: 'onfail' of ID 'a' in SLS 'a' is against " +
			"the run stages: t: a is in 'pre', t: b in 'main' | a.sls:1:1 a.sls:2:1"},
		{"listen says nothing", []string{"t a stage:pre listen:t=b", "t b"}, ""},
		{"no such stage", []string{"t a notify:stage=pst"},
			"a.sls:1:5: 'notify' of ID 'a' in SLS 'a' names 'stage: pst', which does not exist | "},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, diags := Resolve(lows(t, c.lines...), Options{Stages: threeStages})
			var got []string
			for _, d := range diags.All {
				var places []string
				for _, r := range d.Related {
					places = append(places, r.Pos.String())
				}
				got = append(got, d.Error()+" | "+strings.Join(places, " "))
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if len(p.Cycles) > 0 {
				t.Errorf("cycles %v", p.Cycles)
			}
		})
	}
}

// TestStagesAreSets: stages and containers cost a set each, however many states are in them.
func TestStagesAreSets(t *testing.T) {
	const n = 100_000
	low := make([]*state.Low, n)
	for i := range low {
		id := fmt.Sprintf("s%d", i)
		low[i] = &state.Low{Module: "t", ID: id, Name: id, SLS: fmt.Sprintf("sls%d", i%2), Index: i}
		if stage := threeStages[i%3]; stage != state.MainStage {
			low[i].SetMeta().Stage = stage
		}
		if i%3 == 0 {
			low[i].In = []state.Requisite{{Kind: state.Subscribe, In: true, To: state.Ref{Module: "stage", Target: "main"}}}
		}
	}
	p, diags := Resolve(low, Options{Stages: threeStages})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if len(p.Sets) != 3 || len(p.flat) > 2*n {
		t.Errorf("%d sets, %d targets", len(p.Sets), len(p.flat))
	}
}

// TestStageProperties: with stages, before and notify drawn at random, the order respects every edge, is the same each
// time, and a plan that cannot be made says so.
func TestStageProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := anyLow(t)
		for _, l := range low {
			if i := rapid.IntRange(0, 2).Draw(t, "stage"); i != 1 {
				l.SetMeta().Stage = threeStages[i]
			}
			l.Reqs = slices.DeleteFunc(l.Reqs, func(state.Requisite) bool { return rapid.Bool().Draw(t, "drop") })
			l.Prerequired = nil
			if rapid.IntRange(0, 3).Draw(t, "in") == 0 {
				ref := rapid.SampledFrom([]state.Ref{{Module: "stage", Target: "main"}, {Module: "sls", Target: "web"},
					{Module: "id", Target: "s1*"}, {Module: "id", Target: "s3"}}).Draw(t, "to")
				kind := rapid.SampledFrom([]state.Kind{state.Require, state.Subscribe}).Draw(t, "kind")
				l.In = append(l.In, state.Requisite{Kind: kind, In: true, To: ref})
			}
		}
		list(low)
		p, diags := Resolve(low, Options{Lenient: true, Stages: threeStages})
		again, _ := Resolve(low, Options{Lenient: true, Stages: threeStages})
		if order(p) != order(again) {
			t.Fatal("resolved twice, it differs")
		}
		place := permutation(t, p)
		if diags.HasErrors() {
			realCycles(t, p)
			return
		}
		for i, l := range p.Order[1:] {
			if before := p.Order[i]; p.stages.of[before.Index] > p.stages.of[l.Index] {
				t.Fatalf("%s of stage %s comes after %s of %s", l.ID, p.StageOf(l.Index), before.ID, p.StageOf(before.Index))
			}
		}
		for _, l := range low {
			for i := range l.In {
				for _, m := range named(low, l.In[i].To) {
					if place[l.Index] > place[m] {
						t.Fatalf("%s runs before %s, which %s it", low[m].ID, l.ID, l.In[i].Key())
					}
				}
			}
		}
		anySteps(t, p)
	})
}

// named is what a reference means, found without the index.
func named(low []*state.Low, ref state.Ref) (out []int) {
	for i, l := range low {
		switch {
		case ref.Module == "sls" && l.SLS == ref.Target,
			ref.Module == "stage" && l.Meta().Stage == "" && ref.Target == state.MainStage,
			ref.Module == "id" && (l.ID == ref.Target || l.Name == ref.Target),
			ref.Target == "s1*" && (strings.HasPrefix(l.ID, "s1") || strings.HasPrefix(l.Name, "s1")):
			out = append(out, i)
		}
	}
	return out
}

func TestNeededLeavesStages(t *testing.T) {
	p, _ := Resolve(lows(t, "t a stage:pre", "t b before:t=c", "t c notify:t=d before:t=e", "t d", "t e"),
		Options{Stages: threeStages})
	low := p.Needed(func(l *state.Low) bool { return l.ID == "d" })
	part, diags := Resolve(low, Options{Stages: threeStages})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if got := order(part); got != "b c d" {
		t.Errorf("needed %q", got)
	}
}
