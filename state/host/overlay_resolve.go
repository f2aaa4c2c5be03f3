package host

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// A place is a directory without links, and the links that lead there.
type place struct {
	path  string
	links []string
}

// canon resolves the links of a path in the overlay. The caller holds the lock.
func (o *Overlay) canon(p string, follow bool) (string, error) {
	var at place
	var err error
	if known, ok := o.known(p); follow && ok {
		at = known
	} else {
		at, err = o.resolve(p, follow, maxLinks)
	}
	if t := o.tracker.Load(); t != nil {
		for _, l := range at.links {
			t.look("readlink", l)
		}
	}
	return at.path, err
}

// resolve is canon with at most so many links on the way. What is not there is taken as it is written; ".." stays at
// "/".
func (o *Overlay) resolve(p string, follow bool, links int) (place, error) {
	slash := strings.LastIndexByte(p, '/')
	if slash < 0 {
		return place{path: "/"}, nil
	}
	name := p[slash+1:]
	dir, err := o.directory(p[:slash], links)
	switch {
	case err != nil || name == "" || name == ".":
		return dir, err
	case name == "..":
		return place{parent(dir.path), dir.links}, nil
	}
	at := place{p, dir.links}
	if dir.path != p[:slash] {
		at.path = join(dir.path, name)
	}
	if !follow {
		return at, nil
	}
	target, err := o.readlink(at.path)
	switch {
	case err != nil:
		return at, nil
	case links == 0:
		return place{}, syscall.ELOOP
	}
	whole := target
	if !strings.HasPrefix(target, "/") {
		whole = join(dir.path, target)
	}
	end, err := o.resolve(whole, true, links-1)
	if err == nil {
		err = o.mayFollow(dir.path, at.path, target, end.path)
	}
	through := append(append([]string(nil), dir.links...), at.path)
	return place{end.path, append(through, end.links...)}, err
}

// mayFollow says whether the machine would go through a link, of which the end has no links.
func (o *Overlay) mayFollow(dir, link, target, end string) error {
	i, err := o.lstat(link)
	if err != nil || o.trusts(i.UID) {
		return err
	}
	i.Path = link
	to, err := o.lstat(end)
	for ; errors.Is(err, fs.ErrNotExist) && end != "/"; to, err = o.lstat(end) {
		end = parent(end)
	}
	if err != nil {
		return nil // that is told of what is there
	}
	return o.standing(dir).through(i, target, to, o.trusts)
}

// standing is that of a directory without links.
func (o *Overlay) standing(dir string) standing {
	i, _ := o.lstat(dir)
	if dir == "/" {
		return standing{o.trusts(i.UID), i}
	}
	return o.standing(parent(dir)).below(i, o.trusts)
}

// trusts says whether a user may lead the run anywhere, as OS.trusts.
func (o *Overlay) trusts(uid int) bool {
	if uid == 0 {
		return true
	}
	slash, err := o.base.Lstat("/")
	return uid == IdentityOf(o.base).UID || err == nil && o.Root() == "/" && uid == slash.UID
}

// directory resolves the path of a directory, and remembers where it leads until a link or a directory changes.
func (o *Overlay) directory(p string, links int) (place, error) {
	if at, ok := o.known(p); ok {
		return at, nil
	}
	at, err := o.resolve(p, true, links)
	if err != nil {
		return at, err
	}
	o.dirsMu.Lock()
	defer o.dirsMu.Unlock()
	if o.dirs == nil {
		o.dirs = map[string]place{}
	}
	o.dirs[p] = at
	return at, nil
}

// known is where a directory leads that was resolved before.
func (o *Overlay) known(p string) (place, bool) {
	o.dirsMu.Lock()
	defer o.dirsMu.Unlock()
	at, ok := o.dirs[p]
	return at, ok
}

// moved forgets where directories lead, after something that was or is a link or a directory changed.
func (o *Overlay) moved() {
	o.dirsMu.Lock()
	defer o.dirsMu.Unlock()
	clear(o.dirs)
}

// parent is the directory of a canonical path.
func parent(c string) string {
	if i := strings.LastIndexByte(c, '/'); i > 0 {
		return c[:i]
	}
	return "/"
}

func join(dir, name string) string {
	if dir == "/" {
		return dir + name
	}
	return dir + "/" + name
}

// readlink is the target of a link at a canonical path.
func (o *Overlay) readlink(c string) (string, error) {
	n, err := o.at(c)
	switch {
	case err != nil:
		return "", err
	case n == nil:
		return o.base.Readlink(c)
	case !n.info.IsSymlink():
		return "", syscall.EINVAL
	}
	return n.link, nil
}

// at is what the overlay holds of a canonical path: nil where the base is seen, an error where nothing is or nobody can
// tell.
func (o *Overlay) at(c string) (*node, error) {
	n, own := o.nodes[c], true
	for dir := c; n == nil && dir != "/"; own = false {
		dir = parent(dir)
		n = o.nodes[dir]
	}
	switch {
	case n == nil:
		return nil, nil
	case n.unknown != "":
		return nil, &Unknown{What: c, By: n.unknown}
	case n.removed:
		return nil, syscall.ENOENT
	case own:
		return n, nil
	case !n.info.IsDir():
		return nil, syscall.ENOTDIR
	case n.opaque:
		return nil, syscall.ENOENT
	}
	return nil, nil
}
