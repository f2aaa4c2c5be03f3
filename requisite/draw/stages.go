package draw

import "fmt"

// A cluster is the nodes of one run stage, by their places. Without stages there is one, without a name.
type cluster struct {
	name  string
	nodes []int
}

// clusters are the stages that have nodes, in their order.
func (g *Graph) clusters() (out []cluster) {
	if len(g.Stages) == 0 {
		all := make([]int, len(g.Nodes))
		for i := range all {
			all[i] = i
		}
		return []cluster{{nodes: all}}
	}
	for _, name := range g.Stages {
		c := cluster{name: name}
		for i := range g.Nodes {
			if g.Nodes[i].Stage == name {
				c.nodes = append(c.nodes, i)
			}
		}
		if len(c.nodes) > 0 {
			out = append(out, c)
		}
	}
	return out
}

// A frame is drawn around the nodes of a stage.
type frame struct {
	name           string
	y, width, high float64
}

const titleH = 26 // height of a stage's name

// stagedLayout lays out each stage for itself, one below the other.
func stagedLayout(g *Graph) *layout {
	l := &layout{g: g, spots: make([]spot, len(g.Nodes)), route: make([][]int, len(g.Links)), hidden: map[int]bool{}}
	y := 0.0
	for _, c := range g.clusters() {
		own := l.add(c, y)
		high := own.height - margin - legendH + titleH
		l.frames = append(l.frames, frame{c.name, y + margin + legendH - 6, own.width, high})
		l.width, y = max(l.width, own.width), y+high+14
	}
	for i, k := range g.Links {
		if l.route[i] == nil && !l.hidden[i] { // from one stage to another
			l.route[i] = []int{k.From, k.To}
		}
	}
	l.height = y + margin + legendH
	return l
}

// add lays out a cluster below what is there.
func (l *layout) add(c cluster, y float64) *layout {
	part, links := l.g.part(c.nodes)
	own := newLayout(part)
	place := make([]int, len(own.spots))
	for i, s := range own.spots {
		if s.y += y + titleH; i < len(c.nodes) {
			place[i], s.node = c.nodes[i], c.nodes[i]
			l.spots[place[i]] = s
			continue
		}
		place[i] = len(l.spots)
		l.spots = append(l.spots, s)
	}
	for i, link := range links {
		if own.hidden[i] {
			l.hidden[link] = true
		}
		for _, s := range own.route[i] {
			l.route[link] = append(l.route[link], place[s])
		}
	}
	return own
}

// part is the graph of some nodes, and the places of its links in the whole.
func (g *Graph) part(nodes []int) (*Graph, []int) {
	at := make(map[int]int, len(nodes))
	out := &Graph{}
	for i, n := range nodes {
		at[n] = i
		out.Nodes = append(out.Nodes, g.Nodes[n])
	}
	var places []int
	for i, l := range g.Links {
		from, ok := at[l.From]
		to, both := at[l.To]
		if ok && both {
			l.From, l.To = from, to
			out.Links, places = append(out.Links, l), append(places, i)
		}
	}
	return out, places
}

// svg draws the frame with its name.
func (f frame) svg() string {
	return fmt.Sprintf(`<rect x="8" y="%.1f" width="%.1f" height="%.1f" rx="8" fill="#f7f9fb" stroke="#90a4ae" `+
		`stroke-dasharray="6,4"/><text x="18" y="%.1f" fill="#455a64" font-weight="bold">stage %s</text>`+"\n", f.y,
		f.width-16,
		f.high, f.y+16, escape(f.name))
}
