package modules

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

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

// An ExecSpec declares one execution function, as templates and `gostate call` know it.
type ExecSpec struct {
	Name string // "grains.filter_by"
	Doc  string // first line: signature or purpose
	// Params are the names of the parameters in order, for calls with keywords: "key", "default=", "*args", "**kwargs".
	Params []string
	// Aliases are other full names of it.
	Aliases []string
	// Class says what it may do to the machine; without one it only looks.
	Class Class
	Fn    func(ctx context.Context, c *Call) (value.Value, error)
}

// A Class is what an execution function may do to the machine.
type Class uint8

const (
	// Looks changes nothing: the host of its world refuses every write.
	Looks Class = iota
	// Writes changes the machine through its host, so that an overlay holds it, foretells it or refuses it.
	Writes
	// Commands runs a command of the user's, of which nobody knows what it does.
	Commands
)

// A Call is one call of an execution function: the arguments as given, and the world that it may ask.
type Call struct {
	Args   []value.Value
	Kwargs *value.Dict
	World  *World
	spec   *ExecSpec
	params []value.Value // by place in spec.Params, nil where not given
	rest   []value.Value
	extra  *value.Dict
}

// World is what execution functions may reach.
type World struct {
	Host host.Host
	// Grains, Pillar and Opts are the whole dicts; called when asked for.
	Grains, Pillar, Opts func() *value.Dict
	Files                Files
	Templates            Templates
	Exec                 Exec
	SaltEnv              string
	// Now is the clock, nil for the machine's; Environ is the environment of gostate, KEY=VALUE.
	Now     func() time.Time
	Environ []string
	// Typed says that the function is called from the command line, and by no template or state.
	Typed bool
	// Log writes a message of a template, level "debug", "info", "warning", "error".
	Log   func(level, msg string)
	Cache *Cache
	// Serialize and Deserialize are the YAML and JSON emitters and readers that sls owns.
	Serialize   func(format string, v value.Value, opts *value.Dict) (string, error)
	Deserialize func(format, text string) (value.Value, error)
	// Match asks a matcher of top files ("glob", "compound", ...) whether a target means this machine, or the one of the
	// id. delim "" is ":". nil where there is none.
	Match func(kind, target, delim, id string) (bool, error)
	// InPillar says whether the pillar roots of an environment, of any for "", hold a file; nil where there are none.
	InPillar func(env, path string) bool
	// Registry is all functions, for those that tell of others (sys.doc); nil where there is none.
	Registry *Registry
}

// Time is what the clock shows.
func (w *World) Time() time.Time { return clock(w.Now) }

func clock(now func() time.Time) time.Time {
	if now == nil {
		return time.Now()
	}
	return now()
}

// Getenv is a variable of the environment of gostate.
func (w *World) Getenv(name string) (text string, ok bool) { return getenv(w.Environ, name) }

func getenv(environ []string, name string) (string, bool) {
	for _, kv := range slices.Backward(environ) {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v, true
		}
	}
	return "", false
}

// Writing gives functions the class of those that may change the machine.
func Writing(specs ...ExecSpec) []ExecSpec {
	for i := range specs {
		specs[i].Class = Writes
	}
	return specs
}

// of is the world of a function of a class.
func (w *World) of(c Class) *World {
	if w == nil || w.Host == nil || c != Looks {
		return w
	}
	looks := *w
	looks.Host = host.Looking(w.Host)
	return &looks
}

// A Family is the functions of one kind of thing: file, pkg, service.
type Family struct {
	Name   string
	States []StateSpec
	Execs  []ExecSpec
}

// A Source makes a family. Name is the family's, which is the module of its state functions, or of most of them.
type Source struct {
	Name string
	Make func() Family
}

// A Registry holds all functions. It is a value: made once from an explicit list, then only read. What takes long is made
// when it is first asked for.
type Registry struct {
	sources []source
	all     func() *tables
	names   func() []string // sorted, of states
	enames  func() []string // sorted, of execs
	modules func() []string // sorted, of states
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
