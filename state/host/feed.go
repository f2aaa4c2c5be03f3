package host

import (
	"bytes"
	"context"
	"io"
	"maps"
	"slices"
	"strings"

	"golang.org/x/sys/unix"
)

// A Runner runs the users' commands of a preview where they see what the overlay holds and cannot write to the machine.
type Runner interface {
	RunIn(ctx context.Context, o *Overlay, c Cmd) (*Output, error)
}

// SetRunner says who runs users' commands; without one they run on the base as they are.
func (o *Overlay) SetRunner(r Runner) { o.runner = r }

// A Change is what an overlay holds of one path, for a tree that is to be brought to it.
type Change struct {
	Info    Info // of what is there; Info.Path is the path
	Removed bool // nothing is there any more
	// what is at the path stays, with the owner, mode, attributes and times of Info; else it is made anew
	Kept    bool
	Same    string            // another path of the same file, which came before
	Target  string            // of a symbolic link
	Content []byte            // of a file
	Xattrs  map[string][]byte // to be set
}

// A feed is what an overlay has told of its changes. It belongs to the overlay and is guarded by its lock.
type feed struct {
	dirty map[string]bool  // paths that changed since
	sent  map[string]*node // what was told of each path
}

// Changes are the changes since the last call; all of them at the first call, and when asked for them anew. Directories
// come before what is in them. A path of which nobody can tell what it will be is left as the base has it.
func (o *Overlay) Changes(anew bool) ([]Change, error) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.feed == nil || anew {
		o.feed = &feed{dirty: map[string]bool{}, sent: map[string]*node{}}
		for p := range o.nodes {
			o.feed.dirty[p] = true
		}
	}
	paths := slices.Sorted(maps.Keys(o.feed.dirty))
	clear(o.feed.dirty)
	var out []Change
	for _, p := range paths {
		n := o.nodes[p]
		if n == nil || n.unknown != "" || !o.told(p) {
			continue // it went with a directory above, or cannot be told
		}
		c, err := o.tell(p, n)
		if err != nil {
			return nil, err
		}
		o.feed.sent[p] = n
		out = append(out, c)
	}
	return out, nil
}

// told says whether the directory of a path is there as far as anybody can tell.
func (o *Overlay) told(p string) bool {
	for p != "/" {
		p = parent(p)
		if n := o.nodes[p]; n != nil {
			return n.unknown == ""
		}
	}
	return true
}

func (o *Overlay) tell(p string, n *node) (c Change, err error) {
	c = Change{Info: n.info, Removed: n.removed, Target: n.link, Xattrs: n.xattrs, Kept: n.ref == p && n.content == nil ||
		o.feed.sent[p] == n}
	c.Info.Path = p
	if n.removed || c.Kept || !n.info.IsRegular() {
		return c, nil
	}
	if n.info.Nlink > 1 {
		if c.Same = o.sameAs(p, n); c.Same != "" {
			return c, nil
		}
	}
	from := n.content
	if from == nil {
		from = baseFile{o.base, n.ref}
	}
	r, err := from.Open()
	if err != nil {
		return c, err
	}
	defer r.Close()
	c.Content, err = io.ReadAll(r)
	return c, err
}

// sameAs is a path of the same node that was told before this one.
func (o *Overlay) sameAs(p string, n *node) string {
	var found []string
	for q, other := range o.feed.sent {
		if other == n && q != p {
			found = append(found, q)
		}
	}
	if len(found) == 0 {
		return ""
	}
	return slices.MinFunc(found, strings.Compare)
}

// mark notes that a path changed.
func (o *Overlay) mark(c string) {
	if o.feed != nil {
		o.feed.dirty[c] = true
	}
}

// Apply brings a host to the changes, in their order.
func Apply(h Host, changes []Change) error {
	for _, c := range changes {
		if err := c.apply(h); err != nil {
			return err
		}
	}
	return nil
}

func (c *Change) apply(h Host) error {
	if c.Removed {
		return h.RemoveAll(c.Info.Path)
	}
	if !c.Kept {
		if err := c.make(h); err != nil || c.Same != "" {
			return err
		}
	}
	return c.dress(h)
}

// make makes what is at the path, whatever was there.
func (c *Change) make(h Host) error {
	p, i := c.Info.Path, c.Info
	if err := h.RemoveAll(p); err != nil {
		return err
	}
	switch a := KeepAttr(); {
	case c.Same != "":
		return h.Link(c.Same, p)
	case i.IsSymlink():
		return h.Symlink(c.Target, p)
	case i.IsDir():
		return h.Mkdir(p, a)
	case i.IsRegular():
		return h.WriteFile(p, bytes.NewReader(c.Content), a)
	default:
		return h.Mknod(p, i.Mode, unix.Major(i.Rdev), unix.Minor(i.Rdev), a)
	}
}

// dress gives what is at the path its owner, mode, attributes and times.
func (c *Change) dress(h Host) error {
	p, i := c.Info.Path, c.Info
	old, err := h.Lstat(p)
	if err == nil && (old.UID != i.UID || old.GID != i.GID) {
		err = h.Chown(p, i.UID, i.GID)
	}
	if err != nil || i.IsSymlink() {
		return err
	}
	if err = h.Chmod(p, i.Perm()); err != nil {
		return err
	}
	for _, name := range slices.Sorted(maps.Keys(c.Xattrs)) {
		if err := h.SetXattr(p, name, c.Xattrs[name]); err != nil {
			return err
		}
	}
	return h.Chtimes(p, i.ATime, i.MTime)
}
