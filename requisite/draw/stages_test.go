package draw

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/requisite"
)

// TestStagesAreClusters: the states of a run stage are drawn together, in a frame that none of another stage is in.
func TestStagesAreClusters(t *testing.T) {
	p, _ := requisite.Resolve(web(3), requisite.Options{})
	g := Draw(p, Options{Order: true})
	g.Stages = []string{"pre", "main", "post", "empty"}
	for i := range g.Nodes {
		g.Nodes[i].Stage = g.Stages[min(i/4, 2)]
	}
	l := newLayout(g)
	if len(l.frames) != 3 {
		t.Fatalf("%d frames", len(l.frames))
	}
	for i, n := range g.Nodes {
		s := l.spots[i]
		for _, f := range l.frames {
			inside := s.y >= f.y && s.y+s.h <= f.y+f.high
			if inside != (f.name == n.Stage) {
				t.Errorf("%s of stage %s at %.0f: in the frame of %s (%.0f, %.0f high): %v", n.Label, n.Stage, s.y, f.name, f.y,
					f.high, inside)
			}
		}
		if s.y+s.h > l.height || s.x+boxW > l.width {
			t.Errorf("%s is outside of the picture", n.Label)
		}
	}
	for format, wants := range map[string][]string{"dot": {"subgraph cluster_2 {", `label="stage post"`},
		"mermaid": {`subgraph stage0["stage pre"]`}, "svg": {">stage main</text>"}, "json": {`"stage": "post"`}} {
		text, err := g.Format(format)
		if err != nil {
			t.Fatal(err)
		}
		for _, want := range wants {
			if !strings.Contains(text, want) {
				t.Errorf("%s lacks %s", format, want)
			}
		}
		if strings.Contains(text, "empty") {
			t.Errorf("%s shows a stage without states", format)
		}
	}
}
