// Package state is the vocabulary of gostate: high data (what SLS files say), low states (what runs), requisites (how
// they depend on each other) and results. It turns high into low; it runs nothing and touches no machine.
package state

import (
	"time"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Low is one state to run: one function on one name. Immutable after compile.
type Low struct {
	ID   string // the declaration's ID
	Name string // what the function works on
	// Misnamed says that what stands as its name is none, which is reported: Name is the ID and means nothing.
	Misnamed bool
	Module   string // "file"
	Func     string // "managed"
	SLS      string // "web.config"
	Env      string // "base"
	Order    float64
	// as written, without name, names, order, requisites and Opts; those that functions may take, too (creates, env,
	// runas, timeout, umask, ...), are in both
	Args *value.Dict
	Reqs []Requisite // as they stand after _in, extend and use, in the order of salt-semantics
	// In are the requisites that other states get from this one, as written, where the Reqs of those do not have them:
	// those of listen_in, before and notify.
	In []Requisite
	// Prerequired are the states that Salt lists as having this one as their prereq, in its order: those that name it
	// other than by a pattern or by one of `names`, and those that it names in prereq_in.
	Prerequired []ReqItem
	Pos         diag.Pos // of the function in the declaration
	// Index is the place in the low state, from 0.
	Index int

	opts     *Options    // nil where none is given, as in most states
	meta     *Meta       // likewise
	chunk    []Arg       // all arguments as they stand, for Chunk; the function may be among them
	rawOrder value.Value // order as Salt shows it
	nth      int         // which of names, from 1
}

// Opts are the arguments that every state function takes. Nobody changes them: see SetOpts.
func (l *Low) Opts() *Options {
	if l.opts == nil {
		return noOptions
	}
	return l.opts
}

// noOptions are those of all states that give none; nobody writes them.
var noOptions = &Options{}

// SetOpts changes the options of a state that is being made.
func (l *Low) SetOpts() *Options {
	if l.opts == nil {
		l.opts = &Options{}
	}
	return l.opts
}

// Settle lets go of what only Bind and those that show a state need, once its function is bound: the arguments, which
// are in the function then, and their places. A run holds all its states, and they are a third of that.
// What names other states (require_in) stays, a name that Odd asks for, and noop, which is judged with the plan.
func (l *Low) Settle() {
	keep := []Arg{}
	for i := range l.chunk {
		a := &l.chunk[i]
		if k, isReq := a.req(); isReq && k.in || a.Name == "name" && l.nth > 0 || a.Name == "noop" {
			keep = append(keep, *a)
		}
	}
	l.Args, l.chunk = nil, keep
}

// IsDefault says whether an argument was said for all states of an SLS, and not for this one.
func (l *Low) IsDefault(name string) bool {
	for i := range l.chunk {
		if l.chunk[i].Name == name {
			return l.chunk[i].Default
		}
	}
	return false
}

// Given is the value of an argument as it is written, also while the state is being made; nil for none.
func (l *Low) Given(name string) value.Value {
	for i := range l.chunk {
		if l.chunk[i].Name == name {
			return l.chunk[i].Val
		}
	}
	return nil
}

// ArgPos is the place of an argument that comes from a file.
func (l *Low) ArgPos(name string) diag.Pos {
	for i := range l.chunk {
		if l.chunk[i].Name == name {
			return l.chunk[i].Pos
		}
	}
	return diag.Pos{}
}

// Fun is "file.managed".
func (l *Low) Fun() string { return l.Module + "." + l.Func }

// Tag is Salt's key of a result: module_|-id_|-name_|-function.
func (l *Low) Tag() string { return l.Module + "_|-" + l.ID + "_|-" + l.Name + "_|-" + l.Func }

// Kind is the kind of a requisite.
type Kind uint8

// The kinds, in the order in which a state's requisites are walked.
const (
	Require Kind = iota
	Watch
	Subscribe
	Prereq
	Onfail
	Onchanges
	Listen
	Use
	// Staged is what no state asks for: that it comes after the run stage before its own.
	Staged
)

// Mode says how many of a kind's requisites must hold.
type Mode uint8

const (
	// All: every one of them (onfail: any, as in Salt).
	All Mode = iota
	// Any is the mode of require_any, watch_any, onchanges_any, onfail_any.
	Any
	// Every is the mode of onfail_all.
	Every
	// Automatic is the mode of a require that nobody wrote: what the state stands on, see Relations.
	Automatic
)

// A Ref names the states that a requisite is about.
type Ref struct {
	Module string // "pkg", "sls", or "id" for a bare ID
	Target string // ID, name or SLS; may be an fnmatch pattern
}

// A Requisite is one edge as written.
type Requisite struct {
	Kind Kind
	Mode Mode
	// In says that another state gets it: before, notify, listen_in.
	In bool
	// Again is how often Salt lists it besides the first time: it tries what a prereq names as often.
	Again uint8
	// Tie says why there is one that nobody wrote (mode Automatic).
	Tie Tie
	To  Ref
	Pos diag.Pos
}

// Key is the name of the requisite in an SLS file.
func (q *Requisite) Key() string {
	if q.In {
		for _, k := range requisiteKeys {
			if k.in && (k.free || k.kind == Listen) && k.kind == q.Kind {
				return k.name
			}
		}
	}
	return q.Kind.Key(q.Mode)
}

// A Condition is one entry of onlyif, unless or check_cmd: a command, or a call of an execution function.
type Condition struct {
	Command string      // "" when it is a call
	Fun     string      // "file.file_exists"
	Args    *value.List // positional arguments of the call
	Kwargs  *value.Dict // keyword arguments of the call; get_return is GetReturn
	// GetReturn is the colon-separated path into the result that is judged, "" for the result itself.
	GetReturn string
	Pos       diag.Pos
}

// Retry says how often a state is tried until its result is Until.
type Retry struct {
	Attempts        int
	Interval, Splay time.Duration
	Until           bool
}

// Options are the arguments that every state function takes.
type Options struct {
	Onlyif, Unless, CheckCmd []Condition
	// HasOnlyif and HasUnless tell an empty list from none.
	HasOnlyif, HasUnless bool
	Creates              []string
	Retry                *Retry
	Failhard             *bool // nil: the config decides
	Handles              bool  // onfail_stop: false
	Parallel             bool
	ReloadModules        bool
	ReloadGrains         bool
	ReloadPillar         bool
	Aggregate            bool
	Timeout              time.Duration // of the conditions' commands; 0: none
	// RunAs, Cwd, Shell, Umask and Env are how the conditions' commands are run.
	RunAs, Cwd, Shell, Umask string
	// SaltEnv is the environment of the state's sources where it is not that of its SLS.
	SaltEnv string
	Env     []string // KEY=VALUE
}
