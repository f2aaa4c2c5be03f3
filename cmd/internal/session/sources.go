package session

import (
	"errors"
	"maps"
	"slices"
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

// expect tells the roots which sources states name, where these lie on another machine.
func (s *Session) expect(low []*state.Low) {
	if s.process.Remote == nil {
		return
	}
	byEnv := map[string][]string{}
	for _, l := range low {
		byEnv[l.SourceEnv()] = append(byEnv[l.SourceEnv()], saltPaths(l)...)
	}
	for _, env := range slices.Sorted(maps.Keys(byEnv)) {
		slices.Sort(byEnv[env])
		s.roots.Expect(env, slices.Compact(byEnv[env]))
	}
}

// saltPaths are the paths of the salt:// sources that stand among the arguments of a state.
func saltPaths(l *state.Low) (out []string) {
	if l.Args == nil {
		return nil
	}
	for _, v := range l.Args.All() {
		texts, _ := modules.Texts(v)
		for _, t := range texts {
			path, ours := strings.CutPrefix(t, "salt://")
			if path, _, _ = strings.Cut(path, "?"); ours && path != "" {
				out = append(out, path)
			}
		}
	}
	return out
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
