package run_test

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// modes are the kinds and modes that requisites are drawn from.
func modes() []state.Requisite {
	var out []state.Requisite
	for _, r := range state.Kinds() {
		if r.Kind != state.Use {
			out = append(out, state.Requisite{Kind: r.Kind, Mode: r.Mode})
		}
	}
	return out
}

// drawTree makes test states whose requisites go backwards, so that there is no cycle; prereq goes forwards.
func drawTree(t *rapid.T, funs []string) []*state.Low {
	n := rapid.IntRange(1, 14).Draw(t, "n")
	low := make([]*state.Low, n)
	for i := range low {
		id := fmt.Sprintf("s%d", i)
		low[i] = &state.Low{ID: id, Name: id, Module: "test", Func: rapid.SampledFrom(funs).Draw(t, "fun"), SLS: "a",
			Env:   "base",
			Order: float64(i), Args: value.NewDict(0), Index: i}
		low[i].SetOpts().Parallel = rapid.Bool().Draw(t, "parallel")
		if i == 0 {
			continue
		}
		for range rapid.IntRange(0, 3).Draw(t, "reqs") {
			r := rapid.SampledFrom(modes()).Draw(t, "mode")
			to := rapid.IntRange(0, i-1).Draw(t, "to")
			if r.Kind == state.Prereq {
				continue // those go the other way, below
			}
			r.To = state.Ref{Module: "test", Target: fmt.Sprintf("s%d", to)}
			low[i].Reqs = append(low[i].Reqs, r)
		}
		if rapid.IntRange(0, 5).Draw(t, "prereq") == 0 {
			from := rapid.IntRange(0, i-1).Draw(t, "from")
			low[from].Reqs = append(low[from].Reqs, state.Requisite{Kind: state.Prereq,
				To: state.Ref{Module: "test", Target: low[i].ID}})
		}
	}
	return low
}

func resolved(t *rapid.T, low []*state.Low) *requisite.Plan {
	plan, bad := requisite.Resolve(low, requisite.Options{})
	if bad.HasErrors() {
		t.Skip(bad) // a cycle through a prereq
	}
	return plan
}

var anyFun = []string{"nop", "succeed_with_changes", "succeed_without_changes", "fail_with_changes",
	"fail_without_changes"}

func TestPropertyOrder(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		plan := resolved(rt, drawTree(rt, anyFun))
		bound := bind(t, plan.Low)
		rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv})
		at := map[int]int{}
		for i, r := range rep.Results {
			if r.RunNum != i {
				rt.Fatalf("result %d has run number %d", i, r.RunNum)
			}
			if r.How == state.Listened {
				continue
			}
			if _, twice := at[r.Low.Index]; twice {
				rt.Fatalf("%s ran twice", r.Low.ID)
			}
			at[r.Low.Index] = i
		}
		if len(at) != len(plan.Low) {
			rt.Fatalf("%d of %d states have a result", len(at), len(plan.Low))
		}
		for _, l := range plan.Low {
			for _, g := range plan.Groups[l.Index] {
				for to := range plan.States(g.Targets) {
					if state.KindOf(g.Kind, g.Mode).Before && at[to.Index] > at[l.Index] {
						rt.Fatalf("%s ran before %s, which it refers to", l.ID, to.ID)
					}
				}
			}
		}
		got := told(rep)
		for _, jobs := range []int{2, 8} {
			again := told(run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(),
				Env: noEnv, Jobs: jobs}))
			if d := cmp.Diff(got, again); d != "" {
				rt.Fatalf("with %d jobs (-one +many):\n%s", jobs, d)
			}
		}
	})
}

// TestPropertyPreview: a preview of states that succeed is the run that follows, with null where that changes
// something.
func TestPropertyPreview(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		plan := resolved(rt, drawTree(rt, anyFun[:3]))
		bound := bind(t, plan.Low)
		o := host.NewOverlay(hosttest.NewMemory())
		preview := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: o, Env: noEnv, Preview: true})
		rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv})
		var want []string
		for i, line := range shown(rep.Results) {
			if rep.Results[i].Changed() {
				line = strings.Replace(line, " true ", " null ", 1)
			}
			want = append(want, line)
		}
		if d := cmp.Diff(want, shown(preview.Results)); d != "" {
			rt.Fatalf("(-run +preview):\n%s", d)
		}
		if len(o.Journal()) > 0 {
			rt.Fatalf("the preview wrote %v", o.Journal())
		}
	})
}
