package catalog

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Options are what a catalog leaves to the machine.
type Options struct {
	// Source finds a file or directory that a resource takes its content from: the path of puppet:///modules/m/f on
	// this machine. List gives what is in a directory, names with their places below it, directories too.
	Source func(uri string) (path string, isDir, ok bool)
	List   func(dir string) ([]Entry, error)
	// Address is how states read a file of this machine; nil: by its path.
	Address func(path string) string
	// Read reads a file that fragments take their content from.
	Read func(path string) ([]byte, error)
	// Env is the environment of the states, "base" where it is empty.
	Env string
}

// An Entry is a file, a directory or a link below a directory.
type Entry struct {
	Name, Target string // Target of a link
	Dir          bool
}

// Module is the module of requisites that name a resource of the catalog, or all that one contains.
const Module = "puppet"

// Compiled is what a catalog comes to.
type Compiled struct {
	High *state.High
	// Schedules are those that the catalog declares, in the words of the configuration.
	Schedules []Schedule
	// Secrets are values that are not to be shown.
	Secrets []string
}

// Compile makes high data of the catalog. All that cannot be done is in the faults.
func (c *Catalog) Compile(o Options) (*Compiled, *diag.List) {
	m := &maker{cat: c, opts: o, faults: &diag.List{}, table: table(),
		members: map[*Resource][]*Resource{}, calls: map[*Resource][]*call{}, told: map[*Resource]bool{},
		out: &Compiled{High: &state.High{}}}
	if m.circles(); m.faults.HasErrors() {
		return m.out, m.faults
	}
	m.sortOut()
	m.contained()
	for _, e := range c.Edges {
		m.tell(e)
	}
	for _, r := range m.native {
		m.translate(r)
	}
	m.emit()
	m.faults.Sort()
	return m.out, m.faults
}

// A Schedule is one that the catalog declares.
type Schedule struct {
	Name  string
	Words *value.Dict
	Pos   diag.Pos
}

type maker struct {
	cat    *Catalog
	opts   Options
	faults *diag.List
	table  map[string]mapping
	out    *Compiled
	// native are the resources that become states, in their order; holders are those that contain some.
	native  []*Resource
	holders map[*Resource]bool
	// members are the native resources that one stands for: itself, or all that it contains.
	members map[*Resource][]*Resource
	// calls are what keeps each native resource.
	calls map[*Resource][]*call
	// told are the resources that another notifies.
	told map[*Resource]bool
	// kept are paths, see paths.
	kept []string
	// before are the edges to each resource.
	before map[*Resource][]edge
}

// A call is one state function with its arguments.
type call struct {
	module, fn string
	args       []state.Arg
	// id is its own where it is not that of the resource: of a second call.
	id string
	// deaf says that it is not refreshed: another call of the resource is.
	deaf bool
}

func (c *call) set(name string, v value.Value) *call {
	c.args = append(c.args, state.Arg{Name: name, Val: v})
	return c
}

// text, truth and texts are set for a value of Go's, and nothing where there is no text.
func (c *call) text(name, s string) *call {
	if s == "" {
		return c
	}
	return c.set(name, value.Str(s))
}

func (c *call) truth(name string, b bool) *call { return c.set(name, value.Bool(b)) }

func (c *call) texts(name string, l []string) *call {
	if len(l) == 0 {
		return c
	}
	return c.set(name, list(l))
}

func (c *call) has(name string) bool {
	return slices.ContainsFunc(c.args, func(a state.Arg) bool { return a.Name == name })
}

// of is a call of a state function on a thing.
func of(fun, name string) *call {
	module, fn, _ := strings.Cut(fun, ".")
	return (&call{module: module, fn: fn}).set("name", value.Str(name))
}

func (m *maker) fault(r *Resource, format string, args ...any) *diag.Diagnostic {
	d := diag.Errorf(r.Pos, "%s: %s", r.Ref(), fmt.Sprintf(format, args...))
	m.faults.Add(d)
	return d
}

// circles reports what contains itself.
func (m *maker) circles() {
	const open, done = 1, 2
	colour := map[*Resource]int{}
	for _, start := range m.cat.Resources {
		path := []*Resource{start}
		for len(path) > 0 {
			r := path[len(path)-1]
			next := slices.IndexFunc(r.in, func(in *Resource) bool { return colour[in] != done })
			colour[r] = open
			switch {
			case next < 0:
				colour[r] = done
				path = path[:len(path)-1]
			case colour[r.in[next]] == open:
				m.fault(r.in[next], "it contains itself, through %s", r.Ref())
				return
			default:
				path = append(path, r.in[next])
			}
		}
	}
}

// sortOut tells what contains from what is kept on the machine. A type without a row of the table that contains
// something is a defined one; so is one with :: in its name, as no type in Ruby has one.
func (m *maker) sortOut() {
	m.holders = map[*Resource]bool{}
	for _, r := range m.cat.Resources {
		for _, in := range r.in {
			m.holders[in] = true
		}
	}
	for _, r := range m.cat.Resources {
		_, known := m.table[strings.ToLower(r.Type)]
		if !known && (m.holders[r] || r.isContainer()) {
			continue
		}
		m.native = append(m.native, r)
	}
	places := map[*Resource][]int{}
	for _, r := range m.native {
		places[r] = r.places()
	}
	slices.SortStableFunc(m.native, func(a, b *Resource) int { return slices.Compare(places[a], places[b]) })
}

// isContainer says whether a resource is one that only contains others.
func (r *Resource) isContainer() bool {
	switch strings.ToLower(r.Type) {
	case "class", "stage", "node":
		return true
	}
	return r.Defined || strings.Contains(r.Type, "::")
}

// places is where a resource comes in the order of the manifest: what a defined type declares stands where that stands,
// though the compiler came to it later.
func (r *Resource) places() []int {
	out := []int{r.place}
	for depth := 0; len(r.in) > 0 && depth < maxDepth; depth++ {
		in := r.in[0]
		if in.Type == "Class" || in.Type == "Stage" || in.Type == "Node" {
			break
		}
		out = append(out, in.place)
		r = in
	}
	slices.Reverse(out)
	return out
}

// maxDepth bounds how deep containers are in each other, as a catalog may have circles.
const maxDepth = 1000

// name is what a call is about.
func (c *call) name() string { return value.String(c.args[0].Val) }
