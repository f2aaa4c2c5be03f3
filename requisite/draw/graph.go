// Package draw shows a plan to people and programs: as a graph (DOT, Mermaid, SVG, JSON), and as an explanation of one
// state in words.
// It decides nothing about the run.
package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// A Graph is a plan as it is drawn: states, sets of states that requisites name together, and what runs before what.
type Graph struct {
	Nodes []Node
	// Links lead from what runs first to what runs later, sorted by To in run order, then as written.
	Links []Link
	// Order says that the order of the run is drawn, too.
	Order bool
	// Stages are the run stages in their order, nil where there are none: the states of each are drawn together.
	Stages []string
	// steps are the nodes of the states in the order of the run.
	steps []int
}

// A Node is a state, or a set of states ("sls: network", a pattern).
type Node struct {
	ID    string // "s12", "g3": unique, the same in every run
	Label string // "pkg: httpd"
	Fun   string // "pkg.installed", "" for a set
	Low   *state.Low
	Stage string // the run stage of a state or a set, "" where there are none
	Run   int    // place in the run, from 1; 0 for a set
	// Href is where a picture leads to from here, Fill its colour; "" for none.
	Href, Fill string
	// Cyclic and Failed are marked in every format.
	Cyclic, Failed bool
}

// A Link is one requisite, or a member of a set.
type Link struct {
	From, To int    // places in Nodes
	Kind     string // "require", ...; "in" leads from a state to the set that it is part of, see also leftOut
	Cyclic   bool
	Req      *state.Requisite
}

// Options say what is drawn.
type Options struct {
	// Order draws the order of the run between states that follow each other.
	Order bool
	// CyclesOnly leaves out all that is on no cycle.
	CyclesOnly bool
	// Failed marks states.
	Failed func(*state.Low) bool
	// Focus draws only these states and those that are no more than Depth links away; nil draws all.
	Focus []*state.Low
	Depth int
	// Only says, by place in the low state, what is drawn; nil draws all.
	Only []bool
}

// leftOut is the kind of a link that is drawn to say that nothing waits along it: an automatic one that would have
// closed a circle.
const leftOut = "left out"

// maxPlain is how many states a reference may stand for and be drawn without a node for the set.
const maxPlain = 3

// Draw makes a graph of a plan.
func Draw(p *requisite.Plan, opts Options) *Graph {
	d := &drawing{plan: p, opts: opts, g: &Graph{Order: opts.Order && !opts.CyclesOnly}, nodes: map[int32]int{},
		sets:    map[int32]int{},
		onCycle: map[int32]bool{}, cyclic: map[[2]int32]bool{}}
	for _, c := range p.Cycles {
		for _, e := range c.Edges {
			d.onCycle[e.From], d.onCycle[e.To] = true, true
			d.cyclic[[2]int32{e.From, e.To}] = true
		}
	}
	for i, l := range runOrder(p) {
		if d.drawn(int32(l.Index)) {
			d.state(l, i+1)
		}
	}
	for _, l := range p.Order {
		if !d.drawn(int32(l.Index)) {
			continue
		}
		for _, g := range p.Groups[l.Index] {
			if g.Kind == state.Staged && !opts.CyclesOnly {
				continue // what stages say is in the nodes
			}
			for k := range g.Targets {
				d.link(int32(l.Index), &g.Targets[k], g.Kind.Key(g.Mode))
			}
		}
	}
	if !opts.CyclesOnly {
		for _, e := range p.Listens {
			for k := 0; k < len(e.Targets) && d.drawn(int32(e.Low.Index)); k++ {
				d.link(int32(e.Low.Index), &e.Targets[k], "listen")
			}
		}
		for _, e := range p.LeftOut {
			d.edge(e.From, e.To, e.Req, leftOut)
		}
	}
	d.g.Stages = p.Stages()
	d.g.once()
	if opts.Focus != nil {
		d.g.focus(opts.Focus, opts.Depth)
	}
	return d.g
}

// runOrder are the states in the order that a run takes, in which every state has something to do: with prereq that is
// not the plan's.
func runOrder(p *requisite.Plan) []*state.Low {
	if len(p.Cycles) > 0 {
		return p.Order
	}
	out, seen := make([]*state.Low, 0, len(p.Order)), make([]bool, len(p.Low))
	add := func(i int) {
		if !seen[i] {
			seen[i] = true
			out = append(out, p.Low[i])
		}
	}
	for s := p.Steps(); ; {
		step, ok := s.Next()
		if !ok {
			break
		}
		if !step.Preview && !step.Early {
			add(int(step.State))
		}
	}
	for _, l := range p.Order {
		add(l.Index)
	}
	return out
}

type drawing struct {
	plan    *requisite.Plan
	opts    Options
	g       *Graph
	nodes   map[int32]int // state -> node
	sets    map[int32]int // set -> node
	onCycle map[int32]bool
	cyclic  map[[2]int32]bool
}

// drawn says whether a state is drawn.
func (d *drawing) drawn(i int32) bool {
	return (d.opts.Only == nil || d.opts.Only[i]) && (!d.opts.CyclesOnly || d.onCycle[i])
}

func (d *drawing) state(l *state.Low, run int) {
	i := int32(l.Index)
	d.nodes[i] = len(d.g.Nodes)
	d.g.steps = append(d.g.steps, len(d.g.Nodes))
	d.g.Nodes = append(d.g.Nodes, Node{ID: fmt.Sprintf("s%d", l.Index), Label: requisite.Named(l), Fun: l.Fun(), Low: l,
		Run:    run,
		Stage:  d.plan.StageOf(l.Index),
		Cyclic: d.onCycle[i], Failed: d.opts.Failed != nil && d.opts.Failed(l)})
}

// link draws one reference: to each state, or to the set.
func (d *drawing) link(from int32, t *requisite.Target, kind string) {
	if t.Set == requisite.NotFound {
		return
	}
	set := d.members(t.Set)
	if len(set) == 0 {
		return
	}
	if len(set) <= maxPlain || d.opts.CyclesOnly {
		for _, m := range set {
			if d.opts.CyclesOnly && !d.cyclic[[2]int32{from, m}] && !d.cyclic[[2]int32{m, from}] {
				continue
			}
			d.edge(from, m, t.Req, kind)
		}
		return
	}
	g, ok := d.sets[t.Set]
	if !ok {
		g = len(d.g.Nodes)
		d.sets[t.Set] = g
		d.g.Nodes = append(d.g.Nodes, Node{ID: fmt.Sprintf("g%d", t.Set),
			Label: fmt.Sprintf("%s (%d)", requisite.Shown(t.Req.To), len(set)),
			Stage: d.plan.StageOf(int(set[len(set)-1]))})
		for _, m := range set {
			d.g.Links = append(d.g.Links, Link{From: d.nodes[m], To: g, Kind: "in"})
		}
	}
	cyclic := d.onCycle[from] && slices.ContainsFunc(set, func(m int32) bool { return d.cyclic[[2]int32{from, m}] })
	l := Link{From: g, To: d.nodes[from], Kind: kind, Req: t.Req, Cyclic: cyclic}
	if t.Req.Kind == state.Prereq {
		l.From, l.To = l.To, l.From
	}
	d.g.Links = append(d.g.Links, l)
}

// members are the states of a set that are drawn, all in a drawing of cycles.
func (d *drawing) members(set int32) []int32 {
	all := d.plan.Sets[set]
	if d.opts.Only == nil {
		return all
	}
	return slices.DeleteFunc(slices.Clone(all), func(m int32) bool { return !d.opts.Only[m] })
}

// edge draws that `from` has m as a requisite.
func (d *drawing) edge(from, m int32, req *state.Requisite, kind string) {
	a, b := d.nodes[m], d.nodes[from]
	cyclic := d.cyclic[[2]int32{from, m}]
	if req.Kind == state.Prereq {
		a, b = b, a
		cyclic = cyclic || d.cyclic[[2]int32{m, from}]
	}
	d.g.Links = append(d.g.Links, Link{From: a, To: b, Kind: kind, Req: req, Cyclic: cyclic})
}

// Formats are the formats that Graph.Format knows.
func Formats() []string { return []string{"dot", "mermaid", "json", "svg"} }

// Format is the graph in one of the Formats.
func (g *Graph) Format(format string) (string, error) {
	switch format {
	case "dot":
		return g.DOT(), nil
	case "mermaid":
		return g.Mermaid(), nil
	case "json":
		return g.JSON()
	case "svg":
		return g.SVG(), nil
	}
	return "", fmt.Errorf("unknown graph format %q: it is one of %s", format, strings.Join(Formats(), ", "))
}

// follows are the pairs of nodes that follow each other in the run and have no link.
func (g *Graph) follows() [][2]int {
	if !g.Order {
		return nil
	}
	linked := make(map[[2]int]bool, len(g.Links))
	for _, l := range g.Links {
		linked[[2]int{l.From, l.To}] = true
	}
	var out [][2]int
	for i := 1; i < len(g.steps); i++ {
		if p := [2]int{g.steps[i-1], g.steps[i]}; !linked[p] {
			out = append(out, p)
		}
	}
	return out
}
