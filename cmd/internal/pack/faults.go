package pack

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
)

// faults are what is wrong, each once, with the machines that it is wrong on.
type faults struct {
	order []string
	by    map[string]*fault
}

type fault struct {
	d     *diag.Diagnostic
	nodes []string
}

func newFaults() *faults { return &faults{by: map[string]*fault{}} }

func (f *faults) add(node string, err error) {
	var l diag.List
	l.AddErr(err)
	for _, d := range l.All {
		if d.Severity != diag.Error {
			continue
		}
		key := d.Pos.String() + "\x00" + d.Msg
		if f.by[key] == nil {
			f.by[key] = &fault{d: d}
			f.order = append(f.order, key)
		}
		f.by[key].nodes = append(f.by[key].nodes, node)
	}
}

// err is all of it, each with the machines at the end.
func (f *faults) err() error {
	var out diag.List
	for _, key := range f.order {
		one := f.by[key]
		d := *one.d
		slices.Sort(one.nodes)
		if !strings.Contains(d.Msg, one.nodes[0]) || len(one.nodes) > 1 {
			d.Msg += " (" + machines(one.nodes) + ")"
		}
		out.Add(&d)
	}
	out.Sort()
	return out.Err()
}

func machines(all []string) string {
	const few = 3
	if len(all) <= few {
		return "for " + strings.Join(all, ", ")
	}
	return fmt.Sprintf("for %s and %d other machines", strings.Join(all[:few], ", "), len(all)-few)
}
