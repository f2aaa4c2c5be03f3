package run_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/run"
)

// A book is a journal in memory that counts what is written.
type book struct {
	debts  []run.Debt
	writes int
}

func (b *book) Debts() []run.Debt { return append([]run.Debt(nil), b.debts...) }

func (b *book) Owe(ds []run.Debt) {
	b.writes++
	for _, d := range ds {
		if i := slices.IndexFunc(b.debts, func(o run.Debt) bool { return o.Debtor == d.Debtor }); i >= 0 {
			b.debts[i] = d
		} else {
			b.debts = append(b.debts, d)
		}
	}
}

func (b *book) Settle(ds []run.Debtor) {
	b.writes++
	var keep []run.Debt
	for _, d := range b.debts {
		gone := false
		for _, s := range ds {
			gone = gone || s == d.Debtor
		}
		if !gone {
			keep = append(keep, d)
		}
	}
	b.debts = keep
}

func (b *book) owes() []string {
	out := []string{}
	for _, d := range b.debts {
		out = append(out, d.Tag+" "+state.KindOf(d.Kind, state.All).Key+" "+d.Cause)
	}
	return out
}

func reaction(tag string, kind state.Kind) run.Debt {
	return run.Debt{Debtor: run.Debtor{Tag: tag, Kind: kind}, Cause: "file: /etc/x",
		Since: time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)}
}

const tagB = "fake_|-b_|-b_|-fun"

func still() *fake { return &fake{watch: acting()} }

func TestOwedReactions(t *testing.T) {
	why := "\nthe restart owed since 2026-11-21 03:00, when file: /etc/x changed and this was held back"
	whyRun := "\nthe run owed since 2026-11-21 03:00, when file: /etc/x changed and this was held back"
	onchanges := need(state.Onchanges, state.All, "a")
	watch, listen := need(state.Watch, state.All, "a"), need(state.Listen, state.All, "a")
	for _, c := range []struct {
		name    string
		old     []run.Debt
		steps   []step
		preview bool
		whole   bool
		want    []string
		owes    []string
		writes  int
	}{
		{"a run without changes writes nothing", nil, []step{{id: "a", fn: &fake{}}, {id: "b", fn: still(), reqs: watch}},
			false, true,
			[]string{"a true called: ", "b true called: "}, []string{}, 0},
		{"a reaction that came off", nil, []step{{id: "a", fn: changing()}, {id: "b", fn: still(), reqs: watch}}, false, true,
			[]string{"a true called changed: would", "b true watched changed: would act"}, []string{}, 2},
		{"what nobody reacts to is not noted", nil, []step{{id: "a", fn: changing()}, {id: "b", fn: still()}}, false, true,
			[]string{"a true called changed: would", "b true called: "}, []string{}, 0},
		{"owed from before", []run.Debt{reaction(tagB, state.Watch)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: still(), reqs: watch}}, false, false,
			[]string{"a true called: ", "b true watched changed: would act" + why}, []string{}, 1},
		{"a preview shows it and keeps it", []run.Debt{reaction(tagB, state.Watch)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: still(), reqs: watch}}, true, true,
			[]string{"a true called: ", "b null watched: would act" + why}, []string{tagB + " watch file: /etc/x"}, 0},
		{"its own change pays", []run.Debt{reaction(tagB, state.Watch)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: changing(), reqs: watch}}, false, false,
			[]string{"a true called: ", "b true called changed: would"}, []string{}, 1},
		{"a failed reaction stays owed", []run.Debt{reaction(tagB, state.Watch)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: &fake{watch: failing()}, reqs: watch}}, false, true,
			[]string{"a true called: ", "b false watched: broken" + why}, []string{tagB + " watch file: /etc/x"}, 1},
		{"a failure in between keeps it owed", nil,
			[]step{{id: "a", fn: changing()}, {id: "c", fn: failing()},
				{id: "b", fn: still(), reqs: append(watch, need(state.Require, state.All, "c")...)}}, false, true,
			[]string{"a true called changed: would", "c false called: broken",
				"b false requisite: One or more requisite failed: a.c"},
			[]string{tagB + " watch fake: a"}, 2},
		{"a listener", []run.Debt{reaction(tagB, state.Listen)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: still(), reqs: listen}},
			false, true,
			[]string{"a true called: ", "b true called: ", "listener_b true listened changed: would act" + why}, []string{}, 1},
		{"a listener heard in this run", nil, []step{{id: "a", fn: changing()}, {id: "b", fn: still(), reqs: listen}}, false,
			true,
			[]string{"a true called changed: would", "b true called: ", "listener_b true listened changed: would act"},
			[]string{}, 2},
		{"another part of the tree keeps it", []run.Debt{reaction("fake_|-z_|-z_|-fun", state.Watch)},
			[]step{{id: "a", fn: &fake{}}}, false, false,
			[]string{"a true called: "}, []string{"fake_|-z_|-z_|-fun watch file: /etc/x"}, 0},
		{"the whole tree forgets what is gone", []run.Debt{reaction("fake_|-z_|-z_|-fun", state.Watch),
			reaction(tagB, state.Watch)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: still()}}, false, true,
			[]string{"a true called: ", "b true called: "}, []string{}, 1},
		{"what only said that it would change", nil, []step{{id: "a", fn: idle()}, {id: "b", fn: still(), reqs: watch}},
			false, true,
			[]string{"a true called: would act", "b true called: "}, []string{}, 2},
		{"its own condition says that it need not", []run.Debt{reaction(tagB, state.Watch)}, []step{{id: "a", fn: &fake{}},
			{id: "b", fn: still(), reqs: watch, opts: state.Options{Creates: []string{"/"}}}}, false, false,
			[]string{"a true called: ", "b true conditional: / exists"}, []string{}, 1},
		{"what runs on a change", nil, []step{{id: "a", fn: changing()}, {id: "b", fn: changing(), reqs: onchanges}}, false,
			true, []string{"a true called changed: would", "b true called changed: would"}, []string{}, 2},
		{"what runs on a change of an earlier run", []run.Debt{reaction(tagB, state.Onchanges)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: changing(), reqs: onchanges}}, false, true,
			[]string{"a true called: ", "b true called changed: would" + whyRun}, []string{}, 1},
		{"it is owed though it finds nothing to do", []run.Debt{reaction(tagB, state.Onchanges)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: &fake{}, reqs: onchanges}}, false, true,
			[]string{"a true called: ", "b true called: " + whyRun}, []string{}, 1},
		{"a preview shows what would run, and keeps it", []run.Debt{reaction(tagB, state.Onchanges)},
			[]step{{id: "a", fn: &fake{}}, {id: "b", fn: changing(), reqs: onchanges}}, true, true,
			[]string{"a true called: ", "b null called changed: would" + whyRun},
			[]string{tagB + " onchanges file: /etc/x"}, 0},
		{"what was to run failed", nil, []step{{id: "a", fn: changing()}, {id: "b", fn: failing(), reqs: onchanges}}, false,
			true, []string{"a true called changed: would", "b false called: broken"},
			[]string{tagB + " onchanges fake: a"}, 2},
		{"what was to run was blocked", nil, []step{{id: "a", fn: changing()}, {id: "c", fn: failing()},
			{id: "b", fn: changing(), reqs: append(onchanges, need(state.Require, state.All, "c")...)}}, false, true,
			[]string{"a true called changed: would", "c false called: broken",
				"b false requisite: One or more requisite failed: a.c"}, []string{tagB + " onchanges fake: a"}, 2},
		{"nothing changed in the end", nil, []step{{id: "a", fn: idle()}, {id: "b", fn: changing(), reqs: onchanges}}, false,
			true, []string{"a true called: would act",
				"b true onchanges: State was not run because none of the onchanges reqs changed"}, []string{}, 2},
		{"its own condition says that it need not run", []run.Debt{reaction(tagB, state.Onchanges)},
			[]step{{id: "a", fn: &fake{}},
				{id: "b", fn: changing(), reqs: onchanges, opts: state.Options{Creates: []string{"/"}}}}, false, true,
			[]string{"a true called: ", "b true conditional: / exists"}, []string{}, 1},
	} {
		b := &book{debts: c.old}
		rep := runSteps(t, run.Config{Journal: b, Preview: c.preview, Whole: c.whole}, c.steps...)
		if d := cmp.Diff(c.want, brief(rep, true)); d != "" {
			t.Errorf("%s: results (-want +got):\n%s", c.name, d)
		}
		if d := cmp.Diff(c.owes, b.owes()); d != "" {
			t.Errorf("%s: owed (-want +got):\n%s", c.name, d)
		}
		if b.writes != c.writes {
			t.Errorf("%s: %d writes, want %d", c.name, b.writes, c.writes)
		}
	}
}

// idle says that it would act, and then changes nothing.
func idle() *fake {
	f := acting()
	f.apply = func(int, host.Host) (applied, error) { return applied{}, nil }
	return f
}

// TestNotedBeforeApply looks at the journal from inside the change.
func TestNotedBeforeApply(t *testing.T) {
	b := &book{}
	var during []string
	a := acting()
	a.apply = func(int, host.Host) (applied, error) {
		during = b.owes()
		return applied{Changes: done()}, errors.New("broken half-way")
	}
	steps := []step{{id: "a", fn: a}, {id: "b", fn: still(), reqs: need(state.Watch, state.All, "a")}}
	runSteps(t, run.Config{Journal: b}, steps...)
	want := []string{tagB + " watch fake: a"}
	if d := cmp.Diff(want, during); d != "" {
		t.Errorf("before the change (-want +got):\n%s", d)
	}
	if d := cmp.Diff(want, b.owes()); d != "" {
		t.Errorf("after a failure with changes (-want +got):\n%s", d)
	}
	steps[0].fn = &fake{}
	rep := runSteps(t, run.Config{Journal: b}, steps...)
	if got := brief(rep, false); got[1] != "b true watched changed" || len(b.debts) > 0 {
		t.Errorf("the next run: %v, owed %v", got, b.owes())
	}
}

// TestInterruptedOwes stops a run between the change and what listens.
func TestInterruptedOwes(t *testing.T) {
	b := &book{}
	ctx, stop := context.WithCancel(context.Background())
	a := acting()
	a.apply = func(int, host.Host) (applied, error) { stop(); return applied{Changes: done()}, nil }
	plan, bound := planOf(t, []step{{id: "a", fn: a}, {id: "b", fn: still(), reqs: need(state.Listen, state.All, "a")}})
	rep := run.Run(ctx, run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv, Journal: b,
		Whole: true})
	if !rep.Interrupted || len(b.debts) != 1 || b.debts[0].Kind != state.Listen {
		t.Errorf("interrupted %v, owed %v", rep.Interrupted, b.owes())
	}
}

// TestBacksOff: a reaction that failed is tried again in the next run, then after ten minutes, then after twenty, and
// until then each run says when. A clock that was set back does not make it wait for the time that was.
func TestBacksOff(t *testing.T) {
	b, now := &book{}, time.Date(2026, 11, 21, 3, 0, 0, 0, time.UTC)
	steps := []step{{id: "a", fn: changing()}, {id: "b", fn: &fake{watch: failing()},
		reqs: need(state.Watch, state.All, "a")}}
	var got []string
	for _, later := range []time.Duration{0, time.Minute, 9 * time.Minute, 19 * time.Minute, time.Minute,
		-48 * time.Hour} {
		now = now.Add(later)
		rep := runSteps(t, run.Config{Journal: b, Now: func() time.Time { return now }}, steps...)
		got = append(got, brief(rep, true)[1])
		steps[0].fn = &fake{}
	}
	why := "\nthe restart owed since 2026-11-21 03:00, when fake: a changed and this was held back by its own failure"
	rests := "b true called: \nthe restart owed since 2026-11-21 03:00 for fake: a failed (%d times) and is tried again " +
		"after %s"
	want := []string{"b false watched: broken", "b false watched: broken" + why, fmt.Sprintf(rests, 2, "2026-11-21 03:11"),
		"b false watched: broken" + why, fmt.Sprintf(rests, 3, "2026-11-21 03:49"), "b false watched: broken" + why}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
