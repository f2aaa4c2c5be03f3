package host

import (
	"errors"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
)

// quiet is an overlay as the base of another one: doubts are noted by the one that was asked.
type quiet struct{ *Overlay }

// direct says that there is nothing here but the base.
func (o *Overlay) direct() bool { return !o.written.Load() && o.tracker.Load() == nil }

// view runs fn on a canonical path under the read lock.
func (o *Overlay) view(op, p string, follow bool, fn func(c string) error) error {
	if err := absolute(p); err != nil {
		return pathError(op, p, err)
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	c, err := o.canon(p, follow)
	if err == nil {
		o.tracker.Load().look(op, c)
		err = fn(c)
	}
	return pathError(op, p, err)
}

func (o quiet) Lstat(p string) (i Info, err error) {
	if o.direct() {
		return o.base.Lstat(p)
	}
	err = o.view("lstat", p, false, func(c string) (err error) { i, err = o.lstat(c); return err })
	i.Path = p
	return i, err
}

func (o quiet) Stat(p string) (i Info, err error) {
	if o.direct() {
		return o.base.Stat(p)
	}
	err = o.view("stat", p, true, func(c string) (err error) { i, err = o.lstat(c); return err })
	i.Path = p
	return i, err
}

// lstat looks at a canonical path. The caller holds the lock.
func (o *Overlay) lstat(c string) (Info, error) {
	n, err := o.at(c)
	switch {
	case err != nil:
		return Info{}, err
	case n != nil:
		return n.info, nil
	}
	i, err := o.base.Lstat(c)
	if n := o.links[[2]uint64{i.Dev, i.Inode}]; n != nil && err == nil {
		return n.info, nil
	}
	return i, err
}

func (o quiet) ReadFile(p string) ([]byte, error) {
	if o.direct() {
		return o.base.ReadFile(p)
	}
	r, err := o.open("read", p)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	raw, err := ReadAll(r, MaxText)
	return raw, pathError("read", p, err)
}

func (o quiet) Open(p string) (io.ReadCloser, error) {
	if o.direct() {
		return read(baseFile{o.base, p})
	}
	return o.open("open", p)
}

func (o *Overlay) open(op, p string) (r io.ReadCloser, err error) {
	err = o.view(op, p, true, func(c string) error {
		n, err := o.at(c)
		if err != nil {
			return err
		}
		from, err := o.contentAt(c, n)
		if err == nil {
			r, err = read(from)
		}
		return err
	})
	return r, err
}

func (o *Overlay) contentAt(c string, n *node) (content, error) {
	switch {
	case n == nil:
		return baseFile{o.base, c}, nil
	case n.info.IsDir():
		return nil, syscall.EISDIR
	case n.info.Mode&fs.ModeNamedPipe != 0:
		return nil, errPipe
	case n.content != nil:
		return n.content, nil
	}
	return baseFile{o.base, n.ref}, nil
}

func (o quiet) ReadDir(p string) (infos []Info, err error) {
	if o.direct() {
		return o.base.ReadDir(p)
	}
	err = o.view("readdir", p, true, func(c string) (err error) { infos, err = o.readDir(c); return err })
	return infos, err
}

func (o *Overlay) readDir(c string) ([]Info, error) {
	n, err := o.at(c)
	switch {
	case err != nil:
		return nil, err
	case n != nil && !n.info.IsDir():
		return nil, syscall.ENOTDIR
	}
	var out []Info
	if n == nil || !n.opaque {
		if out, err = o.baseDir(c); err != nil {
			return nil, err
		}
	}
	for name := range o.children[c] {
		switch n := o.nodes[join(c, name)]; {
		case n.unknown != "": // nobody knows whether it is in the list
			err = &Unknown{What: join(c, name), By: n.unknown}
		case !n.removed:
			i := n.info
			i.Path = name
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b Info) int { return strings.Compare(a.Path, b.Path) })
	return out, err
}

// baseDir lists what of a directory of the base is seen.
func (o *Overlay) baseDir(c string) ([]Info, error) {
	below, err := o.base.ReadDir(c)
	own := o.children[c]
	out := slices.DeleteFunc(below, func(b Info) bool { return own[b.Path] })
	for k, b := range out {
		if n := o.links[[2]uint64{b.Dev, b.Inode}]; n != nil {
			out[k] = n.info
			out[k].Path = b.Path
		}
	}
	return out, err
}

func (o quiet) Readlink(p string) (target string, err error) {
	if o.direct() {
		return o.base.Readlink(p)
	}
	err = o.view("readlink", p, false, func(c string) (err error) { target, err = o.readlink(c); return err })
	return target, err
}

func (o quiet) Follow(p string) (string, error) {
	if o.direct() {
		return o.base.Follow(p)
	}
	return followed(p, func(p string) (target string, err error) {
		err = o.view("follow", p, false, func(c string) error {
			if target, err = o.readlink(c); errors.Is(err, syscall.EINVAL) {
				return nil
			}
			if err == nil {
				_, err = o.resolve(c, true, maxLinks) // whether it may be followed
			}
			return err
		})
		return target, err
	})
}

func (o quiet) Xattrs(p string) (m map[string][]byte, err error) {
	if o.direct() {
		return o.base.Xattrs(p)
	}
	err = o.view("xattrs", p, false, func(c string) (err error) { m, err = o.xattrs(c); return err })
	return m, err
}

func (o *Overlay) xattrs(c string) (map[string][]byte, error) {
	n, err := o.at(c)
	switch {
	case err != nil:
		return nil, err
	case n == nil:
		return o.base.Xattrs(c)
	case n.xattrs == nil && n.ref != "":
		return o.base.Xattrs(n.ref)
	}
	out := make(map[string][]byte, len(n.xattrs))
	for k, v := range n.xattrs {
		out[k] = slices.Clone(v)
	}
	return out, nil
}

func (o quiet) LookPath(name string) (string, error) {
	o.tracker.Load().command(name)
	if f, ok := o.facts.get(FactCommand, filepath.Base(name)); ok {
		switch p := f.Attrs["path"]; {
		case f.Value == "absent":
			return "", notFound(name)
		case f.Value == "unknown":
			return "", &Unknown{What: name, By: o.promisedBy(FactCommand, filepath.Base(name))}
		case p != "":
			return p, nil
		}
		return filepath.Join("/usr/bin", filepath.Base(name)), nil
	}
	found, err := o.base.LookPath(name)
	if o.written.Load() && (err != nil || !o.executable(found)) {
		return search(name, standardPath[:], o.executable)
	}
	return found, err
}

func (o quiet) executable(p string) bool {
	i, err := o.Stat(p)
	return err == nil && i.IsRegular() && i.Perm()&0o111 != 0
}
