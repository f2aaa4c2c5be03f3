package draw

import (
	"encoding/xml"
	"errors"
	"io"
	"strconv"
	"strings"
	"testing"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
)

// TestLabelsFit: whatever letters a name is of, its text is no wider than its box.
func TestLabelsFit(t *testing.T) {
	low := web(2)
	for i, name := range []string{strings.Repeat("W", 60), strings.Repeat("幅", 40), strings.Repeat("i", 90), "a b\nc"} {
		low = append(low, &state.Low{ID: name, Name: name, Module: "test", Func: "nop", Index: len(low), Order: float64(i)})
	}
	p, _ := requisite.Resolve(low, requisite.Options{})
	dec := xml.NewDecoder(strings.NewReader(Draw(p, Options{}).SVG()))
	size, left := 0.0, 0.0
	for {
		tok, err := dec.Token()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			t.Fatal(err)
		}
		switch tok := tok.(type) {
		case xml.StartElement:
			if tok.Name.Local != "text" {
				size = 0
				continue
			}
			size = 11
			for _, a := range tok.Attr {
				switch a.Name.Local {
				case "font-size":
					size, _ = strconv.ParseFloat(a.Value, 64)
				case "x":
					left, _ = strconv.ParseFloat(a.Value, 64)
				}
			}
		case xml.CharData:
			if w := textWidth(string(tok), size); size > 0 && w > boxW {
				t.Errorf("%q at %.0f is %.0f wide in a box of %d", tok, left, w, boxW)
			}
		}
	}
}

// TestOnce: two requisites that say the same are one line.
func TestOnce(t *testing.T) {
	low := web(1)
	last := low[len(low)-1]
	for _, target := range []string{"httpd", "httpd", "http*"} {
		last.Reqs = append(last.Reqs, state.Requisite{Kind: state.Require, To: state.Ref{Module: "pkg", Target: target}})
	}
	p, _ := requisite.Resolve(low, requisite.Options{})
	seen := map[[3]string]bool{}
	g := Draw(p, Options{})
	for _, l := range g.Links {
		k := [3]string{g.Nodes[l.From].ID, g.Nodes[l.To].ID, l.Kind}
		if seen[k] {
			t.Errorf("%v is drawn twice", k)
		}
		seen[k] = true
	}
}

// TestFocus: a focus draws what is no farther away than asked for, whichever way the links lead.
func TestFocus(t *testing.T) {
	p, _ := requisite.Resolve(web(3), requisite.Options{})
	states, err := Find(p, "www")
	if err != nil {
		t.Fatal(err)
	}
	for depth, want := range map[int]int{0: 1, 1: 5, 9: len(p.Low) - 1} {
		g := Draw(p, Options{Focus: states, Depth: depth, Order: true})
		n := 0
		for i := range g.Nodes {
			if g.Nodes[i].Low != nil {
				n++
			}
		}
		if n != want {
			t.Errorf("depth %d draws %d states, want %d", depth, n, want)
		}
		for _, l := range g.Links {
			if l.From >= len(g.Nodes) || l.To >= len(g.Nodes) {
				t.Errorf("depth %d: a link leads out of the graph", depth)
			}
		}
		if _, err := g.Format("svg"); err != nil {
			t.Error(err)
		}
	}
}
