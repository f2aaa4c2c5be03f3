package session

import (
	"fmt"
	"os"
	"path/filepath"
	"syscall"

	"github.com/gostate/gostate/state/diag"
)

// A relied is a directory or a file that says what a run does: who writes it commands who runs.
type relied struct {
	path, what string
	// named says that it was named on the command line: whoever runs has chosen it.
	named bool
	// shared says that others than root and who runs may own it, as a user to whom the machine's tree is deployed.
	shared bool
}

// trust warns of a configuration and of trees that others may write, and refuses to act by what another user owns: a
// configuration, and a tree that everyone may write. The state directory is judged where its lock is taken.
// Salt differs: it takes them whoever may write them.
func (s *Session) trust() error {
	l := &diag.List{}
	for _, r := range s.reliedOn() {
		if d := r.judge(); d != nil {
			l.Add(d)
		}
	}
	if l.HasErrors() || len(l.All) == 0 {
		return l.Err()
	}
	s.Show(l)
	return nil
}

func (s *Session) reliedOn() []relied {
	named := s.opts.ConfigDirSet
	out := []relied{{path: s.config.Dir, what: "configuration", named: named}}
	files, _ := filepath.Glob(filepath.Join(s.config.Dir, "minion.d", "*.conf"))
	for _, f := range append(files, s.config.File) {
		out = append(out, relied{path: f, what: "configuration", named: named})
	}
	for _, env := range s.roots.Envs() {
		for _, dir := range s.roots.Dirs(env) {
			out = append(out, relied{dir, "tree", len(s.opts.FileRoots) > 0 && env == "base", true})
		}
	}
	for _, env := range s.pillarDirs {
		for _, dir := range env.Dirs {
			out = append(out, relied{dir, "pillar", len(s.opts.PillarRoots) > 0 && env.Env == "base", true})
		}
	}
	return out
}

// judge says what is wrong with it; nil for nothing.
func (r relied) judge() *diag.Diagnostic {
	info, err := os.Stat(r.path)
	if r.path == "" || err != nil {
		return nil
	}
	owner := int(info.Sys().(*syscall.Stat_t).Uid)
	others := owner != 0 && owner != os.Geteuid()
	open := info.Mode().Perm()&0o002 != 0 && info.Mode()&os.ModeSticky == 0
	me := "user " + fmt.Sprint(os.Geteuid())
	if os.Geteuid() == 0 {
		me = "root"
	}
	pos := diag.Pos{File: r.path}
	switch {
	case others && !r.named && (open || !r.shared):
		return diag.Errorf(pos, "this %s belongs to user %d, who is not to command %s", r.what, owner, me).
			WithHint("chown root %s; chmod o-w %s; or name it on the command line", r.path, r.path)
	case open:
		return diag.Warnf(pos, "everyone can write this %s, and so command %s", r.what, me).
			WithHint("chmod o-w %s", r.path)
	case others && !r.named:
		return diag.Warnf(pos, "this %s belongs to user %d, who commands %s by it", r.what, owner, me)
	}
	return nil
}
