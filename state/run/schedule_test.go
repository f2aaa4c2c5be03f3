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
