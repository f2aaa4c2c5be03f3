package session

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// unusedDefaults tells of defaults of SLS files that no state took: a warning where none ever will.
func (s *Session) unusedDefaults(unused []state.Default) (out []*diag.Diagnostic) {
	for _, d := range unused {
		names := s.registry.ArgumentsOf(d.Of)
		switch {
		case names == nil:
			out = append(out, s.unknownDefault(d))
		case slices.Contains(names, d.Arg) || slices.Contains(state.GlobalArgs(), d.Arg):
			note := diag.Warnf(d.Pos, "no state takes the default '%s' of %s", d.Arg, d.Of)
			note.Severity = diag.Note
			out = append(out, note.WithHint("it stands for the states of this SLS and of those that it includes, unless they "+
				"say it themselves"))
		default:
			w := diag.Warnf(d.Pos, "no function of %s has the argument '%s' of 'defaults'", d.Of, d.Arg)
			if strings.Contains(d.Of, ".") {
				w.Msg = d.Of + " has no argument '" + d.Arg + "', as 'defaults' says"
			}
			if near := diag.Nearest(d.Arg, append(names, state.GlobalArgs()...)); near != "" {
				w.WithHint("did you mean '%s'?", near)
			}
			out = append(out, w)
		}
	}
	return out
}

// unknownDefault is the warning of defaults of what there is not.
func (s *Session) unknownDefault(d state.Default) *diag.Diagnostic {
	known := s.registry.Modules()
	if strings.Contains(d.Of, ".") {
		known = s.registry.StateNames()
	}
	w := diag.Warnf(d.Pos, "'defaults' names '%s', which is neither a state module nor a function", d.Of)
	if near := diag.Nearest(d.Of, known); near != "" {
		return w.WithHint("did you mean '%s'?", near)
	}
	return w.WithHint("write 'defaults: {file: {user: root}}'")
}
