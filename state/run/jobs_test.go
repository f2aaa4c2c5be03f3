package run_test

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
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
			l.Opts.Parallel = true
		}
		if d := cmp.Diff(want, do(8)); d != "" {
			t.Errorf("%s, all parallel (-want +got):\n%s", c.Case, d)
		}
	}
}

// A slow state counts how many run at once, by what it is.
type slow struct {
	locks    []string
	now, top *atomic.Int32
}

func (s *slow) Check(context.Context, *modules.Env, host.Reader) (state.Forecast, error) {
	n := s.now.Add(1)
	for old := s.top.Load(); n > old && !s.top.CompareAndSwap(old, n); old = s.top.Load() {
	}
	time.Sleep(3 * time.Millisecond)
	s.now.Add(-1)
	return state.Forecast{}, nil
}

func (s *slow) Apply(context.Context, *modules.Env, host.Host, state.Forecast) (state.Applied, error) {
	return state.Applied{}, nil
}

type locked struct{ slow }

func (l *locked) Locks() []string { return l.locks }

type files struct{ slow }

func (*files) OnlyFiles() {}

func TestWhatRunsAtOnce(t *testing.T) {
	for _, c := range []struct {
		name     string
		fn       func(s slow) modules.StateFunc
		parallel bool
		id       string
		want     bool
	}{
		{"functions that hold no lock", func(s slow) modules.StateFunc { return &locked{s} }, false, "", true},
		{"functions of one lock", func(s slow) modules.StateFunc { s.locks = []string{"apt"}; return &locked{s} }, false, "", false},
		{"functions of one lock that are parallel", func(s slow) modules.StateFunc { s.locks = []string{"apt"}; return &locked{s} }, true, "", false},
		{"functions of which nothing is known", func(s slow) modules.StateFunc { return &s }, false, "", false},
		{"functions of which nothing is known that are parallel", func(s slow) modules.StateFunc { return &s }, true, "", true},
		{"files apart", func(s slow) modules.StateFunc { return &files{s} }, false, "/etc/", true},
		{"a path without a root", func(s slow) modules.StateFunc { return &files{s} }, false, "etc/", false},
	} {
		t.Run(c.name, func(t *testing.T) {
			low := shape(8, nil)
			var now, top atomic.Int32
			bound := make([]modules.StateFunc, len(low))
			for i := range low {
				low[i].Name = c.id + low[i].Name
				low[i].Opts.Parallel = c.parallel
				bound[i] = c.fn(slow{now: &now, top: &top})
			}
			plan, _ := requisite.Resolve(low, requisite.Options{})
			run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: host.NewMemory(), Env: noEnv, Jobs: 4})
			if got := top.Load(); (got > 1) != c.want || got > 4 {
				t.Errorf("%d ran at once; more than one is wanted: %v", got, c.want)
			}
		})
	}
}

// TestNestedPaths: a file and the directory that it is in do not run at once.
func TestNestedPaths(t *testing.T) {
	low := shape(2, nil)
	low[0].Name, low[1].Name = "/srv/www", "/srv/www/index.html"
	var now, top atomic.Int32
	bound := []modules.StateFunc{&files{slow{now: &now, top: &top}}, &files{slow{now: &now, top: &top}}}
	plan, _ := requisite.Resolve(low, requisite.Options{})
	run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: host.NewMemory(), Env: noEnv, Jobs: 4})
	if top.Load() != 1 {
		t.Error("a directory and a file in it ran at once")
	}
}

func (f *slow) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, f)
}

func (f *locked) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, f)
}

func (f *files) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return modules.Staged(ctx, env, h, f)
}
