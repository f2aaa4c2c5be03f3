// Package requisite turns the references between states into a graph and an order.
//
// Resolve finds what every requisite refers to, in time linear in states and references; it reports all missing targets
// and all cycles before anything runs, and gives the Plan that the executor follows. The package runs nothing, reads no
// files and prints nothing; it draws a Plan (DOT, Mermaid, JSON, SVG) and explains it into texts that its caller shows.
package requisite

import (
	"iter"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// A Plan is the order in which states run, and what each of them waits for. It is not changed after Resolve.
// States are named by their place in the low state (state.Low.Index).
type Plan struct {
	// Low is the low state: Low[i].Index == i.
	Low []*state.Low
	// Order is the order of the run: each state once, after what it requires. Listeners are not in it. Where prereq is
	// used, the order of a run may differ from it, see Steps.
	Order []*state.Low
	// Groups are the requisites of each state by Index, by kind in the order in which they are walked; without listen and
	// use.
	Groups [][]Group
	// PrereqOf lists, for each state b by Index, the states that have `prereq: b`, in the order in which b waits for them.
	PrereqOf [][]int32
	// Listeners are what is to be called once at the very end, if something it listens to changed: each state once, in
	// chunk order.
	Listeners []Listener
	// Listens are the same in the order in which Salt calls them: at the place of the state that has listen, or that has
	// listen_in. A state may come several times; it is called the first time that something changed.
	Listens []Listener
	// Sets are the states that references stand for, in chunk order. Equal references share one, so an executor may keep
	// what it knows of a set (all succeeded, any changed) under its number.
	Sets [][]int32
	// Cycles are the cycles found, nil in a plan that can run.
	Cycles []Cycle
	// LeftOut are the automatic relationships that would have closed a circle, by From.
	LeftOut []Edge

	stages *stages // nil without run stages
	// knotted are the states that may wait for themselves, by Index; in a plan with prereq.
	knotted []bool
	// prior are the states that another was found to wait for because it is their prereq, by Index, where no preview is
	// the end of a state. One that a preview ends in the run would not find them.
	prior []bool

	// flat holds the targets of all states, those of state i from first[i] to first[i+1], in the order in which they are
	// walked.
	flat  []Target
	first []int32
	// looked counts the edges that Resolve looked at, which must stay linear in what is written.
	looked int
}

// A Group is all requisites of one kind and mode of one state.
type Group struct {
	Kind    state.Kind
	Mode    state.Mode
	Targets []Target
}

// A Target is one reference of a group.
type Target struct {
	// Req is the requisite as written, for messages.
	Req *state.Requisite
	// Set is its place in Plan.Sets; NotFound when nothing matched, which Resolve lets through only when not strict.
	Set int32
}

// NotFound is the Set of a reference that matches no state: the state that has it fails.
const NotFound int32 = -1

// A Listener is a state whose mod_watch is called at the end of the run if a state of Targets changed.
// Its result has the ID "listener_" + Low.ID and the function mod_watch.
type Listener struct {
	Low     *state.Low
	Targets []Target
}

// An Edge says that From waits for To. Back marks the edge of a prereq: `a prereq b` makes b wait for a.
type Edge struct {
	From, To int32
	Req      *state.Requisite
}

// A Cycle is a shortest cycle of a knot of states: each edge leads to the state of the next, the last to the first.
type Cycle struct{ Edges []Edge }

// States are the Targets' states in the order of the references, each reference's in chunk order; a state that two
// references name comes twice, as in Salt.
func (p *Plan) States(targets []Target) iter.Seq2[*state.Low, *state.Requisite] {
	return func(yield func(*state.Low, *state.Requisite) bool) {
		for i := range targets {
			if targets[i].Set == NotFound {
				continue
			}
			for _, s := range p.Sets[targets[i].Set] {
				if !yield(p.Low[s], targets[i].Req) {
					return
				}
			}
		}
	}
}

// Options say how Resolve treats what is wrong.
type Options struct {
	// Lenient is Salt's way (strict: false): a missing target is no error, it fails its state when the run comes to it.
	Lenient bool
	// HasModWatch says whether states of the module react to a watch. Where they do not, watch is require. nil: all do.
	HasModWatch func(module string) bool
	// Strict makes an error of a listen_in that names no state; otherwise it is a warning.
	Strict bool
	// Incomplete says that some states could not be read or compiled, and that this is reported: a missing target is then
	// only reported when it looks like a slip of the pen.
	Incomplete bool
	// Stages are the run stages in their order, main among them; nil: there are none.
	Stages []string
	// Known are names to suggest for a missing SLS target besides those of the low state.
	Known []string
	// Virtual are states that are not part of the run, since nothing realizes them.
	Virtual []*state.Low
	// Relate tells what a state, by its Index, makes and stands on, the same in every call: automatic relationships are
	// found from it. nil: there are none.
	Relate func(i int, r *state.Relations)
}

// Resolve finds the targets of all requisites and the order of the run. low is in chunk order, with its places as
// Low.Index.
// The plan is never nil: with
// errors it still holds what could be resolved, for graphs and explanations, but must not be run.
func Resolve(low []*state.Low, opts Options) (*Plan, *diag.List) {
	return resolve(low, opts)
}
