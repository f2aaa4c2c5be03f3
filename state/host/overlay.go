package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"syscall"
	"time"
)

// ErrPreview is what a command that may write gives in test mode.
var ErrPreview = errors.New("test mode runs no command that may change the machine")

// Overlay is a machine as it would be: reads fall through to the base, writes stay in memory. Its base is never written.
type Overlay struct {
	base    Reader
	facts   *facts
	id      Identity
	now     func() time.Time
	preview bool
	tracker atomic.Pointer[tracker] // notes what is asked and told; nil when nobody wants to know

	doubtMu sync.Mutex
	doubt   *Unknown // guarded by doubtMu

	mu       sync.RWMutex // guards all below
	nodes    map[string]*node
	children map[string]map[string]bool // names of the nodes in a directory
	links    map[[2]uint64]*node        // of files of the base with several names, by device and inode
	journal  []Entry
	inodes   uint64
	acting   string // the state that acts
	loose    string // the first state that may have changed anything
	brings   string // the first state that installs packages, with commands, files and users that nobody can tell
}

// An Entry is one write, in the order in which they came.
type Entry struct{ Op, Path string }

// A node is what the overlay holds of one path. Paths of nodes have no links in their parents.
type node struct {
	info    Info
	removed bool   // nothing is here, nor below, whatever the base has
	opaque  bool   // a directory that hides the base's
	ref     string // the content is that of the base's file; "" when it is data
	data    []byte
	link    string
	unknown string            // the state that settles what is here, "" when it is known
	xattrs  map[string][]byte // nil: those of ref
}

var _ Host = (*Overlay)(nil)

// NewOverlay makes an overlay on the base.
func NewOverlay(base Reader) *Overlay {
	return &Overlay{base: base, facts: newFacts(), id: IdentityOf(base), now: time.Now, preview: true, nodes: map[string]*node{},
		children: map[string]map[string]bool{}, links: map[[2]uint64]*node{}}
}

// Forecast makes an overlay for one look at what a state would do: it is test mode only if the base is.
func Forecast(base Reader) *Overlay {
	o := NewOverlay(base)
	o.preview = base.Preview()
	return o
}

// Identity is that of the base.
func (o *Overlay) Identity() Identity { return o.id }

// Root is the root of the base.
func (o *Overlay) Root() string { return o.base.Root() }

// Preview says whether this is test mode, where nothing that is written lasts.
func (o *Overlay) Preview() bool { return o.preview }

// Journal are the writes so far.
func (o *Overlay) Journal() []Entry {
	o.mu.RLock()
	defer o.mu.RUnlock()
	return slices.Clone(o.journal)
}

// canon resolves the links of a path in the overlay. The caller holds the lock.
func (o *Overlay) canon(p string, follow bool) (string, error) {
	t := o.tracker.Load()
	return resolve(p, follow, func(q string) (string, bool) {
		target, err := o.readlink(q)
		if err == nil {
			t.look("readlink", q)
		}
		return target, err == nil
	})
}

func (o *Overlay) readlink(p string) (string, error) {
	if n := o.nodes[p]; n != nil {
		if n.removed || !n.info.IsSymlink() {
			return "", syscall.EINVAL
		}
		return n.link, nil
	}
	if !o.visible(p) {
		return "", fs.ErrNotExist
	}
	return o.base.Readlink(p)
}

// visible says whether the base is seen at the path, which has no node.
func (o *Overlay) visible(p string) bool {
	for p != "/" {
		p = path.Dir(p)
		if n := o.nodes[p]; n != nil {
			return !n.removed && !n.opaque && n.info.IsDir()
		}
	}
	return true
}

// unknownAbove is the state that settles what is in a directory above, "" when that is known.
func (o *Overlay) unknownAbove(p string) string {
	for p != "/" {
		p = path.Dir(p)
		if n := o.nodes[p]; n != nil {
			return n.unknown
		}
	}
	return ""
}

// lstat looks at a canonical path. The caller holds the lock.
func (o *Overlay) lstat(p string) (Info, error) {
	if n := o.nodes[p]; n != nil {
		switch {
		case n.unknown != "":
			return Info{}, o.unsure(p, n.unknown)
		case n.removed:
			return Info{}, syscall.ENOENT
		}
		return n.info, nil
	}
	if by := o.unknownAbove(p); by != "" {
		return Info{}, o.unsure(p, by)
	}
	if !o.visible(p) {
		return Info{}, o.missing(p)
	}
	i, err := o.base.Lstat(p)
	if n := o.links[[2]uint64{i.Dev, i.Inode}]; n != nil && err == nil {
		return n.info, nil
	}
	return i, err
}

// missing tells a path below nothing from one below a file.
func (o *Overlay) missing(p string) error {
	if i, err := o.lstat(path.Dir(p)); err == nil && !i.IsDir() {
		return syscall.ENOTDIR
	}
	return syscall.ENOENT
}

// view runs fn on a canonical path under the read lock.
func (o *Overlay) view(op, p string, follow bool, fn func(c string) error) error {
	o.mu.RLock()
	defer o.mu.RUnlock()
	c, t, err := p, o.tracker.Load(), absolute(p)
	if err == nil && (len(o.nodes) > 0 || t != nil) {
		c, err = o.canon(p, follow)
	}
	if err == nil {
		t.look(op, c)
		err = fn(c)
	}
	return pathError(op, p, err)
}

// Lstat looks at the path itself.
func (o *Overlay) Lstat(p string) (i Info, err error) {
	err = o.view("lstat", p, false, func(c string) (err error) { i, err = o.lstat(c); return err })
	i.Path = p
	return i, err
}

// Stat looks at what the path leads to.
func (o *Overlay) Stat(p string) (i Info, err error) {
	err = o.view("stat", p, true, func(c string) (err error) {
		if len(o.nodes) == 0 {
			i, err = o.base.Stat(c)
			return err
		}
		i, err = o.lstat(c)
		return err
	})
	i.Path = p
	return i, err
}

// ReadFile reads the whole file.
func (o *Overlay) ReadFile(p string) ([]byte, error) {
	r, err := o.open("read", p)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	return io.ReadAll(r)
}

// Open opens the file for reading.
func (o *Overlay) Open(p string) (io.ReadCloser, error) { return o.open("open", p) }

func (o *Overlay) open(op, p string) (r io.ReadCloser, err error) {
	err = o.view(op, p, true, func(c string) (err error) { r, err = o.openCanonical(c); return err })
	return r, err
}

func (o *Overlay) openCanonical(c string) (io.ReadCloser, error) {
	n := o.nodes[c]
	switch {
	case n == nil:
		if by := o.unknownAbove(c); by != "" {
			return nil, o.unsure(c, by)
		}
		if !o.visible(c) {
			return nil, o.missing(c)
		}
		return o.base.Open(c)
	case n.unknown != "":
		return nil, o.unsure(c, n.unknown)
	case n.removed:
		return nil, syscall.ENOENT
	case n.info.IsDir():
		return nil, syscall.EISDIR
	case n.info.Mode&fs.ModeNamedPipe != 0:
		return nil, errPipe
	case n.ref != "":
		return o.base.Open(n.ref)
	}
	return newContent(n.data), nil
}

// ReadDir lists the directory as it would be, sorted by name.
func (o *Overlay) ReadDir(p string) (infos []Info, err error) {
	err = o.view("readdir", p, true, func(c string) (err error) { infos, err = o.readDir(c); return err })
	return infos, err
}

func (o *Overlay) readDir(c string) ([]Info, error) {
	if len(o.nodes) == 0 {
		return o.base.ReadDir(c)
	}
	i, err := o.lstat(c)
	switch {
	case err != nil:
		return nil, err
	case !i.IsDir():
		return nil, syscall.ENOTDIR
	}
	var out []Info
	own := o.children[c]
	if n := o.nodes[c]; n == nil || !n.opaque {
		below, err := o.base.ReadDir(c)
		if err != nil && len(own) == 0 {
			return nil, err
		}
		for _, b := range below {
			if own[b.Path] {
				continue
			}
			if n := o.links[[2]uint64{b.Dev, b.Inode}]; n != nil {
				name := b.Path
				b = n.info
				b.Path = name
			}
			out = append(out, b)
		}
	}
	for name := range own {
		if n := o.nodes[path.Join(c, name)]; n != nil && !n.removed {
			i := n.info
			i.Path = name
			out = append(out, i)
		}
	}
	slices.SortFunc(out, func(a, b Info) int {
		if a.Path < b.Path {
			return -1
		}
		return 1
	})
	return out, nil
}

// Readlink is the target of a symbolic link, as it is written.
func (o *Overlay) Readlink(p string) (target string, err error) {
	err = o.view("readlink", p, false, func(c string) (err error) {
		if len(o.nodes) == 0 {
			target, err = o.base.Readlink(c)
			return err
		}
		if _, err := o.lstat(c); err != nil {
			return err
		}
		target, err = o.readlink(c)
		return err
	})
	return target, err
}

// Xattrs are the extended attributes of the path itself.
func (o *Overlay) Xattrs(p string) (m map[string][]byte, err error) {
	err = o.view("xattrs", p, false, func(c string) (err error) {
		if _, err := o.lstat(c); err != nil {
			return err
		}
		m, err = o.xattrs(c)
		return err
	})
	return m, err
}

func (o *Overlay) xattrs(c string) (map[string][]byte, error) {
	n := o.nodes[c]
	switch {
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

// Fact is what an earlier state promised, here or on the base.
func (o *Overlay) Fact(kind Kind, name string) (Fact, bool) {
	o.tracker.Load().ask(kind, name)
	if f, ok := o.facts.get(kind, name); ok {
		return f, true
	}
	return o.base.Fact(kind, name)
}

// Facts are all promises of a kind, those on the base first.
func (o *Overlay) Facts(kind Kind) []Fact {
	base := slices.DeleteFunc(o.base.Facts(kind), func(f Fact) bool { _, ok := o.facts.get(kind, f.Name); return ok })
	return append(base, o.facts.of(kind)...)
}

// Promised are the facts that were promised here, in the order of the last promise.
func (o *Overlay) Promised() []Fact { return o.facts.all() }

// Promise notes what later states may rely on.
func (o *Overlay) Promise(fs ...Fact) {
	o.tracker.Load().promise(fs)
	o.facts.add(fs)
	for _, f := range fs {
		switch {
		case f.Kind == FactPath:
			o.forget(f.Name)
		case f.Kind == FactCommand && f.Name == "*":
			o.bring()
		}
	}
}

// bring notes that the acting state installs packages.
func (o *Overlay) bring() {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.brings == "" {
		o.brings = o.acting
	}
}

// forget makes it unknown what is at a path and below.
func (o *Overlay) forget(p string) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if absolute(p) != nil {
		return
	}
	c, err := o.canon(p, true)
	if err != nil {
		return
	}
	o.tracker.Load().write(c)
	o.whiteOut(c)
	o.nodes[c].removed, o.nodes[c].unknown = false, o.acting
	if o.acting == "" {
		o.nodes[c].unknown = "an earlier state"
	}
}

// Invalidate does nothing: no command changes the base.
func (o *Overlay) Invalidate(string) {}

// LookPath finds a command, one that was promised or written too.
func (o *Overlay) LookPath(name string) (string, error) {
	o.tracker.Load().command(name)
	if f, ok := o.facts.get(FactCommand, filepath.Base(name)); ok {
		if f.Value == "absent" {
			return "", fmt.Errorf("%s: %w", name, fs.ErrNotExist)
		}
		if p := f.Attrs["path"]; p != "" {
			return p, nil
		}
		return filepath.Join("/usr/bin", filepath.Base(name)), nil
	}
	if found, err := o.base.LookPath(name); err == nil {
		return found, nil
	}
	for _, dir := range standardPath {
		p := name
		if !path.IsAbs(name) {
			p = path.Join(dir, name)
		}
		if i, err := o.Stat(p); err == nil && i.IsRegular() && i.Perm()&0o111 != 0 {
			return p, nil
		}
	}
	return "", fmt.Errorf("%s: %w", name, fs.ErrNotExist)
}

// Query runs a command that only looks, on the base: it does not see what the overlay holds.
func (o *Overlay) Query(ctx context.Context, c Cmd) (*Output, error) {
	o.tracker.Load().query()
	return o.base.Query(ctx, c)
}

// Do foretells the deed.
func (o *Overlay) Do(_ context.Context, d Deed) error {
	o.tracker.Load().deed(d.On)
	if d.Foretell == nil {
		return fmt.Errorf("%s: %w", d.What, ErrPreview)
	}
	if d.On == Anything || d.On == FactPackage { // a package brings users, directories, commands: nobody knows which
		o.mu.Lock()
		if o.loose == "" {
			o.loose = o.acting
		}
		o.mu.Unlock()
	}
	return d.Foretell(o)
}

// Run refuses, unless the command only looks.
func (o *Overlay) Run(ctx context.Context, c Cmd) (*Output, error) {
	if c.Reads {
		return o.Query(ctx, c)
	}
	return nil, ErrPreview
}

// Dial connects to a socket of the base.
func (o *Overlay) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	o.tracker.Load().query()
	return o.base.Dial(ctx, network, address)
}
