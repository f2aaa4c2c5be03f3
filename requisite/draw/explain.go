package draw

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Explain tells of all states that the word names (an ID, a name, or `module: ID`) why they run where they run, what
// they wait for, what would trigger them, and what waits for them, each reason with its place. The error is a
// diagnostic when no state has that name.
func Explain(p *requisite.Plan, word string) (string, error) {
	all, err := Find(p, word)
	if err != nil {
		return "", err
	}
	e := newExplainer(p)
	for i, l := range all {
		if i > 0 {
			e.b.WriteByte('\n')
		}
		e.state(l)
	}
	return e.b.String(), nil
}

// found are the states that the word names, in chunk order.
func found(p *requisite.Plan, word string) []*state.Low {
	module, target, dotted := strings.Cut(word, ":")
	target = strings.TrimSpace(target)
	var out []*state.Low
	for _, l := range p.Low {
		switch {
		case l.ID == word, l.Name == word:
		case dotted && (module == l.Module || module == l.Fun()) && (target == l.ID || target == l.Name):
		default:
			continue
		}
		out = append(out, l)
	}
	return out
}

type explainer struct {
	p      *requisite.Plan
	b      strings.Builder
	run    []int // place in the run by Index, from 1; 0 in a cycle's plan that has none
	puller []int32
}

func newExplainer(p *requisite.Plan) *explainer {
	e := &explainer{p: p, run: make([]int, len(p.Low)), puller: make([]int32, len(p.Low))}
	for i := range e.puller {
		e.puller[i] = requisite.NotFound
	}
	for i, l := range p.Order {
		e.run[l.Index] = i + 1
	}
	if len(p.Cycles) > 0 {
		return e
	}
	for s := p.Steps(); ; {
		step, ok := s.Next()
		if !ok {
			return e
		}
		if !step.Preview {
			e.puller[step.State] = s.Puller()
		}
	}
}

func (e *explainer) linef(pos diag.Pos, format string, args ...any) {
	text := fmt.Sprintf(format, args...)
	if !pos.IsZero() {
		text += "   [" + pos.String() + "]"
	}
	e.b.WriteString("  " + text + "\n")
}

func (e *explainer) head(title string) { e.b.WriteString(title + "\n") }

func (e *explainer) state(l *state.Low) {
	stage := ""
	if s := e.p.StageOf(l.Index); s != "" {
		stage = ", stage " + s
	}
	fmt.Fprintf(&e.b, "%s (%s), SLS %s%s   [%s]\n", requisite.Named(l), l.Fun(), l.SLS, stage, l.Pos)
	e.place(l)
	e.cycle(l)
	e.waits(l)
	e.leftOut(l)
	e.triggers(l)
	e.conditions(l)
	e.dependents(l)
}

// place tells why the state runs where it does.
func (e *explainer) place(l *state.Low) {
	e.head(fmt.Sprintf("runs as number %d of %d", e.run[l.Index], len(e.p.Order)))
	if v, pos, ok := l.GivenOrder(); ok {
		e.linef(pos, "its order is %s, which makes %g", value.String(v), l.Order)
	} else {
		e.linef(diag.Pos{}, "its place in the files gives it the order %g", l.Order)
	}
	if e.run[l.Index] == l.Index+1 {
		e.linef(diag.Pos{}, "that is its place in the low state, too: nothing moves it")
		return
	}
	by := e.puller[l.Index]
	if by == requisite.NotFound {
		e.linef(diag.Pos{}, "in the low state it is number %d; the difference is what others before it need first", l.Index+1)
		return
	}
	e.linef(diag.Pos{}, "in the low state it is number %d; it runs now because number %d needs it first:", l.Index+1,
		e.run[by])
	puller := e.p.Low[by]
	if req := between(e.p, puller, l); req != nil {
		has := "has"
		if req.Kind == state.Staged {
			has = "waits for"
		}
		e.linef(req.Pos, "%s %s %s", requisite.Named(puller), has, written(req))
	} else if req := between(e.p, l, puller); req != nil {
		e.linef(req.Pos, "it is prereq of %s", requisite.Named(puller))
	}
}

// written is a requisite in words: as it is written, or by whom.
func written(q *state.Requisite) string {
	switch {
	case q.Kind == state.Staged:
		return "run stage " + q.To.Target
	case q.In && q.Kind != state.Listen:
		return q.Key() + " of " + requisite.Shown(q.To)
	}
	return keyOf(q) + ": " + requisite.Shown(q.To)
}

// between is the requisite of a that means b.
func between(p *requisite.Plan, a, b *state.Low) *state.Requisite {
	for _, g := range p.Groups[a.Index] {
		for _, t := range g.Targets {
			if t.Set == requisite.NotFound {
				continue
			}
			if _, ok := slices.BinarySearch(p.Sets[t.Set], int32(b.Index)); ok {
				return t.Req
			}
		}
	}
	return nil
}

func (e *explainer) cycle(l *state.Low) {
	for i := range e.p.Cycles {
		c := &e.p.Cycles[i]
		if !slices.ContainsFunc(c.Edges, func(x requisite.Edge) bool { return int(x.From) == l.Index }) {
			continue
		}
		e.head("is part of a circle")
		for _, r := range e.p.Diagnose(c).Related {
			e.linef(r.Pos, "%s", r.Msg)
		}
	}
}

// waits tells what runs before the state because of its requisites.
func (e *explainer) waits(l *state.Low) {
	if len(e.p.Groups[l.Index])+len(e.p.PrereqOf[l.Index]) == 0 {
		e.head("waits for nothing")
		return
	}
	e.head("waits for")
	for _, g := range e.p.Groups[l.Index] {
		for _, t := range g.Targets {
			e.linef(t.Req.Pos, "%s, %s", written(t.Req), e.members(t, g.Kind == state.Prereq))
		}
	}
	for _, a := range e.p.PrereqOf[l.Index] {
		by := e.p.Low[a]
		pos := diag.Pos{}
		if req := between(e.p, by, l); req != nil {
			pos = req.Pos
		}
		e.linef(pos, "%s, number %d, which is prereq of it and runs only if this one would change", requisite.Named(by),
			e.run[a])
	}
}

// keyOf is the key of a requisite and, of one that nobody wrote, why it is there.
func keyOf(q *state.Requisite) string {
	key := q.Key()
	if q.Tie != state.TieNone {
		key += " (" + q.Tie.Said() + ")"
	}
	return key
}

// leftOut tells what the state stands on and does not wait for.
func (e *explainer) leftOut(l *state.Low) {
	title := false
	for _, x := range e.p.LeftOut {
		if int(x.From) != l.Index {
			continue
		}
		if !title {
			e.head("does not wait for, since that would close a circle")
			title = true
		}
		e.linef(diag.Pos{}, "%s, number %d: %s", requisite.Named(e.p.Low[x.To]), e.run[x.To], x.Req.Tie.Said())
	}
}

// maxMembers is how many states of a set are named.
const maxMembers = 5

// members names the states of a target with their numbers.
func (e *explainer) members(t requisite.Target, preview bool) string {
	if t.Set == requisite.NotFound {
		return "which does not exist"
	}
	set := e.p.Sets[t.Set]
	if len(set) == 0 {
		return "which has no states"
	}
	var parts []string
	for _, m := range set[:min(len(set), maxMembers)] {
		parts = append(parts, fmt.Sprintf("%s number %d", requisite.Named(e.p.Low[m]), e.run[m]))
	}
	text := "that is " + strings.Join(parts, ", ")
	if n := len(set) - maxMembers; n > 0 {
		text += fmt.Sprintf(" and %d more", n)
	}
	if preview {
		text += "; asked before, run after"
	}
	return text
}

// triggers tells what must happen for the state to run or react.
func (e *explainer) triggers(l *state.Low) {
	var lines []func()
	for _, g := range e.p.Groups[l.Index] {
		if text := meaning(g.Kind, g.Mode); text != "" {
			pos := g.Targets[0].Req.Pos
			lines = append(lines, func() { e.linef(pos, "%s", text) })
		}
	}
	for _, x := range e.p.Listeners {
		if x.Low != l {
			continue
		}
		for _, t := range x.Targets {
			lines = append(lines, func() {
				e.linef(t.Req.Pos, "listen: if %s changes, its mod_watch is called once at the very end (%s)",
					requisite.Shown(t.Req.To), e.members(t, false))
			})
		}
	}
	if len(lines) == 0 {
		e.head("runs whatever happens to others")
		return
	}
	e.head("is triggered or held back")
	for _, f := range lines {
		f()
	}
}

// meaning is a row of the table in words.
func meaning(k state.Kind, m state.Mode) string {
	row := state.KindOf(k, m)
	switch row.Gate {
	case state.GateSucceeded:
		switch row.Reaction {
		case state.ReactWatch:
			return row.Key + ": fails if one of them fails; if one changes and it makes no change itself, its mod_watch is " +
				"called"
		case state.ReactSubscribe:
			return row.Key + ": fails if one of them fails; if one changes or is refreshed and it makes no change itself, " +
				"it is refreshed, once"
		}
		return row.Key + ": fails if one of them fails"
	case state.GateAnySucceeded:
		if row.Reaction == state.ReactWatch {
			return row.Key + ": fails if all of them fail; if one changes and it makes no change itself, its mod_watch is called"
		}
		return row.Key + ": fails if all of them fail"
	case state.GateChanged:
		return row.Key + ": runs only if one of them changes; fails if one fails"
	case state.GateAnyChanged:
		return row.Key + ": runs only if one of them changes; fails if all fail"
	case state.GateFailed:
		return row.Key + ": runs only if one of them fails"
	case state.GateAllFailed:
		return row.Key + ": runs only if all of them fail"
	case state.GateWouldChange:
		return row.Key + ": runs only if one of them would change"
	}
	return ""
}

func (e *explainer) conditions(l *state.Low) {
	o := l.Opts()
	if len(o.Onlyif)+len(o.Unless)+len(o.Creates) == 0 {
		return
	}
	e.head("has conditions")
	for _, c := range o.Onlyif {
		e.linef(c.Pos, "onlyif: runs only if %s succeeds", conditionName(c))
	}
	for _, c := range o.Unless {
		e.linef(c.Pos, "unless: is skipped if %s succeeds", conditionName(c))
	}
	for _, path := range o.Creates {
		e.linef(l.ArgPos("creates"), "creates: is skipped if %s exists", path)
	}
}

func conditionName(c state.Condition) string {
	if c.Fun != "" {
		return c.Fun
	}
	return "'" + c.Command + "'"
}

// dependents tells who has the state as a requisite.
func (e *explainer) dependents(l *state.Low) {
	title := false
	line := func(by *state.Low, req *state.Requisite) {
		if !title {
			e.head("is needed by")
			title = true
		}
		e.linef(req.Pos, "%s, number %d: %s", requisite.Named(by), e.run[by.Index], written(req))
	}
	for _, by := range e.p.Order {
		for _, g := range e.p.Groups[by.Index] {
			for _, t := range g.Targets {
				if t.Set == requisite.NotFound || g.Kind == state.Staged { // else that is all of the next stage
					continue
				}
				if _, ok := slices.BinarySearch(e.p.Sets[t.Set], int32(l.Index)); ok {
					line(by, t.Req)
				}
			}
		}
	}
	for _, x := range e.p.Listens {
		for _, t := range x.Targets {
			if t.Set == requisite.NotFound {
				continue
			}
			if _, ok := slices.BinarySearch(e.p.Sets[t.Set], int32(l.Index)); ok {
				line(x.Low, t.Req)
			}
		}
	}
}
