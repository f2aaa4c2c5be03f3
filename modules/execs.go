package modules

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An ExecSpec declares one execution function, as templates and `gostate call` know it.
type ExecSpec struct {
	Name string // "grains.filter_by"
	Doc  string // first line: signature or purpose
	// Params are the parameters in order: "key", "default=", "*args", "**kwargs". A kind after the name (size:int=8, also
	// seconds, list, map) refuses other values before the function is called.
	Params []string
	// Aliases are other full names of it.
	Aliases []string
	// Class says what it may do to the machine; without one it only looks.
	Class Class
	Fn    ExecFunc
}

// Signature are the parameters as Python would show them: without kinds.
func (s *ExecSpec) Signature() []string {
	out := make([]string, len(s.Params))
	for i, p := range s.Params {
		name, optional := paramName(p)
		if _, def, _ := strings.Cut(p, "="); optional {
			name += "=" + def
		}
		out[i] = name
	}
	return out
}

// An ExecFunc is the work of an execution function.
type ExecFunc = func(ctx context.Context, c *Call) (value.Value, error)

// NewExec declares an execution function that only looks.
func NewExec(name, doc string, f ExecFunc, params ...string) ExecSpec {
	return ExecSpec{Name: name, Doc: doc, Params: params, Fn: f}
}

// A Class is what an execution function may do to the machine.
type Class uint8

const (
	// Looks changes nothing: the host of its call refuses every write.
	Looks Class = iota
	// Writes changes the machine through its host, so that an overlay holds it, foretells it or refuses it.
	Writes
	// Commands runs a command of the user's, of which nobody knows what it does.
	Commands
	// Own is the tree's own code. Where gostate only looks, it runs in a view of the machine.
	Own
)

// Writing gives functions the class of those that may change the machine.
func Writing(specs ...ExecSpec) []ExecSpec {
	for i := range specs {
		specs[i].Class = Writes
	}
	return specs
}

// on is the machine as a function of the class is given it.
func (c Class) on(h host.Host) host.Host {
	if h == nil || c != Looks {
		return h
	}
	return host.Looking(h)
}

// A Call is one call of an execution function: the arguments as given, the machine, and what it may know of the run.
type Call struct {
	*Env
	Host   host.Host
	Args   []value.Value
	Kwargs *value.Dict
	spec   *ExecSpec
	params []value.Value // by place in spec.Params, nil where not given
	rest   []value.Value
	extra  *value.Dict
}
