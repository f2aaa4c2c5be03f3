// Package modules is the contract of state functions and execution functions: what they are given, what they answer,
// how their arguments are bound, and the registry that holds them.
//
// A state function is a struct whose tagged fields are its arguments (see Bind). Act does what they say. It never
// prints, logs, exits or asks whether it is test mode: in test mode the host is an overlay.
package modules

import (
	"context"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A StateFunc is one state function with its arguments bound. It is written once, as what it does: done to the machine
// it is the run, done to an overlay of it the forecast. It keeps nothing in its own fields, and what it returns is what
// it did.
type StateFunc interface {
	// Act looks, and changes what is not as the arguments say. What a file overlay cannot hold goes through host.Do, which
	// says beside it what an overlay takes for it. Changes count even beside an error.
	Act(ctx context.Context, env *Env, h host.Host) (state.Effect, error)
}

// A Watcher reacts when something that it watches changed and it did not change itself.
type Watcher interface {
	// ModWatch is the reaction, itself a state function: checked in test mode, checked and applied in a run.
	ModWatch() StateFunc
}

// A Validator finds faults in its arguments, and across them, before anything runs. It reads no machine.
type Validator interface {
	Validate() []Fault
}

// A Fault is a wrong argument: its name (for the position), what is wrong, and a hint.
type Fault struct {
	Arg, Msg, Hint string
}

// A SourceUser names the sources that it reads, so that what is missing from the file roots is reported before anything
// runs.
type SourceUser interface{ UsesSources() []SourceUse }

// A SourceUse is one argument with its sources: one of Any must exist, a directory if Dir. Only salt:// sources are
// looked for.
type SourceUse struct {
	Arg string
	Any []string
	Dir bool
}

// A Caller names the execution functions that it calls, so that one that does not exist is reported before anything
// runs.
type Caller interface{ Calls() []string }

// A NeedsRoot state function cannot work without root, whatever its arguments.
type NeedsRoot interface{ NeedsRoot(env *Env) bool }

// A NeedsRootOn state function cannot do its work on the machine without root, as far as can be seen before the run.
type NeedsRootOn interface{ NeedsRootOn(h host.Reader) bool }

// An Aggregator can take over work of later states of its own function that are marked for aggregation, so that one
// call of a tool does for all: it is given them in plan order and prepares what it can.
type Aggregator interface {
	Aggregate(ctx context.Context, env *Env, others []StateFunc)
}

// Files gives sources by their salt:// path.
type Files interface {
	// Fetch reads a source: salt://path?saltenv=env, a local path, or a URL that the provider knows. The error names the
	// roots searched.
	Fetch(ctx context.Context, source, env string) ([]byte, error)
	// Exists says whether the salt:// source is a file or a directory.
	Exists(source, env string) (file, dir bool)
	// List gives the files below a salt:// directory, sorted, relative to it; with their modes. Empty directories end in
	// "/".
	List(source, env string) ([]SourceFile, error)
	// Hash is the sha256 of a source in hex, cached.
	Hash(ctx context.Context, source, env string) (string, error)
	// Mode are the permission bits of a salt:// source (mode: keep).
	Mode(source, env string) (uint32, error)
}

// An Opener is Files that give a source to be read bit by bit, so that a large one is never held in memory.
type Opener interface {
	Open(ctx context.Context, source, env string) (host.SourceReader, error)
}

// An EnvLister are Files that know all their environments, those of remote repositories too.
type EnvLister interface{ Envs() []string }

// A SourceFile is a file below a salt:// directory.
type SourceFile struct {
	Path string
	Mode uint32
	Link string // target, when it is a symbolic link
}

// Templates renders text for file.managed and its like.
type Templates interface {
	// Render renders text with the engine ("jinja", "json", ... or a pipeline) in the context of a state: sls and env tell
	// tpldir and saltenv, vars are added to the globals. source names the template in errors.
	Render(ctx context.Context, engine, source string, text []byte, sls, env string, vars *value.Dict) ([]byte, error)
}

// Trees shows what SLS files come to, and carries them out.
type Trees interface {
	// Show is what the top file assigns ("top"), or the "high" or "low" data of what is asked for.
	Show(ctx context.Context, what string, r TreeRequest) (value.Value, error)
	// Apply carries out what is asked for on a machine and gives the results in Salt's shape.
	Apply(ctx context.Context, h host.Host, r TreeRequest) (*value.Dict, error)
}

// A TreeRequest asks for SLS files by name, those of the top file where there are none, or for one state.
type TreeRequest struct {
	SLS, Exclude, IDs []string
	// Env is the environment of the SLS, "" for the run's.
	Env string
	// TopFile is read in place of the top file of the configuration, "" for that.
	TopFile string
	// Single is a state function, which is applied to Name with Args; "" for none.
	Single, Name string
	Args         *value.Dict
	// Text is an SLS that is in no file, High one as data; "" and nil for none.
	Text string
	High *value.Dict
	// Test leaves the machine as it is; Lock keeps other runs out meanwhile.
	Test, Lock bool
}

// Exec calls execution functions by name: "service.available".
type Exec interface {
	Has(name string) bool
	Call(ctx context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error)
}

// An ExecChecker is an Exec that finds wrong arguments of a call without calling.
type ExecChecker interface {
	CheckCall(name string, args []value.Value, kwargs *value.Dict) error
}
