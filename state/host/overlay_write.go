package host

import (
	"cmp"
	"io"
	"io/fs"
	"maps"
	"slices"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// edit runs fn on a canonical path under the lock and notes the write.
func (o *Overlay) edit(op, p string, follow bool, fn func(c string) error) error {
	err := absolute(p)
	if err == nil {
		err = o.change(op, p, follow, fn)
	}
	return o.noted(pathError(op, p, err))
}

func (o *Overlay) change(op, p string, follow bool, fn func(c string) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	c, err := o.canon(p, follow)
	if err != nil {
		return err
	}
	if len(c)-len(parent(c)) > unix.NAME_MAX+1 {
		return syscall.ENAMETOOLONG
	}
	o.tracker.Load().write(c)
	if err := fn(c); err != nil {
		return err
	}
	o.journal = append(o.journal, Entry{op, c})
	o.mark(c)
	return nil
}

// put sets the node of a path.
func (o *Overlay) put(c string, n *node) {
	if o.nodes == nil {
		o.nodes, o.children = map[string]*node{}, map[string]map[string]bool{}
		o.written.Store(true)
	}
	o.nodes[c] = n
	o.mark(c)
	if n.info.IsSymlink() {
		o.moved()
	}
	if c == "/" {
		return
	}
	dir := parent(c)
	if o.children[dir] == nil {
		o.children[dir] = map[string]bool{}
	}
	o.children[dir][c[strings.LastIndexByte(c, '/')+1:]] = true
}

// parentOf looks at a path's directory, which has to be there, and to be writable for who changes what is in it.
func (o *Overlay) parentOf(c string) (Info, error) {
	i, err := o.below(parent(c))
	if err != nil {
		return i, err
	}
	return i, o.mayWrite(parent(c), i)
}

// below is the directory that a path must be for anything to be below it.
func (o *Overlay) below(dir string) (Info, error) {
	i, err := o.lstat(dir)
	if err == nil && !i.IsDir() {
		err = syscall.ENOTDIR
	}
	return i, err
}

// copyUp gives the node of a path that exists, made from the base without reading its content.
func (o *Overlay) copyUp(c string) (*node, error) {
	n, err := o.at(c)
	if n != nil || err != nil {
		return n, err
	}
	i, err := o.base.Lstat(c)
	if err != nil {
		return nil, err
	}
	key := [2]uint64{i.Dev, i.Inode}
	if n := o.links[key]; n != nil { // the same file under another name
		o.put(c, n)
		return n, nil
	}
	n = &node{info: i, ref: c}
	if i.Nlink > 1 && !i.IsDir() {
		if o.links == nil {
			o.links = map[[2]uint64]*node{}
		}
		o.links[key] = n
	}
	if i.IsSymlink() {
		if n.link, err = o.base.Readlink(c); err != nil {
			return nil, err
		}
	}
	o.put(c, n)
	return n, nil
}

// fresh is the node of a new path in a directory.
func (o *Overlay) fresh(c string, mode fs.FileMode, a Attr, dir Info) (*node, error) {
	o.inodes++
	id, now := o.Identity(), time.Now()
	i := Info{Path: c, Mode: mode &^ ModeOf(id.Umask), MTime: now, ATime: now, CTime: now,
		Inode: 1<<62 + o.level()<<40 + o.inodes, Nlink: 1}
	if mode.Type() == fs.ModeSymlink {
		i.Mode = mode
	}
	if a.HasMode {
		i.Mode = mode.Type() | ModeOf(a.Mode)
	}
	i.UID, i.GID = id.UID, id.GID
	if dir.Mode&fs.ModeSetgid != 0 {
		i.GID = dir.GID
		if i.IsDir() && !a.HasMode {
			i.Mode |= fs.ModeSetgid
		}
	}
	if err := mayGive(id, i, a.UID, a.GID); err != nil {
		return nil, err
	}
	if a.UID >= 0 {
		i.UID = a.UID
	}
	if a.GID >= 0 {
		i.GID = a.GID
	}
	return &node{info: i, xattrs: map[string][]byte{}}, nil
}

// level is how many overlays are below, so that no two files have one number.
func (o *Overlay) level() uint64 {
	if o.under == nil {
		return 0
	}
	return o.under.level() + 1
}

// ModeOf are permission bits, as chmod(2) has them, in io/fs form.
func ModeOf(perm uint32) fs.FileMode {
	m := fs.FileMode(perm & 0o777)
	if perm&0o4000 != 0 {
		m |= fs.ModeSetuid
	}
	if perm&0o2000 != 0 {
		m |= fs.ModeSetgid
	}
	if perm&0o1000 != 0 {
		m |= fs.ModeSticky
	}
	return m
}

// WriteFile replaces or makes the file in memory. Of a Source it keeps a reference. What nobody could tell is known
// then.
func (o *Overlay) WriteFile(p string, r io.Reader, a Attr) error {
	if err := absolute(p); err != nil {
		return pathError("write", p, err)
	}
	content, size, err := contentOf(r)
	if err != nil {
		return pathError("write", p, err)
	}
	return o.edit("write", p, false, func(c string) error { return o.write(c, content, size, a) })
}

func (o *Overlay) write(c string, content content, size int64, a Attr) error {
	old, dir, err := o.replaceable(c)
	if err = cmp.Or(err, o.mayFill(parent(c))); err != nil { // what is new is renamed into its place
		return err
	}
	var kept map[string][]byte
	if old != nil && old.IsRegular() {
		if kept, err = o.xattrs(c); err != nil {
			return err
		}
		a = keepAttr(a, *old)
	}
	n, err := o.fresh(c, 0o666, a, dir)
	if err != nil {
		return err
	}
	n.content, n.info.Size = content, size
	if kept != nil {
		n.xattrs = kept
	}
	return o.replace(c, old, n)
}

// replaceable looks at what is where a file or a link is put, nil when there is nothing or nobody can tell, and at the
// directory.
func (o *Overlay) replaceable(c string) (old *Info, dir Info, err error) {
	if i, err := o.lstat(c); err == nil {
		old = &i
	}
	if old != nil && old.IsDir() {
		return old, dir, syscall.EISDIR
	}
	if dir, err = o.parentOf(c); err == nil && old != nil {
		err = cmp.Or(o.mayUnlink(c), o.sticky(*old, dir))
	}
	return old, dir, err
}

// replace puts a node in the place of what was there.
func (o *Overlay) replace(c string, old *Info, n *node) error {
	if old != nil {
		if err := o.unlinked(c, *old); err != nil {
			return err
		}
	}
	o.put(c, n)
	return nil
}

// unlinked notes that a file is to lose a name: its other names tell of it.
func (o *Overlay) unlinked(c string, i Info) error {
	if !i.IsRegular() {
		o.moved()
	}
	if i.Nlink < 2 || i.IsDir() {
		return nil
	}
	n, err := o.copyUp(c)
	if err == nil {
		n.info.Nlink--
	}
	return err
}

// keepAttr completes attributes by those of the file that is there.
func keepAttr(a Attr, old Info) Attr {
	if a.UID < 0 {
		a.UID = old.UID
	}
	if a.GID < 0 {
		a.GID = old.GID
	}
	if !a.HasMode {
		a.Mode, a.HasMode = old.Perm(), true
	}
	return a
}

// create makes something where nothing is.
func (o *Overlay) create(c string, mode fs.FileMode, a Attr, complete func(n *node)) error {
	dir, err := o.mustBeNew(c)
	if err != nil {
		return err
	}
	n, err := o.fresh(c, mode, a, dir)
	if err != nil {
		return err
	}
	complete(n)
	o.put(c, n)
	return nil
}

// mustBeNew looks at the directory of a path where nothing is.
func (o *Overlay) mustBeNew(c string) (dir Info, err error) {
	switch _, err := o.lstat(c); {
	case err == nil:
		return dir, syscall.EEXIST
	case IsUnknown(err):
		return dir, err
	}
	return o.parentOf(c)
}

// Mkdir makes one directory.
func (o *Overlay) Mkdir(p string, a Attr) error {
	return o.edit("mkdir", p, false, func(c string) error {
		return o.create(c, fs.ModeDir|0o777, a, func(n *node) { n.opaque = true })
	})
}

// Mknod makes a device, a fifo or a socket.
func (o *Overlay) Mknod(p string, mode fs.FileMode, major, minor uint32, a Attr) error {
	return o.edit("mknod", p, false, func(c string) error {
		if _, err := nodeType(mode); err != nil {
			return err
		}
		if _, err := o.mustBeNew(c); err == nil && mode&fs.ModeDevice != 0 && o.Identity().UID != 0 {
			return syscall.EPERM
		}
		return o.create(c, mode.Type()|0o666, a, func(n *node) { n.info.Rdev = mkdev(major, minor) })
	})
}

// Symlink makes or replaces a link.
func (o *Overlay) Symlink(target, p string) error {
	return o.edit("symlink", p, false, func(c string) error {
		old, dir, err := o.replaceable(c)
		switch {
		case err == syscall.EISDIR:
			return syscall.EEXIST
		case err != nil:
			return err
		}
		n, err := o.fresh(c, fs.ModeSymlink|0o777, KeepAttr(), dir)
		if err != nil {
			return err
		}
		n.link, n.info.Size = target, int64(len(target))
		return o.replace(c, old, n)
	})
}

// touch changes what is known of an existing path.
func (o *Overlay) touch(op, p string, follow bool, may func(id Identity, i Info) error, fn func(n *node)) error {
	return o.edit(op, p, follow, func(c string) error {
		i, err := o.lstat(c)
		if err == nil {
			err = cmp.Or(o.mayAlter(c), may(o.Identity(), i), o.oneName(c, i))
		}
		if err != nil {
			return err
		}
		n, err := o.copyUp(c)
		if err == nil {
			fn(n)
		}
		return err
	})
}

// Chmod sets the permission bits of what the path leads to.
func (o *Overlay) Chmod(p string, perm uint32) error {
	return o.touch("chmod", p, true, mustOwn, func(n *node) { n.info.Mode = n.info.Mode.Type() | ModeOf(perm) })
}

// Chown sets the owner of the path itself.
func (o *Overlay) Chown(p string, uid, gid int) error {
	may := func(id Identity, i Info) error { return mayGive(id, i, uid, gid) }
	defer o.moved()
	return o.touch("chown", p, false, may, func(n *node) {
		if uid >= 0 {
			n.info.UID = uid
		}
		if gid >= 0 {
			n.info.GID = gid
		}
		if n.info.IsRegular() {
			n.info.Mode &^= fs.ModeSetuid | fs.ModeSetgid
		}
	})
}

// Chtimes sets the times of what the path leads to.
func (o *Overlay) Chtimes(p string, atime, mtime time.Time) error {
	return o.touch("chtimes", p, true, mustOwn, func(n *node) { n.info.ATime, n.info.MTime = atime, mtime })
}

// editXattrs changes a copy of the path's attributes.
func (o *Overlay) editXattrs(op, p, name string, fn func(m map[string][]byte) error) error {
	return o.edit(op, p, false, func(c string) error {
		i, err := o.lstat(c)
		if err == nil {
			err = cmp.Or(o.mayAlter(c), maySetXattr(o.Identity(), i, name), o.oneName(c, i))
		}
		if err != nil {
			return err
		}
		m, err := o.xattrs(c)
		if m = maps.Clone(m); m == nil {
			m = map[string][]byte{}
		}
		if err == nil {
			err = fn(m)
		}
		if err != nil {
			return err
		}
		n, err := o.copyUp(c)
		if err == nil {
			n.xattrs = m
		}
		return err
	})
}

// SetXattr sets one extended attribute.
func (o *Overlay) SetXattr(p, name string, v []byte) error {
	return o.editXattrs("setxattr", p, name, func(m map[string][]byte) error { m[name] = slices.Clone(v); return nil })
}

// RemoveXattr removes one extended attribute.
func (o *Overlay) RemoveXattr(p, name string) error {
	return o.editXattrs("removexattr", p, name, func(m map[string][]byte) error {
		if _, ok := m[name]; !ok {
			return syscall.ENODATA
		}
		delete(m, name)
		return nil
	})
}
