// Package bridge runs the functions that a tree brings in other languages: Python modules as Salt loads them,
// unmodified, in the system's python3, and executables that speak the protocol of docs/bridge.md.
//
// One child process runs for each machine that is looked at (the real one, the view of a preview), from the first
// function that is needed to the end of the run; a tree without such files starts none. The child calls back for
// __salt__, __grains__, __pillar__, and is given nothing else of gostate.
package bridge

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// The kinds of files that a tree brings, by the directories of its roots that hold them.
const (
	Modules   = "modules"   // _modules: execution functions
	States    = "states"    // _states: state functions
	Grains    = "grains"    // _grains
	Renderers = "renderers" // _renderers
	Pillars   = "pillar"    // _pillar: external pillars
	Utils     = "utils"     // _utils
)

// Kinds are all of them.
func Kinds() []string { return []string{Modules, States, Grains, Renderers, Pillars, Utils} }

// A File is one that a tree brings: below the directory of its kind, Rel; read at Path.
type File struct{ Kind, Rel, Path string }

// Python says whether the file is Python's; all others are programs of their own.
func (f File) Python() bool { return strings.HasSuffix(f.Rel, ".py") }

// module is the name of the module that the file is, "" where it is a part of another.
func (f File) module() string {
	top, rest, nested := strings.Cut(f.Rel, "/")
	switch {
	case !nested && top != "__init__.py":
		return strings.TrimSuffix(top, ".py")
	case rest == "__init__.py":
		return top
	}
	return ""
}

// A Config says what the bridge runs and what it may know.
type Config struct {
	// Files are what the tree brings.
	Files []File
	// Read reads a file.
	Read func(path string) ([]byte, error)
	// Opts is __opts__.
	Opts func() *value.Dict
	// Env is what functions may know of the run, on a machine.
	Env func(h host.Host) *modules.Env
	// Machine is where functions are described.
	Machine host.Host
	// Refused is why nothing of the tree's may run; nil lets it.
	Refused error
	// Ready is called before each question, outside of all locks.
	Ready func()
}

// A Bridge runs the functions of one tree.
type Bridge struct {
	cfg Config

	mu       sync.Mutex // guards all below
	partners map[partnerKey]*partner
	gone     bool
}

// A partnerKey tells children apart: the machine that one runs on, and the program, "" for Python.
type partnerKey struct {
	on      host.Starter
	program string
}

// New makes a bridge. It starts nothing.
func New(c Config) *Bridge { return &Bridge{cfg: c, partners: map[partnerKey]*partner{}} }

// Has says whether the tree has files of the kind, of the module if one is given.
func (b *Bridge) Has(kind, module string) bool {
	return slices.ContainsFunc(b.cfg.Files, func(f File) bool {
		return f.Kind == kind && (module == "" || f.module() == module)
	})
}

// modules are the modules of a kind, sorted.
func (b *Bridge) modules(kind string) []File {
	var out []File
	for _, f := range b.cfg.Files {
		if f.Kind == kind && f.module() != "" {
			out = append(out, f)
		}
	}
	slices.SortFunc(out, func(x, y File) int { return strings.Compare(x.module(), y.module()) })
	return out
}

// programs are the modules that are no Python.
func (b *Bridge) programs() (out []string) {
	for _, f := range b.modules(Modules) {
		if !f.Python() {
			out = append(out, f.module())
		}
	}
	return out
}

// Close ends the children.
func (b *Bridge) Close() {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.gone = true
	for _, p := range b.partners {
		_ = p.child.Close()
	}
	clear(b.partners)
}

// ask puts a question to the child that knows the file, on the machine.
func (b *Bridge) ask(ctx context.Context, env *modules.Env, h host.Host, f File, q *value.Dict) (value.Value, error) {
	if b.cfg.Refused != nil {
		return nil, diag.Errorf(diag.Pos{File: f.Path}, "%v", b.cfg.Refused)
	}
	b.cfg.Ready()
	p, err := b.partner(ctx, env, h, f)
	if err != nil {
		return nil, err
	}
	v, err := p.ask(ctx, env, h, q)
	var lost *lostError
	if errors.As(err, &lost) {
		b.mu.Lock()
		defer b.mu.Unlock()
		_ = p.child.Close()
		delete(b.partners, p.key)
	}
	return v, err
}

// partner is the child that knows the file, on the machine; it is started at first need.
func (b *Bridge) partner(ctx context.Context, env *modules.Env, h host.Host, f File) (*partner, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.gone {
		return nil, errors.New("the run has ended")
	}
	on := host.Starting(h)
	if on == nil {
		return nil, host.ErrPreview
	}
	key := partnerKey{on: on}
	if !f.Python() {
		key.program = f.Path
	}
	if p := b.partners[key]; p != nil {
		return p, nil
	}
	child, err := on.Start(ctx, command(f))
	if err != nil {
		return nil, needs(f, err)
	}
	p := newPartner(b, key, child)
	begin, err := b.begin(f)
	if err == nil {
		_, err = p.ask(ctx, env, h, begin)
	}
	if err != nil {
		_ = child.Close()
		return nil, fmt.Errorf("start %s: %w", cmp.Or(key.program, "python3"), err)
	}
	b.partners[key] = p
	return p, nil
}

// command starts the program that knows a file. Python reads what it is to be from its first line, and leaves nothing
// on the disk.
func command(f File) host.Cmd {
	if !f.Python() {
		return host.Cmd{Args: []string{f.Path}, Users: true}
	}
	const loader = "import json,sys;first=json.loads(sys.stdin.buffer.readline());" +
		"exec(compile(first['program'],'gostate:bridge','exec'))"
	return host.Cmd{Args: []string{"python3", "-X", "utf8", "-B", "-c", loader}, Users: true}
}

// needs says what a file needs that this machine has not.
func needs(f File, err error) error {
	if !f.Python() {
		return diag.Errorf(diag.Pos{File: f.Path}, "cannot be run: %v", err).
			WithHint("a module that is no Python is a program: it needs a first line that says how it runs, and mode 0755")
	}
	return diag.Errorf(diag.Pos{File: f.Path}, "needs python3, which cannot be run: %v", err).
		WithHint("install Python 3 (apt-get install python3), or take the file out of the tree")
}
