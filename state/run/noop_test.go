package run_test

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

func noop(on bool) state.Meta { return state.Meta{Noop: &on} }

// reacting is a fake that has nothing to do but to react.
func reacting() *fake {
	return &fake{watch: &fake{check: func(int, host.Reader) (forecast, error) {
		return forecast{Pending: true, Action: true, Changes: done(), Comment: "would restart"}, nil
	}}}
}

const heldBack = "Would have been triggered by fake: a, which was not applied (noop)"

// TestNoop: a noop state is looked at. Who requires it runs and says so; who reacts to it does not, unless it is noop
// itself. A run, one with many jobs and a preview say the same.
func TestNoop(t *testing.T) {
	for _, c := range []struct {
		name     string
		kind     state.Kind
		target   func() *fake
		meta     state.Meta
		want     string
		previews string // where a preview says something else
	}{
		{"who requires it runs", state.Require, changing, state.Meta{},
			"true called changed: would\nStands on fake: a, which was not applied (noop)",
			"null called changed: would\nStands on fake: a, which was not applied (noop)"},
		{"who watches it does not react", state.Watch, reacting, state.Meta{}, "true called: \n" + heldBack, ""},
		{"who watches it and is noop would", state.Watch, reacting, noop(true),
			"null watched changed: would restart\nNot applied (noop)", ""},
		{"onchanges does not run", state.Onchanges, acting, state.Meta{},
			"true onchanges: State was not run because none of the onchanges reqs changed\n" + heldBack, ""},
		{"onchanges that is noop would", state.Onchanges, acting, noop(true), "null called: would act\nNot applied (noop)",
			""},
		{"onfail does not run", state.Onfail, acting, state.Meta{},
			"true onfail: State was not run because onfail req did not change", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			for _, cfg := range []run.Config{{}, {Jobs: 8}, {Preview: true}} {
				a, b := changing(), c.target()
				rep := runSteps(t, cfg, step{id: "a", fn: a, meta: noop(true)},
					step{id: "b", fn: b, reqs: need(c.kind, state.All, "a"), meta: c.meta})
				want := c.want
				if cfg.Preview && c.previews != "" {
					want = c.previews
				}
				want = strings.ReplaceAll(want, ": \n", ": ")
				if d := cmp.Diff([]string{"a null called changed: would\nNot applied (noop)", "b " + want},
					brief(rep, true)); d != "" {
					t.Errorf("jobs %d, preview %v (-want +got):\n%s", cfg.Jobs, cfg.Preview, d)
				}
				if a.m > 0 || c.meta.Noop != nil && b.m+b.watch.applied() > 0 {
					t.Error("it was applied")
				}
			}
		})
	}
}

func (f *fake) applied() int {
	if f == nil {
		return 0
	}
	return f.m
}

// TestNoopListener: what listens to a noop state is called only if it is noop, and then it is previewed.
func TestNoopListener(t *testing.T) {
	for _, on := range []bool{false, true} {
		b := reacting()
		rep := runSteps(t, run.Config{}, step{id: "a", fn: changing(), meta: noop(true)},
			step{id: "b", fn: b, reqs: need(state.Listen, state.All, "a"), meta: noop(on)})
		want := []string{"a null called changed: would\nNot applied (noop)", "b true called: " + heldBack}
		if on {
			want = []string{"a null called changed: would\nNot applied (noop)", "b true called: ",
				"listener_b null listened changed: would restart\nNot applied (noop)"}
		}
		if d := cmp.Diff(want, brief(rep, true)); d != "" {
			t.Errorf("noop %v (-want +got):\n%s", on, d)
		}
		if b.watch.m > 0 {
			t.Error("it was called")
		}
	}
}

// TestNoopRun: in a noop run only what says `noop: false` is applied; those around it are previewed.
func TestNoopRun(t *testing.T) {
	own, other := changing(), changing()
	rep := runSteps(t, run.Config{Noop: true}, step{id: "own", fn: own, meta: noop(false)}, step{id: "other", fn: other},
		step{id: "after", fn: reacting(), reqs: need(state.Watch, state.All, "own")})
	want := []string{"own true called changed", "other null called changed", "after null watched changed"}
	if d := cmp.Diff(want, brief(rep, false)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if own.m != 1 || other.m != 0 {
		t.Errorf("applied %d and %d times", own.m, other.m)
	}
}

// TestNoopOwes: the reaction of a noop state stays owed until the state is applied; that of a state to a noop one is
// not owed, since nothing changed.
func TestNoopOwes(t *testing.T) {
	j := &book{}
	b := reacting()
	steps := []step{{id: "a", fn: changing()},
		{id: "b", fn: b, reqs: need(state.Watch, state.All, "a"), meta: noop(true)}}
	runSteps(t, run.Config{Journal: j}, steps...)
	want := []string{tagB + " watch fake: a"}
	if d := cmp.Diff(want, j.owes()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	rep := runSteps(t, run.Config{Journal: j, Whole: true}, steps...)
	if r := rep.Results[1]; !r.Noop || r.Outcome != state.Pending || !strings.Contains(r.Comment, "owed since") {
		t.Errorf("the second run says %v %q", r.Outcome, r.Comment)
	}
	if d := cmp.Diff(want, j.owes()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	steps[1].meta = state.Meta{}
	runSteps(t, run.Config{Journal: j}, steps...)
	if len(j.debts) > 0 || b.watch.m != 1 {
		t.Errorf("%d reactions, owes %v", b.watch.m, j.owes())
	}
	steps[0] = step{id: "a", fn: changing(), meta: noop(true)}
	if runSteps(t, run.Config{Journal: j}, steps...); len(j.debts) > 0 {
		t.Errorf("owes %v", j.owes())
	}
}

// TestNoopSees: a noop state sees what noop states before it would leave, and no other state does.
func TestNoopSees(t *testing.T) {
	write := func() *author { return &author{path: "/x", text: "new"} }
	rep := runSteps(t, run.Config{}, step{id: "a", fn: write(), meta: noop(true)},
		step{id: "b", fn: write(), meta: noop(true)}, step{id: "c", fn: write()})
	want := []string{"a null called changed", "b true called", "c true called changed"}
	if d := cmp.Diff(want, brief(rep, false)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestNoopFailhard: a noop state that would fail stops nothing.
func TestNoopFailhard(t *testing.T) {
	rep := runSteps(t, run.Config{Failhard: true}, step{id: "a", fn: failing(), meta: noop(true)},
		step{id: "b", fn: changing()})
	want := []string{"a false called", "b true called changed"}
	if d := cmp.Diff(want, brief(rep, false)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestNoopPrereq: both states of a prereq are noop, or none is.
func TestNoopPrereq(t *testing.T) {
	steps := func(a, b state.Meta) []step {
		return []step{{id: "a", fn: acting(), reqs: need(state.Prereq, state.All, "b"), meta: a},
			{id: "b", fn: changing(), meta: b}}
	}
	for _, c := range []struct {
		name string
		a, b state.Meta
		run  bool
		bad  int
	}{
		{"none", state.Meta{}, state.Meta{}, false, 0},
		{"the state", noop(true), state.Meta{}, false, 1},
		{"its target", state.Meta{}, noop(true), false, 1},
		{"both", noop(true), noop(true), false, 0},
		{"the run", state.Meta{}, state.Meta{}, true, 0},
		{"the run, but not the target", state.Meta{}, noop(false), true, 1},
	} {
		plan, _ := planOf(t, steps(c.a, c.b))
		if got := run.Mixed(plan, c.run); len(got) != c.bad {
			t.Errorf("%s: %v", c.name, got)
		}
	}
	rep := runSteps(t, run.Config{Noop: true}, steps(state.Meta{}, state.Meta{})...)
	if d := cmp.Diff([]string{"a null called", "b null called changed"}, brief(rep, false)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// An author writes a file unless it is there.
type author struct{ path, text string }

func (w *author) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if has, err := h.ReadFile(w.path); err == nil && string(has) == w.text {
		return state.Settled("there"), nil
	}
	e := state.NewEffect()
	e.Changes.SetStr("new", value.Str(w.path))
	return e, h.WriteFile(w.path, strings.NewReader(w.text), host.KeepAttr())
}
