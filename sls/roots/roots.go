// Package roots finds files below the file roots: SLS files, templates, salt:// sources.
//
// Roots are searched in their order, the first hit wins. No path leaves its root: neither by "..", nor by a link. It
// only reads.
package roots

import (
	"errors"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/state/host"
)

// EnvDirs are the roots of one environment, in the order in which they are searched.
type EnvDirs struct {
	Env  string
	Dirs []string
}

// Roots are the file roots of all environments. They are read once a run: what was found stays found.
type Roots struct {
	envs []EnvDirs
	// Told is told of each file that is read or fetched, and how long that took; nil tells nobody.
	Told func(what string, took time.Duration)
	// From brings what the roots hold, nil where it is there already. It is set before the first look.
	From Supplier

	mu     sync.Mutex          // guards all below
	real   map[string]string   // directory -> its path without links, "" when there is none
	bytes  map[string][]byte   // file -> content
	trees  map[string]*tree    // environment -> all that its roots hold
	hashes map[string]string   // file -> sha256 in hex
	found  map[[2]string]*File // environment, path -> the file, nil where there is none
	failed map[[2]string]error // likewise, where it could not be looked for
}

// A File is one file below a root.
type File struct {
	Env  string
	Path string // slash-separated, relative to the root
	Abs  string // where it is read
	Root string // the root that holds it, as configured
}

// dynamicEnv is Salt's name for "whatever environment is asked for": its directories hold the environment's name in its
// place.
const dynamicEnv = "__env__"

// New makes roots of the environments. Directories that do not exist are searched without a word, as in Salt.
func New(envs []EnvDirs) *Roots {
	return &Roots{
		envs: envs, real: map[string]string{}, bytes: map[string][]byte{}, trees: map[string]*tree{},
		hashes: map[string]string{}, found: map[[2]string]*File{}, failed: map[[2]string]error{},
	}
}

// Serve adds an environment that files are read from, unless there is one of the name.
func (r *Roots) Serve(env string, dirs []string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if !slices.ContainsFunc(r.envs, func(e EnvDirs) bool { return e.Env == env }) {
		r.envs = append(r.envs, EnvDirs{env, dirs})
	}
}

// Envs are the names of the environments in their configured order, without the dynamic one.
func (r *Roots) Envs() []string {
	var out []string
	for _, e := range r.envs {
		if e.Env != dynamicEnv && !slices.Contains(out, e.Env) {
			out = append(out, e.Env)
		}
	}
	return out
}

// Has says whether the environment is configured, or can be by the dynamic one.
func (r *Roots) Has(env string) bool {
	return slices.ContainsFunc(r.envs, func(e EnvDirs) bool { return e.Env == env || e.Env == dynamicEnv })
}

// Dirs are the directories of an environment.
func (r *Roots) Dirs(env string) []string {
	var out []string
	for _, e := range r.envs {
		if e.Env == env {
			out = append(out, e.Dirs...)
		}
	}
	if out != nil {
		return out
	}
	for _, e := range r.envs {
		if e.Env == dynamicEnv {
			for _, d := range e.Dirs {
				out = append(out, strings.ReplaceAll(d, dynamicEnv, env))
			}
		}
	}
	return out
}

// Find gives the file of a path in the roots of an environment. The error is a *NotFoundError, an *EscapeError, or what
// the machine says of a file that is there.
func (r *Roots) Find(env, name string) (*File, error) {
	f, err := r.Lookup(env, name)
	if f == nil && err == nil {
		rel, _ := clean(name)
		return nil, &NotFoundError{Path: rel, Env: env, Dirs: r.Dirs(env), Nearest: r.nearestFiles(env, rel)}
	}
	return f, err
}

// Lookup is Find without the trouble of saying what is near: a file that is not there is nil without an error.
func (r *Roots) Lookup(env, name string) (*File, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	key := [2]string{env, name}
	if f, ok := r.found[key]; ok {
		return f, r.failed[key]
	}
	f, err := r.lookup(env, name)
	r.found[key] = f
	if err != nil {
		r.failed[key] = err
	}
	return f, err
}

func (r *Roots) lookup(env, name string) (*File, error) {
	rel, err := clean(name)
	if err == nil {
		err = r.supplyFile(env, rel)
	}
	if err != nil {
		return nil, err
	}
	for _, root := range r.Dirs(env) {
		abs := filepath.Join(root, filepath.FromSlash(rel))
		info, err := r.stat(root, abs)
		switch {
		case errors.Is(err, fs.ErrNotExist):
		case err != nil:
			return nil, err
		case !info.IsDir() && !info.Mode().IsRegular():
			return nil, &fs.PathError{Op: "read", Path: abs, Err: errors.New("is no regular file")}
		case !info.IsDir():
			return &File{Env: env, Path: rel, Abs: abs, Root: root}, nil
		}
	}
	return nil, nil
}

// FindSLS gives the file of an SLS: a.b is a/b.sls in any root, else a/b/init.sls in any root.
func (r *Roots) FindSLS(env, name string) (*File, error) {
	rel := strings.ReplaceAll(name, ".", "/")
	for _, candidate := range []string{rel + ".sls", rel + "/init.sls"} {
		if _, err := clean(candidate); err != nil {
			break // a name such as ./web: no SLS has it
		}
		if f, err := r.Lookup(env, candidate); f != nil || err != nil {
			return f, err
		}
	}
	return nil, &NotFoundError{Path: name, SLS: true, Env: env, Dirs: r.Dirs(env), Nearest: r.nearestSLS(env, name)}
}

// IsDir says whether the path is a directory in one of the roots.
func (r *Roots) IsDir(env, name string) bool {
	rel, err := clean(name)
	if err != nil {
		return false
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.supplyFile(env, rel) != nil {
		return false
	}
	for _, root := range r.Dirs(env) {
		if info, err := r.stat(root, filepath.Join(root, filepath.FromSlash(rel))); err == nil && info.IsDir() {
			return true
		}
	}
	return false
}

// Read gives the content of a file, read once a run. Callers do not change it.
func (r *Roots) Read(f *File) ([]byte, error) { return r.ReadPath(f.Abs) }

// maxTemplate bounds what is rendered: SLS, pillar files, templates.
const maxTemplate = 32 << 20

// ReadPath is Read for a file by its path on the machine, in a root or not.
func (r *Roots) ReadPath(abs string) ([]byte, error) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if b, ok := r.bytes[abs]; ok {
		return b, nil
	}
	defer r.tell(abs)()
	b, err := host.ReadRegular(abs, maxTemplate)
	if err != nil {
		return nil, err
	}
	r.bytes[abs] = b
	return b, nil
}

// All are the files that were read so far, by their paths on the machine.
func (r *Roots) All() map[string][]byte {
	r.mu.Lock()
	defer r.mu.Unlock()
	return maps.Clone(r.bytes)
}

// tell has Told told of what is read until the returned function is called.
func (r *Roots) tell(what string) (read func()) {
	if r.Told == nil {
		return func() {}
	}
	begin := time.Now()
	return func() { r.Told(what, time.Since(begin)) }
}

// clean checks a path and gives it without "." and doubled slashes.
func clean(name string) (string, error) {
	name = strings.TrimPrefix(name, "salt://")
	switch {
	case strings.HasPrefix(name, "/"):
		return "", &EscapeError{Path: name, Why: "is absolute"}
	case slices.Contains(strings.Split(name, "/"), ".."):
		return "", &EscapeError{Path: name, Why: `holds ".."`}
	case strings.ContainsRune(name, 0):
		return "", &EscapeError{Path: name, Why: "holds a null byte"}
	}
	return path.Clean(name), nil
}
