package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// A relation is a -> b between references, or what collectors find.
type relation struct {
	from, to []any // *types.Type or *collector
	refresh  bool
	file     string
	line     int
}

// relation evaluates a -> b and its like; it gives the right side, for a -> b -> c.
func (c *Compiler) relation(s *scope, n *syntax.Relation) any {
	l := c.eval(s, n.L)
	r := c.eval(s, n.R)
	from, to := c.ends(l, n), c.ends(r, n)
	if n.Op == "<-" || n.Op == "<~" {
		from, to = to, from
	}
	c.relations = append(c.relations, relation{from, to, n.Op == "~>" || n.Op == "<~", c.file, n.Line})
	if left, right := c.ends(l, n), c.ends(r, n); len(right) == 0 {
		return l
	} else if col, ok := right[0].(*collector); ok && len(right) == 1 {
		col.instead = left
	}
	return r
}

// ends are the references of one side of an arrow.
func (c *Compiler) ends(v any, n *syntax.Relation) []any {
	var out []any
	for _, x := range flatten(v) {
		switch x := x.(type) {
		case *types.Type:
			if x.Kind == "Type" && len(x.Elems) == 1 {
				x = x.Elems[0]
			}
			if x.Kind != "Resource" && x.Kind != "Class" {
				c.fail(n.OpAt, "Illegal relationship operand, can not form a relationship with %s. A Catalog type is required.",
					an(types.Infer(x)))
			}
			out = append(out, x)
		case *collector:
			out = append(out, x)
		case string:
			t := c.refOf(x)
			if t == nil {
				c.fail(n.OpAt, "Illegal relationship operand, can not form a relationship with %s. A Catalog type is required.",
					an(types.Infer(x)))
			}
			out = append(out, t)
		case nil:
		default:
			c.fail(n.OpAt, "Illegal relationship operand, can not form a relationship with %s. A Catalog type is required.",
				an(types.Infer(x)))
		}
	}
	return out
}

// refOf reads a text as a reference, `File[/x]`; nil for none.
func (c *Compiler) refOf(text string) *types.Type {
	i := strings.IndexByte(text, '[')
	if i <= 0 || !strings.HasSuffix(text, "]") {
		return nil
	}
	name, title := text[:i], strings.Trim(text[i+1:len(text)-1], `'"`)
	if strings.EqualFold(name, "class") {
		return types.ClassRef(title)
	}
	return types.Resource(name, title)
}

// refsOf are the references of ends, those of collectors by what they found.
func refsOf(ends []any) (out []*types.Type) {
	for _, e := range ends {
		switch e := e.(type) {
		case *types.Type:
			out = append(out, e)
		case *collector:
			for _, r := range e.found {
				out = append(out, types.Resource(r.Type, r.Title))
			}
		}
	}
	return out
}

// leftmost are the references of what an arrow begins at. A lone collector that found nothing stands for what is on its
// left: a -> File<| |> -> b is a -> b then.
func leftmost(ends []any) []*types.Type {
	for n := 0; n < 1000 && len(ends) == 1; n++ { // a collector in a variable can stand on its own left
		col, ok := ends[0].(*collector)
		if !ok || len(col.found) > 0 {
			break
		}
		ends = col.instead
	}
	return refsOf(ends)
}

// relate puts the arrows into the parameters of what they begin at: before, or notify.
func (c *Compiler) relate() {
	for _, rel := range c.relations {
		for _, f := range leftmost(rel.from) {
			src := c.catalog.Called(f)
			for _, t := range refsOf(rel.to) {
				dst := c.catalog.Called(t)
				switch {
				case src == nil && c.isState(f) && dst != nil:
					dst.appendRef(backward(rel.refresh), f)
					continue
				case dst == nil && c.isState(t) && src != nil:
					src.appendRef(forward(rel.refresh), t)
					continue
				case src == nil:
					c.plainly("Could not find resource '%s' for relationship on '%s'", f.Ref(), refName(dst, t))
				case dst == nil:
					c.plainly("Could not find resource '%s' for relationship from '%s'", t.Ref(), src.Ref())
				}
				src.appendRef(forward(rel.refresh), dst.reference())
			}
		}
	}
}

// forward is the parameter of what an arrow begins at, backward that of what it points to.
func forward(refresh bool) string {
	if refresh {
		return "notify"
	}
	return "before"
}

func backward(refresh bool) string {
	if refresh {
		return "subscribe"
	}
	return "require"
}

// appendRef adds a reference to a parameter that holds some: before, require.
func (r *Resource) appendRef(name string, ref *types.Type) {
	list := []any{}
	if have := r.Params.Value(name); have != nil {
		list = flattenOnce(have)
	}
	r.Params.Set(name, append(list, ref))
}

func refName(r *Resource, t *types.Type) string {
	if r != nil {
		return r.Ref()
	}
	return t.Ref()
}

// reference is the resource's reference as a value.
func (r *Resource) reference() *types.Type {
	if r.Type == "Class" {
		return types.ClassRef(r.Title)
	}
	return types.Resource(r.Type, r.Title)
}

// finish completes the catalog: what was never realized goes, defaults and metaparameters are handed down, and
// references are checked.
func (c *Compiler) finish() {
	c.unrealized()
	c.relate()
	for _, r := range c.catalog.Resources {
		if !r.Virtual && r.Kind == "" {
			r.dropName()
		}
		if r.numbered && r.Kind != "class" {
			r.Params.Set(nameParam(r.Type), r.Title)
		}
	}
	c.inheritMeta()
	c.catalog.export(c.opts.Node)
	c.dropVirtual()
	c.edges()
}

// unrealized fails for realize() of what is not there, and for overrides that found nothing.
func (c *Compiler) unrealized() {
	for _, col := range c.collectors {
		var missing []string
		for _, t := range col.refs {
			if c.catalog.Lookup(t) == nil {
				missing = append(missing, t.Ref())
			}
		}
		if len(missing) > 0 {
			c.plainly("Failed to realize virtual resources %s", strings.Join(missing, ", "))
		}
	}
	var lost []string
	for _, list := range c.overrides {
		for _, o := range list {
			lost = append(lost, o.ref.Ref())
		}
	}
	if len(lost) > 0 {
		slices.Sort(lost)
		c.plainly("Could not find resource(s) %s for overriding", strings.Join(lost, ", "))
	}
}

// inheritMeta hands metaparameters down from what contains to what is contained, below the class of the manifest.
func (c *Compiler) inheritMeta() {
	for _, r := range c.catalog.Resources {
		if !c.below(r, "main") {
			continue
		}
		for in := r.Container; in != nil; in = in.Container {
			for _, name := range []string{"alias", "audit", "loglevel", "noop", "schedule", "tag"} {
				v, said := in.Params.Get(name)
				if !said || in.Kind == "define" && hasParam(in.def.class, name) {
					continue
				}
				if _, has := r.Params.Get(name); !has {
					r.Params.Set(name, v)
				}
			}
		}
	}
}

// below says whether a resource is contained in the class of the manifest, not only in a stage.
func (c *Compiler) below(r *Resource, _ string) bool {
	for x := r.Container; x != nil; x = x.Container {
		if x.Type == "Class" && x.Title == "main" {
			return true
		}
	}
	return false
}

func (c *Compiler) dropVirtual() {
	c.catalog.Resources = slices.DeleteFunc(c.catalog.Resources, func(r *Resource) bool {
		for x := r; x != nil; x = x.Container {
			if x.Virtual {
				delete(c.catalog.byRef, r.key())
				return true
			}
		}
		return false
	})
}

// isArrow says whether a parameter holds relationships.
func isArrow(name string) bool {
	return name == "before" || name == "notify" || name == "require" || name == "subscribe"
}

// edges reads the relationships from the parameters of all resources.
func (c *Compiler) edges() {
	seen := map[Edge]bool{}
	for _, r := range c.catalog.Resources {
		for k, v := range r.Params.All() {
			name, _ := k.(string)
			if !isArrow(name) || r.Kind == "define" && hasParam(r.def.class, name) {
				continue
			}
			for _, x := range flatten(v) {
				t, isRef := x.(*types.Type)
				if text, isText := x.(string); isText {
					t, isRef = c.refOf(text), true
				}
				if !isRef || t == nil {
					continue
				}
				other := c.catalog.Called(t)
				if other == nil && c.isState(t) {
					continue // which whoever has the states makes a relationship of
				}
				if other == nil {
					at := syntax.Pos{Line: r.Line}
					if src, ok := r.set[name]; ok && src.at.pos.Line > 0 {
						at.Line = src.at.pos.Line
					}
					c.raise(r.File, at, fmt.Sprintf("Could not find resource '%s' in parameter '%s'", t.Ref(), name))
				}
				e := Edge{r.Ref(), other.Ref(), name == "notify"}
				if name == "require" || name == "subscribe" {
					e = Edge{other.Ref(), r.Ref(), name == "subscribe"}
				}
				if !seen[e] {
					seen[e] = true
					c.catalog.Edges = append(c.catalog.Edges, e)
				}
			}
		}
	}
}
