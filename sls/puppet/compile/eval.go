package compile

import (
	"strconv"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// statements evaluates a body; it gives the value of the last one.
func (c *Compiler) statements(s *scope, body []syntax.Node) any {
	var v any
	for _, n := range body {
		v = c.eval(s, n)
	}
	return v
}

// eval evaluates one node.
func (c *Compiler) eval(s *scope, n syntax.Node) any {
	switch n := n.(type) {
	case *syntax.Literal:
		return n.Val
	case *syntax.Default:
		return types.Default{}
	case *syntax.Interp:
		return c.interpolate(s, n)
	case *syntax.Regex:
		return c.regexp(n.Source, n.Pos)
	case *syntax.Name:
		return n.Text
	case *syntax.TypeName:
		t := c.typeName(n.Text, n.Pos)
		if t.Kind == "Resource" && t.Text != "" && !c.resourceTypeExists(t.Text) {
			c.fail(n.Pos, "Resource type not found: %s", n.Text)
		}
		return t
	case *syntax.Variable:
		return c.evalVariable(s, n)
	case *syntax.List:
		return c.evalAll(s, n.Items)
	case *syntax.Hash:
		h := types.NewHash()
		for _, e := range n.Entries {
			k := c.eval(s, e.Key)
			h.Set(k, c.eval(s, e.Val))
		}
		return h
	case *syntax.Splat:
		return c.unfold(c.eval(s, n.Of))
	case *syntax.Access:
		return c.access(s, n)
	case *syntax.Call:
		return c.call(s, n)
	case *syntax.Unary:
		return c.unary(s, n)
	case *syntax.Binary:
		return c.binary(s, n)
	case *syntax.Assign:
		return c.assign(s, n)
	case *syntax.Selector:
		return c.selector(s, n)
	case *syntax.If:
		return c.conditional(s, n)
	case *syntax.Case:
		return c.evalCase(s, n)
	case *syntax.Block:
		return c.statements(s, n.Body)
	case *syntax.Resource:
		return c.resource(s, n)
	case *syntax.Override:
		return c.override(s, n)
	case *syntax.Collector:
		return c.collect(s, n)
	case *syntax.Relation:
		return c.relation(s, n)
	case *syntax.Class:
		if n.Define {
			return types.Of("Type", types.Resource(n.Name, ""))
		}
		return types.Of("Type", types.ClassRef(n.Name))
	case *syntax.Print:
		s.out.WriteString(types.Text(c.eval(s, n.Of)))
		return nil
	}
	return nil
}

// evalAll evaluates items; a splat among them is several.
func (c *Compiler) evalAll(s *scope, nodes []syntax.Node) []any {
	out := make([]any, 0, len(nodes))
	for _, n := range nodes {
		v := c.eval(s, n)
		if _, splat := n.(*syntax.Splat); splat {
			out = append(out, v.([]any)...)
			continue
		}
		out = append(out, v)
	}
	return out
}

// unfold is a value as a list: a hash as pairs, undef as nothing.
func (c *Compiler) unfold(v any) []any {
	switch v := v.(type) {
	case nil:
		return []any{}
	case []any:
		return v
	case *types.Hash:
		return pairs(v)
	}
	return []any{v}
}

func pairs(h *types.Hash) []any {
	out := make([]any, 0, h.Len())
	for k, v := range h.All() {
		out = append(out, []any{k, v})
	}
	return out
}

func (c *Compiler) interpolate(s *scope, n *syntax.Interp) any {
	var b strings.Builder
	for _, p := range n.Parts {
		b.WriteString(types.Text(c.eval(s, p)))
	}
	return b.String()
}

// evalVariable is a variable's value; one that is not there is undef, with a warning, or an error when strict.
func (c *Compiler) evalVariable(s *scope, n *syntax.Variable) any {
	if d := n.Name[0]; d >= '0' && d <= '9' {
		i, _ := strconv.Atoi(n.Name)
		return s.group(i)
	}
	v, ok := c.variable(s, n.Name)
	if !ok {
		if c.opts.Strict {
			c.fail(n.Pos, "Unknown variable: '%s'.", n.Name)
		}
		c.log("warning", "Unknown variable: '"+n.Name+"'.")
	}
	return v
}

func (c *Compiler) log(level, text string) { c.logs = append(c.logs, Log{level, text}) }

func (c *Compiler) unary(s *scope, n *syntax.Unary) any {
	v := c.eval(s, n.Of)
	if n.Op == "!" {
		return !types.Truth(v)
	}
	x := c.numeric(v, n.Of.At())
	switch x := x.(type) {
	case int64:
		return -x
	case float64:
		return -x
	}
	return nil
}

func (c *Compiler) assign(s *scope, n *syntax.Assign) any {
	v := c.eval(s, n.R)
	at := opPos(n)
	switch n.Op {
	case "+=", "-=":
		c.fail(at, "The operator '%s' is no longer supported. See http://links.puppet.com/remove-plus-equals", n.Op)
	}
	c.assignTo(s, n.L, v, at)
	return v
}

// opPos is where Puppet sees an assignment: at its operator, which stands behind the name and a blank.
func opPos(n *syntax.Assign) syntax.Pos {
	at := n.L.At()
	if v, ok := n.L.(*syntax.Variable); ok {
		at.Col += len(v.Name) + 2
	}
	return at
}

func (c *Compiler) assignTo(s *scope, to syntax.Node, v any, at syntax.Pos) {
	switch to := to.(type) {
	case *syntax.Variable:
		c.set(s, to.Name, v, at)
	case *syntax.List:
		c.assignList(s, to, v, at)
	case *syntax.Hash:
		for _, e := range to.Entries {
			c.assignTo(s, e.Key, v, at)
		}
	}
}

// assignList gives the variables of a list the elements of another, or the values of a hash by their names.
func (c *Compiler) assignList(s *scope, to *syntax.List, v any, at syntax.Pos) {
	if h, ok := v.(*types.Hash); ok {
		for _, it := range to.Items {
			name, isVar := it.(*syntax.Variable)
			if !isVar {
				continue
			}
			x, there := h.Get(name.Name)
			if !there {
				c.fail(at, "No value for required variable '$%s' in assignment to variables from hash", name.Name)
			}
			c.set(s, name.Name, x, at)
		}
		return
	}
	list, ok := v.([]any)
	if !ok {
		list = []any{v}
	}
	if len(list) != len(to.Items) {
		c.fail(at, "Mismatched number of assignable entries and values, expected %d, got %d", len(to.Items), len(list))
	}
	for i, it := range to.Items {
		c.assignTo(s, it, list[i], at)
	}
}

func (c *Compiler) conditional(s *scope, n *syntax.If) any {
	in := s.inner()
	cond := types.Truth(c.eval(in, n.Cond))
	in.spill(s)
	if cond != n.Not {
		return c.body(s, in, n.Then)
	}
	return c.body(s, in, n.Else)
}

// body evaluates the statements of a branch, which see the groups that its condition matched. Variables that it sets
// stay.
func (c *Compiler) body(s, in *scope, body []syntax.Node) any {
	was := s.match
	if in.match != nil {
		s.match = in.match
	}
	v := c.statements(s, body)
	s.match = was
	return v
}

// spill gives what a condition assigned to the scope that it stands in.
func (s *scope) spill(to *scope) {
	for k, v := range s.vars {
		to.vars[k] = v
	}
}

func (c *Compiler) evalCase(s *scope, n *syntax.Case) any {
	v := c.eval(s, n.Of)
	var fallback *syntax.CaseOption
	for i := range n.Options {
		o := &n.Options[i]
		for _, x := range o.Values {
			if _, ok := x.(*syntax.Default); ok {
				fallback = o
				continue
			}
			in := s.inner()
			if c.matchesAny(in, x, v) {
				return c.body(s, in, o.Body)
			}
		}
	}
	if fallback != nil {
		return c.statements(s, fallback.Body)
	}
	return nil
}

// matchesAny compares with an option; one with a splat is many.
func (c *Compiler) matchesAny(s *scope, option syntax.Node, v any) bool {
	want := c.eval(s, option)
	if _, splat := option.(*syntax.Splat); splat {
		for _, w := range want.([]any) {
			if c.matches(s, v, w) {
				return true
			}
		}
		return false
	}
	return c.matches(s, v, want)
}

// matches is what case and ? ask: a regular expression matches, a type holds the value, arrays and hashes match in
// their parts.
func (c *Compiler) matches(s *scope, v, want any) bool {
	switch want := want.(type) {
	case *types.Regexp:
		text, ok := v.(string)
		if !ok {
			return false
		}
		g := want.Match(text)
		if g == nil {
			return false
		}
		s.match = g
		return true
	case *types.Type:
		if t, ok := v.(*types.Type); ok && want.String() == t.String() {
			return true
		}
		return types.Instance(want, v)
	case []any:
		l, ok := v.([]any)
		if !ok || len(l) != len(want) {
			return false
		}
		for i := range l {
			if !c.matches(s, l[i], want[i]) {
				return false
			}
		}
		return true
	case *types.Hash:
		h, ok := v.(*types.Hash)
		if !ok {
			return false
		}
		for k, w := range want.All() {
			x, there := h.Get(k)
			if !there || !c.matches(s, x, w) {
				return false
			}
		}
		return true
	case types.Default:
		return true
	}
	return types.Equal(v, want)
}

func (c *Compiler) selector(s *scope, n *syntax.Selector) any {
	v := c.eval(s, n.Of)
	var fallback syntax.Node
	for _, o := range n.Options {
		if _, ok := o.Key.(*syntax.Default); ok {
			if fallback == nil {
				fallback = o.Val
			}
			continue
		}
		in := s.inner()
		if c.matchesAny(in, o.Key, v) {
			return c.eval(in, o.Val)
		}
	}
	if fallback != nil {
		return c.eval(s, fallback)
	}
	c.fail(n.Pos, "No matching entry for selector parameter with value '%s'", types.Text(v))
	return nil
}
