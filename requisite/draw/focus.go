package draw

import (
	"slices"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// Find are the states that a word names: an ID, a name, or `module: ID`. The error is a diagnostic with the nearest
// name where there is none.
func Find(p *requisite.Plan, word string) ([]*state.Low, error) {
	if all := found(p, word); len(all) > 0 {
		return all, nil
	}
	var known []string
	for _, l := range p.Low {
		known = append(known, l.ID, l.Name)
	}
	return nil, NotNamed(word, known, "gostate show lowstate lists them all")
}

// NotNamed says that no state has a name, with the nearest of those that are known, or else what to do.
func NotNamed(word string, known []string, or string) error {
	d := diag.Errorf(diag.Pos{}, "no state is named '%s'", word)
	if near := diag.Nearest(word, known); near != "" {
		return d.WithHint("did you mean '%s'?", near)
	}
	return d.WithHint("%s", or)
}

// once drops links that say what another says: the same kind between the same two, as several requisites of one state,
// or a name that several references share, make them. The first one stays, with its place.
func (g *Graph) once() {
	type key struct {
		from, to int
		kind     string
	}
	seen := make(map[key]bool, len(g.Links))
	g.Links = slices.DeleteFunc(g.Links, func(l Link) bool {
		k := key{l.From, l.To, l.Kind}
		double := seen[k]
		seen[k] = true
		return double
	})
}

// focus keeps the nodes that are no more than so many links away from the states, whichever way those lead.
func (g *Graph) focus(states []*state.Low, depth int) {
	near := make([]bool, len(g.Nodes))
	for i := range g.Nodes {
		near[i] = g.Nodes[i].Low != nil && slices.Contains(states, g.Nodes[i].Low)
	}
	for range depth {
		next := slices.Clone(near)
		for _, l := range g.Links {
			if near[l.From] || near[l.To] {
				next[l.From], next[l.To] = true, true
			}
		}
		near = next
	}
	g.keep(near)
}

// keep drops all other nodes, and the links that lead to them.
func (g *Graph) keep(kept []bool) {
	place := make([]int, len(g.Nodes))
	var nodes []Node
	for i, n := range g.Nodes {
		if place[i] = len(nodes); kept[i] {
			nodes = append(nodes, n)
		}
	}
	var links []Link
	for _, l := range g.Links {
		if kept[l.From] && kept[l.To] {
			l.From, l.To = place[l.From], place[l.To]
			links = append(links, l)
		}
	}
	var steps []int
	for _, i := range g.steps {
		if kept[i] {
			steps = append(steps, place[i])
		}
	}
	g.Nodes, g.Links, g.steps = nodes, links, steps
}
