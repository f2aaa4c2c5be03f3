package modules

import "sync"

// A StateSpec declares one state function. All that is told of its arguments comes from the struct that New gives.
type StateSpec struct {
	Name string // "file.managed"
	Doc  string // first line: what it ensures; then prose
	// Example is an SLS text that shows it.
	Example string
	New     func() StateFunc
	// AnyArgs lets unknown arguments through with a warning, as Salt does where a function takes any keyword.
	AnyArgs bool
	// Aliases are other full names of it.
	Aliases []string

	cell *planCell
}

// A Family is the functions of one kind of thing: file, pkg, service.
type Family struct {
	Name   string
	States []StateSpec
	Execs  []ExecSpec
	// Describers tell what is there, as states.
	Describers []Describer
	// Broken is why nobody can tell which functions it has: each that is asked for fails with it. nil but for a family
	// that a tree brings.
	Broken error
}

// A Source makes a family. Name is the family's, which is the module of its state functions, or of most of them.
type Source struct {
	Name string
	Make func() Family
}

// A Registry holds all functions. It is a value: made once from an explicit list, then only read. What takes long is
// made when it is first asked for.
type Registry struct {
	sources []source
	// states and execs are what a tree brings.
	states, execs brought
	// built are the program's own functions, all those and the tree's.
	built, all func() *tables
	names      func() []string // sorted, of states
	enames     func() []string // sorted, of execs
	modules    func() []string // sorted, of states
	// watchers are the modules that have a function that reacts to a watch.
	watchers func() map[string]bool

	mu    sync.Mutex
	found map[[2]string]*StateSpec // what Lookup gave, by module and function; nil where there is none
	watch map[string]bool          // what HasModWatch gave
}

// A source is a Source whose family is made once.
type source struct {
	name   string
	family func() *Family
}

// tables are the functions of all families by name.
type tables struct {
	states map[string]*StateSpec
	execs  map[string]*ExecSpec
}
