package session

import (
	"time"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
)

// A watcher is told of a run while it lasts; nil functions are told nothing.
type watcher struct {
	event func(run.Event)
	say   func(low *state.Low, word string)
}

// withProgress shows on standard error where the run is: a live line on a terminal, a line every half minute elsewhere.
func (s *Session) withProgress(work func(w watcher)) {
	if s.process.Reported != nil {
		work(watcher{event: s.process.Event})
		return
	}
	if s.opts.Out == "quiet" {
		work(watcher{})
		return
	}
	to, width := s.process.Err, 0
	if IsTerminal(to) {
		to = report.Under(to)
		width = terminalWidth(to)
	}
	report.WithProgress(to, width, func(p *report.Progress) {
		p.Secrets = s.process.shownErr()
		work(watcher{p.Event, p.Say})
	})
}

// events tells the log of what begins and ends, besides who watches.
func (s *Session) events(watch func(run.Event)) func(run.Event) {
	if !s.logs("info") {
		return watch
	}
	return func(e run.Event) {
		if watch != nil {
			watch(e)
		}
		switch {
		case e.Result != nil:
			s.logFields("info", "state done", "state", e.Low.Fun(), "id", e.Low.ID, "result", outcomeOf(e.Result), "took",
				e.Result.Duration)
		case !e.Doing:
			s.logFields("info", "state begins", "state", e.Low.Fun(), "id", e.Low.ID)
		}
	}
}

func outcomeOf(r *state.Result) string {
	switch {
	case r.Outcome == state.Failed:
		return "failed"
	case r.Outcome == state.Pending:
		return "would change"
	case r.Changed():
		return "changed"
	}
	return "unchanged"
}

// logCommands has the log told of the commands that run on a machine.
func (s *Session) logCommands(m *host.OS) {
	if !s.logs("debug") {
		return
	}
	m.Tell(func(c host.Cmd, out *host.Output, err error) {
		fields := []any{"command", c.Words(), "exit", out.Code, "took", out.Duration.Round(time.Microsecond)}
		if err != nil {
			fields = append(fields, "error", err.Error())
		}
		s.logFields("debug", "command", fields...)
	})
}

// newRoots are roots whose reading the log is told of.
func (s *Session) newRoots(dirs []roots.EnvDirs) *roots.Roots {
	r := roots.New(dirs)
	if s.logs("info") {
		r.Told = func(what string, took time.Duration) {
			s.logFields("info", "read", "file", what, "took", took.Round(time.Microsecond))
		}
	}
	return r
}
