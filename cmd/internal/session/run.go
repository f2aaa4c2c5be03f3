package session

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/gostate/gostate/cmd/internal/journal"
	"github.com/gostate/gostate/cmd/internal/kept"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/run"
)

// Apply prepares the Request and carries it out. command is what others are told that wait for this run.
func (s *Session) Apply(ctx context.Context, r Request, command string) error {
	p, err := s.Prepare(ctx, r)
	if err != nil {
		return err
	}
	p.whole = r.whole() && !s.selects()
	return s.carryOut(ctx, p, command)
}

// carryOut runs what was prepared, on the machine or in a preview on an overlay of it, and reports.
func (s *Session) carryOut(ctx context.Context, p *Prepared, command string) error {
	if err := s.ready(p); err != nil {
		return err
	}
	release, err := s.alone(ctx, command)
	if err != nil {
		return err
	}
	defer release()
	owed, known := s.journal(), s.keeping(p.Plan.Low)
	defer owed.Close()
	if known != nil {
		defer known.Close()
	}
	if s.steward != nil {
		if err := s.steward.begins(p); err != nil {
			return err
		}
	}
	if err := s.process.Begin(); err != nil {
		return err
	}
	if err := s.keepExports(); err != nil {
		return err
	}
	if !s.preview() && !s.opts.Concurrent && !s.opts.Mock {
		owed.Mend()
		if known != nil {
			known.Mend()
		}
	}
	if s.opts.Jobs > 1 {
		_ = s.Grains().Len() // all are asked now: later it would depend on which of two states that run is faster
	}
	s.perform(ctx, p, s.record(p, command), owed, known)
	return nil
}

// ready says what is run, and whether it may be.
func (s *Session) ready(p *Prepared) (err error) {
	if len(p.Warnings.All) > 0 {
		s.Show(p.Warnings)
	}
	if p.only, err = s.Selection(p.Plan); err != nil {
		return err
	}
	if err := run.Split(p.Plan, p.only); err != nil {
		return err
	}
	if !s.preview() {
		if err := s.needRoot(p); err != nil {
			return err
		}
	}
	if s.opts.Mock {
		mock(p.Bound)
	}
	return nil
}

// alone keeps other runs away, where this one leaves something, until it is released.
func (s *Session) alone(ctx context.Context, command string) (release func(), err error) {
	if s.preview() || s.process.Inside != nil || s.opts.Concurrent { // nobody waits for what leaves nothing
		return func() {}, nil
	}
	lock, err := s.lock(ctx, command)
	if err != nil {
		return nil, err
	}
	if m, ok := s.machine.(*host.OS); ok {
		m.Hold(lock)
		m.Until(ctx)
	}
	return func() { _ = lock.Release() }, nil
}

// perform runs the plan and tells of it.
func (s *Session) perform(ctx context.Context, p *Prepared, rec *record, owed *journal.File, known *kept.File) {
	var rep *run.Report
	s.withProgress(func(w watcher) {
		cfg := s.runConfig(p, s.machine, w)
		cfg.Events = rec.before(cfg.Events)
		cfg.Reload, cfg.Outside = s.reload, p.outside
		if !s.opts.Concurrent && !s.opts.Mock { // the journal is of who holds the lock
			cfg.Journal, cfg.Whole = s.discreet(owed, p.Plan.Low), p.whole
			cfg.Kept = s.keptOf(known)
			s.known = cfg.Kept
		}
		if s.steward != nil {
			cfg.Looked = s.steward.looked
		}
		rep = run.Run(ctx, cfg)
	})
	if s.steward != nil {
		s.steward.ended(p, rep)
	}
	s.report(rep, len(owed.Debts()), rec.drifting())
	s.tell(rep, rec, len(owed.Debts()))
	rec.finish(rep, owed.Debts())
}

func (s *Session) runConfig(p *Prepared, h host.Host, w watcher) run.Config {
	base := s.env(h)
	return run.Config{
		Plan: p.Plan, Bound: p.Bound, Only: p.only, Host: h, Preview: s.preview(),
		Schedules: s.schedules(p.Plan.Low), Noop: s.noop(), Aside: func() *host.Overlay { return s.aside(p, h) },
		Env: func(l *state.Low) *modules.Env {
			e := *base
			e.Low = l
			if w.say != nil {
				e.Progress = func(word string) { w.say(l, word) }
			}
			if p.declared != nil {
				e.Meant = &p.declared[l.Index].meant
			}
			return &e
		},
		Exec: execFunctions{s, h}, Jobs: s.opts.Jobs,
		Failhard: s.config.Bool("failhard", false), Aggregate: s.config.Bool("state_aggregate", false),
		Debug: s.opts.LogLevel == "debug", Abort: s.process.Abort, Events: s.events(w.event),
		Output: w.say, Samples: s.reportOptions().StateOutput == "brief",
	}
}

// preview says whether this is test mode: by flag, or by the configuration's test key.
func (s *Session) preview() bool {
	if s.opts.TestSet {
		return s.opts.Test
	}
	return s.config.Bool("test", false)
}

// noop says whether all states are noop that do not say otherwise: by flag, or by the configuration's noop key.
func (s *Session) noop() bool {
	if s.opts.NoopSet {
		return s.opts.Noop
	}
	return s.config.Bool("noop", false)
}

// aside is what noop states act on. Their commands run in a view where nothing else changes what it is a view of, and
// as in a run otherwise.
func (s *Session) aside(p *Prepared, h host.Host) *host.Overlay {
	for _, l := range p.Plan.Low {
		if !run.Noop(l, s.noop()) || h.Preview() {
			return host.NewOverlay(h)
		}
	}
	return s.overlay(h)
}

// needRoot refuses a run that is not root's when states of it cannot work without.
func (s *Session) needRoot(p *Prepared) error {
	if os.Geteuid() == 0 {
		return nil
	}
	var l diag.List
	e := s.env(s.machine)
	for i, f := range p.Bound {
		e.Low = p.Plan.Low[i]
		if p.only != nil && !p.only[i] || run.Noop(e.Low, s.noop()) {
			continue
		}
		n, always := f.(modules.NeedsRoot)
		on, here := f.(modules.NeedsRootOn)
		if always && n.NeedsRoot(e) || here && on.NeedsRootOn(s.machine) {
			l.Add(diag.Errorf(e.Low.Pos, "%s '%s' needs root, and this is user %d", e.Low.Fun(), e.Low.Name, os.Geteuid()).
				WithHint("run it as root: sudo gostate ...; --test works for every user"))
		}
	}
	l.Sort()
	return l.Err()
}

// lock takes the machine's run lock.
func (s *Session) lock(ctx context.Context, command string) (*host.Lock, error) {
	name := "run.lock"
	if s.opts.Conducts {
		name = "orchestrate.lock" // this machine may be one of those that are worked on
	}
	path := filepath.Join(s.stateDir(), name)
	l, err := host.Acquire(ctx, path, "gostate "+command, s.opts.Wait)
	var held *host.Held
	switch {
	case errors.As(err, &held):
		return nil, diag.Errorf(diag.Pos{File: path}, "%v", held).WithHint("%s", heldHint(held))
	case err != nil && context.Cause(ctx) == nil:
		return nil, diag.Errorf(diag.Pos{File: path}, "cannot take the run lock: %v",
			err).WithHint("choose another place with --state-dir")
	}
	return l, err
}

// heldHint says what to do about who holds the lock.
func heldHint(h *host.Held) string {
	if h.Left {
		return fmt.Sprintf("wait for it with --wait 10m, or end it: kill -- -%d", h.PID)
	}
	return "wait for it with --wait 10m; --test and show never wait"
}

// stateDir is where gostate keeps its own files: in the machine's tree, so that two runs on it find each other.
func (s *Session) stateDir() string {
	if s.opts.StateDir != "" {
		return s.opts.StateDir
	}
	if d := s.config.Str("state_dir", ""); d != "" {
		return s.config.Place(d)
	}
	if root := s.machine.Root(); os.Geteuid() == 0 || root != "/" {
		return filepath.Join(root, "/var/lib/gostate")
	}
	return homeStateDir()
}

// homeStateDir is the state directory of a user who is not root.
func homeStateDir() string {
	if d := os.Getenv("XDG_STATE_HOME"); d != "" {
		return filepath.Join(d, "gostate")
	}
	home, _ := os.UserHomeDir()
	return filepath.Join(home, ".local", "state", "gostate")
}
