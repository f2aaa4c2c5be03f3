// Package session is what the commands of gostate do with a tree of SLS files: it reads the configuration, puts roots,
// grains, pillar, renderer, functions and the machine together, and compiles, prepares, runs and reports. Words and
// flags are the commands' own.
package session

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/gitroots"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/all"
	"github.com/gostate/gostate/modules/bridge"
	"github.com/gostate/gostate/sls/grains"
	"github.com/gostate/gostate/sls/pillar"
	"github.com/gostate/gostate/sls/puppet/catalog"
	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/sealed"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/view"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// A session is what the commands of one run share: configuration, roots, grains, pillar, renderer, functions, machine.
// Grains and pillar are computed when they are first asked for.
type Session struct {
	opts     Options
	process  *Process
	config   *config.Config
	roots    *roots.Roots
	files    *roots.FileServer
	registry *modules.Registry
	// machine is the real one for what changes it, and one overlay of it for everything that looks: previews, templates,
	// grains.
	machine  host.Host
	real     host.Reader // what lies below an overlay, too
	cache    *modules.Cache
	grains   *grains.Grains
	renderer *render.Renderer
	saltenv  string
	id       string
	optsDict *value.Dict
	git      *gitroots.Cache // nil until something comes from a remote repository
	// pillarDirs are the pillar roots.
	pillarDirs []roots.EnvDirs

	scheduled  atomic.Pointer[[]catalog.Schedule] // what a Puppet catalog says of schedules; nil without one
	pillarOnce sync.Once
	pillar     *value.Dict
	pillarErr  error
	environ    []string // of this process
	ran        remarks  // of the commands of templates
	own        *bridge.Bridge
	unjudged   *unjudged // of lint; nil otherwise
	exported   exported
	known      run.Kept // of a run whose states are scheduled or audited; nil otherwise
	secrets    *secret.Store
	keys       *secret.Keys // of the pillar, those that the configuration lists
	ciphers    *sealed.Keys // what opens encrypted values
	acts       bool         // the command may change the machine
	blank      diag.List    // warnings of SLS files without a word, for lint
	logFile    *os.File     // nil without one
	steward    steward      // of a plan; nil otherwise
	compiling  *value.Dict  // what execution functions see as the pillar while it is compiled; nil otherwise
}

// Look is the session of a command that only looks: its machine is an overlay, which holds what templates write.
func Look(p *Process, o Options) (*Session, error) { return open(p, o, false) }

// Act is the session of a command that may change the machine, unless it is test mode.
func Act(p *Process, o Options) (*Session, error) { return open(p, o, true) }

// open reads the configuration and sets up what the commands need. It renders nothing and changes nothing.
func open(p *Process, o Options, acts bool) (*Session, error) {
	s := &Session{opts: o, process: p, cache: modules.NewCache(), environ: os.Environ(), acts: acts}
	root, err := rootOf(o)
	if err != nil {
		return nil, err
	}
	if err := s.settle(root); err != nil {
		return nil, err
	}
	dirs, err := s.config.Roots("file_roots", o.FileRoots)
	if err != nil {
		return nil, err
	}
	if len(o.PuppetModules) > 0 {
		dirs = append(dirs, roots.EnvDirs{Env: PuppetEnv, Dirs: o.PuppetModules})
	}
	s.saltenv = firstOf(o.SaltEnv, s.config.Str("saltenv", ""), "base")
	s.registry = s.functions()
	if err := s.onMachine(root); err != nil {
		return nil, err
	}
	if err := s.serve(dirs); err != nil {
		return nil, err
	}
	if err := s.loadGrains(); err != nil {
		return nil, err
	}
	s.optsDict = s.config.Options(config.Defaults{ID: s.id, Test: s.preview(), SaltEnv: o.SaltEnv, PillarEnv: o.PillarEnv,
		Root: root, FileRoots: dirs, PillarRoots: s.pillarDirs})
	if acts && !s.preview() && p.Inside == nil {
		if err := s.trust(); err != nil {
			return nil, err
		}
	}
	s.bring()
	s.renderer = render.New(s.renderConfig(s.roots, s.Pillar))
	return s, nil
}

// settle reads the configuration, and begins to log and to hide as it says.
func (s *Session) settle(root string) (err error) {
	if s.config, err = s.configure(root); err != nil {
		return err
	}
	if err := s.openLog(); err != nil {
		return err
	}
	s.process.Show = s.Show
	s.tellUnheeded()
	if err := s.hides(); err != nil {
		return err
	}
	if s.process.Opened != nil {
		s.process.Opened()
	}
	collectLate()
	return noDirs(s.opts)
}

// onMachine takes the machine at the root, or what only looks at it.
func (s *Session) onMachine(root string) error {
	machine, err := host.NewOS(root)
	if err != nil {
		return err
	}
	machine.Keep()
	s.logCommands(machine)
	s.machine, s.real = machine, machine
	switch {
	case s.process.Inside != nil:
		s.machine = s.process.Inside.Host(s.machine)
	case !s.acts || s.preview():
		s.machine = s.overlay(s.machine)
	}
	return nil
}

// serve opens the directories of states and pillar.
func (s *Session) serve(dirs []roots.EnvDirs) error {
	served, err := s.withGit(dirs)
	if err != nil {
		return err
	}
	s.roots = s.newRoots(served)
	if s.process.Remote != nil {
		s.roots.From = s.process.Remote.Files
	}
	s.files = roots.NewFileServer(s.roots)
	s.ciphers = s.ciphersOf()
	if s.process.Remote == nil {
		s.pillarDirs, err = s.config.Roots("pillar_roots", s.opts.PillarRoots)
	}
	return err
}

// functions are all, those that only this command has too.
func (s *Session) functions() *modules.Registry {
	sources := all.Sources()
	for _, own := range s.process.Families {
		sources = slices.DeleteFunc(sources, func(o modules.Source) bool { return o.Name == own.Name })
		sources = append(sources, own)
	}
	return modules.Lazy(sources...)
}

// overlay is the machine of what only looks. Users' commands run in a view of it, unless another tree is looked at.
func (s *Session) overlay(of host.Host) *host.Overlay {
	o := host.NewOverlay(of)
	if of.Root() == "/" && s.process.Runner == nil && s.process.Inside == nil {
		s.process.Runner = &view.Runner{Machine: of, Say: s.warn}
	}
	if s.process.Runner != nil {
		o.SetRunner(s.process.Runner)
	}
	return o
}

// warn shows a warning that belongs to no place in a file.
func (s *Session) warn(text, hint string) {
	d := &diag.Diagnostic{Severity: diag.Warning, Msg: text}
	if hint != "" {
		d.Hint = hint
	}
	s.Show(&diag.List{All: []*diag.Diagnostic{d}})
}

// rootOf is the directory that the machine's "/" is.
func rootOf(o Options) (string, error) {
	root, err := filepath.Abs(o.Root)
	if err != nil {
		return "", fmt.Errorf("resolve --root %s: %w", o.Root, err)
	}
	if info, err := os.Stat(root); err != nil || !info.IsDir() {
		return "", diag.Errorf(diag.Pos{File: root}, "--root is no directory").WithHint("give the directory where the " +
			"machine's tree is mounted")
	}
	return root, nil
}

func firstOf(words ...string) string {
	for _, w := range words {
		if w != "" {
			return w
		}
	}
	return ""
}

func (s *Session) loadGrains() error {
	over := value.NewDict(len(s.opts.Grains))
	for _, kv := range s.opts.Grains {
		k, text, ok := strings.Cut(kv, "=")
		if !ok || k == "" {
			return diag.Errorf(diag.Pos{File: "--grain " + kv}, "is not KEY=VALUE")
		}
		v, err := yaml.Decode("--grain "+k, []byte(text))
		if err != nil {
			return err
		}
		setPath(over, strings.Split(k, ":"), v)
	}
	if s.opts.GrainsFile != "" && s.opts.ID != "" && !over.Has(value.Str("id")) {
		// Grains that another machine says of itself do not make it another: its pillar is that of the ID.
		over.SetStr("id", value.Str(s.opts.ID))
	}
	read := os.ReadFile
	if s.machine.Root() == "/" { // where a state of this run has written grains, be it on an overlay
		read = s.machine.ReadFile
	}
	file, err := filepath.Abs(filepath.Join(s.config.Dir, "grains"))
	if err != nil {
		return err
	}
	g, err := grains.New(s.machine, grains.Options{
		ID: firstOf(s.opts.ID, s.config.Str("id", "")), ConfigGrains: s.config.Dict("grains"),
		Master:      s.config.Str("master", "salt"),
		StaticFiles: []string{file}, ReadFile: read, OverrideFile: s.opts.GrainsFile, Overrides: over,
	})
	if err != nil {
		return err
	}
	s.grains = g
	s.id = firstOf(s.opts.ID, s.config.Str("id", ""))
	if v, ok := g.Get("id"); ok && s.id == "" {
		s.id = value.String(v)
	}
	if s.opts.Conducts && !strings.HasSuffix(s.id, masterSuffix) {
		s.opts.ID = s.id + masterSuffix
		return s.loadGrains()
	}
	return nil
}

// masterSuffix is what Salt's master adds to the id for its own states, so that top files tell them from the machine's.
const masterSuffix = "_master"

// setPath puts v below the keys, making maps on the way.
func setPath(d *value.Dict, keys []string, v value.Value) {
	for _, k := range keys[:len(keys)-1] {
		next, _ := d.GetStr(k)
		sub, ok := next.(*value.Dict)
		if !ok {
			sub = value.NewDict(1)
			d.SetStr(k, sub)
		}
		d = sub
	}
	d.SetStr(keys[len(keys)-1], v)
}

func (s *Session) renderConfig(r *roots.Roots, pillarOf func() *value.Dict) render.Config {
	return render.Config{
		Host:  func(ctx context.Context) host.Reader { return s.machineOf(ctx) },
		Roots: r, Exec: templateFunctions{execFunctions{s: s}}, Foreign: foreign{s: s}, Grains: s.Grains, Pillar: pillarOf,
		Opts: s.optsDict,
		ID:   s.id, PillarDirs: s.PillarDirs(),
		Renderer: s.config.Str("renderer", "jinja|yaml"), JinjaEnv: s.config.Dict("jinja_env"),
		JinjaSLSEnv:    s.config.Dict("jinja_sls_env"),
		AllowUndefined: s.config.Bool("allow_undefined", false), Log: s.log,
		Secrets: s.secrets,
	}
}

// Registry is all functions, those that the tree brings too.
func (s *Session) Registry() *modules.Registry { return s.registry }

// Grains are all grains; each is asked of the machine when it is looked up.
func (s *Session) Grains() *value.Dict { return s.grains.Dict() }

// Pillar is the compiled pillar. An error of it was kept: commands that need the pillar call loadPillar first.
func (s *Session) Pillar() *value.Dict {
	if s.compiling != nil {
		return s.compiling
	}
	_ = s.LoadPillar(context.Background())
	return s.pillar
}

// PillarDirs are the directories that the pillar is read from.
func (s *Session) PillarDirs() (out []string) {
	for _, e := range s.pillarDirs {
		out = append(out, e.Dirs...)
	}
	return out
}

// LoadPillar compiles the pillar once.
func (s *Session) LoadPillar(ctx context.Context) error {
	s.pillarOnce.Do(func() { s.pillar, s.pillarErr = s.compilePillar(ctx) })
	if s.pillar == nil {
		s.pillar = value.NewDict(0)
	}
	return s.pillarErr
}

func (s *Session) compilePillar(ctx context.Context) (*value.Dict, error) {
	if s.process.Remote != nil {
		return s.remotePillar(ctx)
	}
	over, err := s.pillarOverride()
	if err != nil {
		return nil, err
	}
	if s.compiling = over; over == nil {
		s.compiling = value.NewDict(0)
	}
	defer func() { s.compiling = nil }()
	external, err := s.externalPillars(over)
	if err != nil {
		return nil, err
	}
	cfg := s.pillarConfig(over)
	cfg.Roots, cfg.External = s.newRoots(s.pillarDirs), external
	cfg.First = s.config.Bool("ext_pillar_first", false)
	p, err := pillar.Compile(ctx, cfg)
	if err != nil {
		return nil, err
	}
	return p, s.decryptPillar(ctx, p)
}

// pillarConfig is how a pillar is compiled, of whichever roots.
func (s *Session) pillarConfig(over *value.Dict) pillar.Config {
	minion := s.minion()
	minion.Pillar = nil
	return pillar.Config{
		NewRenderer: s.pillarRenderer, Minion: minion, Seen: s.seenPillar, Override: over, SaltEnv: s.saltenv,
		Env:        firstOf(s.opts.PillarEnv, s.config.Str("pillarenv", "")),
		Strategy:   s.config.Str("pillar_source_merging_strategy", "smart"),
		MergeLists: s.config.Bool("pillar_merge_lists", false),
		Renderer:   s.config.Str("renderer", "jinja|yaml"), IncludesOverride: s.config.Bool("pillar_includes_override_sls",
			false),
		EnvOrder: s.config.Strings("env_order"), Top: s.topFile(),
		Warn: func(d *diag.Diagnostic) { s.Show(&diag.List{All: []*diag.Diagnostic{d}}) },
	}
}

// pillarRenderer is the renderer of pillar files, where what is encrypted stays so until something asks for it.
func (s *Session) pillarRenderer(r *roots.Roots, p func() *value.Dict) *render.Renderer {
	cfg := s.renderConfig(r, p)
	cfg.Foreign, cfg.Decoded = foreign{s: s, lazy: true}, s.decoded
	return render.New(cfg)
}

// pillarOverride is the map given with --pillar.
func (s *Session) pillarOverride() (*value.Dict, error) {
	if s.opts.Pillar == "" {
		return nil, nil
	}
	v, err := yaml.Decode("--pillar", []byte(s.opts.Pillar))
	if err != nil {
		return nil, err
	}
	d, ok := v.(*value.Dict)
	if !ok && v != value.None {
		return nil, diag.Errorf(diag.Pos{File: "--pillar", Line: 1, Col: 1}, "the pillar is a %s, not a map", v.TypeName()).
			WithHint("--pillar '{key: value}'")
	}
	return d, nil
}
