package draw

import (
	"encoding/json"
	"fmt"
	"strings"
)

// DOT is the graph in the language of Graphviz.
func (g *Graph) DOT() string {
	var b strings.Builder
	b.WriteString("digraph states {\n  rankdir=LR;\n  node [shape=box, fontname=\"sans-serif\", fontsize=10];\n  edge " +
		"[fontname=\"sans-serif\", fontsize=8];\n")
	for i, c := range g.clusters() {
		if c.name != "" {
			fmt.Fprintf(&b, "  subgraph cluster_%d {\n  label=%s; style=dashed; color=gray;\n", i, dotQuote("stage "+c.name))
		}
		for _, k := range c.nodes {
			n := &g.Nodes[k]
			fmt.Fprintf(&b, "  %s [label=%s%s];\n", n.ID, dotQuote(n.caption()), n.dotStyle())
		}
		if c.name != "" {
			b.WriteString("  }\n")
		}
	}
	for _, l := range g.Links {
		fmt.Fprintf(&b, "  %s -> %s [label=%s%s];\n", g.Nodes[l.From].ID, g.Nodes[l.To].ID, dotQuote(l.Kind), l.dotStyle())
	}
	for _, p := range g.follows() {
		fmt.Fprintf(&b, "  %s -> %s [style=dotted, color=gray, constraint=false];\n", g.Nodes[p[0]].ID, g.Nodes[p[1]].ID)
	}
	b.WriteString("}\n")
	return b.String()
}

// caption is what a node says: place in the run and function, then its name.
func (n *Node) caption() string {
	if n.Low == nil {
		return n.Label
	}
	return fmt.Sprintf("%d %s\n%s", n.Run, n.Fun, n.name())
}

// name is the ID of a state, with the name it works on where that differs.
func (n *Node) name() string {
	if n.Low == nil {
		return n.Label
	}
	if n.Low.Name != n.Low.ID {
		return n.Low.ID + " (" + n.Low.Name + ")"
	}
	return n.Low.ID
}

func (n *Node) dotStyle() string {
	switch {
	case n.Cyclic:
		return ", color=red, penwidth=2"
	case n.Failed:
		return ", style=filled, fillcolor=mistyrose, color=red"
	case n.Low == nil:
		return ", shape=ellipse, style=dashed"
	}
	return ""
}

func (l *Link) dotStyle() string {
	s := ", color=" + dotQuote(look(l.Kind).color)
	if look(l.Kind).dash != "" {
		s += ", style=dashed"
	}
	if l.Cyclic {
		s = ", color=red, penwidth=2"
	}
	return s
}

func dotQuote(s string) string {
	return `"` + strings.NewReplacer(`\`, `\\`, `"`, `\"`, "\n", `\n`, "\r", "").Replace(s) + `"`
}

// Mermaid is the graph as a Mermaid flowchart.
func (g *Graph) Mermaid() string {
	var b strings.Builder
	b.WriteString("flowchart LR\n")
	for i, c := range g.clusters() {
		if c.name != "" {
			fmt.Fprintf(&b, "  subgraph stage%d[%s]\n", i, mermaidQuote("stage "+c.name))
		}
		for _, k := range c.nodes {
			n := &g.Nodes[k]
			left, right := "[", "]"
			if n.Low == nil {
				left, right = "([", "])"
			}
			fmt.Fprintf(&b, "  %s%s%s%s\n", n.ID, left, mermaidQuote(n.caption()), right)
		}
		if c.name != "" {
			b.WriteString("  end\n")
		}
	}
	red := []string{}
	for i, l := range g.Links {
		arrow := "-->"
		if look(l.Kind).dash != "" {
			arrow = "-.->"
		}
		fmt.Fprintf(&b, "  %s %s|%s| %s\n", g.Nodes[l.From].ID, arrow, l.Kind, g.Nodes[l.To].ID)
		if l.Cyclic {
			red = append(red, fmt.Sprint(i))
		}
	}
	for _, p := range g.follows() {
		fmt.Fprintf(&b, "  %s -..- %s\n", g.Nodes[p[0]].ID, g.Nodes[p[1]].ID)
	}
	b.WriteString("  classDef cyclic stroke:#c00,stroke-width:3px\n  classDef failed fill:#fdd,stroke:#c00\n")
	for _, n := range g.Nodes {
		switch {
		case n.Cyclic:
			fmt.Fprintf(&b, "  class %s cyclic\n", n.ID)
		case n.Failed:
			fmt.Fprintf(&b, "  class %s failed\n", n.ID)
		}
	}
	if len(red) > 0 {
		fmt.Fprintf(&b, "  linkStyle %s stroke:#c00,stroke-width:3px\n", strings.Join(red, ","))
	}
	return b.String()
}

func mermaidQuote(s string) string {
	return `"` + strings.NewReplacer("&", "&amp;", `"`, "&quot;", "<", "&lt;", ">", "&gt;", "\n", "<br/>").Replace(s) + `"`
}

type jsonNode struct {
	ID     string `json:"id"`
	Label  string `json:"label"`
	Run    int    `json:"run,omitempty"`
	State  string `json:"state,omitempty"`
	SID    string `json:"__id__,omitempty"`
	Name   string `json:"name,omitempty"`
	SLS    string `json:"__sls__,omitempty"`
	Place  string `json:"place,omitempty"`
	Stage  string `json:"stage,omitempty"`
	Cyclic bool   `json:"cyclic,omitempty"`
	Failed bool   `json:"failed,omitempty"`
}

type jsonLink struct {
	From   string `json:"from"`
	To     string `json:"to"`
	Kind   string `json:"kind"`
	Place  string `json:"place,omitempty"`
	Cyclic bool   `json:"cyclic,omitempty"`
}

// JSON is the graph as {"nodes": [...], "edges": [...]}. Edges lead from what runs first; the kind "order" is the order
// of the run, "in" a member of a set.
func (g *Graph) JSON() (string, error) {
	doc := struct {
		Nodes []jsonNode `json:"nodes"`
		Edges []jsonLink `json:"edges"`
	}{[]jsonNode{}, []jsonLink{}}
	for _, n := range g.Nodes {
		j := jsonNode{ID: n.ID, Label: n.Label, Run: n.Run, State: n.Fun, Stage: n.Stage, Cyclic: n.Cyclic, Failed: n.Failed}
		if n.Low != nil {
			j.SID, j.Name, j.SLS, j.Place = n.Low.ID, n.Low.Name, n.Low.SLS, n.Low.Pos.String()
		}
		doc.Nodes = append(doc.Nodes, j)
	}
	for _, l := range g.Links {
		j := jsonLink{From: g.Nodes[l.From].ID, To: g.Nodes[l.To].ID, Kind: l.Kind, Cyclic: l.Cyclic}
		if l.Req != nil {
			j.Place = l.Req.Pos.String()
		}
		doc.Edges = append(doc.Edges, j)
	}
	for _, p := range g.follows() {
		doc.Edges = append(doc.Edges, jsonLink{From: g.Nodes[p[0]].ID, To: g.Nodes[p[1]].ID, Kind: "order"})
	}
	text, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		return "", fmt.Errorf("write the graph as JSON: %w", err)
	}
	return string(text) + "\n", nil
}
