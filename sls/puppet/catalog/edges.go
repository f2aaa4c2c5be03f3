package catalog

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// edges reads what contains what, and relationships that stand beside the resources.
func (r *reader) edges(d *value.Dict) {
	for _, v := range r.list(d, "edges") {
		e, ok := v.(*value.Dict)
		if !ok {
			r.fault("an edge of the catalog is no map but %s", v.TypeName())
			continue
		}
		r.edge(r.end(e, "source"), r.end(e, "target"), wordOf(e, "relationship"))
	}
	for _, v := range r.list(d, "containment") {
		pair := items(v)
		if len(pair) != 2 {
			r.fault("an entry of containment in the catalog is no pair of references")
			continue
		}
		r.edge(value.String(pair[0]), value.String(pair[1]), "contains")
	}
	for _, v := range r.list(d, "relationships") {
		e, ok := v.(*value.Dict)
		if !ok {
			r.fault("a relationship of the catalog is no map but %s", v.TypeName())
			continue
		}
		kind := "before"
		if told, _ := e.GetStr("refresh"); told != nil && value.Truth(told) {
			kind = "notifies"
		}
		r.edge(wordOf(e, "from"), wordOf(e, "to"), kind)
	}
}

func wordOf(d *value.Dict, name string) string {
	s, _ := d.GetStr(name)
	text, _ := s.(value.Str)
	return string(text)
}

// end is one end of an edge: a reference, a map of type and title, or two keys beside each other.
func (r *reader) end(e *value.Dict, name string) string {
	v, _ := e.GetStr(name)
	switch v := v.(type) {
	case value.Str:
		return string(v)
	case *value.Dict:
		return wordOf(v, "type") + "[" + wordOf(v, "title") + "]"
	}
	return wordOf(e, name+"_type") + "[" + wordOf(e, name+"_title") + "]"
}

// find is the resource of a reference, nil for none. One to a state that is not of the catalog has a resource of its
// own.
func (r *reader) find(ref string) *Resource {
	if found := r.cat.Find(ref); found != nil {
		return found
	}
	typeName, title, ok := splitRef(ref)
	if !ok || !strings.EqualFold(typeName, StateType) {
		return nil
	}
	out := &Resource{Type: StateType, Title: title, Params: value.NewDict(0), outside: true}
	r.cat.byRef[key(typeName, title)] = out
	r.cat.outside = append(r.cat.outside, out)
	return out
}

func (r *reader) edge(from, to, kind string) {
	a, b := r.find(from), r.find(to)
	if a == nil || b == nil {
		missing := from
		if a != nil {
			missing = to
		}
		r.fault("an edge of the catalog names %q, which is not among its resources", missing)
		return
	}
	switch kind {
	case "", "contains":
		if !slices.Contains(b.in, a) && a != b {
			b.in = append(b.in, a)
		}
	case "before", "required-by":
		r.relate(a, b, false, diag.Pos{})
	case "notifies", "subscription-of":
		r.relate(a, b, true, diag.Pos{})
	default:
		r.fault("an edge of the catalog has the unknown relationship %q", kind)
	}
}

func (r *reader) relate(from, to *Resource, refresh bool, pos diag.Pos) {
	r.cat.Edges = append(r.cat.Edges, Edge{from.Ref(), to.Ref(), refresh, pos})
}

// arrows reads the relationships that are parameters: before, require, notify, subscribe.
func (r *reader) arrows() {
	for _, res := range r.cat.Resources {
		for _, name := range []string{"before", "notify", "require", "subscribe"} {
			v, _ := res.Params.GetStr(name)
			for _, x := range items(v) {
				r.arrow(res, name, x)
			}
		}
	}
}

func (r *reader) arrow(res *Resource, name string, x value.Value) {
	ref, ok := refOf(x)
	other := r.find(ref)
	switch {
	case !ok:
		r.faults.Add(diag.Errorf(res.Pos, "%q of %s is no reference to a resource: %s", name, res.Ref(), value.Repr(x)))
	case other == nil:
		r.faults.Add(diag.Errorf(res.Pos, "could not find resource '%s' in parameter '%s' of %s", ref, name, res.Ref()))
	case name == "before" || name == "notify":
		r.relate(res, other, name == "notify", res.Pos)
	default:
		r.relate(other, res, name == "subscribe", res.Pos)
	}
}

// refOf is a reference as catalogs write it: File[/x] as a text.
func refOf(v value.Value) (string, bool) {
	s, ok := v.(value.Str)
	if !ok {
		return "", false
	}
	_, _, ok = splitRef(string(s))
	return string(s), ok
}
