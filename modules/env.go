package modules

import (
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// Env is what functions may know of the run that they are part of. A state function is given it beside the machine, an
// execution function in its Call.
type Env struct {
	Files     Files
	Templates Templates
	Exec      Exec
	// Trees are the SLS files; nil where there are none.
	Trees Trees
	// At gives templates and execution functions that work on another machine; nil where they work on none.
	At                   func(h host.Host) (Templates, Exec)
	Opts, Grains, Pillar Data
	// SaltEnv is the environment of the file roots that the run was asked for.
	SaltEnv string
	// Cache holds what a provider keeps for one run (the dpkg database, a D-Bus connection), by its own key type.
	Cache *Cache
	// Now is the clock, nil for the machine's; Environ is the environment of gostate, KEY=VALUE.
	Now     func() time.Time
	Environ []string
	// Setenv sets a variable of the environment of gostate, or takes it away; nil where nothing may.
	Setenv func(name, text string, unset bool) error
	// Progress shows a word of what is waited for on a terminal; never nil.
	Progress func(text string)
	// Log writes a message, level "debug", "info", "warning", "error"; nil where there is no log.
	Log func(level, msg string)
	// Serialize and Deserialize are the YAML and JSON emitters and readers that sls owns.
	Serialize   func(format string, v value.Value, opts *value.Dict) (string, error)
	Deserialize func(format, text string) (value.Value, error)
	// Secrets are what must not be shown; nil knows none. What a function learns to be secret it registers there.
	Secrets *secret.Store
	// Match asks a matcher of top files ("glob", "compound", ...) whether a target means this machine, or the one of the
	// id. delim "" is ":". nil where there is none.
	Match func(kind, target, delim, id string) (bool, error)
	// InPillar says whether the pillar roots of an environment, of any for "", hold a file; nil where there are none.
	InPillar func(env, path string) bool
	// Registry is all functions, for those that tell of others (sys.doc); nil where there is none.
	Registry *Registry
	// States are the low states that a requisite names; nil where nobody knows.
	States func(ref state.Ref) []*state.Low
	// Typed says that an execution function is called from the command line, and by no template or state.
	Typed bool
	// Retcode is what the program exits with after a function that is called from the command line: a command's own
	// code. nil where nobody asks.
	Retcode *int
	// Low is the state being run, nil for an execution function.
	Low *state.Low
	// Fired are the states that Low watches and that changed, while its mod_watch runs; empty for a listener.
	Fired []*state.Low
	// Kept is like Cache for one attempt of the state, and nil outside of one: its forecast, the deed and the look
	// afterwards share it, so that what has to be the same in all three (a rendered template) is made once. What a machine
	// is never goes in here.
	Kept *Cache
	// Told says that what the function foretells is shown to people or decides something: in a preview, of a noop state,
	// for a prereq. Otherwise only whether there is something to do is asked of an overlay.
	Told bool
	// Meant gathers what the state means to leave; nil where nobody asks.
	Meant *Meant
}

// On is the same for what acts on another machine, such as the overlay of a forecast: templates and execution functions
// see that.
func (e *Env) On(h host.Host) *Env {
	if e.At == nil {
		return e
	}
	on := *e
	on.Templates, on.Exec = e.At(h)
	return &on
}

// Time is what the clock shows.
func (e *Env) Time() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// LookupEnv is a variable of the environment of gostate.
func (e *Env) LookupEnv(name string) (text string, ok bool) {
	for _, kv := range slices.Backward(e.Environ) {
		if k, v, _ := strings.Cut(kv, "="); k == name {
			return v, true
		}
	}
	return "", false
}

// Getenv is a variable of the environment of gostate, "" where it is not set.
func (e *Env) Getenv(name string) string {
	text, _ := e.LookupEnv(name)
	return text
}

// Setting is a key of the configuration, else of the grains, else of the pillar: text, "" for none.
func (e *Env) Setting(key string) string {
	for _, data := range []Data{e.Opts, e.Grains, e.Pillar} {
		if data == nil {
			continue
		}
		if v, ok := data(key); ok {
			text, _ := Text(v)
			return text
		}
	}
	return ""
}

// Data looks up grains, pillar or options by a path with colons.
type Data func(path string) (value.Value, bool)

// all is the path of all of the data, which nobody types.
const all = "\x00"

// DataOf is the Data that get looks up; dict makes all of it.
func DataOf(get Data, dict func() *value.Dict) Data {
	return func(path string) (value.Value, bool) {
		if path == all {
			return dict(), true
		}
		return get(path)
	}
}

// Whole is the Data of a dict.
func Whole(dict func() *value.Dict) Data {
	return DataOf(func(path string) (value.Value, bool) { return value.Lookup(dict(), path, ":") }, dict)
}

// Dict is all of the data, an empty dict where there is none.
func (d Data) Dict() *value.Dict {
	if d != nil {
		if v, ok := d(all); ok {
			return v.(*value.Dict)
		}
	}
	return value.NewDict(0)
}

// Text is the text under a path, "" where there is none.
func (d Data) Text(path string) string {
	if d == nil {
		return ""
	}
	v, _ := d(path)
	s, _ := v.(value.Str)
	return string(s)
}
