package draw

import (
	"fmt"
	"slices"
	"strings"
)

// A style is how a kind of link is drawn.
type style struct{ color, dash string }

func look(kind string) style {
	switch strings.TrimSuffix(strings.TrimSuffix(kind, "_any"), "_all") {
	case "require":
		return style{"#444444", ""}
	case "watch":
		return style{"#1565c0", ""}
	case "prereq":
		return style{"#7b1fa2", ""}
	case "onchanges":
		return style{"#2e7d32", ""}
	case "onfail":
		return style{"#c62828", "5,3"}
	case "listen":
		return style{"#ef6c00", "5,3"}
	case "automatic":
		return style{"#00838f", "5,3"}
	case leftOut:
		return style{"#00838f", "1,4"}
	}
	return style{"#999999", "2,3"} // a member of a set
}

// SVG is the graph as a picture, drawn here: what runs later is further right or further down.
func (g *Graph) SVG() string {
	l := newLayout(g)
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" width="%.0f" height="%.0f" viewBox="0 0 %.0f %.0f" font-family="Verdana, DejaVu Sans, Arial, sans-serif" font-size="11">`+"\n",
		l.width, l.height, l.width, l.height)
	fmt.Fprintf(&b, `<rect x="0" y="0" width="%.0f" height="%.0f" fill="#ffffff"/>`+"\n", l.width, l.height)
	g.legend(&b)
	for _, f := range l.frames {
		b.WriteString(f.svg())
	}
	for _, p := range g.follows() {
		l.order(&b, &l.spots[p[0]], &l.spots[p[1]])
	}
	for i := range g.Links {
		if !l.hidden[i] {
			l.link(&b, i)
		}
	}
	for i := range g.Nodes {
		l.box(&b, i)
	}
	b.WriteString("</svg>\n")
	return b.String()
}

// legend explains the kinds of lines that occur.
func (g *Graph) legend(b *strings.Builder) {
	seen := map[string]bool{}
	for _, l := range g.Links {
		seen[strings.TrimSuffix(strings.TrimSuffix(l.Kind, "_any"), "_all")] = true
	}
	x := margin
	entry := func(s style, text string, width float64) {
		fmt.Fprintf(b, `<path d="M%d 24 h26" fill="none" stroke="%s" stroke-width="%.1f"%s/>`, x, s.color, width,
			dashes(s.dash))
		fmt.Fprintf(b, `<text x="%d" y="28" fill="#333333">%s</text>`+"\n", x+32, escape(text))
		x += 48 + int(textWidth(text, 11))
	}
	for _, k := range []string{"require", "watch", "prereq", "onchanges", "onfail", "listen", "automatic", leftOut} {
		if seen[k] {
			entry(look(k), k, 1.4)
		}
	}
	if seen["in"] {
		entry(look("in"), "part of", 1)
	}
	if g.Order {
		entry(style{"#bdbdbd", "1,3"}, "order of the run", 1)
	}
	if slices.ContainsFunc(g.Nodes, func(n Node) bool { return n.Cyclic }) {
		entry(style{"#d50000", ""}, "cycle", 2.6)
	}
}

func dashes(dash string) string {
	if dash == "" {
		return ""
	}
	return ` stroke-dasharray="` + dash + `"`
}

// link draws one link through its passages, with an arrow head.
func (l *layout) link(b *strings.Builder, i int) {
	k := l.g.Links[i]
	s, width := look(k.Kind), 1.2
	if k.Cyclic {
		s, width = style{"#d50000", ""}, 2.6
	}
	path := l.route[i]
	d, head := l.forward(path)
	if first, last := &l.spots[path[0]], &l.spots[path[len(path)-1]]; last.x <= first.x {
		d, head = back(first, last)
	}
	title := l.g.Nodes[k.From].name() + " → " + l.g.Nodes[k.To].name() + ": " + k.Kind
	if k.Req != nil && !k.Req.Pos.IsZero() {
		title += ", " + k.Req.Pos.String()
	}
	fmt.Fprintf(b, `<path d="%s" fill="none" stroke="%s" stroke-width="%.1f"%s><title>%s</title></path>`+"\n", d, s.color,
		width, dashes(s.dash), escape(title))
	if k.Kind != "in" {
		fmt.Fprintf(b, `<path d="%s" fill="%s"/>`+"\n", head, s.color)
	}
}

// forward is the line and the arrow head of a link to the right: from the right side of a box to the left side of
// another.
func (l *layout) forward(path []int) (line, head string) {
	x, y := l.spots[path[0]].x+boxW, l.spots[path[0]].y+l.spots[path[0]].h/2
	line = fmt.Sprintf("M%.1f %.1f", x, y)
	for _, p := range path[1:] {
		q := &l.spots[p]
		nx, ny := q.x, q.y+q.h/2
		end := nx
		if q.node >= 0 {
			end = nx - 6
		}
		line += fmt.Sprintf(" C%.1f %.1f %.1f %.1f %.1f %.1f", x+gapX/2, y, nx-gapX/2, ny, end, ny)
		if q.node < 0 {
			line += fmt.Sprintf(" h%d", boxW)
		}
		head = fmt.Sprintf("M%.1f %.1f l-8 -4 v8 z", nx, ny)
		x, y = nx+boxW, ny
	}
	return line, head
}

// back is the line and the arrow head of a link back, within a column, to itself or to the next band: below the boxes.
func back(from, to *spot) (line, head string) {
	x, y := from.x+boxW/2, from.y+from.h
	tx, ty, up := to.x+boxW/2, to.y+to.h, true
	if to.y > y { // it is further down: from above
		ty, up = to.y, false
	}
	if from == to {
		x, tx = x+30, tx-30
	}
	bow := 26.0
	if up {
		line = fmt.Sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x, y, x, y+bow, tx, ty+bow, tx, ty+6)
		return line, fmt.Sprintf("M%.1f %.1f l-4 8 h8 z", tx, ty)
	}
	line = fmt.Sprintf("M%.1f %.1f C%.1f %.1f %.1f %.1f %.1f %.1f", x, y, x, y+bow, tx, ty-bow, tx, ty-6)
	return line, fmt.Sprintf("M%.1f %.1f l-4 -8 h8 z", tx, ty)
}

// order draws that one state follows another in the run.
func (l *layout) order(b *strings.Builder, from, to *spot) {
	fmt.Fprintf(b, `<path d="M%.1f %.1f L%.1f %.1f" fill="none" stroke="#bdbdbd" stroke-width="1" stroke-dasharray="1,3"/>`+"\n",
		from.x+boxW/2, from.y+from.h/2, to.x+boxW/2, to.y+to.h/2)
}

// box draws one node.
func (l *layout) box(b *strings.Builder, i int) {
	n, s := &l.g.Nodes[i], &l.spots[i]
	fill, stroke, width, round := "#f5f7fa", "#607d8b", 1.0, 3
	switch {
	case n.Cyclic:
		fill, stroke, width = "#ffebee", "#d50000", 2.6
	case n.Failed:
		fill, stroke, width = "#ffcdd2", "#c62828", 1.6
	case n.Low == nil:
		fill, stroke, round = "#fffde7", "#999999", 16
	}
	title := n.Label
	if n.Low != nil {
		title = fmt.Sprintf("%d. %s %s, SLS %s, %s", n.Run, n.Fun, n.name(), n.Low.SLS, n.Low.Pos)
	}
	if n.Fill != "" && !n.Cyclic {
		fill = n.Fill
	}
	if n.Href != "" {
		fmt.Fprintf(b, `<a href="%s">`, escape(n.Href))
		defer b.WriteString("</a>\n")
	}
	fmt.Fprintf(b, `<g><title>%s</title><rect x="%.1f" y="%.1f" width="%d" height="%d" rx="%d" fill="%s" stroke="%s" stroke-width="%.1f"/>`,
		escape(title), s.x, s.y, boxW, boxH, round, fill, stroke, width)
	if n.Low == nil {
		fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#333333" text-anchor="middle">%s</text></g>`+"\n", s.x+boxW/2,
			s.y+boxH/2+4, escape(fit(n.Label, 11, boxW-16)))
		return
	}
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#607d8b" font-size="9">%d  %s</text>`, s.x+6, s.y+12, n.Run,
		escape(fit(n.Fun, 9, boxW-36)))
	fmt.Fprintf(b, `<text x="%.1f" y="%.1f" fill="#111111">%s</text></g>`+"\n", s.x+6, s.y+26,
		escape(fit(n.name(), 11, boxW-12)))
}

func escape(s string) string {
	clean := strings.Map(func(r rune) rune {
		if r < ' ' && r != '\n' && r != '\t' {
			return -1
		}
		return r
	}, s)
	return strings.NewReplacer("&", "&amp;", "<", "&lt;", ">", "&gt;", `"`, "&quot;").Replace(clean)
}
