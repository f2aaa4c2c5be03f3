package agent

import (
	"context"
	"slices"
	"testing"
)

// TestDo: a job runs its words on the newest release; what comes of it is no judgement of the release.
func TestDo(t *testing.T) {
	w := newWorld(t)
	a := w.agent(t.TempDir())
	w.push(5)
	w.turn(a)
	if before := a.Newest(); len(before) == 0 {
		t.Error("the newest release is not known")
	}
	w.push(6)
	runner := &worded{Runner: w}
	a.Runner = runner
	words := []string{"sls", "web", "--test"}
	r, err := a.Do(context.Background(), "j1", words)
	if err != nil || r.Status != OK || r.Job != "j1" || r.Applied.Sequence != 6 || !slices.Equal(runner.words, words) {
		t.Errorf("%+v, %v, %v", r, runner.words, err)
	}
	w.exits[6] = 1
	if r, err = a.Do(context.Background(), "j2", words); err != nil || r.Status != CompileError || r.Applied.LastGood {
		t.Errorf("nothing else is run in the place of a job: %+v, %v", r, err)
	}
	if r := w.turn(a); r.Status != CompileError || r.Applied.Sequence != 5 {
		t.Errorf("6 is not good by a job alone: %+v", r)
	}
	if err := a.Refuse(context.Background(), "j3", "expired", "it has ended", ""); err != nil {
		t.Error(err)
	}
}

type worded struct {
	Runner
	words []string
}

func (w *worded) Run(ctx context.Context, j Job) (Outcome, error) {
	w.words = j.Words
	return w.Runner.Run(ctx, j)
}
