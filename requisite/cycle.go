package requisite

import (
	"maps"
	"slices"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// exactCycle is the size of a knot up to which its very shortest cycle is sought; in a larger one the search starts
// from that many nodes only.
const exactCycle = 512

// cycles finds a shortest cycle of each knot.
// Salt differs: it finds short ones when it compiles and longer ones while it runs, and names no path.
func (w *walk) cycles() []Cycle {
	var out []Cycle
	for _, knot := range w.knots {
		slices.Sort(knot)
		in := make(map[int32]bool, len(knot))
		for _, v := range knot {
			in[v] = true
		}
		best := w.best(knot, in)
		maps.DeleteFunc(in, func(v int32, _ bool) bool { return w.isPreview(v) })
		if plain := w.best(knot, in); plain != nil { // nobody needs to know what a preview is to see that one
			best = plain
		}
		if best != nil {
			out = append(out, w.cycle(best))
		}
	}
	return out
}

func (w *walk) isPreview(v int32) bool { return v >= w.n && v < 2*w.n || v >= 2*w.n+w.m }

// best is the shortest of the cycles through the knot's nodes that are in the map.
func (w *walk) best(knot []int32, in map[int32]bool) []int32 {
	var best []int32
	for i, v := range knot {
		if v >= 2*w.n || i >= exactCycle || len(best) == 2 {
			break
		}
		if c := w.shortest(v, in, len(best)); in[v] && c != nil && (best == nil || len(c) < len(best)) {
			best = c
		}
	}
	return best
}

// shortest is a shortest cycle through v inside the knot, shorter than limit unless that is 0.
func (w *walk) shortest(v int32, in map[int32]bool, limit int) []int32 {
	from := map[int32]int32{}
	depth := 0
	for level := []int32{v}; len(level) > 0; depth++ {
		if limit > 0 && depth >= limit {
			return nil
		}
		var next []int32
		for _, x := range level {
			for k := int32(0); ; k++ {
				c, ok := w.child(x, k)
				if !ok {
					break
				}
				if c == NotFound || !in[c] {
					continue
				}
				if c == v {
					return backtrack(from, v, x)
				}
				if _, seen := from[c]; !seen {
					from[c] = x
					next = append(next, c)
				}
			}
		}
		level = next
	}
	return nil
}

func backtrack(from map[int32]int32, v, x int32) []int32 {
	path := []int32{x}
	for x != v {
		x = from[x]
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
	for _, g := range w.plan.Groups[next%w.n] {
		for k := range g.Targets {
			t := &g.Targets[k]
			if g.Kind == state.Prereq && t.Set != NotFound {
				if _, ok := slices.BinarySearch(w.plan.Sets[t.Set], s); ok {
					return t.Req
				}
			}
		}
	}
	return nil
}

// Diagnose says who waits for whom, with the place of each reason.
func (p *Plan) Diagnose(c *Cycle) *diag.Diagnostic {
	first := p.Low[c.Edges[0].From]
	d := &diag.Diagnostic{Pos: first.Pos, Msg: "requisite cycle: " + Named(first)}
	for i, e := range c.Edges {
		from, to := p.Low[e.From], p.Low[e.To]
		if i < len(c.Edges) {
			d.Msg += " -> " + Named(to)
		}
		msg := Named(from) + " waits for " + Named(to)
		pos := from.Pos
		if e.Req != nil {
			msg += " (" + e.Req.Key() + ")"
			if !e.Req.Pos.IsZero() {
				pos = e.Req.Pos
			}
		}
		if i == 0 {
			d.Pos = pos
		}
		d.Related = append(d.Related, diag.Related{Pos: pos, Msg: msg})
	}
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
