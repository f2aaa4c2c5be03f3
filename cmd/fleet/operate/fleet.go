package operate

import (
	"cmp"
	"context"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A Class is how a machine is, in a word or two. Each machine is in one.
type Class string

// The classes, as they are shown: what wants a person first.
const (
	Failed       Class = "failed"        // states failed, or gostate could not run
	CompileError Class = "compile error" // the newest release does not compile there; the last good one is applied
	NoRelease    Class = "no release"    // the newest release could not be read, fetched or accepted
	Unreported   Class = "unreported"    // no answer for too long, or never
	Paused       Class = "paused"        // by its operator, or a blackout
	Changed      Class = "changed"
	Unchanged    Class = "unchanged"
)

// Classes are all of them.
func Classes() []Class {
	return []Class{Failed, CompileError, NoRelease, Unreported, Paused, Changed, Unchanged}
}

// Bad says whether a machine of the class is not as it should be.
func (c Class) Bad() bool {
	return slices.Contains([]Class{Failed, CompileError, NoRelease, Unreported}, c)
}

// ClassOf is the class that a report says.
func ClassOf(r *agent.Report) Class {
	switch r.Status {
	case agent.OK:
		if r.Applied != nil && r.Applied.Counts.Changed > 0 {
			return Changed
		}
		return Unchanged
	case agent.CompileError:
		return CompileError
	case agent.Refused, agent.Unreachable, agent.Unfetched:
		return NoRelease
	case agent.Paused, agent.Blackout:
		return Paused
	}
	return Failed
}

// A Machine is one of the fleet.
type Machine struct {
	ID    string
	Env   string // "" where neither nodes.yaml nor a report says one
	Class Class
	// Listed says that nodes.yaml has it.
	Listed bool
	// Last is its newest report that can be read; its Report is nil where there is none. Damaged counts those that are
	// newer and cannot be.
	Last    Entry
	Damaged int
	host    *roster.Host
}

// Sequence is the release that the machine runs, 0 where that is not known.
func (m *Machine) Sequence() uint64 {
	if r := m.Last.Report; r != nil && r.Applied != nil {
		return r.Applied.Sequence
	}
	return 0
}

// A Fleet is how all machines are at a time.
type Fleet struct {
	At       time.Time
	Machines []*Machine // in the order of nodes.yaml, then those that only reported
	// Listless says that there is no nodes.yaml: machines that never reported are not known.
	Listless bool
}

// An Ask says what is to be looked at.
type Ask struct {
	Reports Reports
	// Nodes is nodes.yaml; "" takes that of the working directory, if there is one.
	Nodes string
	// Since is after how long a machine is unreported.
	Since time.Duration
	Now   time.Time
}

// Look brings together which machines there are and what they last reported.
func (a Ask) Look(ctx context.Context) (*Fleet, error) {
	f := &Fleet{At: a.Now}
	byID := map[string]*Machine{}
	if err := a.listed(f, byID); err != nil {
		return nil, err
	}
	err := a.Reports.Last(ctx, func(e Entry) error {
		m := byID[e.Node]
		if m == nil {
			m = &Machine{ID: e.Node, host: &roster.Host{ID: e.Node}}
			byID[e.Node] = m
			f.Machines = append(f.Machines, m)
		}
		if e.Damaged != nil {
			m.Damaged++
			return nil
		}
		m.Last = e
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("read the reports of %s: %w", a.Reports, err)
	}
	listed := slices.IndexFunc(f.Machines, func(m *Machine) bool { return !m.Listed })
	if listed >= 0 {
		slices.SortFunc(f.Machines[listed:], func(a, b *Machine) int { return strings.Compare(a.ID, b.ID) })
	}
	for _, m := range f.Machines {
		a.judge(m)
	}
	return f, nil
}

// listed are the machines of nodes.yaml.
func (a Ask) listed(f *Fleet, byID map[string]*Machine) error {
	file := cmp.Or(a.Nodes, "nodes.yaml")
	if _, err := os.Stat(file); err != nil && a.Nodes == "" {
		f.Listless = true
		return nil
	}
	nodes, err := release.ReadNodes(file)
	if err != nil {
		return err
	}
	if len(nodes) == 0 {
		return nil
	}
	hosts, err := roster.Load([]string{file}, nil, "*")
	if err != nil {
		return err
	}
	for i, n := range nodes {
		m := &Machine{ID: n.ID, Env: n.Env, Listed: true, host: hosts[i]}
		byID[n.ID] = m
		f.Machines = append(f.Machines, m)
	}
	return nil
}

func (a Ask) judge(m *Machine) {
	r := m.Last.Report
	switch {
	case r == nil, a.Since > 0 && a.Now.Sub(m.Last.Seen()) > a.Since:
		m.Class = Unreported
	default:
		m.Class = ClassOf(r)
	}
	if r == nil {
		return
	}
	m.Env = cmp.Or(m.Env, r.Env)
	grains := value.NewDict(len(r.Grains))
	for name, text := range r.Grains {
		if v, err := value.ParseJSON(string(text)); err == nil {
			grains.SetStr(name, v)
		}
	}
	if g := m.host.Grains; g != nil { // what the operator says has the last word
		for k, v := range g.All() {
			_ = grains.Set(k, v)
		}
	}
	m.host.Grains = grains
}

// Select gives the machines that a target of Salt's means, over nodes.yaml and the grains of the last reports; "" is
// all of them.
func (f *Fleet) Select(target string) ([]*Machine, error) {
	if target == "" {
		return f.Machines, nil
	}
	hosts := make([]*roster.Host, len(f.Machines))
	of := map[*roster.Host]*Machine{}
	for i, m := range f.Machines {
		hosts[i] = m.host
		of[m.host] = m
	}
	if len(hosts) == 0 {
		return nil, diag.Errorf(diag.Pos{}, "target %q means nobody: nodes.yaml has no machine, and none has reported",
			target)
	}
	picked, err := roster.Select(hosts, target, false)
	if err != nil {
		return nil, err
	}
	out := make([]*Machine, len(picked))
	for i, h := range picked {
		out[i] = of[h]
	}
	return out, nil
}

// Find is the machine of an id.
func (f *Fleet) Find(id string) (*Machine, error) {
	ids := make([]string, len(f.Machines))
	for i, m := range f.Machines {
		if ids[i] = m.ID; m.ID == id {
			return m, nil
		}
	}
	d := diag.Errorf(diag.Pos{}, "there is no machine %q: nodes.yaml has it not, and it never reported", id)
	if near := diag.Nearest(id, ids); near != "" {
		d.WithHint("did you mean %q?", near)
	}
	return nil, d
}
