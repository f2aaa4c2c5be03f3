package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"sync"
	"sync/atomic"
)

// ErrPreview is what a command that may write gives in test mode.
var ErrPreview = errors.New("test mode runs no command that may change the machine")

// Overlay is a machine as it would be: reads fall through to the base, writes stay in memory. Its base is never
// written. One that holds nothing yet costs next to nothing: a look asks the base at once.
//
// A base may be an overlay itself: then what is promised and written there is seen, and what is in doubt there is noted
// here.
type Overlay struct {
	base        Reader
	under       *Overlay // the base where that is an overlay, else nil
	facts       facts
	preview     bool
	deeds       atomic.Int32            // foretold so far
	foretelling atomic.Int32            // deeds that are being foretold
	tracker     atomic.Pointer[tracker] // notes what is asked and told; nil when nobody wants to know
	written     atomic.Bool             // there are nodes
	runner      Runner                  // of users' commands; nil runs them on the base

	doubtMu sync.Mutex
	doubt   *Unknown // guarded by doubtMu

	dirsMu sync.Mutex
	dirs   map[string]place // where directories lead, by their paths as they were written; guarded by dirsMu

	mu       sync.RWMutex // guards all below
	nodes    map[string]*node
	children map[string]map[string]bool // names of the nodes in a directory
	links    map[[2]uint64]*node        // of files of the base with several names, by device and inode
	journal  []Entry
	inodes   uint64
	asked    directory // the last that the machine was asked of
	acting   string    // the state that acts
	loose    string    // the first state that may have changed anything
	feed     *feed     // what was told of the changes; nil until somebody asks
	packages string    // the first state that installs packages, with units, files and users that nobody can tell
	brings   string    // the first state that brings commands that nobody can tell
}

// An Entry is one write, in the order in which they came.
type Entry struct{ Op, Path string }

// A node is what the overlay holds of one path. Paths of nodes have no links in their parents.
type node struct {
	info    Info
	removed bool    // nothing is here, nor below, whatever the base has
	opaque  bool    // a directory that hides the base's
	ref     string  // the path in the base that it is made of; "" when it is new
	content content // nil: that of ref
	link    string
	unknown string            // the state that settles what is here, "" when it is known
	xattrs  map[string][]byte // nil: those of ref
}

var _ Host = (*Overlay)(nil)

// NewOverlay makes an overlay on the base.
// Salt differs: its test mode fails what stands on what an earlier state would make.
func NewOverlay(base Reader) *Overlay {
	o := Forecast(base)
	o.preview = true
	return o
}

// Forecast makes an overlay for one look at what a state would do: it is test mode only if the base is.
func Forecast(base Reader) *Overlay {
	if m, ok := base.(masked); ok {
		base = m.Host
	}
	o := &Overlay{base: base, preview: base.Preview()}
	if under, ok := base.(*Overlay); ok {
		o.base, o.under = quiet{under}, under
	}
	return o
}

// Identity is that of the base, and root's while a deed is foretold: who may not do the deed is refused before a run,
// and sees in a preview what it would do.
func (o *Overlay) Identity() Identity {
	id := IdentityOf(o.base)
	if o.foretelling.Load() > 0 {
		id.UID, id.GID = 0, 0
	}
	return id
}

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

// Told is how often something was changed here: files written and deeds foretold. It is 0 on every other host, where
// changes are real.
func Told(h Reader) int {
	if m, ok := h.(masked); ok {
		h = m.Host
	}
	o, ok := h.(*Overlay)
	if !ok {
		return 0
	}
	o.mu.RLock()
	defer o.mu.RUnlock()
	return len(o.journal) + int(o.deeds.Load())
}

// Lstat looks at the path itself.
func (o *Overlay) Lstat(p string) (Info, error) {
	i, err := quiet{o}.Lstat(p)
	return i, o.noted(err)
}

// Stat looks at what the path leads to.
func (o *Overlay) Stat(p string) (Info, error) {
	i, err := quiet{o}.Stat(p)
	return i, o.noted(err)
}

// ReadFile reads the whole file.
func (o *Overlay) ReadFile(p string) ([]byte, error) {
	raw, err := quiet{o}.ReadFile(p)
	return raw, o.noted(err)
}

// Open opens the file for reading.
func (o *Overlay) Open(p string) (io.ReadCloser, error) {
	r, err := quiet{o}.Open(p)
	return r, o.noted(err)
}

// ReadDir lists the directory as it would be, sorted by name. Beside the error that something in it is unknown stands
// the rest.
func (o *Overlay) ReadDir(p string) ([]Info, error) {
	infos, err := quiet{o}.ReadDir(p)
	return infos, o.noted(err)
}

// Readlink is the target of a symbolic link, as it is written.
func (o *Overlay) Readlink(p string) (string, error) {
	target, err := quiet{o}.Readlink(p)
	return target, o.noted(err)
}

// Follow is where the links at a path lead; see Reader.
func (o *Overlay) Follow(p string) (string, error) {
	to, err := quiet{o}.Follow(p)
	return to, o.noted(err)
}

// Xattrs are the extended attributes of the path itself.
func (o *Overlay) Xattrs(p string) (map[string][]byte, error) {
	m, err := quiet{o}.Xattrs(p)
	return m, o.noted(err)
}

// LookPath finds a command, one that was promised or written too.
func (o *Overlay) LookPath(name string) (string, error) {
	found, err := quiet{o}.LookPath(name)
	return found, o.noted(err)
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
	o.tracker.Load().ask(kind, "*")
	base := slices.DeleteFunc(o.base.Facts(kind), func(f Fact) bool { _, ok := o.facts.get(kind, f.Name); return ok })
	return append(base, o.facts.of(kind)...)
}

// Promised are the facts that were promised here, in the order of the last promise.
func (o *Overlay) Promised() []Fact { return o.facts.all(func(Kind) bool { return true }) }

// Promise notes what later states may rely on.
func (o *Overlay) Promise(fs ...Fact) {
	o.tracker.Load().promise(fs)
	o.mu.RLock()
	by := o.actor()
	o.mu.RUnlock()
	o.facts.add(fs, by)
	for _, f := range fs {
		switch {
		case f.Kind == FactPath:
			o.forget(f.Name)
		case f.Name == "*" && (f.Kind == FactCommand || f.Kind == FactUnit):
			o.bring(f.Kind)
		}
	}
}

// Invalidate does nothing: no command changes the base.
func (o *Overlay) Invalidate(string) {}

// Query runs a command that only looks, on the base: it does not see what the overlay holds, nor can it be a user of
// the overlay's. A user's command goes to the Runner.
func (o *Overlay) Query(ctx context.Context, c Cmd) (*Output, error) {
	o.tracker.Load().query()
	if c.Users && o.runner != nil {
		return o.runner.RunIn(ctx, o, c)
	}
	if c.RunAs != "" {
		switch u, err := o.User(c.RunAs); {
		case err != nil:
			return nil, fmt.Errorf("no such user %q", c.RunAs)
		case u.Promised:
			return nil, o.noted(&Unknown{What: "what a command says as " + u.Name, By: o.promisedBy(FactUser, u.Name)})
		}
	}
	return o.base.Query(ctx, c)
}

// Do foretells the deed.
func (o *Overlay) Do(_ context.Context, d Deed) error {
	o.tracker.Load().deed(d.On)
	if d.Foretell == nil {
		return fmt.Errorf("%s: %w", d.What, ErrPreview)
	}
	if d.On == Anything {
		o.loosen()
	}
	o.deeds.Add(1)
	o.foretelling.Add(1)
	defer o.foretelling.Add(-1)
	return d.Foretell(o)
}

// Run refuses, unless the command only looks.
func (o *Overlay) Run(ctx context.Context, c Cmd) (*Output, error) {
	if c.Reads {
		return o.Query(ctx, c)
	}
	return nil, ErrPreview
}

// Dial connects to a socket of the base: the real machine's. It is for looking; what changes something belongs into a
// Deed.
func (o *Overlay) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	o.tracker.Load().query()
	if name := dialler(ctx); name != "" {
		if u, err := o.User(name); err == nil && u.Promised {
			return nil, o.noted(&Unknown{What: "what answers " + name + " at " + address, By: o.promisedBy(FactUser, name)})
		}
	}
	return o.base.Dial(ctx, network, address)
}
