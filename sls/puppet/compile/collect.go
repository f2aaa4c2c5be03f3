package compile

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// A collector realizes the virtual resources that its query matches, and overrides what it matches.
type collector struct {
	typeName string
	exported bool
	query    func(r *Resource) bool
	ops      []attrOp
	scope    *scope
	// refs are those that realize() names, instead of a query.
	refs []*types.Type
	done map[*Resource]bool
	sls  string // of the manifest that it stands in
	// imported says that it was looked at what other machines export.
	imported bool
	file     string
	pos      syntax.Pos
	// found are its resources, for relationships with a collector.
	found []*Resource
	// instead is what stands on its left in a row of arrows, for where it finds nothing.
	instead []any
}

// collect evaluates `Type <| query |> { }`.
func (c *Compiler) collect(s *scope, n *syntax.Collector) any {
	v := c.operand(s, n.Type)
	t, ok := v.(*types.Type)
	if !ok || t.Kind != "Resource" && t.Kind != "Class" {
		c.fail(n.Pos, "Error while evaluating a Virtual Query, Illegal type")
	}
	if t.Kind == "Class" {
		c.fail(n.Pos, "Error while evaluating a Virtual Query, Classes cannot be collected")
	}
	if !c.resourceTypeExists(t.Text) {
		c.fail(n.Pos, "Error while evaluating a Virtual Query, Resource type %s doesn't exist", strings.ToLower(t.Text))
	}
	col := &collector{typeName: strings.ToLower(t.Text), exported: n.Exported, scope: s, done: map[*Resource]bool{},
		query: c.query(s, n.Query), file: c.file, pos: n.Pos, sls: c.catalog.sls}
	col.ops = c.attrOps(s, n.Ops)
	c.collectors = append(c.collectors, col)
	return col
}

// query turns a query into a test of a resource.
func (c *Compiler) query(s *scope, n syntax.Node) func(r *Resource) bool {
	b, ok := n.(*syntax.Binary)
	if !ok {
		return func(*Resource) bool { return true }
	}
	switch b.Op {
	case "and", "or":
		l, r := c.query(s, b.L), c.query(s, b.R)
		if b.Op == "and" {
			return func(x *Resource) bool { return l(x) && r(x) }
		}
		return func(x *Resource) bool { return l(x) || r(x) }
	}
	name := ""
	switch l := b.L.(type) {
	case *syntax.Name:
		name = l.Text
	default:
		name = types.Text(c.eval(s, b.L))
	}
	want := c.eval(s, b.R)
	return func(x *Resource) bool { return x.has(name, want) == (b.Op == "==") }
}

// has says whether a resource has a value: among its tags, as its title, or as a parameter or an element of one.
func (r *Resource) has(name string, want any) bool {
	switch name {
	case "tag":
		return slices.Contains(r.AllTags(), strings.ToLower(types.Text(want)))
	case "title":
		return types.Equal(r.Title, want)
	}
	v, _ := r.Params.Get(name)
	if l, ok := v.([]any); ok {
		if _, isList := want.([]any); !isList {
			for _, x := range l {
				if equalText(x, want) {
					return true
				}
			}
			return false
		}
	}
	return equalText(v, want)
}

// equalText compares as queries do: a number equals its text.
func equalText(a, b any) bool {
	if types.Equal(a, b) {
		return true
	}
	if a == nil || b == nil {
		return false
	}
	_, ta := a.(*types.Type)
	_, tb := b.(*types.Type)
	return ta == tb && types.Text(a) == types.Text(b)
}

// collectOnce lets all collectors take what there is; it says whether anything was new.
func (c *Compiler) collectOnce() bool {
	busy := false
	for _, col := range c.collectors {
		if col.refs != nil {
			busy = c.realizeRefs(col) || busy
			continue
		}
		c.importFor(col)
		for _, r := range c.catalog.Resources {
			if strings.ToLower(r.Type) != col.typeName || col.done[r] || !col.query(r) {
				continue
			}
			if col.exported && !r.Exported {
				continue
			}
			col.done[r] = true
			col.found = append(col.found, r)
			busy = true
			c.realize(r, col)
		}
	}
	return busy
}

func (c *Compiler) realize(r *Resource, col *collector) {
	if r.Virtual && (!r.Exported || col.exported) {
		r.Virtual = false
		if col.exported {
			r.Exported = false
		}
	}
	for _, op := range col.ops {
		c.changeParam(r, op)
		if r.set != nil {
			r.set[op.name] = paramSource{class: col.scope.class}
		}
	}
}

// realizeRefs realizes what realize() names, as far as it is there.
func (c *Compiler) realizeRefs(col *collector) bool {
	busy := false
	for _, t := range col.refs {
		if r := c.catalog.Lookup(t); r != nil && !col.done[r] {
			col.done[r], busy = true, true
			r.Virtual = false
		}
	}
	return busy
}
