package requisite

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// maxHints bounds the search for near names: with more missing targets than that, names are not what is wrong.
const maxHints = 50

// missing reports a target that no state has.
// Salt differs: it fails that state while the run goes on.
func (r *resolver) missing(l *state.Low, q *state.Requisite) {
	said := "does not exist"
	switch {
	case r.isVirtual(q.To) && q.To.IsQuery():
		said = "picks virtual states only, and nothing realizes them"
	case r.isVirtual(q.To):
		said = "is virtual, and nothing realizes it"
	case q.To.IsQuery():
		said = "picks no state"
	}
	d := diag.Errorf(q.Pos, "'%s' of ID '%s' in SLS '%s' names '%s', which %s", q.Key(), l.ID,
		l.SLS, Shown(q.To), said)
	if q.Pos.IsZero() {
		d.Pos = l.Pos
	}
	if r.opts.Lenient {
		d.Severity = diag.Warning
	}
	slip := false
	if r.hinted++; r.hinted <= maxHints {
		d.Hint, slip = r.hint(q.To)
	}
	if r.opts.Incomplete && !slip {
		r.unjudged++
		return
	}
	r.diags.Add(d)
}

// Shown is a reference as it is written.
func Shown(ref state.Ref) string {
	if ref.Module == "id" || ref.Module == "puppet" {
		return ref.Target
	}
	return ref.Module + ": " + ref.Target
}

// hint is a near name of the module, the same name of another module, or where to look. slip says that there is a near
// name.
func (r *resolver) hint(ref state.Ref) (text string, slip bool) {
	switch {
	case ref.Module == "stage":
		return r.hintStage(ref.Target)
	case r.isVirtual(ref):
		if ref.Module == "id" {
			return state.HintRealize("", ref.Target), true
		}
		return state.HintRealize(ref.Module, ref.Target), true
	case ref.IsQuery():
		return r.index.catalog.Hint(ref), false
	}
	if ref.Module == "sls" {
		names := append(texts(r.index.names("sls")), r.opts.Known...)
		if slices.Contains(r.opts.Known, ref.Target) {
			return "add '" + ref.Target + "' to include", true
		}
		if near := nearest(ref.Target, names); near != "" {
			return "did you mean 'sls: " + near + "'?", !r.opts.Incomplete // one that is near may be one that was not read
		}
		return "include it", false
	}
	if at := r.index.find(state.Ref{Module: "id", Target: ref.Target}); at != NotFound {
		return "did you mean '" + r.plan.Low[r.index.lists[at][0]].Module + ": " + ref.Target + "'?", true
	}
	if near := nearest(ref.Target, texts(r.index.names(ref.Module))); near != "" {
		return "did you mean '" + Shown(state.Ref{Module: ref.Module, Target: near}) + "'?", true
	}
	if ref.Module != "id" && !r.hasModule(ref.Module) {
		return "no state of module '" + ref.Module + "' is part of this run; include the SLS that declares it", false
	}
	return "include the SLS that declares it", false
}

// isVirtual says whether the reference is one to a virtual state that is not part of the run.
func (r *resolver) isVirtual(ref state.Ref) bool {
	if len(r.opts.Virtual) == 0 {
		return false
	}
	if r.virtual == nil {
		r.virtual = &index{low: r.opts.Virtual, exact: map[state.Ref]int32{}, patterns: map[state.Ref]int32{}}
		r.virtual.addNames()
	}
	return r.virtual.find(ref) != NotFound
}

func (r *resolver) hintStage(name string) (text string, slip bool) {
	known := r.plan.Stages()
	if near := nearest(name, known); near != "" {
		return "did you mean 'stage: " + near + "'?", true
	}
	if known == nil {
		return "list the run stages in the configuration: 'stages: [" + name + ", main]'", true
	}
	return "the configuration has the stages " + strings.Join(known, ", "), true
}

// tellUnjudged says how many references were left alone.
func (r *resolver) tellUnjudged() {
	if r.unjudged > 0 {
		r.diags.Add(diag.Warnf(diag.Pos{}, "%d requisites name states that may be in what could not be read, and were not "+
			"judged", r.unjudged).
			WithHint("mend the errors, then run again"))
	}
}

func (r *resolver) hasModule(module string) bool {
	return slices.ContainsFunc(r.plan.Low, func(l *state.Low) bool { return l.Module == module })
}

// texts are the different texts of sorted entries.
func texts(es []entry) []string {
	out := make([]string, 0, len(es))
	for _, e := range es {
		if n := len(out); n == 0 || out[n-1] != e.text {
			out = append(out, e.text)
		}
	}
	return out
}

// minWord is the length below which any other short name would be near.
const minWord = 3

func nearest(word string, known []string) string {
	if len(word) < minWord {
		return ""
	}
	return diag.Nearest(word, known)
}
