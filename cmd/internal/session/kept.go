package session

import (
	"maps"
	"slices"
	"time"

	"github.com/gostate/gostate/cmd/internal/kept"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/schedule"
)

// keeping opens what is known of states from earlier runs, where a state needs that; nil where none does.
func (s *Session) keeping(low []*state.Low) *kept.File {
	if !slices.ContainsFunc(low, func(l *state.Low) bool { return l.Meta().Schedule != "" || l.Meta().Audit }) {
		return nil
	}
	return kept.Open(s.stateDir(), s.id, s.machine.Root(), func(err error) {
		s.Show(&diag.List{All: []*diag.Diagnostic{diag.Warnf(diag.Pos{}, "%v", err)}})
	})
}

// schedules are what states may name; nil where none names one.
func (s *Session) schedules(low []*state.Low) map[string]*schedule.Schedule {
	if slices.ContainsFunc(low, func(l *state.Low) bool { return l.Meta().Schedule != "" }) {
		return s.ownSchedules(&diag.List{})
	}
	return nil
}

// checkSchedules reports schedules that there are not. For a function that takes any argument it may be a variable of
// its template.
func (s *Session) checkSchedules(low []*state.Low, faults *diag.List) {
	known := s.schedules(low)
	for _, l := range low {
		name := l.Meta().Schedule
		if name == "" || known[name] != nil {
			continue
		}
		if l.Meta().Loose && !l.IsDefault("schedule") {
			l.SetMeta().Schedule = ""
			continue
		}
		pos := l.ArgPos("schedule")
		if pos.IsZero() {
			pos = l.Pos
		}
		names := slices.Sorted(maps.Keys(known))
		d := diag.Errorf(pos, "there is no schedule %q", name)
		if near := diag.Nearest(name, names); near != "" {
			d.WithHint("did you mean %q?", near)
		} else {
			d.WithHint("`schedules:` of the configuration names them, beside hourly, daily, weekly, monthly and never")
		}
		faults.Add(d)
	}
}

// keptQuietly keeps the names of states without the secrets in them, as the journal does.
type keptQuietly struct {
	*kept.File
	d discreet
}

func (h keptQuietly) Ran(tag string) time.Time                 { return h.File.Ran(h.d.hidden(tag)) }
func (h keptQuietly) NoteRan(tag string, at time.Time)         { h.File.NoteRan(h.d.hidden(tag), at) }
func (h keptQuietly) Seen(tag string) map[string]string        { return h.File.Seen(h.d.hidden(tag)) }
func (h keptQuietly) NoteSeen(tag string, p map[string]string) { h.File.NoteSeen(h.d.hidden(tag), p) }

func (s *Session) keptOf(f *kept.File) run.Kept {
	switch {
	case f == nil:
		return nil
	case s.secrets.Empty():
		return f
	}
	return keptQuietly{f, discreet{secrets: s.secrets}}
}
