// Package pillar compiles the pillar: the SLS that pillar's top.sls gives to a machine, with what they include, merged
// into one dict.
//
// All errors of a compile are reported together, and any of them ends the run: states never see half a pillar. The
// package reads files through roots and a renderer and touches nothing else.
package pillar

import (
	"context"
	"errors"
	"slices"

	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/top"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Config is what a compile works with.
type Config struct {
	// Roots are the pillar roots.
	Roots *roots.Roots
	// NewRenderer makes the renderer of pillar SLS: its roots are the pillar roots, its pillar what the function gives,
	// which is the override, as no pillar exists yet.
	NewRenderer func(r *roots.Roots, pillar func() *value.Dict) *render.Renderer
	// Minion is what the matchers of top.sls ask; its Pillar is set here.
	Minion top.Minion
	// Override is given on the command line: templates see it, and it wins over all files. nil is none.
	Override *value.Dict
	// Env is pillarenv: only this environment counts. "" takes all.
	Env string
	// SaltEnv is the environment of the run, for the strategy none.
	SaltEnv string
	// Strategy is pillar_source_merging_strategy: smart (also ""), recurse, aggregate, overwrite, list, none.
	Strategy string
	// MergeLists is pillar_merge_lists: lists are appended instead of replaced.
	MergeLists bool
	// Renderer is the default pipeline, which decides what smart means.
	Renderer string
	// IncludesOverride is pillar_includes_override_sls: what is included wins over the file that includes it.
	IncludesOverride bool
	// EnvOrder is env_order, Top the name of the top file ("" is top.sls).
	EnvOrder []string
	Top      string
	// Inner says that this pillar is a part of another: the override is seen by its files, and merged by that one.
	Inner bool
	// External gives what external pillars add to the pillar, which has all before it; First says that they come before
	// the files, which see it then.
	External []External
	First    bool
	// Seen is called with the data of each file, external pillar and the override before they are merged, if not nil.
	Seen func(data *value.Dict)
	// Warn takes warnings; nil drops them.
	Warn func(*diag.Diagnostic)
}

// An External pillar is asked for data with the pillar so far.
type External func(ctx context.Context, pillar *value.Dict) (*value.Dict, error)

// Compile gives the pillar. The error is a *diag.List of all that is wrong.
func Compile(ctx context.Context, cfg Config) (*value.Dict, error) {
	c := &compiler{cfg: cfg}
	if c.cfg.Override == nil {
		c.cfg.Override = value.NewDict(0)
	}
	if !merge.Known(cfg.Strategy) {
		d := diag.Errorf(diag.Pos{}, "unknown pillar_source_merging_strategy '%s'", cfg.Strategy)
		if n := diag.Nearest(cfg.Strategy, merge.Strategies[:]); n != "" {
			d.WithHint("did you mean '%s'?", n)
		}
		return nil, d
	}
	seen := c.cfg.Override
	override := func() *value.Dict { return seen }
	c.rend = cfg.NewRenderer(cfg.Roots, override)
	c.cfg.Minion.Pillar = override
	if c.out = value.NewDict(0); !cfg.Inner {
		c.out = value.DeepCopy(c.cfg.Override).(*value.Dict)
	}
	if cfg.First {
		c.external(ctx)
		seen = value.DeepCopy(c.out).(*value.Dict)
	}
	for _, e := range c.top(ctx) {
		c.env(ctx, e)
	}
	if !cfg.First {
		c.external(ctx)
	}
	if !cfg.Inner {
		c.merge(c.cfg.Override)
	}
	c.errs.Sort()
	if err := c.errs.Err(); err != nil {
		return nil, err
	}
	return c.out, nil
}

// Merge puts a part of the pillar over another, as the configuration says.
func Merge(cfg Config, a, b *value.Dict) (*value.Dict, error) {
	c := &compiler{cfg: cfg}
	return c.merged(a, b), c.errs.Err()
}

// external merges what external pillars give.
func (c *compiler) external(ctx context.Context) {
	for _, ask := range c.cfg.External {
		d, err := ask(ctx, c.out)
		if err != nil {
			c.errs.AddErr(err)
			continue
		}
		c.merge(d)
	}
}

type compiler struct {
	cfg  Config
	rend *render.Renderer
	out  *value.Dict
	errs diag.List
}

// top gives the SLS of the machine, by environment.
func (c *compiler) top(ctx context.Context) []top.EnvSLS {
	only := c.cfg.Env
	envs := top.Envs(c.cfg.Roots, only, "", c.cfg.EnvOrder)
	if only == "" && c.cfg.Strategy == "none" {
		want := c.cfg.SaltEnv
		if want == "" {
			want = "base"
		}
		envs = slices.DeleteFunc(envs, func(e string) bool { return e != want })
	}
	files, err := top.Load(ctx, c.cfg.Roots, c.rend, top.LoadOptions{Name: c.cfg.Top, Envs: envs})
	if err != nil {
		c.errs.AddErr(err)
		return nil
	}
	res, notes, err := top.Match(ctx, files, top.NewMatcher(c.cfg.Minion), top.Options{Pillar: true, SaltEnv: only})
	if err != nil {
		c.errs.AddErr(err)
		return nil
	}
	if c.cfg.Warn != nil {
		for _, w := range notes.All {
			c.cfg.Warn(w)
		}
	}
	return res
}

// env renders the SLS of one environment and merges them in their order.
func (c *compiler) env(ctx context.Context, e top.EnvSLS) {
	s := &envCompiler{compiler: c, env: e.Env, seen: map[string]*value.Dict{}}
	avail := c.cfg.Roots.ListSLS(e.Env)
	for _, want := range e.SLS {
		names := []string{want.Name}
		if matched := matching(avail, want.Name); len(matched) > 0 {
			names = matched
		}
		for _, name := range names {
			if data := s.sls(ctx, name, want.Pos, want.IgnoreMissing, nil); data != nil {
				c.merge(data)
			}
		}
	}
}

func matching(avail []string, pattern string) []string {
	var out []string
	for _, name := range avail {
		if fnmatch.Match(pattern, name) {
			out = append(out, name)
		}
	}
	return out
}

func (c *compiler) options() merge.Options {
	return merge.Options{Strategy: c.cfg.Strategy, Renderer: c.cfg.Renderer, Lists: c.cfg.MergeLists}
}

// merge puts data over what there is.
func (c *compiler) merge(data *value.Dict) {
	if c.cfg.Seen != nil {
		c.cfg.Seen(data)
	}
	if data.Len() > 0 {
		c.out = c.merged(c.out, data)
	}
}

func (c *compiler) merged(a, b *value.Dict) *value.Dict {
	v, err := merge.Merge(a, b, c.options())
	if err != nil {
		c.errs.Add(diag.Errorf(diag.Pos{}, "merge pillar: %v", err))
		return a
	}
	return v.(*value.Dict)
}

// missing is the diagnostic for an SLS that no root holds.
func (c *compiler) missing(name, env string, pos diag.Pos, err error) {
	var nf *roots.NotFoundError
	if !errors.As(err, &nf) {
		c.errs.Add(diag.Errorf(pos, "%v", err))
		return
	}
	d := diag.Errorf(pos, "pillar %v", err)
	if hint := nf.Hint(); hint != "" {
		d.WithHint("%s", hint)
	} else if len(nf.Dirs) == 0 {
		d.WithHint("add environment '%s' to pillar_roots", env)
	}
	c.errs.Add(d)
}
