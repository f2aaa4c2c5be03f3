package page

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/requisite/draw"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/report"
)

// maxNodes is how many states a picture shows: of more, those that something became of, and what they wait for.
const maxNodes = 300

// graph is the picture of what waits for what, "" where nothing does. Each state is a link to its place in the list.
func (p *Page) graph() (svg, note string) {
	var drawn map[int]bool
	drawn, note = p.drawn()
	g := &draw.Graph{}
	nodes := map[int]int{}
	for i := range p.States {
		if drawn[i] {
			nodes[i] = len(g.Nodes)
			g.Nodes = append(g.Nodes, p.node(i))
		}
	}
	for i := range p.States {
		for _, w := range p.States[i].Waits {
			from, ok := nodes[w.On]
			to, both := nodes[i]
			if !ok || !both {
				continue
			}
			if strings.HasPrefix(w.Kind, "prereq") {
				from, to = to, from
			}
			g.Links = append(g.Links, draw.Link{From: from, To: to, Kind: report.Visible(w.Kind)})
		}
	}
	if len(g.Links) == 0 {
		return "", ""
	}
	return g.SVG(), note // draw escapes every text
}

func (p *Page) node(i int) draw.Node {
	s := &p.States[i]
	mod, fun, _ := strings.Cut(s.Fun, ".")
	low := &state.Low{ID: report.Visible(s.ID), Name: report.Visible(s.Name), Module: report.Visible(mod),
		Func: report.Visible(fun), SLS: report.Visible(s.SLS)}
	fill := map[Kind]string{Changed: "#fff3c4", Failed: "#ffcdd2", Blocked: "#fde0e3", Unknown: "#cdeef3",
		Skipped: "#eceff1", InOrder: "#e3f4e6"}[s.Kind]
	return draw.Node{ID: fmt.Sprintf("s%d", i), Fun: low.Fun(), Low: low, Run: i + 1, Href: fmt.Sprintf("#s%d", i),
		Fill: fill, Failed: s.Kind == Failed}
}

// drawn are the states of the picture.
func (p *Page) drawn() (map[int]bool, string) {
	out := map[int]bool{}
	if len(p.States) <= maxNodes {
		for i := range p.States {
			out[i] = true
		}
		return out, ""
	}
	for i := 0; i < len(p.States) && len(out) < maxNodes; i++ {
		s := &p.States[i]
		if s.Kind == InOrder || s.Kind == Skipped {
			continue
		}
		out[i] = true
		for _, w := range s.Waits[:min(len(s.Waits), 4)] {
			out[w.On] = true
		}
	}
	return out, fmt.Sprintf("Of %d states, %d are drawn: those that something became of, and some of what they wait for.",
		len(p.States), len(out))
}
