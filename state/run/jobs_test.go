package run_test

import (
	"context"
	"fmt"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/run"
)

// told is all that a report shows of results, but for times and process ids.
func told(rep *run.Report) []string {
	out := shown(rep.Results)
	for i, r := range rep.Results {
		out[i] += " " + r.Comment
		if r.Cause != nil {
			out[i] += " <- " + r.Cause.Tag()
		}
	}
	for _, l := range rep.NotRun {
		out = append(out, "not run: "+l.Tag())
	}
	return out
}

// TestJobs runs every tree with one job and with eight, first as it is, then with every state `parallel: true`.
func TestJobs(t *testing.T) {
	h := machine(t)
	for i, c := range recordedTrees(t) {
		if i%4 != 0 { // a quarter of them says enough, in a quarter of the time
			continue
		}
		plan, bound := c.plan(t)
		do := func(jobs int) []string {
			return told(run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: h, Env: noEnv, Jobs: jobs}))
		}
		want := do(1)
		if d := cmp.Diff(want, do(8)); d != "" {
			t.Errorf("%s with 8 jobs (-want +got):\n%s", c.Case, d)
		}
		for _, l := range plan.Low {
			l.SetOpts().Parallel = true
		}
		for _, jobs := range []int{1, 8} {
			if d := cmp.Diff(want, do(jobs)); d != "" {
				t.Errorf("%s, all parallel, %d jobs (-want +got):\n%s", c.Case, jobs, d)
			}
		}
	}
}

// A slow state counts how many change the machine at once.
type slow struct {
	reads, writes string // paths
	on            host.Kind
	now, top      *atomic.Int32
	meets         bool // waits for another, as long as it takes on a machine with much to do
}

func (s *slow) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if s.reads != "" {
		_, _ = h.ReadFile(s.reads)
	}
	err := h.Do(ctx, host.Deed{What: "be slow", On: s.on, Do: func(context.Context) error {
		n := s.now.Add(1)
		for old := s.top.Load(); n > old && !s.top.CompareAndSwap(old, n); old = s.top.Load() {
		}
		time.Sleep(5 * time.Millisecond)
		for range 6000 {
			if !s.meets || s.top.Load() > 1 {
				break
			}
			time.Sleep(5 * time.Millisecond)
		}
		s.now.Add(-1)
		return nil
	}, Foretell: func(host.Host) error { return nil }})
	if s.writes != "" && err == nil {
		err = h.WriteFile(s.writes, strings.NewReader("x"), host.KeepAttr())
	}
	return state.Effect{Pending: true, Once: true}, err
}

func TestWhatRunsAtOnce(t *testing.T) {
	for _, c := range []struct {
		name     string
		fn       func(id string) slow
		parallel bool
		want     bool
	}{
		{"what touches nothing", func(string) slow { return slow{} }, false, true},
		{"files apart", func(id string) slow { return slow{reads: "/" + id, writes: "/" + id} }, false, true},
		{"one file, written", func(string) slow { return slow{writes: "/x"} }, false, false},
		{"one file, read", func(string) slow { return slow{reads: "/x"} }, false, true},
		{"one file, written, parallel", func(string) slow { return slow{writes: "/x"} }, true, false},
		{"a file that is read by all and written by one", func(id string) slow {
			if id == "s0" {
				return slow{writes: "/x"}
			}
			return slow{reads: "/x", writes: "/" + id, on: host.FactMount}
		}, false, false},
		{"deeds on one kind", func(string) slow { return slow{on: host.FactPackage} }, false, false},
		{"deeds on one kind, parallel", func(string) slow { return slow{on: host.FactPackage} }, true, false},
		{"commands", func(string) slow { return slow{on: host.Anything} }, false, false},
		{"commands, parallel", func(string) slow { return slow{on: host.Anything} }, true, true},
	} {
		for _, jobs := range []int{4, 1} {
			t.Run(fmt.Sprintf("%s %d", c.name, jobs), func(t *testing.T) {
				// With one job, it is the states that are parallel that run at once.
				want := c.want && (c.parallel || jobs > 1)
				low := shape(8, nil)
				var now, top atomic.Int32
				bound := make([]modules.StateFunc, len(low))
				for i := range low {
					low[i].SetOpts().Parallel = c.parallel
					fn := c.fn(fmt.Sprintf("s%d", i))
					fn.now, fn.top, fn.meets = &now, &top, want
					bound[i] = &fn
				}
				plan, _ := requisite.Resolve(low, requisite.Options{})
				rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv,
					Jobs: jobs})
				for _, r := range rep.Results {
					if r.Outcome != state.Succeeded {
						t.Errorf("%s: %s", r.ID, r.Comment)
					}
				}
				if got := top.Load(); (got > 1) != want || got > 4 && jobs > 1 {
					t.Errorf("%d ran at once; more than one is wanted: %v", got, want)
				}
			})
		}
	}
}

// TestStartIsTold: a state is told to start only when it does: not while one runs that it must not run beside.
func TestStartIsTold(t *testing.T) {
	low := shape(6, nil)
	for i := range low {
		low[i].SetOpts().Retry = &state.Retry{Until: true, Attempts: 1} // done alone
	}
	plan, _ := requisite.Resolve(low, requisite.Options{})
	under := 0
	run.Run(context.Background(), run.Config{Plan: plan, Bound: bind(t, low), Host: hosttest.NewMemory(), Env: noEnv,
		Jobs: 4, Events: func(e run.Event) {
			if e.Doing {
				return
			}
			if under++; e.Result != nil {
				under -= 2
			}
			if under > 1 {
				t.Errorf("%s is said to start while another runs", e.Low.ID)
			}
		}})
}

// TestInterruptedPool: what waits for its turn when the run is interrupted does not begin.
func TestInterruptedPool(t *testing.T) {
	low := shape(6, nil)
	ctx, stop := context.WithCancel(context.Background())
	defer stop()
	var now, top atomic.Int32
	bound := make([]modules.StateFunc, len(low))
	for i := range low {
		bound[i] = &stopper{slow{on: host.Anything, now: &now, top: &top}, stop}
	}
	plan, _ := requisite.Resolve(low, requisite.Options{})
	rep := run.Run(ctx, run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv, Jobs: 4})
	if len(rep.Results) != 1 || len(rep.NotRun) != 5 || !rep.Interrupted {
		t.Errorf("%d results, %d not run, interrupted %v", len(rep.Results), len(rep.NotRun), rep.Interrupted)
	}
}

// A stopper interrupts the run.
type stopper struct {
	slow
	stop func()
}

func (s *stopper) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if _, looks := h.(*host.Overlay); !looks {
		s.stop()
	}
	return s.slow.Act(ctx, env, h)
}
