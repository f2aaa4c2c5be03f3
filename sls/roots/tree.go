package roots

import (
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// A tree is all that the roots of one environment hold, first root first, sorted by path.
type tree struct {
	files []*File
	dirs  []string // relative, of all roots
}

// maxDepth bounds a walk through links that lead round in a circle.
const maxDepth = 40

// stat gives what a path below a root is, following links that stay in the configured roots. r.mu is held.
func (r *Roots) stat(root, abs string) (fs.FileInfo, error) {
	info, err := os.Lstat(abs)
	if err != nil {
		return nil, notThere(err)
	}
	dir, base := filepath.Split(abs)
	realDir, err := r.realDir(filepath.Clean(dir))
	if err != nil {
		return nil, notThere(err)
	}
	real := filepath.Join(realDir, base)
	if info.Mode()&fs.ModeSymlink != 0 {
		if real, err = filepath.EvalSymlinks(abs); err != nil {
			return nil, notThere(err)
		}
		if info, err = os.Stat(real); err != nil {
			return nil, notThere(err)
		}
	}
	if !r.inside(root, real) {
		rel, _ := filepath.Rel(root, abs)
		return nil, &EscapeError{Path: filepath.ToSlash(rel), Why: "is a link to " + real}
	}
	return info, nil
}

// notThere turns "a parent is a file" into "does not exist": another root may hold it.
func notThere(err error) error {
	if strings.HasSuffix(err.Error(), "not a directory") {
		return fs.ErrNotExist
	}
	return err
}

// inside says whether a path without links is in the root, or in another configured root: a tree may be linked into
// another.
func (r *Roots) inside(root, real string) bool {
	within := func(dir string) bool {
		d, err := r.realDir(filepath.Clean(dir))
		return err == nil && (real == d || strings.HasPrefix(real, strings.TrimSuffix(d, "/")+"/"))
	}
	if within(root) {
		return true
	}
	return slices.ContainsFunc(r.envs, func(e EnvDirs) bool { return slices.ContainsFunc(e.Dirs, within) })
}

func (r *Roots) realDir(dir string) (string, error) {
	if real, ok := r.real[dir]; ok {
		return real, nil
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if err != nil {
		return "", err
	}
	r.real[dir] = real
	return real, nil
}

// tree walks the roots of an environment once. r.mu is held or not needed by the caller.
func (r *Roots) tree(env string) *tree {
	if t, ok := r.trees[env]; ok {
		return t
	}
	r.supplyNames(env)
	t := &tree{}
	seen := map[string]bool{}
	for _, root := range r.Dirs(env) {
		r.walk(t, seen, env, root, "", 0)
	}
	slices.SortFunc(t.files, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	slices.Sort(t.dirs)
	t.dirs = slices.Compact(t.dirs)
	r.trees[env] = t
	return t
}

func (r *Roots) walk(t *tree, seen map[string]bool, env, root, rel string, depth int) {
	entries, err := os.ReadDir(filepath.Join(root, filepath.FromSlash(rel)))
	if err != nil || depth > maxDepth {
		return
	}
	for _, e := range entries {
		name := path.Join(rel, e.Name())
		abs := filepath.Join(root, filepath.FromSlash(name))
		dir := e.IsDir()
		if e.Type()&fs.ModeSymlink != 0 {
			info, err := r.stat(root, abs)
			if err != nil {
				continue
			}
			dir = info.IsDir()
		}
		switch {
		case dir && e.Name() == ".git":
		case dir:
			t.dirs = append(t.dirs, name)
			r.walk(t, seen, env, root, name, depth+1)
		case !seen[name]:
			seen[name] = true
			t.files = append(t.files, &File{Env: env, Path: name, Abs: abs, Root: root})
		}
	}
}

// List gives the files below a directory of an environment, sorted by path; a file of an earlier root hides those of
// later ones.
func (r *Roots) List(env, dir string) ([]*File, error) {
	rel, err := clean(dir)
	if err != nil {
		return nil, err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tree(env)
	if rel == "." {
		return t.files, nil
	}
	var out []*File
	for _, f := range t.files {
		if strings.HasPrefix(f.Path, rel+"/") {
			out = append(out, f)
		}
	}
	if out == nil && !slices.Contains(t.dirs, rel) {
		return nil, &NotFoundError{Path: rel, Env: env, Dirs: r.Dirs(env), Nearest: near(rel, t.dirs, "/")}
	}
	return out, nil
}

// ListDirs gives the directories below a directory of an environment, sorted, relative to the root.
func (r *Roots) ListDirs(env, dir string) []string {
	rel, err := clean(dir)
	if err != nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	var out []string
	for _, d := range r.tree(env).dirs {
		if rel == "." || strings.HasPrefix(d, rel+"/") {
			out = append(out, d)
		}
	}
	return out
}

// ListSLS gives the names of all SLS of an environment, sorted. A file that no name can reach (a dot in a part) is left
// out.
func (r *Roots) ListSLS(env string) []string {
	files, _ := r.List(env, ".")
	var out []string
	for _, f := range files {
		name, ok := strings.CutSuffix(f.Path, ".sls")
		if !ok || strings.Contains(name, ".") {
			continue
		}
		name, _ = strings.CutSuffix(name, "/init")
		out = append(out, strings.ReplaceAll(name, "/", "."))
	}
	slices.Sort(out)
	return slices.Compact(out)
}
