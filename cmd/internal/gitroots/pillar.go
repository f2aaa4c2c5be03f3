package gitroots

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// envBranch is the branch of a pillar whose name is that of the environment.
const envBranch = "__env__"

// Envs are the environments that a pillar is compiled for, "" where none is asked for.
type Envs struct{ Salt, Pillar string }

func (e Envs) wanted(other string) string {
	for _, env := range []string{e.Pillar, e.Salt, other} {
		if env != "" {
			return env
		}
	}
	return ""
}

// Pillars are the pillar roots of each remote of an external pillar `git`, to be compiled one after the other. list
// are its remotes.
func (c *Cache) Pillars(ctx context.Context, list *value.List, e Envs) ([]roots.EnvDirs, error) {
	const key = "ext_pillar"
	var faults diag.List
	type place struct {
		env, dir string
		mounted  bool
	}
	var places []place
	for _, r := range c.remotes(pillarRole, list, key, &faults) {
		dir, err := c.pillar(ctx, r, e)
		if err != nil {
			faults.AddErr(r.fault(err))
			continue
		}
		places = append(places, place{r.envOf(e), dir, r.mountpoint != ""})
	}
	if err := faults.Err(); err != nil {
		return nil, err
	}
	var out []roots.EnvDirs
	for i, p := range places {
		if p.mounted || e.Pillar != "" && p.env != e.Pillar {
			continue // others include what is mounted
		}
		one := roots.EnvDirs{Env: p.env, Dirs: []string{p.dir}}
		for j, other := range places {
			if c.Config.Bool("git_pillar_includes", true) && i != j && other.env == p.env {
				one.Dirs = append(one.Dirs, other.dir)
			}
		}
		out = append(out, one)
	}
	return out, nil
}

// envOf is the environment of a pillar's remote.
func (r *remote) envOf(e Envs) string {
	target := r.target(e)
	switch {
	case r.branch == envBranch && r.all != "":
		return e.wanted("base")
	case r.env == envBranch:
		return e.wanted(r.base)
	case r.env != "":
		return r.env
	case r.branch == r.base, target == r.base:
		return "base"
	}
	return target
}

// target is the branch or tag of a pillar's remote.
func (r *remote) target(e Envs) string {
	switch env := e.wanted("base"); {
	case r.branch != envBranch:
		return r.branch
	case r.all != "":
		return r.all
	case env != "base":
		return env
	}
	return r.base
}

// pillar fetches a remote, and gives its directory.
func (c *Cache) pillar(ctx context.Context, r *remote, e Envs) (string, error) {
	p, err := c.open(ctx, r)
	if err != nil {
		return "", err
	}
	refs, err := p.refs(ctx)
	if err != nil {
		return "", err
	}
	for _, ref := range []string{r.target(e), r.fallback} {
		for _, kind := range []string{"branch/", "tag/"} {
			commit := ""
			if object := refs[kind+ref]; object != "" {
				commit = p.commit(ctx, object)
			}
			if commit == "" {
				continue
			}
			dir, empty, err := p.export(ctx, commit, r.root, r.mountpoint)
			if err == nil && empty {
				err = diag.Errorf(r.pos, "'%s' has nothing below the root '%s' in '%s'", r.url, r.root, ref)
			}
			p.uses(ref, r.envOf(e), commit, dir)
			return dir, err
		}
	}
	return "", r.noRef(r.target(e), refs)
}

// noRef is the error of a reference that a remote does not have.
func (r *remote) noRef(ref string, refs map[string]string) error {
	var names []string
	for name := range refs {
		_, name, _ = strings.Cut(name, "/")
		names = append(names, name)
	}
	slices.Sort(names)
	d := diag.Errorf(r.pos, "'%s' has no branch and no tag '%s'", r.url, ref)
	if near := diag.Nearest(ref, names); near != "" {
		return d.WithHint("did you mean '%s'?", near)
	}
	return d.WithHint("it has %s", strings.Join(names[:min(8, len(names))], ", "))
}
