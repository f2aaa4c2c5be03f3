package operate

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
)

// A Diff is what two runs of a machine did otherwise. A state that is in one of them only did nothing in the other, or
// was not there: reports count what is as it was.
type Diff struct {
	Node   string        `json:"node"`
	From   RunHead       `json:"from"`
	To     RunHead       `json:"to"`
	States []StateDiff   `json:"states"`
	Grains []GrainDiff   `json:"grains"`
	a, b   *agent.Report `json:"-"`
}

// A RunHead is a run in short.
type RunHead struct {
	Run     string        `json:"run"`
	Started time.Time     `json:"started"`
	Class   Class         `json:"class"`
	Release uint64        `json:"release,omitempty"`
	Version string        `json:"version,omitempty"`
	Counts  *agent.Counts `json:"counts,omitempty"`
}

// A StateDiff is a state that came out otherwise.
type StateDiff struct {
	State string `json:"state"` // Salt's tag
	Label string `json:"label"`
	A     *State `json:"from,omitempty"` // nil: nothing to tell of
	B     *State `json:"to,omitempty"`
}

// A GrainDiff is a fact of the machine that is another.
type GrainDiff struct {
	Name string          `json:"name"`
	A    json.RawMessage `json:"from,omitempty"`
	B    json.RawMessage `json:"to,omitempty"`
}

// DiffOf compares two runs of a machine; without names the last two.
func DiffOf(ctx context.Context, reports Reports, node string, runs ...string) (*Diff, error) {
	if len(runs) != 2 {
		all, err := reports.Runs(ctx, node)
		if err != nil {
			return nil, err
		}
		if len(all) < 2 {
			return nil, diag.Errorf(diag.Pos{}, "%s has %s here: there is nothing to compare", node,
				diag.Count(len(all), "report"))
		}
		runs = []string{all[1], all[0]}
	}
	var both [2]*agent.Report
	for i, run := range runs {
		e, err := Read(ctx, reports, node, run)
		if err != nil {
			return nil, err
		}
		both[i] = e.Report
	}
	return compare(node, both[0], both[1]), nil
}

// Read reads a report of a machine, the last one where run is "".
func Read(ctx context.Context, reports Reports, node, run string) (Entry, error) {
	all, err := reports.Runs(ctx, node)
	switch {
	case err != nil:
		return Entry{}, err
	case len(all) == 0:
		return Entry{}, diag.Errorf(diag.Pos{}, "no report of %q is in %s", node, reports).
			WithHint("gostate-hub fleet nodes lists the machines")
	case run == "":
		run = all[0]
	case !slices.Contains(all, run):
		if i := slices.IndexFunc(all, func(r string) bool { return strings.HasPrefix(r, run) }); i >= 0 {
			run = all[i] // the newest that begins so
		} else {
			return Entry{}, diag.Errorf(diag.Pos{}, "%s has no run %q in %s", node, run, reports).
				WithHint("it has %s; the last is %s", diag.Count(len(all), "report"), all[0])
		}
	}
	e, err := reports.Run(ctx, node, run)
	if err == nil && e.Damaged != nil {
		err = diag.Errorf(diag.Pos{}, "the report %s of %s cannot be read: %v", run, node, e.Damaged)
	}
	return e, err
}

func compare(node string, a, b *agent.Report) *Diff {
	d := &Diff{Node: node, From: headOf(a), To: headOf(b), States: []StateDiff{}, Grains: []GrainDiff{}, a: a, b: b}
	before, _ := statesOf(a)
	after, _ := statesOf(b)
	old := map[string]*State{}
	for i := range before {
		old[before[i].Tag] = &before[i]
	}
	for i := range after {
		y := &after[i]
		if x := old[y.Tag]; x == nil || !same(x, y) {
			d.States = append(d.States, StateDiff{y.Tag, y.Fun() + " " + y.ID, x, y})
		}
		delete(old, y.Tag)
	}
	for i := range before {
		if x := &before[i]; old[x.Tag] != nil {
			d.States = append(d.States, StateDiff{x.Tag, x.Fun() + " " + x.ID, x, nil})
		}
	}
	d.grains()
	return d
}

func headOf(r *agent.Report) RunHead {
	h := RunHead{Run: r.Run, Started: r.Started, Class: ClassOf(r), Version: r.Version}
	if r.Applied != nil {
		h.Release, h.Counts = r.Applied.Sequence, &r.Applied.Counts
	}
	return h
}

// same says whether a state did the same in both runs. How long it took, and when it began, is no matter.
func same(a, b *State) bool {
	return a.Kind() == b.Kind() && a.Comment == b.Comment && bytes.Equal(a.Changes, b.Changes)
}

// grains compares the facts, where both runs have them.
func (d *Diff) grains() {
	if d.a.Grains == nil || d.b.Grains == nil {
		return
	}
	names := maps.Clone(d.a.Grains)
	maps.Copy(names, d.b.Grains)
	for _, name := range slices.Sorted(maps.Keys(names)) {
		if x, y := d.a.Grains[name], d.b.Grains[name]; !bytes.Equal(x, y) {
			d.Grains = append(d.Grains, GrainDiff{name, x, y})
		}
	}
}

// String is the difference for people.
func (d *Diff) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "%s: from %s\n  to %s\n", d.Node, d.From, d.To)
	if len(d.States)+len(d.Grains) == 0 {
		b.WriteString("nothing came out otherwise\n")
	}
	for _, s := range d.States {
		fmt.Fprintf(&b, "\n%s: %s -> %s\n", s.Label, KindOf(s.A), KindOf(s.B))
		if s.B != nil {
			indented(&b, s.B.Comment)
		}
	}
	if len(d.Grains) > 0 {
		b.WriteString("\ngrains:\n")
	}
	for _, g := range d.Grains {
		fmt.Fprintf(&b, "    %s: %s\n", g.Name, g.Texts())
	}
	return report.Visible(b.String())
}

// String is a run in a line.
func (h RunHead) String() string {
	text := fmt.Sprintf("%s: %s", h.Run, h.Class)
	if h.Counts != nil {
		text += fmt.Sprintf(", release %d, %s, %d changed, %d failed", h.Release, diag.Count(h.Counts.Total, "state"),
			h.Counts.Changed, h.Counts.Failed)
	}
	return text
}

// KindOf is what became of a state; that of one which the report does not name is that it did nothing.
func KindOf(s *State) string {
	if s == nil {
		return "nothing to tell"
	}
	return string(s.Kind())
}

func grainText(text json.RawMessage) string {
	if text == nil {
		return "none"
	}
	if len(text) > 200 {
		return fmt.Sprintf("%.200s ...", text)
	}
	return string(text)
}
