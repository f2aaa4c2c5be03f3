package agent

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/schedule"
)

// TestTurn: every way that a turn can go, from a machine that has release 5 as its last good one.
func TestTurn(t *testing.T) {
	for name, c := range map[string]struct {
		do       func(w *world, a *Agent)
		status   Status
		sequence uint64 // that was applied; 0 for none
		lastGood bool
		says     string // a problem
	}{
		"nothing new":  {status: OK, sequence: 5},
		"a new one":    {do: func(w *world, _ *Agent) { w.push(6) }, status: OK, sequence: 6},
		"numbers gone": {do: func(w *world, _ *Agent) { w.push(60) }, status: OK, sequence: 60},
		"states fail":  {do: func(w *world, _ *Agent) { w.push(6); w.exits[6] = 2 }, status: Failed, sequence: 6},
		"it does not compile": {do: func(w *world, _ *Agent) { w.push(6); w.exits[6] = 1 }, status: CompileError, sequence: 5,
			lastGood: true, says: "release 6 does not compile"},
		"the good one does not compile any more": {do: func(w *world, _ *Agent) { w.exits[5] = 1 }, status: CompileError,
			sequence: 5, says: "release 5 does not compile"},
		"gostate is ended": {do: func(w *world, _ *Agent) { w.push(6); w.runErr = errors.New("signal: killed") },
			status: RunError, says: "release 6: signal: killed"},
		"an odd exit code": {do: func(w *world, _ *Agent) { w.push(6); w.exits[6] = 64 }, status: RunError, sequence: 6,
			says: "exit code 64"},
		"the source is gone": {do: func(w *world, _ *Agent) { w.down = true }, status: Unreachable, sequence: 5,
			says: "no route to host"},
		"a lower one": {do: func(w *world, _ *Agent) { w.push(4) }, status: Refused, sequence: 5,
			says: "the sequence 4, and this machine has seen 5"},
		"another one of the same number": {do: func(w *world, _ *Agent) {
			w.push(5, func(r *release.Release) { r.Comment = "the other operator's" })
		}, status: Refused, sequence: 5, says: "another release of the sequence 5"},
		"another environment": {do: func(w *world, _ *Agent) {
			w.pointer, _ = w.sign(w.operator, 6, func(r *release.Release) { r.Env = "test" })
		}, status: Refused, sequence: 5, says: `it is for the environment "test"`},
		"another key": {do: func(w *world, _ *Agent) { w.pointer, _ = w.sign(keyOf(2), 6) }, status: Refused, sequence: 5,
			says: "none of the keys"},
		"a page": {do: func(w *world, _ *Agent) { w.pointer = []byte("<html>sign in") }, status: Refused, sequence: 5,
			says: "a page of HTML"},
		"one that has ended": {do: func(w *world, _ *Agent) {
			w.push(6, func(r *release.Release) {
				r.Created, r.NotAfter = r.Created.Add(-time.Hour), r.Created.Add(-time.Minute*20)
			})
		}, status: Refused, sequence: 5, says: "it ended at 2026-05-04T11:40:00Z"},
		"what is here has ended": {do: func(w *world, _ *Agent) { w.now = w.now.Add(25 * time.Hour) }, status: Refused,
			says: "the release that is here is not applied: it ended at"},
		"nor does the source's absence revive it": {do: func(w *world, _ *Agent) {
			w.now, w.down = w.now.Add(25*time.Hour), true
		}, status: Unreachable, says: "it ended at"},
		"the last good one has ended": {do: func(w *world, _ *Agent) {
			w.now = w.now.Add(25 * time.Hour)
			w.push(6)
			w.exits[6] = 1
		}, status: CompileError, sequence: 6, says: "the last good release is not applied: it ended at"},
		"the clock is back": {do: func(w *world, _ *Agent) { w.now = w.now.Add(-24 * time.Hour) }, status: OK, sequence: 5,
			says: "the clock of this machine is behind"},
		"a newer gostate is needed": {do: func(w *world, a *Agent) {
			a.Policy.Version = "1.0.0"
			w.push(6, func(r *release.Release) { r.MinVersion = "1.2.0" })
		}, status: Refused, sequence: 5, says: "it needs gostate 1.2.0, and this is 1.0.0"},
		"a blob is short": {do: func(w *world, _ *Agent) {
			w.push(6)
			w.blob = func(data []byte) []byte { return data[:len(data)/2] }
		}, status: Unfetched, sequence: 5, lastGood: true, says: "cut short"},
		"a blob is another": {do: func(w *world, _ *Agent) {
			w.push(6)
			w.blob = func(data []byte) []byte { data[0] ^= 1; return data }
		}, status: Unfetched, sequence: 5, lastGood: true, says: "another digest"},
		"a blob is a page": {do: func(w *world, _ *Agent) {
			w.push(6)
			w.blob = func(data []byte) []byte { return []byte("<html>" + strings.Repeat(" ", len(data))) }
		}, status: Unfetched, sequence: 5, lastGood: true, says: "a page of HTML"},
		"a machine that the release has not": {do: func(w *world, a *Agent) { w.push(6); a.ID = "web2" },
			status: Unfetched, says: `the release has no machine "web2"`},
		"another machine's key": {do: func(w *world, a *Agent) {
			w.push(6)
			other, _ := age.GenerateX25519Identity()
			a.Identities = func() ([]age.Identity, error) { return []age.Identity{other}, nil }
		}, status: Unfetched, says: "the key of this machine does not open its pillar"},
		"no key": {do: func(w *world, a *Agent) {
			w.push(6)
			a.Identities = func() ([]age.Identity, error) { return nil, errors.New("cannot read the age key") }
		}, status: Unfetched, says: "cannot read the age key"},
		"a pause":        {do: pausedFor(time.Hour), status: Paused, says: "until 2026-05-04T13:00:00Z: moving"},
		"a pause's end":  {do: pausedFor(-time.Second), status: OK, sequence: 5},
		"a broken pause": {do: func(_ *world, a *Agent) { put(a, pauseFile, "{") }, status: Paused, says: "cannot be read"},
		"a blackout": {do: func(w *world, a *Agent) {
			w.push(6)
			a.Blackout = []*schedule.Schedule{{Name: "office", Ranges: []schedule.Range{{First: 8 * 3600, Last: 18 * 3600}}}}
		}, status: Blackout, says: `the blackout "office"`},
		"after a blackout": {do: func(_ *world, a *Agent) {
			a.Blackout = []*schedule.Schedule{{Name: "night", Ranges: []schedule.Range{{First: 0, Last: 3600}}}}
		}, status: OK, sequence: 5},
		"the memory is damaged": {do: func(_ *world, a *Agent) { put(a, newestFile, "\x00\x00") }, status: OK, sequence: 5,
			says: "newest.json is damaged"},
		"a damaged memory still refuses": {do: func(w *world, a *Agent) { put(a, newestFile, ""); w.push(4) },
			status: Refused, sequence: 5, says: "this machine has seen 5"},
		"no key is trusted any more": {do: func(_ *world, a *Agent) { a.Policy.Keys = nil }, status: Refused,
			says: "the release that is here is not applied: none of the keys"},
	} {
		t.Run(name, func(t *testing.T) {
			w := newWorld(t)
			a := w.agent(scratch(t))
			w.push(5)
			if r := w.turn(a); r.Status != OK {
				t.Fatalf("the first release: %+v", r)
			}
			w.ran = nil
			if c.do != nil {
				c.do(w, a)
			}
			checkTurn(t, w.turn(a), c.status, c.sequence, c.lastGood, c.says)
		})
	}
}

func checkTurn(t *testing.T, r *Report, status Status, sequence uint64, lastGood bool, says string) {
	t.Helper()
	var said string
	for _, p := range r.Problems {
		said += p.Kind + ": " + p.Message + "\n"
	}
	got := Applied{}
	if r.Applied != nil {
		got = *r.Applied
	}
	if r.Status != status || got.Sequence != sequence || got.LastGood != lastGood {
		t.Errorf("%s, release %d, last good: %v; want %s, %d, %v\n%s", r.Status, got.Sequence, got.LastGood, status, sequence,
			lastGood, said)
	}
	if !strings.Contains(said, says) || says == "" && said != "" && status == OK {
		t.Errorf("it says %q, not %q", said, says)
	}
}

func pausedFor(d time.Duration) func(*world, *Agent) {
	return func(w *world, a *Agent) {
		if err := SetPause(a.Dir, Pause{Until: w.now.Add(d), Reason: "moving"}); err != nil {
			w.t.Fatal(err)
		}
	}
}

func put(a *Agent, name, text string) {
	_ = os.WriteFile(filepath.Join(a.Dir, name), []byte(text), 0o600)
}

// TestNothingYet: a machine that never had a release.
func TestNothingYet(t *testing.T) {
	w := newWorld(t)
	checkTurn(t, w.turn(w.agent(scratch(t))), Unreachable, 0, false, "there is none")
	if len(w.ran) > 0 {
		t.Error("something was run")
	}
}

// TestReport: counts, the states that changed or failed, other grains, and what compiling said.
func TestReport(t *testing.T) {
	w := newWorld(t)
	w.grains["os"] = []byte(`"Gentoo"`)
	a := w.agent(scratch(t))
	w.push(5)
	r := w.turn(a)
	if c := r.Applied.Counts; c != (Counts{3, 1, 1, 1}) || len(r.Applied.States) != 2 ||
		!strings.Contains(string(r.Applied.States[0]), `"tag":"a"`) {
		t.Errorf("counts %v, %s", c, r.Applied.States)
	}
	if len(r.OtherGrains) != 1 || r.OtherGrains[0] != "os" {
		t.Errorf("other grains: %v", r.OtherGrains)
	}
	w.push(6)
	w.exits[6] = 1
	if r := w.turn(a); !strings.Contains(r.Problems[0].Detail, "web.sls:1: wrong") {
		t.Errorf("%+v", r.Problems)
	}
	if len(w.delivered) != 2 {
		t.Errorf("%d reports were delivered", len(w.delivered))
	}
}

// TestTwoAgents: the second one is refused while the first is at work.
func TestTwoAgents(t *testing.T) {
	w := newWorld(t)
	a := w.agent(scratch(t))
	done, err := a.Open()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.agent(a.Dir).Open(); err == nil || !strings.Contains(err.Error(), "another agent") {
		t.Errorf("a second agent: %v", err)
	}
	done()
	again, err := w.agent(a.Dir).Open()
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// TestKeep: three trees stay, and the last good one however old it is.
func TestKeep(t *testing.T) {
	w := newWorld(t)
	a := w.agent(scratch(t))
	for n := uint64(1); n <= 6; n++ {
		w.now = w.now.Add(time.Minute)
		w.push(n)
		w.turn(a)
	}
	trees, _ := filepath.Glob(filepath.Join(a.Dir, "releases", "*"))
	if len(trees) != 6 { // three trees, three pillars
		t.Errorf("%d files are kept: %v", len(trees), trees)
	}
	for n := uint64(7); n <= 12; n++ {
		w.now = w.now.Add(time.Minute)
		w.push(n)
		w.exits[n] = 1
		if r := w.turn(a); r.Applied == nil || r.Applied.Sequence != 6 {
			t.Fatalf("release %d: %+v", n, r)
		}
	}
	if trees, _ = filepath.Glob(filepath.Join(a.Dir, "releases", "*")); len(trees) > 8 {
		t.Errorf("%d files are kept while nothing compiles", len(trees))
	}
}
