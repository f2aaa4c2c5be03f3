package session

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/sls"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/top"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/run"
)

// A Request says which states a command is about: top.sls, or SLS files by name, less what is excluded, only some IDs.
type Request struct {
	Top          bool
	TopFile      string // in place of the configuration's; "" for that
	SLS, Exclude []string
	IDs          []string
	Env          string // of the SLS; "" for the session's
	// Data says that the states themselves are asked for, by a program: what is secret only as an argument of a state
	// stands in the tree, and is not hidden.
	Data bool
}

// Prepared is a request ready to run: every fault that can be known was found, the machine is untouched.
type Prepared struct {
	Plan     *requisite.Plan
	Bound    []modules.StateFunc
	Warnings *diag.List
	whole    bool   // these are all states of this machine
	only     []bool // by place, those that are meant; nil for all
	declared []declared
	outside  map[string][]run.Debtor
}

// Prepare loads, compiles, resolves and binds. The error holds the faults of all phases: what could be made of wrong
// files is looked at, too, so that one report shows all there is to correct.
func (s *Session) Prepare(ctx context.Context, r Request) (*Prepared, error) {
	c, err := s.lows(ctx, r)
	if err != nil {
		return nil, err
	}
	return s.prepareLow(c)
}

func (s *Session) prepareLow(c *compiled) (*Prepared, error) {
	low, all := c.low, c.faults
	s.expect(low)
	declared := s.declare(low)
	s.checkSchedules(low, all)
	s.checkAudits(low, all)
	plan, bound := s.planned(c)
	s.audited(low, bound)
	all.Add(run.Mixed(plan, s.noop())...)
	s.bind(c.virtual, all, (*state.Low).Settle)
	all.Add(modules.Conflicts(low, bound, s.strict())...)
	s.hush(all)
	all.Sort()
	s.unjudged.soften(all)
	if err := all.Err(); err != nil {
		return nil, err
	}
	return &Prepared{Plan: plan, Bound: bound, Warnings: all, declared: declared, outside: c.outside}, nil
}

// planned resolves and binds. Requisites are resolved by what the SLS files say, which bound states let go of; only
// automatic relationships are found from bound ones.
func (s *Session) planned(c *compiled) (*requisite.Plan, []modules.StateFunc) {
	if !s.autoRequire(c.low) {
		plan, faults := s.resolve(c, nil)
		c.faults.Add(faults.All...)
		return plan, s.bind(c.low, c.faults, (*state.Low).Settle)
	}
	bound := s.bind(c.low, c.faults, func(*state.Low) {})
	plan, faults := s.resolve(c, bound)
	c.faults.Add(faults.All...)
	for _, l := range c.low {
		l.Settle()
	}
	return plan, bound
}

// Load renders what the Request asks for and gives the high data.
func (s *Session) Load(ctx context.Context, r Request) (*state.High, error) {
	high, faults := s.loadAll(ctx, r)
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return high, nil
}

func (s *Session) loadAll(ctx context.Context, r Request) (*state.High, *diag.List) {
	var faults diag.List
	faults.AddErr(s.LoadPillar(ctx))
	s.unjudged.spread()
	s.unjudged.soften(&faults)
	if faults.HasErrors() {
		return nil, &faults
	}
	wanted, err := s.wanted(ctx, r)
	faults.AddErr(err)
	s.unjudged.soften(&faults)
	if faults.HasErrors() {
		return nil, &faults
	}
	ctx, puppet := withManifests(ctx)
	cfg := sls.Config{Finder: s.finder(), Renderer: sls.RenderFunc(s.renderSLS),
		Late:        func(context.Context) ([]*state.Decl, *diag.List) { return s.declared(puppet) },
		NoAutoOrder: !s.config.Bool("state_auto_order", true), Strict: s.strict()}
	for _, e := range r.Exclude {
		cfg.Excludes = append(cfg.Excludes, state.Exclude{SLS: e, Pos: diag.Pos{File: "exclude=" + e}})
	}
	high, found := sls.Load(ctx, cfg, wanted)
	if !r.Data {
		s.markHigh(high)
	}
	faults.Add(found.All...)
	faults.Add(s.blank.All...)
	faults.Sort()
	return high, &faults
}

// wanted are the SLS files that the Request names, with their environments.
func (s *Session) wanted(ctx context.Context, r Request) ([]sls.Request, error) {
	var out []sls.Request
	if !r.Top {
		for _, n := range r.SLS {
			out = append(out, sls.Request{Env: firstOf(r.Env, s.saltenv), SLS: n})
		}
		return out, nil
	}
	envs, err := s.MatchTop(ctx, r.TopFile)
	if err != nil {
		return nil, err
	}
	for _, e := range envs {
		for _, n := range e.SLS {
			out = append(out, sls.Request{Env: e.Env, SLS: n.Name, Pos: n.Pos,
				With: sls.Settings{Dict: n.With, At: n.At}})
		}
	}
	if len(out) == 0 {
		return nil, s.noMatch()
	}
	return out, nil
}

// noMatch is the error of a highstate that has nothing to do.
func (s *Session) noMatch() error {
	var dirs []string
	found := false
	for _, e := range s.roots.Envs() {
		dirs = append(dirs, s.roots.Dirs(e)...)
		if _, err := s.roots.Find(e, s.topFile()); err == nil {
			found = true
		}
	}
	if !found {
		return diag.Errorf(diag.Pos{File: s.topFile()}, "no top file found in %s", strings.Join(dirs, ", ")).
			WithHint("make one of: base: {'*': [NAME]}; or apply SLS files by name: gostate sls NAME")
	}
	return diag.Errorf(diag.Pos{File: s.topFile()}, "no entry of the top file matches this machine, whose id is %q", s.id).
		WithHint("gostate show top shows what matches; --id sets the id")
}

func (s *Session) topFile() string {
	if s.opts.TopFile != "" {
		return s.opts.TopFile
	}
	return s.config.Str("state_top", "top.sls")
}

// renderSLS renders one SLS file for the loader.
func (s *Session) renderSLS(ctx context.Context, f *roots.File, name string) (*sls.Document, error) {
	doc, err := s.renderer.SLS(ctx, f, name)
	if err != nil {
		return nil, err
	}
	if s.unjudged != nil && doc.Blank {
		s.blank.Add(diag.Warnf(diag.Pos{File: f.Abs, Line: 1}, "SLS '%s' is empty", name).WithHint("an SLS file says what " +
			"there is to be: gostate doc file.managed shows an example"))
	}
	puppet, _ := ctx.Value(manifestsKey{}).(*manifests)
	return &sls.Document{Data: doc.Data, At: doc.At(), Late: puppet != nil && puppet.has(f.Env, name)}, nil
}

// MatchTop gives what the top files, of the name unless that is "", assign to this machine.
func (s *Session) MatchTop(ctx context.Context, name string) ([]top.EnvSLS, error) {
	if err := s.LoadPillar(ctx); err != nil {
		return nil, err
	}
	saltenv := firstOf(s.opts.SaltEnv, s.config.Str("saltenv", ""))
	envs := top.Envs(s.roots, saltenv, s.config.Str("state_top_saltenv", ""), s.config.Strings("env_order"))
	files, err := top.Load(ctx, s.roots, s.renderer, top.LoadOptions{Name: firstOf(name, s.topFile()), Envs: envs})
	s.unjudged.spread()
	if err != nil {
		return nil, err
	}
	matches, warnings, err := top.Match(ctx, files, top.NewMatcher(s.minion()), top.Options{
		Strategy: s.config.Str("top_file_merging_strategy", "merge"), DefaultTop: s.config.Str("default_top", "base"),
		SaltEnv: saltenv,
		HasEnv:  s.roots.Has,
	})
	if warnings != nil && len(warnings.All) > 0 {
		s.Show(warnings)
	}
	return matches, err
}

// minion is this machine as matchers see it.
func (s *Session) minion() top.Minion {
	return top.Minion{ID: s.id, Grains: s.Grains, Pillar: s.Pillar, Nodegroups: s.config.Dict("nodegroups")}
}

// compiled are the low states of a Request, in the order of their numbers.
type compiled struct {
	low     []*state.Low
	virtual []*state.Low // that are checked and not run
	faults  *diag.List   // what is wrong, and warnings
	// outside are those who react to these states and are not among them.
	outside map[string][]run.Debtor
	// incomplete says that faults keep some states out of low.
	incomplete bool
}

// lows compiles what the Request asks for as far as it can: its faults are in what it gives. The error is one of the
// pillar, of top.sls or of the command line.
func (s *Session) lows(ctx context.Context, r Request) (*compiled, error) {
	high, faults := s.loadAll(ctx, r)
	if high == nil {
		return nil, faults.Err()
	}
	made, more := state.CompileAll(high, state.CompileOptions{Strict: s.strict(), Takes: s.registry.Takes,
		Variable: s.variable, Stages: s.stages()})
	low := made.Low
	c := &compiled{low: low, virtual: made.Virtual, faults: faults, incomplete: high.Incomplete || s.unjudged.some() ||
		more.HasErrors() && lost(high, slices.Concat(low, made.Virtual))}
	faults.Add(more.All...)
	faults.Add(s.unusedDefaults(made.Unused)...)
	s.hush(faults)
	faults.Sort()
	if len(r.IDs) > 0 && !faults.HasErrors() {
		var err error
		if c.low, c.outside, err = s.onlyIDs(low, r.IDs); err != nil {
			return nil, err
		}
	}
	return c, nil
}

// lost says whether states of the high data are missing in low.
func lost(high *state.High, low []*state.Low) bool {
	if len(high.Excludes) > 0 {
		return true // they may be missing rightly
	}
	made := map[[2]string]bool{}
	for _, l := range low {
		made[[2]string{l.ID, l.Module}] = true
	}
	for _, d := range high.Decls {
		for i := range d.States {
			if !made[[2]string{d.ID, d.States[i].Module}] {
				return true
			}
		}
	}
	return false
}

// Compile is lows for commands that only look: a fault is an error, warnings are shown at once.
func (s *Session) Compile(ctx context.Context, r Request) ([]*state.Low, error) {
	c, err := s.lows(ctx, r)
	if err != nil {
		return nil, err
	}
	if err := c.faults.Err(); err != nil {
		return nil, err
	}
	if len(c.faults.All) > 0 {
		s.Show(c.faults)
	}
	return c.low, nil
}

// lenient is `strict: false`: what is missing fails its state when the run comes to it, as in Salt.
func (s *Session) lenient() bool { return !s.config.Bool("strict", true) }

// strict is `strict: true`: what Salt ignores without a word ends the run, too. Without the key it is a warning.
func (s *Session) strict() bool { return s.config.Bool("strict", false) }

// Resolve finds what the requisites refer to, for those that do not run the states.
func (s *Session) Resolve(low []*state.Low) (*requisite.Plan, *diag.List) {
	var bound []modules.StateFunc
	if s.autoRequire(low) {
		bound = make([]modules.StateFunc, len(low))
		for i, l := range low {
			if spec, fault := s.registry.Lookup(l.Module, l.Func); fault == nil {
				bound[i], _ = modules.Bind(spec, l)
			}
		}
	}
	return s.resolve(&compiled{low: low}, bound)
}

// resolve is Resolve of states that are bound, as far as they can be.
func (s *Session) resolve(c *compiled, bound []modules.StateFunc) (*requisite.Plan, *diag.List) {
	opts := requisite.Options{Lenient: s.lenient(), Incomplete: c.incomplete, Virtual: c.virtual,
		HasModWatch: s.registry.HasModWatch, Stages: s.stages()}
	if bound != nil {
		all := s.config.Bool("auto_require", false)
		opts.Relate = func(i int, r *state.Relations) {
			modules.Relate(c.low[i], bound[i], r)
			if !all && c.low[i].Meta().Within == nil {
				r.Needs = r.Needs[:0]
			}
		}
	}
	return requisite.Resolve(c.low, opts)
}

// stages are the run stages of the configuration, whose faults are reported where it is read.
func (s *Session) stages() []string {
	stages, _ := s.config.Stages()
	return stages
}

// autoRequire is `auto_require: true`: states wait for what they stand on. Those of a Puppet catalog always do.
func (s *Session) autoRequire(low []*state.Low) bool {
	return s.config.Bool("auto_require", false) ||
		slices.ContainsFunc(low, func(l *state.Low) bool { return l.Meta().Within != nil })
}

// hush drops notes: only lint shows them.
func (s *Session) hush(l *diag.List) {
	if s.unjudged == nil {
		l.All = slices.DeleteFunc(l.All, func(d *diag.Diagnostic) bool { return d.Severity == diag.Note })
	}
}

// bind binds the arguments of all states, and does then with each that is bound; faults go to all.
func (s *Session) bind(low []*state.Low, all *diag.List, then func(*state.Low)) []modules.StateFunc {
	bound := make([]modules.StateFunc, len(low))
	for i, l := range low {
		spec, fault := s.registry.Lookup(l.Module, l.Func)
		if fault != nil {
			fault.Pos = l.Pos
			if s.lenient() {
				bound[i], fault.Severity = modules.Unknown(l, fault.Msg), diag.Warning
			}
			all.Add(fault)
			continue
		}
		f, faults := modules.Bind(spec, l)
		bound[i] = f
		all.Add(faults...)
		if _, _, err := l.Mask(); err != nil && !s.lenient() {
			all.Add(diag.Errorf(l.Pos, "%v", err))
		}
		s.checkSources(l, f, all)
		s.checkTemplate(l, f, all)
		s.checkConditions(l, all)
		s.checkCalls(l, f, all)
		if s.steward != nil {
			s.steward.declared(l, f)
		}
		then(l)
	}
	return bound
}
