package agent

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
)

// Turn looks once, applies what is to be applied, and reports. Its error says that the agent itself cannot work; all
// else is in the report.
func (a *Agent) Turn(ctx context.Context, why string) (*Report, error) {
	return a.turn(ctx, &Report{Why: why})
}

// Do is a turn for a job: in the place of highstate the words are run, on the newest release that is good.
func (a *Agent) Do(ctx context.Context, job string, words []string) (*Report, error) {
	return a.turn(ctx, &Report{Why: "job", Job: job, Words: words})
}

// Newest is the signed release with the highest sequence that this machine has accepted; nil where it has none.
func (a *Agent) Newest() []byte {
	m, err := readMemory(a.Dir)
	if err != nil {
		return nil
	}
	return m.newest
}

// Refuse reports that a job is not done.
func (a *Agent) Refuse(ctx context.Context, job, kind, message, hint string) error {
	m, err := readMemory(a.Dir)
	if err != nil {
		return err
	}
	r := a.begin(&Report{Why: "job", Job: job, Status: Refused})
	r.problem(kind, message, hint)
	r.Newest = m.seen().Sequence
	return a.report(ctx, r)
}

func (a *Agent) begin(r *Report) *Report {
	began := a.Clock.Now()
	r.Format, r.Node, r.Run, r.Env = 1, a.ID, runName(began), a.Policy.Env
	r.Started, r.Version = began.UTC(), a.Policy.Version
	if r.Status == "" {
		r.Status = OK
	}
	return r
}

func (a *Agent) turn(ctx context.Context, r *Report) (*Report, error) {
	m, err := readMemory(a.Dir)
	if err != nil {
		return nil, err
	}
	r = a.begin(r)
	began := a.Clock.Now()
	if m.damaged != "" {
		r.problem("memory", m.damaged+" is damaged: the sequence is remembered by what is left", "")
	}
	if !a.idle(r, began) {
		a.work(ctx, r, m)
	}
	r.Newest = m.seen().Sequence
	r.Seconds = a.Clock.Now().Sub(began).Seconds()
	return r, a.report(ctx, r)
}

// idle says whether this is no time to work.
func (a *Agent) idle(r *Report, now time.Time) bool {
	if p := ReadPause(a.Dir); p != nil && now.Before(p.Until) {
		r.Status = Paused
		r.problem("paused", p.String(), "gostate agent resume ends it")
		return true
	}
	for _, s := range a.Blackout {
		if s.Off(time.Time{}, now) == "" {
			r.Status = Blackout
			r.problem("blackout", fmt.Sprintf("it is the blackout %q", s.Name), "")
			return true
		}
	}
	return false
}

// work finds out which releases may run, the best one first, and runs the first that can.
func (a *Agent) work(ctx context.Context, r *Report, m *memory) {
	r.Grains, _ = a.Runner.Grains(ctx)
	a.look(ctx, r, m)
	policy := a.policy(m)
	newest, fault := a.judged(policy, m.newest)
	if fault != nil {
		r.worse(Refused)
		r.problem(string(fault.Kind), "the release that is here is not applied: "+fault.Msg, fault.Hint)
		return // what is older than an ended release has no better right
	}
	if newest == nil {
		return // nothing was ever here, which look has told
	}
	if newest.Note != "" {
		r.problem("clock", newest.Note, "")
	}
	if a.apply(ctx, r, m, newest, false) || string(m.good) == string(m.newest) {
		return
	}
	policy.Seen, policy.Payload = 0, ""
	good, fault := a.judged(policy, m.good)
	if fault != nil {
		r.problem(string(fault.Kind), "the last good release is not applied: "+fault.Msg, fault.Hint)
	}
	if good != nil {
		a.apply(ctx, r, m, good, true)
	}
}

func (a *Agent) policy(m *memory) release.Policy {
	p, s := a.Policy, m.seen()
	p.Seen, p.Payload = s.Sequence, s.Payload
	return p
}

func (a *Agent) judged(p release.Policy, signed []byte) (*release.Accepted, *release.Fault) {
	if signed == nil {
		return nil, nil
	}
	acc, err := p.Judge(signed, a.Clock.Now())
	if err != nil {
		return nil, release.FaultOf(err)
	}
	return acc, nil
}

// look asks the source for the newest release, and remembers one that is accepted.
func (a *Agent) look(ctx context.Context, r *Report, m *memory) {
	signed, err := a.Source.Pointer(ctx, a.Policy.Env)
	if err != nil {
		r.worse(Unreachable)
		r.problem("source", fmt.Sprintf("no release can be read: %v", err), "")
		return
	}
	policy := a.policy(m)
	if _, err := policy.Judge(signed, a.Clock.Now()); err != nil {
		f := release.FaultOf(err)
		if string(signed) != string(m.newest) { // of that one, work tells
			r.worse(Refused)
			r.problem(string(f.Kind), "the release is refused: "+f.Msg, f.Hint)
		}
		return
	}
	if err := m.accept(signed); err != nil {
		r.worse(Unfetched)
		r.problem("disk", fmt.Sprintf("the release cannot be remembered: %v", err), "")
	}
}

// apply runs a release, and says whether it could be: where it could not, the last good one is to run.
func (a *Agent) apply(ctx context.Context, r *Report, m *memory, acc *release.Accepted, lastGood bool) bool {
	job, err := a.prepare(ctx, r, acc)
	if job != nil {
		job.Words = r.Words
	}
	if err != nil {
		r.worse(Unfetched)
		r.problem(kindOf(err), fmt.Sprintf("release %d: %v", acc.Sequence, err), "")
		return false
	}
	out, err := a.Runner.Run(ctx, *job)
	if err != nil {
		r.worse(RunError)
		r.problem("run", fmt.Sprintf("release %d: %v", acc.Sequence, err), "")
		return true // another tree would fare no better
	}
	r.Applied = applied(acc, out, lastGood)
	if ctx.Err() != nil {
		r.problem("stopped", "the agent was stopped: what ran then was finished, nothing else was started", "")
	}
	switch out.Exit {
	case 0:
	case 1:
		r.worse(CompileError)
		r.problem("compile", fmt.Sprintf("release %d does not compile on this machine: nothing of it was applied",
			acc.Sequence), "gostate lint finds it before it is packed, when the inventory has this machine's grains")
		r.Problems[len(r.Problems)-1].Detail = cut(out.Messages)
		return len(r.Words) > 0 // a job is for the newest release
	case 2:
		r.worse(Failed)
	default:
		r.worse(RunError)
		r.problem("run", fmt.Sprintf("release %d: gostate ended with the exit code %d", acc.Sequence, out.Exit), "")
		return true
	}
	if len(r.Words) > 0 {
		return true // which says nothing of the rest of the tree
	}
	if err := m.compiled(acc.Signed); err != nil {
		r.problem("disk", fmt.Sprintf("the release cannot be remembered as good: %v", err), "")
	}
	a.prune(m)
	return true
}

func kindOf(err error) string {
	var path *os.PathError
	switch {
	case errors.Is(err, errPillar):
		return "pillar"
	case errors.As(err, &path):
		return "disk"
	}
	return "fetch"
}

// treeDir is where the tree of a release is.
func (a *Agent) treeDir(r *release.Release) string {
	return filepath.Join(a.Dir, "releases", r.Tree.Digest.Hex())
}
