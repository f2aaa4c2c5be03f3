package session

import (
	"context"
	"os"
	"path/filepath"
	"strings"

	"github.com/gostate/gostate/sls/puppet/catalog"
	"github.com/gostate/gostate/sls/puppet/compile"
	"github.com/gostate/gostate/sls/puppet/facts"
	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// manifests are the SLS files of a run that are written in the Puppet language (`#!puppet`). Those of one environment
// are one catalog, as the files of one folder are for Puppet.
type manifests struct {
	envs  []string
	texts map[string][]render.ForeignText
}

type manifestsKey struct{}

// withManifests has the renderer gather the manifests that it meets.
func withManifests(ctx context.Context) (context.Context, *manifests) {
	m := &manifests{texts: map[string][]render.ForeignText{}}
	return context.WithValue(ctx, manifestsKey{}, m), m
}

// manifest takes an SLS for a manifest: its states are known when all files are. A text that is no SLS of a run is
// compiled by itself.
func (f foreign) manifest(ctx context.Context, t render.ForeignText) (value.Value, error) {
	m, gathers := ctx.Value(manifestsKey{}).(*manifests)
	switch {
	case f.lazy:
		return nil, diag.Errorf(diag.Pos{File: t.File, Line: 1}, "a manifest has states, and a pillar has none").
			WithHint("write the pillar for jinja|yaml; lookup() in manifests reads it")
	case t.Data != nil:
		return nil, diag.Errorf(diag.Pos{File: t.File, Line: 1}, "renderer 'puppet' reads a text, and not data")
	case gathers && t.SLS != "":
		if m.texts[t.Env] == nil {
			m.envs = append(m.envs, t.Env)
		}
		m.texts[t.Env] = append(m.texts[t.Env], t)
		return value.None, nil
	}
	decls, faults := f.s.compileManifests(t.Env, []render.ForeignText{t})
	if err := faults.Err(); err != nil {
		return nil, err
	}
	return (&state.High{Decls: decls}).Dict(), nil
}

// has says whether a file is a manifest.
func (m *manifests) has(env, sls string) bool {
	for _, t := range m.texts[env] {
		if t.SLS == sls {
			return true
		}
	}
	return false
}

// declared is what the manifests declare.
func (s *Session) declared(m *manifests) (decls []*state.Decl, faults *diag.List) {
	faults, s.exported = &diag.List{}, exported{}
	for _, env := range m.envs {
		found, more := s.compileManifests(env, m.texts[env])
		decls = append(decls, found...)
		faults.Add(more.All...)
	}
	return decls, faults
}

// compileManifests compiles the manifests of one environment to states.
func (s *Session) compileManifests(env string, texts []render.ForeignText) ([]*state.Decl, *diag.List) {
	t := &treeFiles{s: s, env: env, moduleFiles: s.treeModules(env)}
	at := placesOf(texts)
	cat, logs, err := compile.Compile(s.manifestOptions(t, texts))
	faults := s.said(logs)
	if err != nil {
		faults.AddErr(compile.Faults(err))
		at.correct(faults)
		return nil, faults
	}
	s.Export(s.id, cat.Exported)
	read, wrong := catalog.Read("", cat.Dict(nil))
	for _, r := range read.Resources {
		if r.Pos = at.of(r.Pos); r.SLS == "" { // of none in particular
			r.SLS = texts[0].SLS
		}
	}
	faults.Add(wrong.All...)
	if faults.HasErrors() {
		at.correct(faults)
		return nil, faults
	}
	made, wrong := read.Compile(catalog.Options{Source: t.source, Address: t.address, List: listTree, Read: os.ReadFile,
		Env: env})
	faults.Add(wrong.All...)
	for _, text := range made.Secrets {
		s.secrets.MarkText(text)
	}
	s.scheduled.Store(&made.Schedules)
	return made.High.Decls, faults
}

// manifestOptions are what the manifests of a tree are compiled with: grains, pillar, and the files beside the states.
func (s *Session) manifestOptions(t *treeFiles, texts []render.ForeignText) compile.Options {
	o := compile.Options{ModulePath: t.moduleFiles, EnvDir: t.environment(), Node: s.id, Beside: true,
		Facts: facts.FromGrains(s.Grains()), Secret: s.secrets.MarkText, Read: t.read, List: ListNames,
		Exports: s.Exports().Find,
		Pillar: func(key string) (any, bool) {
			v, ok := s.Pillar().GetStr(key)
			return compile.FromValue(v), ok
		},
		Vars: map[string]func() any{
			"grains": func() any { return compile.FromValue(s.Grains()) },
			"pillar": func() any { return compile.FromValue(s.Pillar()) },
		}}
	for _, text := range texts {
		o.Manifests = append(o.Manifests, compile.Manifest{Path: text.File, Text: text.Text, SLS: text.SLS})
	}
	return o
}

// said shows what manifests said, and gives their warnings.
func (s *Session) said(logs []compile.Log) *diag.List {
	faults := &diag.List{}
	for _, l := range logs {
		switch l.Level {
		case "warning", "err", "error", "alert", "crit", "emerg":
			faults.Add(diag.Warnf(diag.Pos{}, "%s", l.Message))
		case "notice":
			s.ran.note(s.process, l.Message)
		default:
			s.log(l.Level, l.Message)
		}
	}
	return faults
}

// places lead from the text of each manifest to its file, which a template may have made the text of.
type places map[string]func(value.Mark) diag.Pos

func placesOf(texts []render.ForeignText) places {
	out := places{}
	for _, t := range texts {
		out[t.File] = t.At
	}
	return out
}

func (p places) of(pos diag.Pos) diag.Pos {
	if at := p[pos.File]; at != nil && pos.Line > 0 {
		return at(value.Mark{Line: int32(pos.Line), Col: int32(pos.Col)})
	}
	return pos
}

func (p places) correct(l *diag.List) {
	for _, d := range l.All {
		d.Pos = p.of(d.Pos)
		for i := range d.Related {
			d.Related[i].Pos = p.of(d.Related[i].Pos)
		}
	}
}

// treeFiles are the files that the manifests of a tree reach: those of the file roots, and of modules.
type treeFiles struct {
	s   *Session
	env string
	moduleFiles
}

// treeModules are the folders of modules: `puppet_modulepath` of the configuration, or `modules` in each of the roots.
func (s *Session) treeModules(env string) (out moduleFiles) {
	dirs := s.config.Strings("puppet_modulepath")
	if dirs == nil {
		for _, root := range s.roots.Dirs(env) {
			dirs = append(dirs, filepath.Join(root, "modules"))
		}
	}
	for _, dir := range dirs {
		if abs, err := filepath.Abs(dir); err == nil {
			out = append(out, abs)
		}
	}
	return out
}

// environment is the folder that Puppet would call the environment: the first root with a hiera.yaml, or the first one.
func (t *treeFiles) environment() string {
	f, err := t.s.roots.Lookup(t.env, "hiera.yaml")
	if err == nil && f != nil {
		return f.Root
	}
	if dirs := t.s.roots.Dirs(t.env); len(dirs) > 0 {
		return dirs[0]
	}
	return ""
}

// rel is the place of a file in the roots.
func (t *treeFiles) rel(file string) (string, bool) {
	for _, root := range t.s.roots.Dirs(t.env) {
		if abs, err := filepath.Abs(root); err == nil {
			if rest, in := strings.CutPrefix(file, strings.TrimSuffix(abs, "/")+"/"); in {
				return rest, true
			}
		}
	}
	return "", false
}

// read reads a file, which a tree that lies elsewhere brings first.
func (t *treeFiles) read(file string) ([]byte, error) {
	if rel, in := t.rel(file); in && t.s.roots.From != nil {
		f, err := t.s.roots.Lookup(t.env, rel)
		if err == nil && f == nil {
			err = os.ErrNotExist
		}
		if err != nil {
			return nil, err
		}
		file = f.Abs
	}
	return t.s.roots.ReadPath(file)
}

// source is also where salt://x lies.
func (t *treeFiles) source(uri string) (file string, dir, ok bool) {
	rest, salt := strings.CutPrefix(uri, "salt://")
	if !salt {
		return t.moduleFiles.source(uri)
	}
	for _, root := range t.s.roots.Dirs(t.env) {
		if f, dir, ok := t.moduleFiles.source(filepath.Join(root, rest)); ok {
			return f, dir, true
		}
	}
	return "", false, false
}

func (t *treeFiles) address(file string) string {
	if rel, in := t.rel(file); in {
		return "salt://" + rel + "?saltenv=" + t.env
	}
	t.s.roots.Serve(PuppetEnv, t.moduleFiles)
	return t.moduleFiles.address(file)
}
