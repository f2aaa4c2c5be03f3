package host

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"
	"syscall"
	"time"
)

// content is a file of the overlay that is being read. It can seek, as an os.File can.
type content struct{ *bytes.Reader }

func newContent(b []byte) content { return content{bytes.NewReader(b)} }

func (content) Close() error { return nil }

// edit runs fn on a canonical path under the lock and notes the write.
func (o *Overlay) edit(op, p string, follow bool, fn func(c string) error) error {
	o.mu.Lock()
	defer o.mu.Unlock()
	c, err := "", absolute(p)
	if err == nil {
		c, err = o.canon(p, follow)
	}
	if err == nil {
		o.tracker.Load().write(c)
		err = fn(c)
	}
	if err == nil {
		o.journal = append(o.journal, Entry{op, c})
	}
	return pathError(op, p, err)
}

// put sets the node of a path.
func (o *Overlay) put(c string, n *node) {
	o.nodes[c] = n
	dir, name := path.Split(c)
	if dir = path.Clean(dir); name != "" {
		if o.children[dir] == nil {
			o.children[dir] = map[string]bool{}
		}
		o.children[dir][name] = true
	}
}

// parentOf checks that a path's directory is there.
func (o *Overlay) parentOf(c string) error {
	i, err := o.lstat(path.Dir(c))
	switch {
	case err != nil:
		return err
	case !i.IsDir():
		return syscall.ENOTDIR
	}
	return nil
}

// copyUp gives the node of a path that exists, made from the base without reading its content.
func (o *Overlay) copyUp(c string) (*node, error) {
	if n := o.nodes[c]; n != nil && !n.removed {
		return n, nil
	}
	i, err := o.lstat(c)
	if err != nil {
		return nil, err
	}
	key := [2]uint64{i.Dev, i.Inode}
	if n := o.links[key]; n != nil { // the same file under another name
		o.put(c, n)
		return n, nil
	}
	n := &node{info: i, ref: c}
	if i.Nlink > 1 && !i.IsDir() {
		o.links[key] = n
	}
	if i.IsSymlink() {
		if n.link, err = o.readlink(c); err != nil {
			return nil, err
		}
	}
	o.put(c, n)
	return n, nil
}

// fresh is the node of a new path.
func (o *Overlay) fresh(c string, mode fs.FileMode, a Attr) *node {
	o.inodes++
	now := o.now()
	i := Info{Path: c, Mode: mode, MTime: now, ATime: now, CTime: now, Inode: 1<<62 + o.inodes, Nlink: 1}
	if a.HasMode {
		i.Mode = mode.Type() | ModeOf(a.Mode)
	}
	i.UID, i.GID = o.id.UID, o.id.GID
	if dir, err := o.lstat(path.Dir(c)); err == nil && dir.Mode&fs.ModeSetgid != 0 {
		i.GID = dir.GID
		if i.IsDir() && !a.HasMode {
			i.Mode |= fs.ModeSetgid
		}
	}
	if a.UID >= 0 {
		i.UID = a.UID
	}
	if a.GID >= 0 {
		i.GID = a.GID
	}
	return &node{info: i, xattrs: map[string][]byte{}}
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

// WriteFile replaces or makes the file in memory.
func (o *Overlay) WriteFile(p string, r io.Reader, a Attr) error {
	data, err := io.ReadAll(r)
	if err != nil {
		return pathError("write", p, err)
	}
	return o.edit("write", p, false, func(c string) error {
		if err := o.parentOf(c); err != nil {
			return err
		}
		old, err := o.lstat(c)
		if err == nil && old.IsDir() {
			return syscall.EISDIR
		}
		n := o.fresh(c, ModeOf(0o666&^o.id.Umask), a)
		if err == nil && old.IsRegular() {
			if n.xattrs, err = o.xattrs(c); err != nil {
				return err
			}
			keepOwner(&n.info, old, a)
		}
		n.data, n.info.Size = data, int64(len(data))
		o.put(c, n)
		return nil
	})
}

func keepOwner(i *Info, old Info, a Attr) {
	if a.UID < 0 {
		i.UID = old.UID
	}
	if a.GID < 0 {
		i.GID = old.GID
	}
	if !a.HasMode {
		i.Mode = old.Mode
	}
}

// Mkdir makes one directory.
func (o *Overlay) Mkdir(p string, a Attr) error {
	return o.edit("mkdir", p, false, func(c string) error {
		if err := o.mustBeNew(c); err != nil {
			return err
		}
		n := o.fresh(c, fs.ModeDir|ModeOf(0o777&^o.id.Umask), a)
		n.opaque = true
		o.put(c, n)
		return nil
	})
}

func (o *Overlay) mustBeNew(c string) error {
	if _, err := o.lstat(c); err == nil {
		return syscall.EEXIST
	}
	return o.parentOf(c)
}

// Symlink makes or replaces a link.
func (o *Overlay) Symlink(target, p string) error {
	return o.edit("symlink", p, false, func(c string) error {
		if err := o.parentOf(c); err != nil {
			return err
		}
		if i, err := o.lstat(c); err == nil && i.IsDir() {
			return syscall.EEXIST
		}
		n := o.fresh(c, fs.ModeSymlink|0o777, KeepAttr())
		n.link, n.info.Size = target, int64(len(target))
		o.put(c, n)
		return nil
	})
}

// source is the first path of a link or a renaming, whose count of links or place changes too.
func (o *Overlay) source(p string) (c string, err error) {
	if err = absolute(p); err == nil {
		c, err = o.canon(p, false)
	}
	if err == nil {
		o.tracker.Load().write(c)
	}
	return c, err
}

// Link makes a hard link: the two share content and attributes as they are now.
func (o *Overlay) Link(oldpath, newpath string) error {
	return o.edit("link", newpath, false, func(c string) error {
		from, err := o.source(oldpath)
		if err != nil {
			return err
		}
		n, err := o.copyUp(from)
		switch {
		case err != nil:
			return err
		case n.info.IsDir():
			return syscall.EPERM
		}
		if err := o.mustBeNew(c); err != nil {
			return err
		}
		n.info.Nlink++
		o.put(c, n)
		return nil
	})
}

// Rename moves a file or a tree.
func (o *Overlay) Rename(oldpath, newpath string) error {
	return o.edit("rename", newpath, false, func(to string) error {
		from, err := o.source(oldpath)
		if err != nil {
			return err
		}
		src, err := o.lstat(from)
		if err != nil {
			return err
		}
		if err := o.parentOf(to); err != nil {
			return err
		}
		if src.IsDir() && strings.HasPrefix(to, from+"/") {
			return syscall.EINVAL
		}
		if err := o.mayReplace(src, to); err != nil || from == to {
			return err
		}
		return o.move(from, to)
	})
}

func (o *Overlay) mayReplace(src Info, to string) error {
	dst, err := o.lstat(to)
	switch {
	case err != nil:
		return nil
	case dst.IsDir() && !src.IsDir():
		return syscall.EEXIST
	case !dst.IsDir() && src.IsDir():
		return syscall.ENOTDIR
	case dst.IsDir():
		return o.mustBeEmpty(to)
	}
	return nil
}

func (o *Overlay) mustBeEmpty(c string) error {
	below, err := o.readDir(c)
	if err == nil && len(below) > 0 {
		return syscall.ENOTEMPTY
	}
	return err
}

// move copies the tree's nodes to the new place, with their content still in the base, and hides the old one.
func (o *Overlay) move(from, to string) error {
	n, err := o.copyUp(from)
	if err != nil {
		return err
	}
	moved := *n
	o.put(to, &moved)
	if n.info.IsDir() {
		below, err := o.readDir(from)
		if err != nil {
			return err
		}
		moved.opaque = true
		for _, b := range below {
			if err := o.move(path.Join(from, b.Path), path.Join(to, b.Path)); err != nil {
				return err
			}
		}
	}
	o.whiteOut(from)
	return nil
}

// whiteOut hides a path and forgets the nodes below it.
func (o *Overlay) whiteOut(c string) {
	for name := range o.children[c] {
		p := path.Join(c, name)
		o.whiteOut(p)
		delete(o.nodes, p)
	}
	delete(o.children, c)
	if n := o.nodes[c]; n != nil && n.info.Nlink > 0 {
		n.info.Nlink--
	}
	o.put(c, &node{removed: true})
}

// Remove removes one file or empty directory.
func (o *Overlay) Remove(p string) error {
	return o.edit("remove", p, false, func(c string) error {
		i, err := o.lstat(c)
		if err == nil && i.IsDir() {
			err = o.mustBeEmpty(c)
		}
		if err == nil {
			o.whiteOut(c)
		}
		return err
	})
}

// RemoveAll removes a tree. The machine's "/" is refused.
func (o *Overlay) RemoveAll(p string) error {
	return o.edit("remove", p, false, func(c string) error {
		if c == "/" {
			return errors.New("that is the root of the machine")
		}
		if _, err := o.lstat(c); err == nil {
			o.whiteOut(c)
		}
		return nil
	})
}

// touch changes what is known of an existing path.
func (o *Overlay) touch(op, p string, follow bool, fn func(n *node) error) error {
	return o.edit(op, p, follow, func(c string) error {
		n, err := o.copyUp(c)
		if err != nil {
			return err
		}
		return fn(n)
	})
}

// Chmod sets the permission bits of what the path leads to.
func (o *Overlay) Chmod(p string, perm uint32) error {
	return o.touch("chmod", p, true, func(n *node) error {
		n.info.Mode = n.info.Mode.Type() | ModeOf(perm)
		return nil
	})
}

// Chown sets the owner of the path itself.
func (o *Overlay) Chown(p string, uid, gid int) error {
	return o.touch("chown", p, false, func(n *node) error {
		if uid >= 0 {
			n.info.UID = uid
		}
		if gid >= 0 {
			n.info.GID = gid
		}
		if n.info.IsRegular() {
			n.info.Mode &^= fs.ModeSetuid | fs.ModeSetgid
		}
		return nil
	})
}

// Chtimes sets the times of what the path leads to.
func (o *Overlay) Chtimes(p string, atime, mtime time.Time) error {
	return o.touch("chtimes", p, true, func(n *node) error { n.info.ATime, n.info.MTime = atime, mtime; return nil })
}

// editXattrs changes a copy of the path's attributes.
func (o *Overlay) editXattrs(op, p string, fn func(m map[string][]byte) error) error {
	return o.edit(op, p, false, func(c string) error {
		n, err := o.copyUp(c)
		if err != nil {
			return err
		}
		m, err := o.xattrs(c)
		if err != nil {
			return err
		}
		if m = maps.Clone(m); m == nil {
			m = map[string][]byte{}
		}
		n.xattrs = m
		return fn(m)
	})
}

// SetXattr sets one extended attribute.
func (o *Overlay) SetXattr(p, name string, v []byte) error {
	return o.editXattrs("setxattr", p, func(m map[string][]byte) error { m[name] = slices.Clone(v); return nil })
}

// RemoveXattr removes one extended attribute.
func (o *Overlay) RemoveXattr(p, name string) error {
	return o.editXattrs("removexattr", p, func(m map[string][]byte) error {
		if _, ok := m[name]; !ok {
			return syscall.ENODATA
		}
		delete(m, name)
		return nil
	})
}

// Mknod makes a device, a fifo or a socket.
func (o *Overlay) Mknod(p string, mode fs.FileMode, major, minor uint32, a Attr) error {
	return o.edit("mknod", p, false, func(c string) error {
		if _, err := nodeType(mode); err != nil {
			return err
		}
		if err := o.mustBeNew(c); err != nil {
			return err
		}
		n := o.fresh(c, mode.Type()|ModeOf(0o666&^o.id.Umask), a)
		n.info.Rdev = mkdev(major, minor)
		o.put(c, n)
		return nil
	})
}
