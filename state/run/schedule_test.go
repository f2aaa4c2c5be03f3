package run_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/schedule"
)

// A memory is a run.Kept that no disk holds.
type memory struct {
	ran  map[string]time.Time
	seen map[string]map[string]string
}

func newMemory() *memory {
	return &memory{map[string]time.Time{}, map[string]map[string]string{}}
}

func (m *memory) Ran(tag string) time.Time                     { return m.ran[tag] }
func (m *memory) NoteRan(tag string, at time.Time)             { m.ran[tag] = at }
func (m *memory) Seen(tag string) map[string]string            { return m.seen[tag] }
func (m *memory) NoteSeen(tag string, props map[string]string) { m.seen[tag] = props }

// TestSchedule: outside of its schedule a state is left alone and says so, those that require it run, and what it would
// have reacted to stays owed. A preview, a noop and a failure do not use up a period.
func TestSchedule(t *testing.T) {
	now := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	m, j := newMemory(), &book{}
	daily := state.Meta{Schedule: "daily"}
	play := func(cfg run.Config, want string, steps ...step) {
		t.Helper()
		cfg.Kept, cfg.Journal, cfg.Schedules = m, j, schedule.Builtin()
		cfg.Schedules["night"] = &schedule.Schedule{Name: "night",
			Ranges: []schedule.Range{{First: 2 * 3600, Last: 4 * 3600}}}
		cfg.Now = func() time.Time { return now }
		got := strings.Join(brief(runSteps(t, cfg, steps...), false), ", ")
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", now, d)
		}
	}
	one := func(f *fake) step { return step{id: "a", fn: f, meta: daily} }
	play(run.Config{Preview: true}, "a null called", one(acting()))
	play(run.Config{Noop: true}, "a null called", one(acting()))
	play(run.Config{}, "a false called", one(failing()))
	play(run.Config{}, "a true called changed, b true called changed", one(acting()),
		step{id: "b", fn: acting(), reqs: need(state.Require, state.All, "a")})
	now = now.Add(23 * time.Hour)
	play(run.Config{}, "a true unscheduled, b true called changed", one(acting()),
		step{id: "b", fn: acting(), reqs: need(state.Require, state.All, "a")})
	play(run.Config{Preview: true}, "a true unscheduled", one(acting()))
	now = now.Add(time.Hour)
	play(run.Config{}, "a true called changed", one(acting()))

	watcher := func() step {
		return step{id: "b", fn: reacting(), reqs: need(state.Watch, state.All, "a"), meta: state.Meta{Schedule: "night"}}
	}
	now = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)
	play(run.Config{}, "a true called changed, b true unscheduled", step{id: "a", fn: changing()}, watcher())
	if d := cmp.Diff([]string{tagB + " watch fake: a"}, j.owes()); d != "" {
		t.Errorf("owed (-want +got):\n%s", d)
	}
	now = time.Date(2026, 11, 23, 3, 0, 0, 0, time.UTC)
	play(run.Config{}, "a true called, b true watched changed", step{id: "a", fn: &fake{}}, watcher())
	if len(j.debts) > 0 {
		t.Errorf("owes %v", j.owes())
	}
}

// TestSchedulePrereq: what is to be done before a change is not left out by its schedule while the change is made.
func TestSchedulePrereq(t *testing.T) {
	m := newMemory()
	daily := state.Meta{Schedule: "daily"}
	for _, c := range []struct {
		name string
		at   time.Time
		b    state.Meta
		want string
	}{
		{"both are due", time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC), daily,
			"a true called changed, b true called changed"},
		{"neither is", time.Date(2026, 11, 22, 4, 0, 0, 0, time.UTC), daily, "a true unscheduled, b true unscheduled"},
		{"what comes before is not", time.Date(2026, 11, 22, 4, 0, 0, 0, time.UTC), state.Meta{},
			"a true unscheduled, b true unscheduled"},
		{"it is again", time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC), state.Meta{},
			"a true called changed, b true called changed"},
		{"the target is not", time.Date(2026, 11, 23, 4, 0, 0, 0, time.UTC), state.Meta{Schedule: "never"},
			"a true prereq, b true unscheduled"},
	} {
		a := step{id: "a", fn: acting(), reqs: need(state.Prereq, state.All, "b"), meta: daily}
		if c.name == "the target is not" {
			a.meta = state.Meta{}
		}
		got := brief(runSteps(t, run.Config{Kept: m, Schedules: schedule.Builtin(), Now: func() time.Time { return c.at }},
			a, step{id: "b", fn: changing(), meta: c.b}), false)
		want := strings.Split(c.want, ", ")
		slicesSort(got, want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, d)
		}
	}
}

// TestScheduleListen: outside of its schedule a state does not react at the end of the run, and owes it.
func TestScheduleListen(t *testing.T) {
	j := &book{}
	rep := runSteps(t, run.Config{Journal: j, Schedules: schedule.Builtin()}, step{id: "a", fn: changing()},
		step{id: "b", fn: reacting(), reqs: need(state.Listen, state.All, "a"), meta: state.Meta{Schedule: "never"}})
	if d := cmp.Diff([]string{"a true called changed", "b true unscheduled"}, brief(rep, false)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{tagB + " listen fake: a"}, j.owes()); d != "" {
		t.Errorf("owed (-want +got):\n%s", d)
	}
}

// TestSplit: a selection that has a prereq's target without the state that comes before it is refused.
func TestSplit(t *testing.T) {
	plan, _ := planOf(t, []step{{id: "a", fn: acting(), reqs: need(state.Prereq, state.All, "b")},
		{id: "b", fn: changing()}})
	for _, c := range []struct {
		only []bool
		bad  bool
	}{{nil, false}, {[]bool{true, true}, false}, {[]bool{true, false}, false}, {[]bool{false, true}, true}} {
		if err := run.Split(plan, c.only); (err != nil) != c.bad {
			t.Errorf("%v: %v", c.only, err)
		}
	}
}

// TestHeld: a debt says what held the reaction back.
func TestHeld(t *testing.T) {
	change := func() step { return step{id: "a", fn: changing()} }
	reacts := func(m state.Meta, more ...state.Requisite) step {
		return step{id: "b", fn: reacting(), reqs: append(need(state.Watch, state.All, "a"), more...), meta: m}
	}
	for _, c := range []struct {
		name  string
		cfg   run.Config
		steps []step
		want  string
	}{
		{"a schedule", run.Config{}, []step{change(), reacts(state.Meta{Schedule: "never"})}, "its schedule 'never'"},
		{"noop", run.Config{}, []step{change(), reacts(noop(true))}, "noop"},
		{"tags", run.Config{Only: []bool{true, false}}, []step{change(), reacts(state.Meta{})},
			"--tags or --skip-tags, which left it out"},
		{"a failed requisite", run.Config{}, []step{change(), {id: "c", fn: failing()},
			reacts(state.Meta{}, need(state.Require, state.All, "c")...)}, "the failure of fake: c"},
		{"its own failure", run.Config{}, []step{change(), {id: "b", fn: &fake{watch: failing()},
			reqs: need(state.Watch, state.All, "a")}}, "its own failure"},
		{"failhard", run.Config{Failhard: true}, []step{change(), {id: "c", fn: failing()}, reacts(state.Meta{})},
			"the end of the run before its turn"},
		{"a listener's failure", run.Config{}, []step{change(), {id: "b", fn: &fake{watch: failing()},
			reqs: need(state.Listen, state.All, "a")}}, "its own failure"},
	} {
		j := &book{}
		c.cfg.Journal, c.cfg.Schedules = j, schedule.Builtin()
		runSteps(t, c.cfg, c.steps...)
		if len(j.debts) != 1 || j.debts[0].Held != c.want {
			t.Errorf("%s: %+v", c.name, j.debts)
		}
		writes := j.writes
		if c.cfg.Only == nil && !c.cfg.Failhard {
			continue
		}
		runSteps(t, c.cfg, append([]step{{id: "a", fn: &fake{}}}, c.steps[1:]...)...)
		if j.writes != writes {
			t.Errorf("%s: what is known was written again", c.name)
		}
	}
}

// TestOnly: states that the run is not about are as if they had had nothing to do, and owe what they would have reacted
// to.
func TestOnly(t *testing.T) {
	j := &book{}
	steps := func() []step {
		return []step{{id: "a", fn: changing()}, {id: "b", fn: reacting(), reqs: need(state.Watch, state.All, "a")},
			{id: "c", fn: acting(), reqs: need(state.Onchanges, state.All, "a")},
			{id: "d", fn: acting(), reqs: need(state.Require, state.All, "e")}, {id: "e", fn: failing()},
			{id: "f", fn: acting(), reqs: need(state.Prereq, state.All, "a")}}
	}
	for _, c := range []struct{ only, want, owes string }{
		{"bcdf", "d true called changed, b true called, c true onchanges, f true prereq", ""},
		{"ad", "a true called changed, d true called changed", "fake_|-b_|-b_|-fun watch fake: a"},
		{"bc", "b true watched changed, c true called changed", ""},
	} {
		only := make([]bool, 6)
		for i := range only {
			only[i] = strings.Contains(c.only, string(rune('a'+i)))
		}
		rep := runSteps(t, run.Config{Only: only, Journal: j}, steps()...)
		got := brief(rep, false)
		want := strings.Split(c.want, ", ")
		slicesSort(got, want)
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("%s (-want +got):\n%s", c.only, d)
		}
		if !strings.HasPrefix(strings.Join(j.owes(), ","), c.owes) || c.owes == "" && len(j.debts) > 0 {
			t.Errorf("%s owes %v", c.only, j.owes())
		}
	}
}

func slicesSort(lists ...[]string) {
	for _, l := range lists {
		slices.Sort(l)
	}
}
