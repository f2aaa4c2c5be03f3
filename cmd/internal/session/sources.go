package session

import (
	"errors"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// checkSources reports salt:// sources of a state that are not in the file roots. Where conditions or requisites may
// hold the state back, and with `strict: false`, that is a warning.
// Salt differs: it fails the state when its turn comes.
func (s *Session) checkSources(l *state.Low, f modules.StateFunc, all *diag.List) {
	user, ok := f.(modules.SourceUser)
	if !ok {
		return
	}
	for _, use := range user.UsesSources() {
		d := s.missingSource(use, l.SourceEnv())
		if d == nil {
			continue
		}
		if d.Pos = l.ArgPos(use.Arg); d.Pos.IsZero() {
			d.Pos = l.Pos
		}
		if s.lenient() || mayBeHeld(l) {
			d.Severity = diag.Warning
		}
		all.Add(d)
	}
}

// missingSource says that none of the sources exists, nil when one does or cannot be looked for.
func (s *Session) missingSource(use modules.SourceUse, env string) *diag.Diagnostic {
	var first error
	for _, src := range use.Any {
		if !strings.HasPrefix(src, "salt://") {
			return nil
		}
		file, dir := s.files.Exists(src, env)
		if (file && !use.Dir) || (dir && use.Dir) {
			return nil
		}
		if first == nil {
			first = s.files.Why(src, env)
		}
	}
	if len(use.Any) == 0 {
		return nil
	}
	what := "file"
	if use.Dir {
		what = "directory"
	}
	d := diag.Errorf(diag.Pos{}, "no source %s %s: %v", what, strings.Join(use.Any, ", "), first)
	var notFound *roots.NotFoundError
	if errors.As(first, &notFound) {
		d.Hint = notFound.Hint()
	}
	return d
}

// mayBeHeld says whether the state may turn out not to run.
func mayBeHeld(l *state.Low) bool {
	o := l.Opts()
	if o.HasOnlyif || o.HasUnless || len(o.Creates) > 0 {
		return true
	}
	for _, r := range l.Reqs {
		if r.Kind == state.Onfail || r.Kind == state.Onchanges || r.Kind == state.Prereq {
			return true
		}
	}
	return false
}
