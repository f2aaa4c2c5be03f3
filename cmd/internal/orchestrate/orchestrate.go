// Package orchestrate runs SLS files whose states are about other machines: salt.state, salt.function and their like,
// in the order of their requisites, with states of this machine among them, as Salt's runner state.orchestrate does.
//
// How machines are reached it does not know: that is a Machines. It promises: a target that means nobody, a runner that
// there is not and a wrong argument are found before anything is done anywhere; each machine ends with an answer or
// with the reason for which there is none.
package orchestrate

import (
	"context"
	"fmt"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Machines are the other machines.
type Machines interface {
	// Target gives the IDs of those that a target of the kind means: "glob", "compound", "grain" and the others of
	// Salt's. Nobody is no error.
	Target(ctx context.Context, kind, target string) ([]string, error)
	// Grains are what is known of a machine without asking it; never nil.
	Grains(id string) *value.Dict
	// Run does the work on machines, and gives what came of it in their order. It tells how many are through.
	Run(ctx context.Context, w *Work, ids []string, told func(through int)) ([]Answer, error)
}

// A Work is what is asked of machines: SLS files, those of a top file, or an execution function.
type Work struct {
	SLS, Exclude []string
	// Top asks for the SLS files of the top file, of the name TopFile unless that is "".
	Top     bool
	TopFile string
	// Function is an execution function; "" for states.
	Function string
	Args     []value.Value
	Kwargs   *value.Dict

	// Test previews. Pillar lies over that of each machine; nil for none.
	Test               bool
	Pillar             *value.Dict
	PillarEnv, SaltEnv string
	// Queue waits for another run of a machine to end, Concurrent does not care for it.
	Queue, Concurrent bool
	// Batch is how many machines at once, a number or a share; "" for as many as may be. Failhard begins no other when
	// one has failed.
	Batch    string
	Failhard bool
	// Timeout bounds how long a machine may take to answer at all; 0 is as usual.
	Timeout time.Duration
}

// An Answer is what came of the work on one machine.
type Answer struct {
	ID string
	// Return is what the states came to in Salt's shape, a list of texts where they have faults, or what the function
	// gave; nil beside an error.
	Return value.Value
	// Retcode is what the function exits with.
	Retcode int
	// Err is why there is no whole answer.
	Err error
}

// A Nested carries out the orchestration of a state salt.runner, in place of a process of its own. It gives what came
// of it in Salt's shape.
type Nested struct {
	SLS, Exclude []string
	Pillar       *value.Dict
	SaltEnv      string
	PillarEnv    string
	Test         bool
}

// A Conductor is what the states of an orchestration share.
type Conductor struct {
	Machines Machines
	// Orchestrate carries another orchestration out, and gives the id and the results of this machine; Check finds what is
	// wrong with one, and does nothing.
	Orchestrate func(ctx context.Context, n Nested) (id string, results *value.Dict, err error)
	Check       func(ctx context.Context, n Nested) error
	// Test says that this is a preview.
	Test bool

	pending pending
}

// Sources make the functions, which only an orchestration has.
func (c *Conductor) Sources() []modules.Source {
	return []modules.Source{
		{Name: "salt", Make: func() modules.Family {
			return modules.Family{Name: "salt", States: []modules.StateSpec{c.stateSpec(), c.functionSpec(), c.runnerSpec(),
				c.parallelSpec(), c.wheelSpec(), c.waitSpec()}}
		}},
		{Name: "saltutil", Make: c.saltutil},
	}
}

// nobody is the fault of a target that means nobody. Salt differs: it is found when the turn of the state comes.
func nobody(kind, target string) modules.Fault {
	hint := "gostate ssh " + fmt.Sprintf("%q", target) + " --test shows whom a target means; --roster FILE names the " +
		"roster"
	if kind != "glob" && kind != "list" && kind != "pcre" {
		hint = "grains and groups of a machine are those that the roster gives"
	}
	return modules.Fault{Arg: "tgt", Msg: fmt.Sprintf("target '%s' (%s) means no machine of the roster", target, kind),
		Hint: hint}
}
