package draw

import (
	"cmp"
	"slices"
)

// The layout is that of layered graphs: what runs later is further right, columns are sorted so that lines cross
// little, and a graph of many columns goes on in a further band below. States without any requisite stand in a block at
// the end.
const (
	boxW, boxH     = 176, 34
	gapX, gapY     = 64, 12
	columnsPerBand = 8
	looseColumns   = 7
	margin         = 24
	legendH        = 40
	bandGap        = 46
	thin           = 8 // height of a line's passage through a column
)

// A spot is where a node, or the passage of a line, is drawn: x, y is its left upper corner.
type spot struct {
	node          int // -1 for a passage
	x, y, h       float64
	column        int
	before, after []int // spots
	weight        float64
}

type layout struct {
	g       *Graph
	spots   []spot // the nodes' first, then passages
	columns [][]int
	// route are the spots of each link, from its first to its last.
	route         [][]int
	hidden        map[int]bool // links that are not drawn
	loose         []int
	frames        []frame // of stages
	width, height float64
}

func newLayout(g *Graph) *layout {
	if len(g.Stages) > 0 {
		return stagedLayout(g)
	}
	l := &layout{g: g, spots: make([]spot, len(g.Nodes)), route: make([][]int, len(g.Links))}
	for i := range l.spots {
		l.spots[i] = spot{node: i, h: boxH, column: -1}
	}
	l.assignColumns()
	l.hidden = g.implied()
	l.passages()
	for range 4 {
		l.sortColumns(false)
		l.sortColumns(true)
	}
	l.place()
	return l
}

// rank is the place of a node from which columns are counted: that in the run; a set comes after its last member.
func (l *layout) rank() []float64 {
	r := make([]float64, len(l.g.Nodes))
	for i, n := range l.g.Nodes {
		r[i] = float64(n.Run)
	}
	for _, k := range l.g.Links {
		if k.Kind == "in" {
			r[k.To] = max(r[k.To], r[k.From]+0.5)
		}
	}
	return r
}

// assignColumns puts every node one column right of the last that runs before it; links that close a cycle do not
// count.
func (l *layout) assignColumns() {
	rank := l.rank()
	links := make([]int, len(l.g.Links))
	for i := range links {
		links[i] = i
	}
	slices.SortStableFunc(links, func(a, b int) int {
		return cmp.Compare(rank[l.g.Links[a].From], rank[l.g.Links[b].From])
	})
	for _, i := range links {
		k := l.g.Links[i]
		for _, v := range []int{k.From, k.To} {
			l.spots[v].column = max(l.spots[v].column, 0)
		}
		if rank[k.From] < rank[k.To] {
			l.spots[k.To].column = max(l.spots[k.To].column, l.spots[k.From].column+1)
		}
	}
	for _, i := range l.byRun() {
		c := l.spots[i].column
		if c < 0 {
			l.loose = append(l.loose, i)
			continue
		}
		for len(l.columns) <= c {
			l.columns = append(l.columns, nil)
		}
		l.columns[c] = append(l.columns[c], i)
	}
}

// byRun are the nodes in the order of the run.
func (l *layout) byRun() []int {
	rank := l.rank()
	out := make([]int, len(l.g.Nodes))
	for i := range out {
		out[i] = i
	}
	slices.SortStableFunc(out, func(a, b int) int { return cmp.Compare(rank[a], rank[b]) })
	return out
}

// passages leads links that span several columns of one band through each of them.
func (l *layout) passages() {
	for i, k := range l.g.Links {
		if l.hidden[i] {
			continue
		}
		from, to := l.spots[k.From].column, l.spots[k.To].column
		path := []int{k.From}
		if from < to && from/columnsPerBand == to/columnsPerBand {
			for c := from + 1; c < to; c++ {
				s := len(l.spots)
				l.spots = append(l.spots, spot{node: -1, h: thin, column: c})
				l.columns[c] = append(l.columns[c], s)
				path = append(path, s)
			}
		}
		path = append(path, k.To)
		for j := 1; j < len(path); j++ {
			l.spots[path[j-1]].after = append(l.spots[path[j-1]].after, path[j])
			l.spots[path[j]].before = append(l.spots[path[j]].before, path[j-1])
		}
		l.route[i] = path
	}
}

// sortColumns orders each column by where its neighbours on one side are.
func (l *layout) sortColumns(fromRight bool) {
	at := make([]float64, len(l.spots))
	for _, c := range l.columns {
		for i, s := range c {
			at[s] = float64(i)
		}
	}
	for n := range l.columns {
		c := l.columns[n]
		if fromRight {
			c = l.columns[len(l.columns)-1-n]
		}
		for i, s := range c {
			near := l.spots[s].before
			if fromRight {
				near = l.spots[s].after
			}
			l.spots[s].weight = float64(i)
			if len(near) > 0 {
				sum := 0.0
				for _, x := range near {
					sum += at[x]
				}
				l.spots[s].weight = sum / float64(len(near))
			}
		}
		slices.SortStableFunc(c, func(a, b int) int { return cmp.Compare(l.spots[a].weight, l.spots[b].weight) })
		for i, s := range c {
			at[s] = float64(i)
		}
	}
}

// place gives every spot its coordinates, band by band.
func (l *layout) place() {
	y := float64(margin + legendH)
	for from := 0; from < len(l.columns); from += columnsPerBand {
		band := l.columns[from:min(from+columnsPerBand, len(l.columns))]
		y += l.placeBand(band, y) + bandGap
		l.width = max(l.width, float64(2*margin+len(band)*(boxW+gapX)-gapX))
	}
	for i, n := range l.loose {
		s := &l.spots[n]
		s.x = float64(margin + (i%looseColumns)*(boxW+gapY))
		s.y = y + float64(i/looseColumns*(boxH+gapY))
		l.width = max(l.width, s.x+boxW+margin)
		l.height = s.y + boxH + margin
	}
	l.height = max(l.height, y)
	l.width = max(l.width, 700)
}

// placeBand stacks the columns of a band from the top, then lets every spot drift to the height of its neighbours. It
// gives the height of the band.
func (l *layout) placeBand(band [][]int, top float64) float64 {
	height := 0.0
	for i, c := range band {
		y := top
		for _, s := range c {
			l.spots[s].x, l.spots[s].y = float64(margin+i*(boxW+gapX)), y
			y += l.spots[s].h + gapY
		}
		height = max(height, y-top-gapY)
	}
	for range 6 {
		for _, c := range band {
			l.drift(c, top, top+height)
		}
		for i := range band {
			l.drift(band[len(band)-1-i], top, top+height)
		}
	}
	return height
}

// drift moves the spots of a column towards the middle of their neighbours, in their order and between top and bottom.
func (l *layout) drift(column []int, top, bottom float64) {
	want := make([]float64, len(column))
	for i, s := range column {
		p := &l.spots[s]
		sum, n := 0.0, 0
		for _, near := range [][]int{p.before, p.after} {
			for _, x := range near {
				if q := &l.spots[x]; q.column/columnsPerBand == p.column/columnsPerBand {
					sum += q.y + q.h/2
					n++
				}
			}
		}
		want[i] = p.y
		if n > 0 {
			want[i] = sum/float64(n) - p.h/2
		}
	}
	low := top
	for i, s := range column {
		l.spots[s].y = max(want[i], low)
		low = l.spots[s].y + l.spots[s].h + gapY
	}
	high := bottom
	for i := len(column) - 1; i >= 0; i-- {
		p := &l.spots[column[i]]
		p.y = min(p.y, high-p.h)
		high = p.y - gapY
	}
}

// implied are the links from members of a set to it that go without saying: another member runs after them.
func (g *Graph) implied() map[int]bool {
	in := map[[2]int]bool{}
	sets := map[int][]int{}
	for _, k := range g.Links {
		if k.Kind == "in" {
			in[[2]int{k.From, k.To}] = true
			sets[k.From] = append(sets[k.From], k.To)
		}
	}
	before := map[[2]int]bool{}
	for _, k := range g.Links {
		for _, set := range sets[k.From] {
			if k.Kind != "in" && in[[2]int{k.To, set}] {
				before[[2]int{k.From, set}] = true
			}
		}
	}
	out := map[int]bool{}
	for i, k := range g.Links {
		if k.Kind == "in" && before[[2]int{k.From, k.To}] {
			out[i] = true
		}
	}
	return out
}
