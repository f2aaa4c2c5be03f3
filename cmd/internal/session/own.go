package session

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules/bridge"
	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/state/value"
)

// bring finds what the tree brings of its own: _modules, _states and their like at the top of the file roots, and the
// directories of extension_modules. A tree without them costs the reading of its roots.
func (s *Session) bring() {
	files := s.ownFiles()
	b := bridge.New(bridge.Config{Files: files, Read: os.ReadFile, Env: s.env, Machine: s.machine,
		Opts:  func() *value.Dict { return s.optsDict },
		Ready: func() { s.grains.Get("id") }, Refused: s.refusesOwn()})
	s.own, s.process.Own = b, b
	if len(files) == 0 {
		return
	}
	s.registry.Bring(b.States(), b.Execs())
	if b.Has(bridge.Grains, "") {
		s.grains.Bring(func() *value.Dict { return b.Grains(context.Background()) })
	}
}

// refusesOwn is why the tree's own code does not run.
func (s *Session) refusesOwn() error {
	if s.opts.NoCommands {
		return errors.New("this is the tree's own code, and --no-commands is given")
	}
	return nil
}

// ownFiles are the files in the order in which they win: the environment of the run first.
func (s *Session) ownFiles() (out []bridge.File) {
	seen := map[[2]string]bool{}
	add := func(kind, dir string) {
		for _, f := range filesBelow(dir) {
			key := [2]string{kind, f}
			if !seen[key] {
				seen[key] = true
				out = append(out, bridge.File{Kind: kind, Rel: f, Path: filepath.Join(dir, f)})
			}
		}
	}
	for _, dir := range s.ownDirs() {
		entries, _ := os.ReadDir(dir) // what cannot be read is told where it is needed
		for _, e := range entries {
			if kind, ok := strings.CutPrefix(e.Name(), "_"); ok && slices.Contains(bridge.Kinds(), kind) {
				add(kind, filepath.Join(dir, e.Name()))
			}
		}
	}
	if dir := s.config.Str("extension_modules", ""); dir != "" {
		for _, kind := range bridge.Kinds() {
			add(kind, filepath.Join(dir, kind))
		}
	}
	for _, dir := range s.config.Strings("module_dirs") {
		for _, kind := range bridge.Kinds() {
			add(kind, filepath.Join(dir, kind))
			add(kind, filepath.Join(dir, "_"+kind))
		}
	}
	for _, dir := range s.config.Strings("states_dirs") {
		add(bridge.States, dir)
	}
	return out
}

// ownDirs are the file roots, those of the run's environment first.
func (s *Session) ownDirs() []string {
	envs := s.roots.Envs()
	slices.SortStableFunc(envs, func(a, b string) int {
		switch {
		case a == s.saltenv && b != a:
			return -1
		case b == s.saltenv && b != a:
			return 1
		}
		return 0
	})
	var dirs []string
	for _, env := range envs {
		for _, dir := range s.roots.Dirs(env) {
			if abs, err := filepath.Abs(dir); err == nil {
				dirs = append(dirs, abs)
			}
		}
	}
	return dirs
}

// filesBelow are the files below a directory that a module may be made of, sorted.
func filesBelow(dir string) (out []string) {
	_ = filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil {
			return nil
		}
		rel, _ := filepath.Rel(dir, path)
		hidden := strings.HasPrefix(d.Name(), ".") && rel != "."
		switch {
		case d.IsDir() && (hidden || d.Name() == "__pycache__"):
			return fs.SkipDir
		case d.IsDir() || hidden:
		case strings.HasSuffix(rel, ".py") || runs(path, rel):
			out = append(out, rel)
		}
		return nil
	})
	return out
}

// runs says whether a file at the top is a program.
func runs(path, rel string) bool {
	i, err := os.Stat(path)
	return err == nil && !strings.Contains(rel, "/") && i.Mode().IsRegular() && i.Mode()&0o111 != 0
}

// foreign are the renderers that are the session's: the tree's own code, and those that decrypt, when the values are
// asked for if lazy.
type foreign struct {
	s    *Session
	lazy bool
}

// Has says whether there is a renderer of the name.
func (f foreign) Has(name string) bool {
	return name == "puppet" || name == "py" || name == "pyobjects" || decrypts(name) || f.s.own.Has(bridge.Renderers, name)
}

// Render makes data of a text, or another text.
func (f foreign) Render(ctx context.Context, name, arg string, t render.ForeignText) (value.Value, error) {
	s := f.s
	h := s.machineOf(ctx)
	text := bridge.Text{Path: t.File, SLS: t.SLS, Env: t.Env, Text: t.Text, Vars: t.Vars}
	switch {
	case name == "puppet":
		return f.manifest(ctx, t)
	case decrypts(name):
		return f.decrypt(ctx, name, t)
	case name == "py":
		return s.own.Python(ctx, s.env(h), h, "run", text)
	case name == "pyobjects":
		return s.own.Python(ctx, s.env(h), h, "pyobjects", text)
	}
	return s.own.Render(ctx, s.env(h), h, name, arg, text)
}
