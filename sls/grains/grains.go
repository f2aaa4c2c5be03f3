// Package grains finds out what a machine is: its grains, under the names and with the values that Salt gives them.
//
// A grain is computed when it is first asked for, its group at a time: asking for os_family reads one file and runs no
// command. Everything is read through host.Reader; only addresses of interfaces and names of hosts come from the kernel
// and the resolver, behind Options.Network, and only on the running machine itself.
//
// Salt differs: it asks for all of them before anything runs; here one that is first read behind a state that changed
// what it says tells what is then.
// Salt differs: fqdns holds the names that /etc/hosts knows; no name server is asked for every address of the machine.
package grains

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"slices"
	"sync"

	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
	"github.com/gostate/gostate/state/value/merge"
)

// Options say where grains come from beside the machine.
type Options struct {
	// ID is the minion id; the machine's FQDN when empty.
	ID string
	// ConfigGrains is the key "grains" of the configuration; it wins over StaticFiles, which win over the machine.
	ConfigGrains *value.Dict
	// StaticFiles are YAML files of grains, such as /etc/salt/grains; those that are not there are skipped.
	StaticFiles []string
	// ReadFile reads them; nil for os.ReadFile.
	ReadFile func(name string) ([]byte, error)
	// OverrideFile holds all grains (YAML or JSON): the machine is asked for none.
	OverrideFile string
	// Overrides win over everything; maps in them are merged into what is there.
	Overrides *value.Dict
	// Master is the name of the master, for the grain of that name.
	Master string
	// Network is where interfaces and names come from; nil for the kernel and the resolver.
	Network Network
	// Getenv is os.Getenv when nil.
	Getenv func(string) string
}

// Grains are the facts of one machine. Its methods may be called from several goroutines.
type Grains struct {
	mu    sync.Mutex // guards all below
	core  *core
	user  *value.Dict // of files and configuration
	over  *value.Dict
	fixed bool // the machine is not asked
	tops  map[string]value.Value
	whole *value.Dict        // see Dict
	bring func() *value.Dict // asks for what was brought; nil when nobody has to be asked (any more)
	extra *value.Dict        // what was brought: over the machine's, below the user's
}

// Bring says where further grains come from, which win over the machine's. They are asked for once, when a grain is
// first needed that the user has not given; what is asked meanwhile knows nothing of them.
func (g *Grains) Bring(from func() *value.Dict) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.bring = from
}

// brought asks for further grains.
func (g *Grains) brought() {
	from := g.toAsk()
	if from == nil {
		return
	}
	extra := from()
	g.mu.Lock()
	defer g.mu.Unlock()
	g.extra, g.whole = extra, value.NewLazyDict(g.name, g.all)
	clear(g.tops)
}

// toAsk is who has to be asked for further grains, nil for nobody. Who is asked finds another whole than the one that
// may be waiting for the answer.
func (g *Grains) toAsk() func() *value.Dict {
	g.mu.Lock()
	defer g.mu.Unlock()
	from := g.bring
	if g.bring = nil; from != nil {
		g.whole = value.NewLazyDict(g.name, g.all)
	}
	return from
}

// New reads the files of grains. The machine is asked later.
func New(h host.Reader, o Options) (*Grains, error) {
	g := &Grains{user: value.NewDict(0), over: o.Overrides, tops: map[string]value.Value{}}
	if g.over == nil {
		g.over = value.NewDict(0)
	}
	g.whole = value.NewLazyDict(g.name, g.all)
	if o.OverrideFile != "" {
		d, err := readFile(o.OverrideFile, nil)
		if err != nil {
			return nil, err
		}
		g.user, g.fixed = d, true
		return g, nil
	}
	for _, f := range o.StaticFiles {
		d, err := readFile(f, o.ReadFile)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		merge.Update(g.user, d, false, false)
	}
	if o.ConfigGrains != nil {
		merge.Update(g.user, o.ConfigGrains, false, false)
	}
	g.core = newCore(h, o)
	return g, nil
}

// readFile reads a file of grains: YAML, of which JSON is a part.
func readFile(name string, read func(string) ([]byte, error)) (*value.Dict, error) {
	if read == nil {
		read = os.ReadFile
	}
	text, err := read(name)
	if err != nil {
		return nil, fmt.Errorf("read grains: %w", err)
	}
	v, err := yaml.Decode(name, text)
	if err != nil {
		return nil, err
	}
	switch v := v.(type) {
	case *value.Dict:
		return v, nil
	case value.NoneType:
		return value.NewDict(0), nil
	}
	return nil, fmt.Errorf("%s: grains must be a map, this is a %s", name, v.TypeName())
}

// Get looks up a colon-separated path and computes only what it needs.
func (g *Grains) Get(path string) (value.Value, bool) {
	g.brought()
	g.mu.Lock()
	defer g.mu.Unlock()
	name := path
	for i := 0; i < len(path); i++ {
		if path[i] == ':' {
			name = path[:i]
			break
		}
	}
	v, ok := g.top(context.Background(), name)
	if !ok || name == path {
		return v, ok
	}
	return value.Lookup(v, path[len(name)+1:], ":")
}

// Asked are the names of the grains that something has asked for so far.
func (g *Grains) Asked() []string {
	g.mu.Lock()
	defer g.mu.Unlock()
	return slices.Sorted(maps.Keys(g.tops))
}

// name looks up a grain whose name may hold colons.
func (g *Grains) name(name string) (value.Value, bool) {
	g.brought()
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.top(context.Background(), name)
}

// top is the grain of the name with all that overrides it.
func (g *Grains) top(ctx context.Context, name string) (value.Value, bool) {
	if v, ok := g.tops[name]; ok {
		return v, true
	}
	v, ok := g.user.GetStr(name)
	if !ok && g.extra != nil {
		v, ok = g.extra.GetStr(name)
	}
	over, overridden := g.over.GetStr(name)
	if !ok && !g.fixed && (!overridden || isDict(over)) {
		v, ok = g.core.get(ctx, name)
	}
	if overridden {
		v, ok = laidOver(v, over), true
	}
	if ok {
		g.tops[name] = v
	}
	return v, ok
}

func isDict(v value.Value) bool { _, ok := v.(*value.Dict); return ok }

// laidOver is what an override makes of a grain.
func laidOver(v, over value.Value) value.Value {
	base, ok := v.(*value.Dict)
	add, ok2 := over.(*value.Dict)
	if !ok || !ok2 {
		return over
	}
	out := value.DeepCopy(base).(*value.Dict)
	merge.Update(out, add, true, false)
	return out
}

// Dict is all grains: the machine's, then those that only files, configuration and overrides have. It is made once, and
// what is looked up in it by name costs no more than Get until somebody needs all.
func (g *Grains) Dict() *value.Dict {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.whole
}

// all makes the whole.
func (g *Grains) all() *value.Dict {
	ctx := context.Background()
	g.brought()
	g.mu.Lock()
	defer g.mu.Unlock()
	out := value.NewDict(128)
	add := func(name string) {
		if v, ok := g.top(ctx, name); ok {
			out.SetStr(name, v)
		}
	}
	if !g.fixed {
		for _, gr := range g.core.groups {
			for _, name := range gr.names {
				add(name)
			}
		}
	}
	for _, d := range []*value.Dict{g.extra, g.user, g.over} {
		if d == nil {
			continue
		}
		for i := range d.Len() {
			if k, ok := d.At(i).Key.(value.Str); ok {
				add(string(k))
			} else {
				_ = out.Set(d.At(i).Key, d.At(i).Val)
			}
		}
	}
	return out
}
