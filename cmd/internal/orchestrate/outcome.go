package orchestrate

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// failharder is a low state, as far as failhard is asked of it.
type failharder interface{ Opts() *state.Options }

// An outcome is what came of a step on all its machines.
type outcome struct {
	shape    string // "highstate" for states
	rets     *value.Dict
	comment  string
	warnings []string
	// failed and changed are IDs.
	failed, changed []string
	lines           []string
}

func (o *outcome) add(a Answer) {
	if o.rets == nil {
		o.rets = value.NewDict(4)
	}
	v := a.Return
	if v == nil {
		v = value.Bool(false)
	}
	o.rets.SetStr(a.ID, v)
}

// ids are the machines of the changes.
func (o *outcome) ids() (out []string) {
	for k := range o.rets.All() {
		out = append(out, value.String(k))
	}
	return out
}

// changes are what Salt shows: what came of the machines that changed or failed. nil for none.
func (o *outcome) changes() *value.Dict {
	if o.rets == nil {
		return nil
	}
	out := value.NewDict(2)
	if o.shape != "" {
		out.SetStr("out", value.Str(o.shape))
	}
	out.SetStr("ret", o.rets)
	return out
}

// maxWhy is how many reasons of one machine are told.
const maxWhy = 5

// why notes why a machine has failed.
func (o *outcome) why(a Answer) {
	if a.Err != nil {
		o.lines = append(o.lines, a.ID+": "+a.Err.Error())
		return
	}
	n := 0
	switch v := a.Return.(type) {
	case *value.Dict:
		if v.Len() == 0 {
			o.lines = append(o.lines, a.ID+": it has no states")
		}
		for tag, res := range v.All() {
			d, ok := res.(*value.Dict)
			if !ok || !isFalse(d, "result") {
				continue
			}
			if n++; n > maxWhy {
				continue
			}
			said, _ := d.GetStr("comment")
			o.lines = append(o.lines, fmt.Sprintf("%s: %s: %s", a.ID, named(value.String(tag)), value.String(said)))
		}
	case *value.List:
		for _, item := range v.Items {
			o.lines = append(o.lines, a.ID+": "+value.String(item))
		}
	default:
		o.lines = append(o.lines, a.ID+": "+value.String(orNone(v)))
	}
	if n > maxWhy {
		o.lines = append(o.lines, fmt.Sprintf("%s: and %d more", a.ID, n-maxWhy))
	}
}

// reasons are the lines below a comment.
func (o *outcome) reasons() string {
	if len(o.lines) == 0 {
		return ""
	}
	return "\n" + strings.Join(o.lines, "\n")
}

func orNone(v value.Value) value.Value {
	if v == nil {
		return value.None
	}
	return v
}

// named is how a state is called whose key in the results is tag: "pkg.installed nginx".
func named(tag string) string {
	part := strings.Split(tag, "_|-")
	if len(part) != 4 {
		return tag
	}
	return part[0] + "." + part[3] + " " + part[1]
}

func isFalse(d *value.Dict, key string) bool {
	v, _ := d.GetStr(key)
	return v == value.Value(value.Bool(false))
}

// succeeded says whether what states came to holds no failure, as Salt judges it: nothing at all is one.
func succeeded(v value.Value) bool {
	d, ok := v.(*value.Dict)
	if !ok || d.Len() == 0 {
		return false
	}
	for _, res := range d.All() {
		r, isDict := res.(*value.Dict)
		if !isDict {
			continue
		}
		if isFalse(r, "result") || !r.Has(value.Str("result")) && !succeeded(r) {
			return false
		}
	}
	return true
}

// changed says whether a state of them changed something.
func changed(v value.Value) bool {
	d, _ := v.(*value.Dict)
	for _, res := range d.All() {
		if r, ok := res.(*value.Dict); ok {
			if c, _ := r.GetStr("changes"); c != nil && value.Truth(c) {
				return true
			}
		}
	}
	return false
}

// words are the texts of a text with commas, or of a list of them, or of maps as exclude takes them.
func words(v value.Value) (out []string) {
	switch v := v.(type) {
	case value.Str:
		for w := range strings.SplitSeq(string(v), ",") {
			if w = strings.TrimSpace(w); w != "" {
				out = append(out, w)
			}
		}
	case *value.List:
		for _, item := range v.Items {
			out = append(out, words(item)...)
		}
	case *value.Dict:
		for _, w := range v.All() {
			out = append(out, words(w)...)
		}
	}
	return out
}

// through shows how many machines are through.
func through(env *modules.Env, all int) func(int) {
	return func(n int) { env.Progress(fmt.Sprintf("%d of %d machines", n, all)) }
}

// pending are the machines on which something is only promised by an earlier step of a preview.
type pending struct {
	mu sync.Mutex // guards by
	by map[string]string
}

func (p *pending) note(step string, ids []string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, id := range ids {
		if p.by == nil {
			p.by = map[string]string{}
		}
		if p.by[id] == "" {
			p.by[id] = step
		}
	}
}

// first is the step that all of the machines wait for, the first of them; "" where one of them waits for none.
func (p *pending) first(ids []string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(ids) == 0 || slices.ContainsFunc(ids, func(id string) bool { return p.by[id] == "" }) {
		return ""
	}
	return p.by[ids[0]]
}
