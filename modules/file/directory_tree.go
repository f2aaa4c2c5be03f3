package file

import (
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// most is how many paths of a tree are named whose owner or mode could not be set.
const most = 20

// keep gives the directory, and with recurse what is in it, owner and mode. The changes have every path with what
// differs, and besides, as Salt has it, what differed last without a path; the forecast has only the paths.
func (d *Directory) keep(h host.Host, p perms, e *state.Effect) error {
	e.Foretold = e.Changes.Copy()
	flat := value.NewDict(3)
	var failed []error
	one := func(name string, p perms) error {
		changed, before, err := d.keepOne(h, name, p)
		if changed.Len() > 0 {
			e.Foretold.SetStr(name, changed)
			addAll(flat, changed)
		}
		if name == d.path() {
			e.Properties = was(h, before, changed)
		}
		if len(state.Unkept(err)) == 0 {
			return err
		}
		if len(failed) < most {
			failed = append(failed, err)
		}
		return nil
	}
	if !d.ChildrenOnly { // Salt differs: it shows the directory as changed nevertheless
		if err := one(d.path(), p); err != nil {
			return err
		}
	}
	root := flat
	flat = value.NewDict(3)
	if len(d.Recurse) > 0 {
		if err := d.keepBelow(h, p, one); err != nil {
			return err
		}
	}
	if e.Foretold.Len() > 0 {
		if err := d.owned(); err != nil {
			return err
		}
	}
	if d.recurses("silent") {
		if e.Foretold.Len() > 0 {
			e.Changes = value.DictOf("recursion", value.Str("Changes silenced"))
			addAll(e.Changes, flat)
		}
		return errors.Join(failed...)
	}
	addAll(root, flat)
	flat = root
	addAll(e.Changes, e.Foretold)
	addAll(e.Changes, flat)
	return errors.Join(failed...)
}

// owned refuses to keep an owner that is not given. Where there is nothing to change, that is none of Salt's concern.
func (d *Directory) owned() error {
	const unowned = "%s not specified, but configured as a target for recursive ownership management"
	switch {
	case d.recurses("user") && !d.User.given():
		return fmt.Errorf(unowned, "user")
	case d.recurses("group") && !d.Group.given():
		return fmt.Errorf(unowned, "group")
	}
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
		case d.recurses("ignore_excluded") && excluded(d.path(), name, d.ExcludePat):
		case isDir && !d.recurses("ignore_dirs"):
			return one(name, dirs)
		case !isDir && !d.recurses("ignore_files"):
			return one(name, files)
		}
		return nil
	})
}

// keepOne enforces owner and mode of one path and gives what it changed, and what there was before.
func (d *Directory) keepOne(h host.Host, name string, p perms) (*value.Dict, host.Info, error) {
	changed := value.NewDict(3)
	target := name
	if d.FollowSymlinks {
		real, err := h.Follow(name)
		if err != nil {
			return changed, host.Info{}, err
		}
		target = real
	}
	i, err := h.Lstat(target)
	if isMissing(err) {
		return changed, i, nil
	}
	if err == nil {
		err = p.enforce(h, target, i, changed)
	}
	return changed, i, err
}

// walk goes through a tree, without what links lead to; a link to a directory counts as a directory. As with Salt a
// depth leaves out the directories that lie as deep or deeper, and no files.
func walk(h host.Reader, dir string, depth *int, visit func(name string, isDir bool) error) error {
	return descend(h, dir, 0, func(name string, dirLike bool, level int) (bool, error) {
		if dirLike && depth != nil && level >= *depth {
			return true, nil
		}
		return true, visit(name, dirLike)
	})
}

// descend visits what is in a directory, sorted by name, and then what is below those directories whose visit says so.
func descend(h host.Reader, dir string, level int,
	visit func(name string, dirLike bool, level int) (down bool, err error)) error {
	entries, err := h.ReadDir(dir)
	if err != nil {
		return err
	}
	var below []string
	for _, i := range entries {
		name := path.Join(dir, i.Path)
		down, err := visit(name, i.IsDir() || (i.IsSymlink() && isDir(h, name)), level)
		if err != nil {
			return err
		}
		if down && i.IsDir() {
			below = append(below, name)
		}
	}
	for _, name := range below {
		if err := descend(h, name, level+1, visit); err != nil {
			return err
		}
	}
	return nil
}

// clean removes what no required file state manages. Shown is, as by Salt, every path that is to go, and besides those
// that were removed one by one.
func (d *Directory) clean(env *modules.Env, h host.Host, e *state.Effect) error {
	keep := keepers(env, h, d.path())
	entry := value.DictOf("removed", value.Str("Removed due to clean"))
	kept := keptPaths(d.path(), keep)
	err := walk(h, d.path(), nil, func(name string, _ bool) error {
		// Salt differs: it also shows the directories above what is kept, at every run.
		if !kept[name] && !inTree(keep, name) && !excluded(d.path(), name, d.ExcludePat) {
			e.Foretold.SetStr(name, entry)
			if !d.recurses("silent") {
				e.Changes.SetStr(name, entry)
			}
		}
		return nil
	})
	if err != nil {
		return err
	}
	removed, err := cleanTree(h, d.path(), keep, d.ExcludePat)
	if len(removed) == 0 {
		return err
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
	if env.Low == nil || env.States == nil {
		return nil
	}
	var out []keeper
	for _, r := range env.Low.Reqs {
		if r.Kind != state.Require || r.To.Module != "file" {
			continue
		}
		for _, low := range env.States(r.To) {
			name := path.Clean(low.Name)
			switch {
			case !isDir(h, name):
				out = append(out, keeper{path: name})
			case name != dir && !strings.HasPrefix(name, strings.TrimRight(dir, "/")+"/"):
			case low.Func == "recurse":
				out = append(out, recursed(env, low)...)
			default:
				out = append(out, keeper{name, true})
			}
		}
	}
	return out
}

// recursed are the paths that a file.recurse manages.
func recursed(env *modules.Env, low *state.Low) []keeper {
	spec := recurseSpec()
	fn, _ := modules.Bind(&spec, low)
	r, ok := fn.(*Recurse)
	if !ok {
		return nil
	}
	source, err := r.choose(env)
	if err != nil {
		return nil
	}
	list, err := env.Files.List(source, envOf(env))
	if err != nil {
		return nil
	}
	return r.split(path.Clean(r.Name.String()), list).keep
}

// keptPaths are the directory, what is kept in it, and the directories between.
func keptPaths(root string, keep []keeper) map[string]bool {
	kept := map[string]bool{root: true}
	for _, k := range keep {
		for p := k.path; !kept[p]; p = path.Dir(p) {
			kept[p] = true
		}
	}
	return kept
}

func excluded(root, name string, exclude []string) bool {
	return !chosen(strings.TrimPrefix(strings.TrimPrefix(name, root), "/"), nil, exclude)
}

// cleanTree removes what is below root and neither kept, nor above or below something kept, nor excluded. As with Salt
// a directory that is not excluded goes with what is excluded in it, and an excluded one is looked into.
func cleanTree(h host.Host, root string, keep []keeper, exclude []string) ([]string, error) {
	kept := keptPaths(root, keep)
	var removed []string
	var clean func(dir string) error
	clean = func(dir string) error {
		entries, err := h.ReadDir(dir)
		if err != nil {
			return err
		}
		for _, i := range entries {
			name := path.Join(dir, i.Path)
			switch {
			case inTree(keep, name):
			case kept[name], excluded(root, name, exclude):
				if i.IsDir() {
					if err := clean(name); err != nil {
						return err
					}
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
