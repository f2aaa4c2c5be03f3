package session

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// checkConditions reports the functions of onlyif, unless and check_cmd that do not exist. Salt differs: it fails the
// state, or runs it, when its turn comes; `strict: false` makes it a warning.
func (s *Session) checkConditions(l *state.Low, all *diag.List) {
	o := l.Opts()
	for _, list := range []struct {
		option string
		conds  []state.Condition
	}{{"onlyif", o.Onlyif}, {"unless", o.Unless}, {"check_cmd", o.CheckCmd}} {
		for i := range list.conds {
			if c := &list.conds[i]; c.Fun != "" {
				all.Add(s.unknownCall(c.Fun, list.option, c.Pos, l)...)
			}
		}
	}
}

// checkCalls reports the functions that a state calls (module.run) and that do not exist. Where the state may not come
// to it, that is a warning.
func (s *Session) checkCalls(l *state.Low, fn modules.StateFunc, all *diag.List) {
	c, ok := fn.(modules.Caller)
	if !ok {
		return
	}
	for _, name := range c.Calls() {
		for _, d := range s.unknownCall(name, l.Fun(), l.Pos, l) {
			if mayBeHeld(l) || l.Func == "wait" || l.Func == "watch" {
				d.Severity = diag.Warning
			}
			all.Add(d)
		}
	}
}

// unknownCall says that a function does not exist; nothing where it does.
func (s *Session) unknownCall(name, in string, pos diag.Pos, l *state.Low) []*diag.Diagnostic {
	if _, ok := s.registry.Exec(name); ok {
		return nil
	}
	if pos.IsZero() {
		pos = l.Pos
	}
	d := diag.Errorf(pos, "unknown execution function %q in %s", name, in)
	if s.lenient() {
		d.Severity = diag.Warning
	}
	if near := diag.Nearest(name, s.registry.ExecNames()); near != "" {
		return []*diag.Diagnostic{d.WithHint("did you mean %q?", near)}
	}
	return []*diag.Diagnostic{d.WithHint("gostate doc lists the functions")}
}
