package file

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// keep gives the directory, and with recurse what is in it, owner and mode. The changes have every path with what differs,
// and besides, as Salt has it, what differed last without a path; the forecast has only the paths.
func (d *Directory) keep(h host.Host, p perms, e *state.Effect) error {
	e.Foretold = e.Changes.Copy()
	flat := value.NewDict(3)
	one := func(name string, p perms) error {
		changed, err := d.keepOne(h, name, p)
		if err != nil || changed.Len() == 0 {
			return err
		}
		e.Foretold.SetStr(name, changed)
		addAll(flat, changed)
		return nil
	}
	if !d.ChildrenOnly {
		if err := one(d.path(), p); err != nil {
			return err
		}
	}
	if len(d.Recurse) > 0 {
		if err := d.keepBelow(h, p, one); err != nil {
			return err
		}
	}
	if d.recurses("silent") && e.Foretold.Len() > 0 {
		e.Changes = value.DictOf("recursion", value.Str("Changes silenced"))
		return nil
	}
	addAll(e.Changes, e.Foretold)
	addAll(e.Changes, flat)
	return nil
}

func (d *Directory) keepBelow(h host.Host, p perms, one func(string, perms) error) error {
	files := p
	if d.FileMode.Given {
		files.mode = d.FileMode
	}
	dirs := p
	for _, q := range []*perms{&files, &dirs} {
		if !d.recurses("user") {
			q.uid = -1
		}
		if !d.recurses("group") {
			q.gid = -1
		}
		if !d.recurses("mode") {
			q.mode = modules.Mode{}
		}
	}
	return walk(h, d.path(), d.MaxDepth, func(name string, isDir bool) error {
		switch {
		case isDir && !d.recurses("ignore_dirs"):
			return one(name, dirs)
		case !isDir && !d.recurses("ignore_files"):
			return one(name, files)
		}
		return nil
	})
}

// keepOne enforces owner and mode of one path and gives what it changed.
func (d *Directory) keepOne(h host.Host, name string, p perms) (*value.Dict, error) {
	changed := value.NewDict(3)
	target := name
	if d.FollowSymlinks {
		real, err := follow(h, name)
		if err != nil {
			return changed, err
		}
		target = real
	}
	i, err := h.Lstat(target)
	if isMissing(err) {
		return changed, nil
	}
	if err == nil {
		err = p.enforce(h, target, i, changed)
	}
	return changed, err
}

// walk goes through a tree, what is in a directory sorted by name before what is below it. It does not follow links; a link
// to a directory counts as a directory. The depth counts from 0, what is in the directory itself.
func walk(h host.Reader, dir string, depth *int, visit func(name string, isDir bool) error) error {
	entries, err := h.ReadDir(dir)
	if err != nil {
		return err
	}
	var below []string
	for _, i := range entries {
		name := path.Join(dir, i.Path)
		dirLike := i.IsDir() || (i.IsSymlink() && isDir(h, name))
		if err := visit(name, dirLike); err != nil {
			return err
		}
		if i.IsDir() {
			below = append(below, name)
		}
	}
	if depth != nil && *depth <= 0 {
		return nil
	}
	for _, name := range below {
		next := depth
		if depth != nil {
			n := *depth - 1
			next = &n
		}
		if err := walk(h, name, next, visit); err != nil {
			return err
		}
	}
	return nil
}

// clean removes what no required file state manages.
func (d *Directory) clean(env *modules.Env, h host.Host, e *state.Effect) error {
	removed, err := cleanTree(h, d.path(), keepers(env, h, d.path()), d.ExcludePat)
	if len(removed) == 0 {
		return err
	}
	for _, name := range removed {
		entry := value.DictOf("removed", value.Str("Removed due to clean"))
		e.Foretold.SetStr(name, entry)
		e.Changes.SetStr(name, entry)
	}
	e.Changes.SetStr("removed", modules.TextList(removed))
	e.Comment = fmt.Sprintf("Files cleaned from directory %s", d.path())
	return err
}

// A keeper is a path that clean leaves: alone, or with all that is below it.
type keeper struct {
	path string
	tree bool
}

// keepers are the paths below dir that the required file states manage.
func keepers(env *modules.Env, h host.Reader, dir string) []keeper {
	if env.Low == nil {
		return nil
	}
	var out []keeper
	for _, r := range env.Low.Reqs {
		if r.Kind != state.Require || r.To.Module != "file" {
			continue
		}
		for _, k := range requiredFiles(env, r.To) {
			name := path.Clean(k.path)
			k.path = name
			k.tree = k.tree || isDir(h, name)
			if !k.tree || strings.HasPrefix(name, strings.TrimRight(dir, "/")+"/") {
				out = append(out, k)
			}
		}
	}
	return out
}

// requiredFiles are the names of the file states that a requisite names.
func requiredFiles(env *modules.Env, ref state.Ref) []keeper {
	var out []keeper
	if env.States != nil {
		for _, low := range env.States(ref) {
			out = append(out, keeper{path: low.Name, tree: low.Func == "recurse" || low.Func == "directory"})
		}
	}
	if len(out) == 0 && strings.HasPrefix(ref.Target, "/") {
		out = append(out, keeper{path: ref.Target})
	}
	return out
}

// cleanTree removes what is below root and neither kept, nor above or below something kept, nor excluded.
func cleanTree(h host.Host, root string, keep []keeper, exclude []string) ([]string, error) {
	kept := map[string]bool{root: true}
	for _, k := range keep {
		for p := k.path; !kept[p]; p = path.Dir(p) {
			kept[p] = true
		}
	}
	var removed []string
	var clean func(dir string) error
	clean = func(dir string) error {
		entries, err := h.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, i := range entries {
			name := path.Join(dir, i.Path)
			rel := strings.TrimPrefix(strings.TrimPrefix(name, root), "/")
			switch {
			case inTree(keep, name):
			case kept[name]:
				if i.IsDir() {
					if err := clean(name); err != nil {
						return err
					}
				}
			case !chosen(rel, nil, exclude):
			case i.IsDir() && len(exclude) > 0 && anyExcluded(h, root, name, exclude):
				if err := clean(name); err != nil {
					return err
				}
			default:
				if err := h.RemoveAll(name); err != nil {
					return err
				}
				removed = append(removed, name)
			}
		}
		return nil
	}
	err := clean(root)
	slices.Sort(removed)
	return removed, err
}

func inTree(keep []keeper, name string) bool {
	return slices.ContainsFunc(keep, func(k keeper) bool {
		return k.tree && (name == k.path || strings.HasPrefix(name, k.path+"/"))
	})
}

// anyExcluded says whether something below the directory is to be left. Salt differs: it removes the directory with it.
func anyExcluded(h host.Reader, root, dir string, exclude []string) bool {
	found := false
	_ = walk(h, dir, nil, func(name string, _ bool) error {
		found = found || !chosen(strings.TrimPrefix(strings.TrimPrefix(name, root), "/"), nil, exclude)
		return nil
	})
	return found
}
