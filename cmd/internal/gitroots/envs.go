package gitroots

import (
	"context"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

// A source is a remote as file roots.
type source struct {
	*repo
	refsAt map[string]string
	// named are the environments of the references that are given others than their own name.
	named map[string][]string
}

// Files gives the environments of the remotes of gitfs_remotes, each with its directories in the order of the remotes.
// asked are environments that are served too where a remote can: those of the file roots and of the command line.
func (c *Cache) Files(ctx context.Context, asked []string) ([]roots.EnvDirs, error) {
	const key = "gitfs_remotes"
	v, _ := c.Config.Opts.GetStr(key)
	list, ok := v.(*value.List)
	if !ok {
		return nil, diag.Errorf(c.Config.Pos(key), "%s is %s, not a list of remotes", key, value.Repr(v)).
			WithHint("%s: [https://git.example.com/states.git]", key)
	}
	var faults diag.List
	var all []*source
	for _, r := range c.remotes(fileRole, list, key, &faults) {
		s, err := c.source(ctx, r)
		switch {
		case err == nil:
			all = append(all, s)
		case !c.Offline:
			faults.AddErr(r.fault(err))
		}
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return c.envs(ctx, all, asked)
}

// fault is an error of a remote at its place.
func (r *remote) fault(err error) error {
	var d *diag.Diagnostic
	if errors.As(err, &d) {
		return d
	}
	return diag.Errorf(r.pos, "%v", err).
		WithHint("git ls-remote ADDRESS, as the user that runs gostate, may say more: its keys and settings count")
}

// source fetches a remote.
func (c *Cache) source(ctx context.Context, r *remote) (s *source, err error) {
	s = &source{named: map[string][]string{}}
	if s.repo, err = c.open(ctx, r); err != nil {
		return nil, err
	}
	if s.refsAt, err = s.refs(ctx); err != nil {
		return nil, err
	}
	own := map[string]bool{}
	for _, env := range slices.Sorted(maps.Keys(r.saltenv)) {
		if ref, ok := r.saltenv[env]["ref"]; ok {
			s.named[ref] = append(s.named[ref], env)
			own[env] = true
			if env == "base" {
				r.base = ref
			}
		}
	}
	for _, env := range slices.Sorted(maps.Keys(r.general)) {
		if ref, ok := r.general[env]["ref"]; ok && !own[env] {
			s.named[ref] = append(s.named[ref], env)
		}
	}
	return s, nil
}

// envs are the environments of the sources with their directories.
func (c *Cache) envs(ctx context.Context, all []*source, asked []string) (out []roots.EnvDirs, err error) {
	known := map[string]bool{}
	for _, s := range all {
		for _, env := range s.exposed() {
			known[env] = true
		}
	}
	want := maps.Clone(known)
	for _, env := range asked {
		want[env] = true
	}
	for _, env := range slices.Sorted(maps.Keys(want)) {
		e := roots.EnvDirs{Env: env}
		for _, s := range all {
			if !known[env] && !isHex(env) && s.fallback == "" {
				continue
			}
			dir, err := s.serve(ctx, env)
			if err != nil {
				return nil, err
			}
			if dir != "" {
				e.Dirs = append(e.Dirs, dir)
			}
		}
		if known[env] || len(e.Dirs) > 0 {
			out = append(out, e)
		}
	}
	return out, nil
}

// exposed are the environments that a source has of its own.
func (s *source) exposed() (out []string) {
	add := func(env string) {
		if s.shows(env) {
			out = append(out, env)
		}
	}
	if isHex(s.base) {
		add("base")
	}
	for ref := range s.refsAt {
		kind, name, _ := strings.Cut(ref, "/")
		switch envs, ok := s.named[name]; {
		case !slices.Contains(s.refTypes, kind):
		case ok:
			for _, env := range envs {
				add(env)
			}
		case name == s.base:
			add("base")
		case !s.unmapped:
			add(name)
		}
	}
	for _, envs := range s.named {
		for _, env := range envs {
			add(env)
		}
	}
	return out
}

// shows says whether the lists of environments let one through.
func (s *source) shows(env string) bool {
	in := func(list []string) bool {
		return slices.ContainsFunc(list, func(expr string) bool { return matches(expr, env) })
	}
	return !(len(s.blacklist) > 0 && in(s.blacklist)) && (len(s.whitelist) == 0 || in(s.whitelist))
}

// matches says whether an expression, a pattern of a shell or a regular one, is for the whole word.
func matches(expr, word string) bool {
	if fnmatch.Match(expr, word) {
		return true
	}
	re, err := pyre.Compile(`\A`+expr+`\Z`, 0)
	if err != nil {
		return false
	}
	m, err := re.Match(word)
	return err == nil && m != nil
}

// serve is the directory of an environment, "" where the source has none for it.
func (s *source) serve(ctx context.Context, env string) (string, error) {
	ref := s.refOf(env)
	if !s.shows(env) || ref == "" {
		return "", nil
	}
	commit := s.find(ctx, ref)
	if commit == "" && s.fallback != "" {
		ref = s.fallback
		commit = s.find(ctx, ref)
	}
	if commit == "" {
		return "", nil
	}
	root := s.param(env, "root", s.root)
	dir, empty, err := s.export(ctx, commit, root, s.param(env, "mountpoint", s.mountpoint))
	if err != nil {
		return "", err
	}
	if empty && env == "base" {
		s.c.Warn(diag.Warnf(s.pos, "'%s' has nothing below the root '%s' in '%s'", s.url, root, ref))
	}
	s.uses(ref, env, commit, dir)
	return dir, nil
}

// refOf is the reference of an environment, "" for none.
func (s *source) refOf(env string) string {
	given := s.param(env, "ref", "")
	switch {
	case s.all != "":
		return s.all
	case env == "base":
		return s.base
	case given == "" && !s.unmapped:
		return env
	}
	return given
}

// param is what is said of one environment, else of all.
func (s *source) param(env, name, all string) string {
	if v, ok := s.saltenv[env][name]; ok && !(env == "base" && name == "ref") {
		return v
	}
	if v, ok := s.general[env][name]; ok {
		return v
	}
	return all
}

// find is the commit of a reference, of the first type that has it.
func (s *source) find(ctx context.Context, ref string) string {
	for _, kind := range s.refTypes {
		object := s.refsAt[kind+"/"+ref]
		if kind == "sha" && isHex(ref) && len(ref) >= 4 {
			object = ref
		}
		if object == "" {
			continue
		}
		if commit := s.commit(ctx, object); commit != "" {
			return commit
		}
	}
	return ""
}

func isHex(text string) bool { return text != "" && strings.Trim(text, "0123456789abcdefABCDEF") == "" }
