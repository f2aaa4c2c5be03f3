package requisite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/state"
)

// TestBigCircles counts the work that a circle of very many states makes, with automatic relationships in it and
// without.
func TestBigCircles(t *testing.T) {
	const n = 20_000
	path := func(p string) given {
		return given{[]state.Thing{{Kind: state.ThingPath, Name: p}}, []state.Need{{Tie: state.TieDirectory, Name: p}}}
	}
	for _, tt := range []struct {
		name string
		path func(i int) string
	}{
		{"no directory", func(i int) string { return fmt.Sprintf("/srv/f%d", i) }},
		{"one directory", func(i int) string { return "/srv" + strings.Repeat(fmt.Sprintf("/f%d", i), min(i, 1)) }},
		{"many directories", func(i int) string { return fmt.Sprintf("/srv/d%d", i/2) + strings.Repeat("/f", i%2) }},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var low []*state.Low
			var of []given
			for i := range n {
				id := fmt.Sprintf("s%d", i)
				low = append(low, &state.Low{Module: "t", ID: id, Name: id, Env: "base", SLS: "x", Index: i,
					Reqs: []state.Requisite{on(fmt.Sprintf("s%d", (i+1)%n))}})
				of = append(of, path(tt.path(i)))
			}
			p, diags := Resolve(low, Options{Relate: related(of)})
			if len(p.Cycles) != 1 || diags.Err() == nil {
				t.Fatalf("%d cycles", len(p.Cycles))
			}
			if most := 4*cycleWork + 60*n; p.looked > most {
				t.Errorf("%d edges were looked at, more than %d", p.looked, most)
			}
			d := p.Diagnose(&p.Cycles[0])
			if len(d.Msg) > 500 || len(d.Related) != shownEdges || !strings.Contains(d.Msg, "more) -> ") {
				t.Errorf("%d places, %s", len(d.Related), d.Msg)
			}
		})
	}
}
