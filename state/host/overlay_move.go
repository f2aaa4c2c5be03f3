package host

import (
	"errors"
	"io/fs"
	"strings"
	"syscall"
)

// two is edit for what changes two paths. What is wrong on the way to the first one is told of that.
func (o *Overlay) two(op, oldpath, newpath string, fn func(from, to string) error) error {
	wrong := newpath
	err := o.edit(op, newpath, false, func(to string) error {
		from, err := o.first(oldpath)
		if err == nil && from != "/" {
			_, err = o.below(parent(from))
		}
		if err != nil {
			wrong = oldpath
			return err
		}
		return fn(from, to)
	})
	return pathError(op, wrong, err)
}

// first is the first path of a link or a renaming, which changes too.
func (o *Overlay) first(p string) (c string, err error) {
	if err = absolute(p); err == nil {
		c, err = o.canon(p, false)
	}
	if err == nil {
		o.tracker.Load().write(c)
	}
	return c, err
}

// Link makes a hard link: the two share content and attributes from then on.
func (o *Overlay) Link(oldpath, newpath string) error {
	return o.two("link", oldpath, newpath, func(from, c string) error {
		i, err := o.lstat(from)
		switch {
		case err != nil:
			return err
		case i.IsDir():
			return syscall.EPERM
		}
		if _, err := o.mustBeNew(c); err != nil {
			return err
		}
		if err := o.mayAlter(from); err != nil {
			return err
		}
		n, err := o.copyUp(from)
		if err == nil {
			n.info.Nlink++
			o.put(c, n)
		}
		return err
	})
}

// Rename moves a file or a tree.
func (o *Overlay) Rename(oldpath, newpath string) error {
	return o.two("rename", oldpath, newpath, func(from, to string) error {
		src, err := o.lstat(from)
		if err == nil {
			err = o.mayMove(from, to, src)
		}
		if err != nil || from == to {
			return err
		}
		o.moved()
		return o.move(from, to)
	})
}

// mayMove checks a renaming as the kernel does.
func (o *Overlay) mayMove(from, to string, src Info) error {
	if _, err := o.parentOf(to); err != nil {
		return err
	}
	switch {
	case from == "/" || to == "/":
		return syscall.EBUSY
	case src.IsDir() && strings.HasPrefix(to, from+"/"):
		return syscall.EINVAL
	}
	if err := o.mayRemove(from, src); err != nil {
		return err
	}
	if src.IsDir() && parent(from) != parent(to) { // its ".." changes
		if err := o.mayWrite(from, src); err != nil {
			return err
		}
	}
	dst, err := o.lstat(to)
	switch {
	case err != nil:
		return nil
	case dst.IsDir() && !src.IsDir():
		return syscall.EEXIST
	case !dst.IsDir() && src.IsDir():
		return syscall.ENOTDIR
	case dst.IsDir():
		if err := o.mustBeEmpty(to); err != nil {
			return err
		}
	}
	return o.mayRemove(to, dst)
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
			if err := o.move(join(from, b.Path), join(to, b.Path)); err != nil {
				return err
			}
		}
	}
	o.whiteOut(from)
	return nil
}

// whiteOut hides a path and forgets the nodes below it.
func (o *Overlay) whiteOut(c string) {
	o.dropBelow(c)
	o.put(c, &node{removed: true})
}

func (o *Overlay) dropBelow(c string) {
	for name := range o.children[c] {
		p := join(c, name)
		o.dropBelow(p)
		if n := o.nodes[p]; n.info.Nlink > 0 {
			n.info.Nlink--
		}
		delete(o.nodes, p)
	}
	delete(o.children, c)
}

// Remove removes one file or empty directory.
func (o *Overlay) Remove(p string) error {
	return o.edit("remove", p, false, func(c string) error {
		i, err := o.lstat(c)
		if err == nil {
			err = o.mayRemove(c, i)
		}
		if err == nil && i.IsDir() {
			err = o.mustBeEmpty(c)
		}
		if err == nil {
			err = o.unlinked(c, i)
		}
		if err == nil {
			o.whiteOut(c)
		}
		return err
	})
}

// RemoveAll removes a tree, also one of which nobody can tell what it is. The machine's "/" is refused.
func (o *Overlay) RemoveAll(p string) error {
	return o.edit("remove", p, false, func(c string) error {
		if c == "/" {
			return errors.New("that is the root of the machine")
		}
		i, err := o.lstat(c)
		if errors.Is(err, fs.ErrNotExist) {
			return nil
		}
		if err == nil {
			err = o.mayRemoveAll(c, i)
		}
		if err != nil && !IsUnknown(err) {
			return err
		}
		o.moved()
		if err := o.unlinked(c, i); err != nil {
			return err
		}
		o.whiteOut(c)
		return nil
	})
}
