package requisite

import (
	"slices"

	"github.com/gostate/gostate/state"
)

// A walk goes depth first over the graph of a plan, without recursion: the order in which it leaves states is the order
// of the run, and knots of states that wait for each other come out on the way (Tarjan's strongly connected
// components).
//
// The graph has four sorts of nodes, so that it is as small as what was written: a state; the preview of a state, for
// which another's prereq asks and which needs what the state requires, but not the states that are prereq of it; a set
// of states, shared by equal references; and the previews of a set.
type walk struct {
	plan  *Plan
	n, m  int32 // states, sets
	num   []int32
	low   []int32 // Tarjan's low link; done once the node's knot is known
	stack []int32
	path  []frame
	next  int32
	knots [][]int32
}

type frame struct{ node, child int32 }

const done = int32(1<<31 - 1)

func newWalk(p *Plan) *walk {
	w := &walk{plan: p, n: int32(len(p.Low)), m: int32(len(p.Sets)), next: 1}
	w.num = make([]int32, 2*(w.n+w.m))
	w.low = make([]int32, 2*(w.n+w.m))
	return w
}

// run walks from every state in chunk order and fills plan.Order.
// Salt differs: it walks by recursion, which ends at chains of about 1,000.
func (w *walk) run() {
	w.plan.Order = make([]*state.Low, 0, w.n)
	for s := range w.n {
		if w.num[s] == 0 {
			w.from(s)
		}
	}
}

// tied walks, and says whether there are knots.
func (w *walk) tied() bool {
	w.run()
	return len(w.knots) > 0
}

func (w *walk) from(root int32) {
	w.enter(root)
	for len(w.path) > 0 {
		f := &w.path[len(w.path)-1]
		child, ok := w.child(f.node, f.child)
		if !ok {
			w.leave(f.node)
			continue
		}
		f.child++
		switch {
		case child == NotFound:
		case w.num[child] == 0:
			w.enter(child)
		case w.low[child] != done:
			w.low[f.node] = min(w.low[f.node], w.num[child])
		}
	}
}

func (w *walk) enter(v int32) {
	w.num[v], w.low[v] = w.next, w.next
	w.next++
	w.stack = append(w.stack, v)
	w.path = append(w.path, frame{node: v})
}

// leave ends a node: a state takes its place in the order, and a knot that is complete is noted when it is more than
// one node.
func (w *walk) leave(v int32) {
	w.path = w.path[:len(w.path)-1]
	if v < w.n {
		w.plan.Order = append(w.plan.Order, w.plan.Low[v])
	}
	if w.low[v] == w.num[v] {
		i := len(w.stack) - 1
		for w.stack[i] != v {
			i--
		}
		if len(w.stack)-i > 1 {
			w.knots = append(w.knots, append([]int32(nil), w.stack[i:]...))
		}
		for _, x := range w.stack[i:] {
			w.low[x] = done
		}
		w.stack = w.stack[:i]
		return
	}
	if len(w.path) > 0 {
		parent := w.path[len(w.path)-1].node
		w.low[parent] = min(w.low[parent], w.low[v])
	}
}

// child is the k-th node that v waits for; NotFound is a missing target, ok false the end.
func (w *walk) child(v, k int32) (node int32, ok bool) {
	w.plan.looked++
	switch {
	case v < 2*w.n:
		s := v % w.n
		targets := w.plan.targets(s)
		if int(k) < len(targets) {
			t := &targets[k]
			switch {
			case t.Set == NotFound, v >= w.n && late(t):
				return NotFound, true
			case t.Req.Kind == state.Prereq:
				return 2*w.n + w.m + t.Set, true
			}
			return 2*w.n + t.Set, true
		}
		if v >= w.n {
			return 0, false
		}
		if of := w.plan.PrereqOf[s]; int(k)-len(targets) < len(of) {
			return of[int(k)-len(targets)], true
		}
		return 0, false
	case v < 2*w.n+w.m:
		if set := w.plan.Sets[v-2*w.n]; int(k) < len(set) {
			return set[k], true
		}
		return 0, false
	}
	if set := w.plan.Sets[v-2*w.n-w.m]; int(k) < len(set) {
		return w.n + set[k], true
	}
	return 0, false
}

// walkAsSalt makes the order that of the steps, taken as if no preview were the end of a state, and gives those of the
// knots in which a state waits for itself: in the others, what a preview requires waits for the state that asks.
func (p *Plan) walkAsSalt(knots [][]int32) [][]int32 {
	clear(p.knotted)
	p.prior = make([]bool, len(p.Low))
	for _, knot := range knots {
		for _, v := range knot {
			if n := int32(len(p.Low)); v < 2*n {
				p.knotted[v%n] = true
			}
		}
	}
	stuck := make([]bool, len(p.Low))
	order := make([]*state.Low, 0, len(p.Low))
	steps := p.Steps()
	for step, ok := steps.Next(); ok; step, ok = steps.Next() {
		if !step.Preview && !step.Early {
			stuck[step.State] = step.Stuck
			order = append(order, p.Low[step.State])
		}
	}
	p.Order, p.prior = order, steps.prior
	return slices.DeleteFunc(knots, func(knot []int32) bool {
		return !slices.ContainsFunc(knot, func(v int32) bool { return int(v) < 2*len(stuck) && stuck[int(v)%len(stuck)] })
	})
}
