package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

var subscribed = need(state.Subscribe, state.All, "a")

// TestSubscribe has a line for each rule of a refresh.
func TestSubscribe(t *testing.T) {
	toB := need(state.Subscribe, state.All, "b")
	held := state.Options{Creates: []string{"/"}}
	for _, c := range []struct {
		name    string
		steps   []step
		preview bool
		want    []string
		owes    []string
	}{
		{"a change refreshes", []step{{id: "a", fn: changing()}, {id: "b", fn: still(), reqs: subscribed}}, false,
			[]string{"a true called changed: would", "b true watched changed: would act\nrestarted, because fake: a changed"},
			[]string{}},
		{"a preview says why", []step{{id: "a", fn: changing()}, {id: "b", fn: still(), reqs: subscribed}}, true,
			[]string{"a null called changed: would", "b null watched: would act\nwould restart, because fake: a would change"},
			[]string{}},
		{"no change, no refresh", []step{{id: "a", fn: &fake{}}, {id: "b", fn: still(), reqs: subscribed}}, false,
			[]string{"a true called: ", "b true called: "}, []string{}},
		{"one that changed itself is not refreshed", []step{{id: "a", fn: changing()},
			{id: "b", fn: changing(), reqs: subscribed}}, false,
			[]string{"a true called changed: would", "b true called changed: would"}, []string{}},
		{"a refresh refreshes", []step{{id: "a", fn: changing()}, {id: "b", fn: still(), reqs: subscribed},
			{id: "c", fn: still(), reqs: toB}}, false,
			[]string{"a true called changed: would", "b true watched changed: would act\nrestarted, because fake: a changed",
				"c true watched changed: would act\nrestarted, because fake: b changed"}, []string{}},
		{"one that is held back passes it on", []step{{id: "a", fn: changing()},
			{id: "b", fn: still(), reqs: subscribed, opts: held}, {id: "c", fn: still(), reqs: toB},
			{id: "d", fn: still(), reqs: need(state.Watch, state.All, "b")}}, false,
			[]string{"a true called changed: would", "b true conditional: / exists",
				"c true watched changed: would act\nrestarted, because fake: b was refreshed", "d true called: "}, []string{}},
		{"one without refresh passes nothing on", []step{{id: "a", fn: changing()}, {id: "b", fn: &fake{}, reqs: subscribed},
			{id: "c", fn: still(), reqs: toB}}, false,
			[]string{"a true called changed: would", "b true watched: ", "c true called: "}, []string{}},
		{"a failure is not hidden by a refresh", []step{{id: "a", fn: changing()},
			{id: "b", fn: &fake{check: failing().check, watch: acting()}, reqs: subscribed}}, false,
			[]string{"a true called changed: would", "b false called: broken"}, []string{tagB + " watch fake: a"}},
		{"what failed skips and refreshes nothing", []step{{id: "a", fn: failing()},
			{id: "b", fn: still(), reqs: subscribed}},
			false, []string{"a false called: broken", "b false requisite: One or more requisite failed: a.a"}, []string{}},
		{"a refresh that fails", []step{{id: "a", fn: changing()}, {id: "b", fn: &fake{watch: failing()}, reqs: subscribed},
			{id: "c", fn: still(), reqs: toB}}, false,
			[]string{"a true called changed: would", "b false watched: broken",
				"c false requisite: One or more requisite failed: a.b"}, []string{tagB + " watch fake: a"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			plan, bound := planOf(t, c.steps)
			j := &book{}
			var h host.Host = hosttest.NewMemory()
			if c.preview {
				h = host.NewOverlay(h)
			}
			rep := run.Run(t.Context(), run.Config{Plan: plan, Bound: bound, Host: h, Env: noEnv, Journal: j,
				Preview: c.preview})
			if diff := cmp.Diff(c.want, brief(rep, true)); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.owes, j.owes()); diff != "" {
				t.Errorf("owed (-want +got):\n%s", diff)
			}
		})
	}
}

// TestPassedOnIsNoted: an event that a state which is held back passes on outlasts a run that ends before the next one.
func TestPassedOnIsNoted(t *testing.T) {
	ctx, kill := context.WithCancel(t.Context())
	plan, bound := planOf(t, []step{{id: "a", fn: changing()},
		{id: "b", fn: still(), reqs: subscribed, opts: state.Options{Creates: []string{"/"}}},
		{id: "c", fn: still(), reqs: need(state.Subscribe, state.All, "b")}})
	j := &book{}
	cfg := run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv, Journal: j,
		Events: func(e run.Event) {
			if e.Result != nil && e.Low.ID == "b" {
				kill()
			}
		}}
	run.Run(ctx, cfg)
	if diff := cmp.Diff([]string{"fake_|-c_|-c_|-fun watch fake: b"}, j.owes()); diff != "" {
		t.Fatalf("owed (-want +got):\n%s", diff)
	}
	cfg.Events = nil
	rep := run.Run(t.Context(), cfg)
	if r := rep.Results[2]; r.How != state.Watched || len(j.owes()) > 0 {
		t.Errorf("%v, owed %v", brief(rep, true), j.owes())
	}
}

// A drawn state of a random tree with what becomes of it by the rules.
type drawn struct {
	low                       *state.Low
	fails, changes, refreshes bool
	failed, event             bool // as it comes to be
}

// TestPropertyRefresh: in random trees with subscribe, notify, before, require and stages, each state comes to what the
// rules say, each refresh happens once, and all that is so at any number of jobs.
func TestPropertyRefresh(t *testing.T) {
	stages := []string{"pre", "main", "post"}
	rapid.Check(t, func(t *rapid.T) {
		tree := drawRefreshes(t, stages)
		low := make([]*state.Low, len(tree))
		for i, d := range tree {
			low[i] = d.low
		}
		plan, bad := requisite.Resolve(low, requisite.Options{Stages: stages})
		if bad.HasErrors() {
			t.Skip(bad)
		}
		want := foretold(plan, tree)
		for _, jobs := range []int{1, 4} {
			calls := make([]int, len(tree))
			bound := make([]modules.StateFunc, len(tree))
			for i, d := range tree {
				bound[i] = d.fake(&calls[i])
			}
			rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv,
				Jobs: jobs})
			got := make([]string, len(tree))
			for _, r := range rep.Results {
				got[r.Low.Index] = fmt.Sprintf("%s failed=%t refreshes=%d", r.Low.ID, r.Outcome == state.Failed,
					calls[r.Low.Index])
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Fatalf("%d jobs (-want +got):\n%s", jobs, diff)
			}
		}
	})
}

// drawRefreshes makes states whose edges go backwards and never against the stages.
func drawRefreshes(t *rapid.T, stages []string) []*drawn {
	out := make([]*drawn, rapid.IntRange(1, 14).Draw(t, "n"))
	stage := 0
	for i := range out {
		id := fmt.Sprintf("s%d", i)
		l := &state.Low{ID: id, Name: id, Module: "fake", Func: "fun", SLS: "a", Args: value.NewDict(0), Index: i}
		stage += rapid.IntRange(0, 5).Draw(t, "next stage") / 5
		l.SetMeta().Stage = stages[min(stage, 2)]
		for range rapid.IntRange(0, 3).Draw(t, "reqs") * min(i, 1) {
			kind := rapid.SampledFrom([]state.Kind{state.Require, state.Subscribe}).Draw(t, "kind")
			to := rapid.IntRange(0, i-1).Draw(t, "to")
			q := state.Requisite{Kind: kind, To: state.Ref{Module: "fake", Target: fmt.Sprintf("s%d", to)}}
			if q.In = rapid.Bool().Draw(t, "in"); q.In {
				q.To.Target = id
				out[to].low.In = append(out[to].low.In, q)
			} else {
				l.Reqs = append(l.Reqs, q)
			}
		}
		slices.SortStableFunc(l.Reqs, func(a, b state.Requisite) int { return int(a.Kind) - int(b.Kind) })
		what := rapid.IntRange(0, 11).Draw(t, "what")
		out[i] = &drawn{low: l, fails: what == 0, changes: what > 0 && what < 4, refreshes: what > 3 && what < 10}
	}
	return out
}

func (d *drawn) fake(calls *int) *fake {
	f := &fake{}
	switch {
	case d.fails:
		f = failing()
	case d.changes:
		f = changing()
	}
	f.watch = &fake{}
	if d.refreshes {
		f.watch = acting()
		f.watch.apply = func(int, host.Host) (applied, error) {
			if *calls++; strings.HasSuffix(d.low.ID, "7") {
				return applied{}, errors.New("cannot restart")
			}
			return applied{Changes: done()}, nil
		}
	}
	return f
}

// foretold is what becomes of the states by the rules, found without the executor.
func foretold(plan *requisite.Plan, tree []*drawn) []string {
	out, ended := make([]string, len(tree)), ""
	for _, l := range plan.Order {
		d, calls, event := tree[l.Index], 0, false
		stage := l.Meta().Stage
		d.failed = ended != "" && ended != stage
		for _, g := range plan.Groups[l.Index] {
			for to := range plan.States(g.Targets) {
				d.failed = d.failed || g.Kind != state.Staged && tree[to.Index].failed
				event = event || g.Kind == state.Subscribe && tree[to.Index].event
			}
		}
		switch {
		case d.failed:
		case d.fails:
			d.failed = true
		case d.changes:
			d.event = true
		case event && d.refreshes:
			calls, d.failed = 1, strings.HasSuffix(l.ID, "7")
			d.event = !d.failed
		}
		if d.failed && ended == "" {
			ended = stage
		}
		out[l.Index] = fmt.Sprintf("%s failed=%t refreshes=%d", l.ID, d.failed, calls)
	}
	return out
}
