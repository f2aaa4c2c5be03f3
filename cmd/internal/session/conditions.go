package session

import (
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// checkConditions reports the functions of onlyif, unless and check_cmd that do not exist. Salt differs: it fails the state, or runs
// it, when its turn comes; `strict: false` makes it a warning.
func (s *Session) checkConditions(l *state.Low, all *diag.List) {
	o := &l.Opts
	for _, list := range []struct {
		option string
		conds  []state.Condition
	}{{"onlyif", o.Onlyif}, {"unless", o.Unless}, {"check_cmd", o.CheckCmd}} {
		for i := range list.conds {
			if d := s.unknownCondition(list.option, &list.conds[i]); d != nil {
				if d.Pos.IsZero() {
					d.Pos = l.Pos
				}
				all.Add(d)
			}
		}
	}
}

func (s *Session) unknownCondition(option string, c *state.Condition) *diag.Diagnostic {
	if c.Fun == "" {
		return nil
	}
	if _, ok := s.registry.Exec(c.Fun); ok {
		return nil
	}
	d := diag.Errorf(c.Pos, "unknown execution function %q in %s", c.Fun, option)
	if s.lenient() {
		d.Severity = diag.Warning
	}
	if near := diag.Nearest(c.Fun, s.registry.ExecNames()); near != "" {
		return d.WithHint("did you mean %q?", near)
	}
	return d.WithHint("gostate doc lists the functions")
}
