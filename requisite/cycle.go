package requisite

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// cycleWork is how many steps the searches for the shortest cycles of all knots may take: beyond it, each knot is
// searched from one node. It is enough for the very shortest ones of a few hundred states.
const cycleWork = 1 << 20

// cycles finds a shortest cycle of each knot.
// Salt differs: it finds short ones when it compiles and longer ones while it runs, and names no path.
func (w *walk) cycles() []Cycle {
	var out []Cycle
	s := cycleSearch{w: w, from: make([]int32, len(w.num)), seen: make([]int32, len(w.num)), in: make([]bool, len(w.num))}
	all, apart := 0, 0
	for _, knot := range w.knots {
		slices.Sort(knot)
		s.among(knot, func(int32) bool { return true })
		best := s.best(knot, &all)
		s.among(knot, func(v int32) bool { return !w.isPreview(v) })
		if plain := s.best(knot, &apart); plain != nil { // nobody needs to know what a preview is to see that one
			best = plain
		}
		if best != nil {
			out = append(out, w.cycle(best))
		}
		s.among(knot, func(int32) bool { return false })
	}
	return out
}

func (w *walk) isPreview(v int32) bool { return v >= w.n && v < 2*w.n || v >= 2*w.n+w.m }

// A cycleSearch looks for short cycles among some nodes of a walk.
type cycleSearch struct {
	w     *walk
	in    []bool  // nodes that it is about
	from  []int32 // the node before, of those seen in this search
	seen  []int32 // the last search that came by, from 1
	num   int32   // number of the search
	queue []int32
	work  int // steps of this search
}

// among says which nodes of a knot are looked at.
func (s *cycleSearch) among(knot []int32, is func(int32) bool) {
	for _, v := range knot {
		s.in[v] = is(v)
	}
}

// best is the shortest of the cycles through the knot's nodes that are looked at, or of those that were found in time.
func (s *cycleSearch) best(knot []int32, spent *int) []int32 {
	var best []int32
	tried := false
	for _, v := range knot {
		if v >= 2*s.w.n || len(best) == 2 || tried && *spent > cycleWork {
			break
		}
		if !s.in[v] {
			continue
		}
		tried, s.work = true, 0
		if c := s.shortest(v, len(best)); c != nil && (best == nil || len(c) < len(best)) {
			best = c
		}
		*spent += s.work
	}
	return best
}

// shortest is a shortest cycle through v among the nodes, shorter than limit unless that is 0.
func (s *cycleSearch) shortest(v int32, limit int) []int32 {
	s.num++
	s.queue = append(s.queue[:0], v)
	for i, level, depth := 0, 1, 0; i < len(s.queue); i++ {
		if i == level {
			level, depth = len(s.queue), depth+1
		}
		if limit > 0 && depth >= limit {
			return nil
		}
		x := s.queue[i]
		for k := int32(0); ; k++ {
			c, ok := s.w.child(x, k)
			s.work++
			if !ok {
				break
			}
			switch {
			case c == NotFound || !s.in[c] || s.seen[c] == s.num:
			case c == v:
				return s.backtrack(v, x)
			default:
				s.seen[c], s.from[c] = s.num, x
				s.queue = append(s.queue, c)
			}
		}
	}
	return nil
}

func (s *cycleSearch) backtrack(v, x int32) []int32 {
	path := []int32{x}
	for x != v {
		x = s.from[x]
		path = append(path, x)
	}
	slices.Reverse(path)
	return path
}

// cycle turns nodes into edges between states.
func (w *walk) cycle(nodes []int32) Cycle {
	var c Cycle
	// It begins at a state that is one: sets only stand between states.
	for i, v := range nodes {
		if v >= 2*w.n {
			continue
		}
		c.Edges = append(c.Edges, Edge{From: v % w.n, To: w.stateAfter(nodes, i), Req: w.reqBetween(nodes, i)})
	}
	return c
}

func (w *walk) stateAfter(nodes []int32, i int) int32 {
	for k := 1; ; k++ {
		if v := nodes[(i+k)%len(nodes)]; v < 2*w.n {
			return v % w.n
		}
	}
}

// reqBetween is the requisite behind the step from nodes[i]: its own, or that of a prereq which comes first.
func (w *walk) reqBetween(nodes []int32, i int) *state.Requisite {
	v, next := nodes[i], nodes[(i+1)%len(nodes)]
	s := v % w.n
	if next >= 2*w.n {
		set := (next - 2*w.n) % w.m
		pre := next >= 2*w.n+w.m
		targets := w.plan.targets(s)
		for k := range targets {
			if t := &targets[k]; t.Set == set && pre == (t.Req.Kind == state.Prereq) {
				return t.Req
			}
		}
		return nil
	}
	return w.plan.prereqOn(next%w.n, s)
}

// prereqOn is the prereq of a state that names another, nil if there is none.
func (p *Plan) prereqOn(s, other int32) *state.Requisite {
	for _, g := range p.Groups[s] {
		for k := range g.Targets {
			t := &g.Targets[k]
			if g.Kind == state.Prereq && t.Set != NotFound {
				if _, ok := slices.BinarySearch(p.Sets[t.Set], other); ok {
					return t.Req
				}
			}
		}
	}
	return nil
}

// shownEdges is how many steps of a cycle a message shows: the first ones, and the last.
const shownEdges = 16

// Diagnose says who waits for whom, with the place of each reason.
func (p *Plan) Diagnose(c *Cycle) *diag.Diagnostic {
	names := []string{Named(p.Low[c.Edges[0].From])}
	d := &diag.Diagnostic{}
	for i, e := range c.Edges {
		more := len(c.Edges) - shownEdges
		if more > 0 && i >= shownEdges-1 && i < len(c.Edges)-1 {
			if i == shownEdges-1 {
				names = append(names, fmt.Sprintf("(%d more)", more))
			}
			continue
		}
		from, to := p.Low[e.From], p.Low[e.To]
		names = append(names, Named(to))
		msg := Named(from) + " waits for " + Named(to)
		pos := from.Pos
		if e.Req != nil {
			msg += " (" + e.Req.Key() + ")"
			if !e.Req.Pos.IsZero() {
				pos = e.Req.Pos
			}
		}
		d.Related = append(d.Related, diag.Related{Pos: pos, Msg: msg})
	}
	d.Pos, d.Msg = d.Related[0].Pos, "requisite cycle: "+strings.Join(names, " -> ")
	return d.WithHint("remove one of these requisites")
}

// Named is a state as messages show it: module and ID, and the name where that differs.
func Named(l *state.Low) string {
	s := l.Module + ": " + l.ID
	if l.Name != l.ID {
		s += " (" + l.Name + ")"
	}
	return s
}
