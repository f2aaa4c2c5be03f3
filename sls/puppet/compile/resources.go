package compile

import (
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// resource evaluates `type { title: attributes }`; it gives the references of what it declared.
func (c *Compiler) resource(s *scope, n *syntax.Resource) any {
	typeName, virtual, exported := c.resourceType(s, n)
	shared := types.NewHash()
	for i := range n.Bodies {
		if _, ok := n.Bodies[i].Title.(*syntax.Default); ok {
			c.attributes(s, n.Bodies[i].Ops, shared)
		}
	}
	out := []any{}
	for i := range n.Bodies {
		b := &n.Bodies[i]
		if _, ok := b.Title.(*syntax.Default); ok {
			continue
		}
		titles := c.titles(s, b)
		attrs := types.NewHash()
		c.attributes(s, b.Ops, attrs)
		for k, v := range shared.All() {
			if _, there := attrs.Get(k); !there {
				attrs.Set(k, v)
			}
		}
		for _, title := range titles {
			out = append(out, c.declare(s, typeName, title, attrs.Clone(), virtual, exported, b.Title.At(), n.Pos))
		}
	}
	return out
}

// resourceType is the type that a resource expression names.
func (c *Compiler) resourceType(s *scope, n *syntax.Resource) (name string, virtual, exported bool) {
	virtual, exported = n.Form != "", n.Form == "@@"
	v := c.operand(s, n.Type)
	switch v := v.(type) {
	case string:
		if _, isName := n.Type.(*syntax.Name); isName || isTypeText(v) {
			return v, virtual, exported
		}
	case *types.Type:
		if v.Kind == "Resource" && v.Title == "" && v.Text != "" {
			return strings.ToLower(v.Text), virtual, exported
		}
		if v.Kind == "Class" && v.Text == "" {
			return "class", virtual, exported
		}
	}
	at := n.Type.At()
	if b, ok := n.Type.(*syntax.Binary); ok {
		at = b.OpAt
	}
	c.fail(at, "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got %s",
		types.Infer(v).Kind)
	return "", false, false
}

func isTypeText(s string) bool { return s != "" && s[0] >= 'a' && s[0] <= 'z' }

// titles are those of a body: one, or a list of them.
func (c *Compiler) titles(s *scope, b *syntax.ResourceBody) []string {
	v := c.eval(s, b.Title)
	at := b.Title.At()
	switch v.(type) {
	case nil:
		c.fail(at, "Missing title. The title expression resulted in undef")
	case string:
		if v == "" {
			c.fail(at, "Empty string title at 0. Title strings must have a length greater than zero.")
		}
	}
	var out []string
	seen := map[string]bool{}
	for i, x := range flatten(v) {
		switch x := x.(type) {
		case string:
			if x == "" {
				c.fail(at, "Empty string title at %d. Title strings must have a length greater than zero.", i)
			}
			if seen[x] {
				c.fail(at, "The title '%s' has already been used in this resource expression", x)
			}
			seen[x] = true
			out = append(out, x)
		case nil:
			c.fail(at, "Missing title at index %d. The title expression resulted in an undef title", i)
		default:
			c.fail(at, "Illegal title type at index %d. Expected String, got %s", i, types.Infer(x).Generalize())
		}
	}
	return out
}

func flatten(v any) []any {
	l, ok := v.([]any)
	if !ok {
		return []any{v}
	}
	var out []any
	for _, x := range l {
		out = append(out, flatten(x)...)
	}
	return out
}

// attributes evaluates attribute operations into a hash; `*` unfolds one.
func (c *Compiler) attributes(s *scope, ops []syntax.Attribute, into *types.Hash) {
	for _, a := range ops {
		v := c.eval(s, a.Val)
		if a.Name != "*" {
			if _, twice := into.Get(a.Name); twice {
				c.fail(a.Pos, "The attribute '%s' has already been set", a.Name)
			}
			into.Set(a.Name, v)
			continue
		}
		h, ok := v.(*types.Hash)
		if !ok {
			if v == nil {
				continue
			}
			c.fail(a.Val.At(), "Unfolding of attributes from Hash requires a Hash value, got %s", types.Infer(v).Kind)
		}
		for k, x := range h.All() {
			if _, twice := into.Get(k); twice {
				c.fail(a.Pos, "The attribute '%s' has already been set", types.Text(k))
			}
			into.Set(types.Text(k), x)
		}
	}
}

// declare puts one resource into the catalog.
func (c *Compiler) declare(s *scope, typeName, title string, attrs *types.Hash, virtual, exported bool,
	at, statement syntax.Pos) *types.Type {
	said := strings.ToLower(typeName)
	typeName = strings.TrimPrefix(said, "::")
	if typeName == "class" {
		return c.declareClass(s, title, attrs, statement)
	}
	d := c.findClass(typeName)
	if d != nil && !d.class.Define {
		d = nil
	}
	if d == nil && !c.native_(typeName) {
		c.fail(statement, "Error while evaluating a %s, Unknown resource type: '%s'", c.statement(), said)
	}
	r := &Resource{Type: types.Capital(typeName), Title: title, Params: types.NewHash(), Virtual: virtual,
		Exported: exported, File: c.file, Line: at.Line, scope: s, def: d, set: map[string]paramSource{}}
	r.exports = exported
	if d != nil {
		r.Kind = "define"
	}
	c.setParams(r, attrs, place{c.file, at})
	c.addDefaults(r)
	c.checkNative(r, at)
	if other := c.catalog.Find(r.Type, r.Title); other != nil {
		c.duplicate(r, other)
	}
	c.addResource(s, r)
	return types.Resource(r.Type, r.Title)
}

// addResource adds what was declared, applies the overrides that wait for it, and leaves a define for later.
func (c *Compiler) addResource(s *scope, r *Resource) {
	in := s.resource
	if r.Type == "Stage" {
		in = nil
	}
	c.catalog.add(r, in)
	c.nameAlias(r)
	for _, o := range c.overrides[r.key()] {
		c.applyOverride(r, o)
	}
	delete(c.overrides, r.key())
	if r.Kind == "define" {
		c.defines = append(c.defines, r)
	}
}

// nameAlias lets a resource be found by its path or name, too, which no other may have, and by what `alias` says.
func (c *Compiler) nameAlias(r *Resource) {
	for _, a := range flatten(r.Params.Value("alias")) {
		if text, ok := a.(string); ok && c.catalog.byRef[refKey(r.Type, text)] == nil {
			c.catalog.byRef[refKey(r.Type, text)] = r
		}
	}
	name := r.keyName()
	if name == r.Title || r.Kind != "" || r.Type == "Exec" || !slices.Contains(nativeTypes(), strings.ToLower(r.Type)) {
		return
	}
	key := refKey(r.Type, name)
	other := c.catalog.byRef[key]
	switch {
	case other == r:
		return
	case other != nil && r.Type == "Package" && !types.Equal(r.Params.Value("provider"), other.Params.Value("provider")):
		return // a package of pip and one of the system may have one name
	case other != nil:
		c.fail(syntax.Pos{Line: r.Line}, "Error while evaluating a %s, Cannot alias %s to [%q] at (file: %s, "+
			"line: %d); resource [%q, %q] already declared (file: %s, line: %d)", c.statement(), r.Ref(), name, r.File, r.Line,
			r.Type, name,
			other.File, other.Line)
	}
	c.catalog.byRef[key] = r
}

// keyName is what tells a native resource from others of its type: a path without slashes at its end, or a name.
func (r *Resource) keyName() string {
	name, ok := r.Params.Value(nameParam(r.Type)).(string)
	if !ok {
		name = r.Title
	}
	if path := strings.TrimRight(name, "/"); r.Type == "File" && path != "" {
		return path
	}
	return name
}

// statement is what declares a resource: a statement, or a function.
func (c *Compiler) statement() string {
	if c.inCall {
		return "Function Call"
	}
	return "Resource Statement"
}

func (c *Compiler) duplicate(r, other *Resource) {
	where := ""
	if other.Line > 0 && !other.included {
		where = fmt.Sprintf(" at (file: %s, line: %d)", other.File, other.Line)
	}
	c.fail(syntax.Pos{Line: r.Line}, "Error while evaluating a %s, Duplicate declaration: %s is already "+
		"declared%s; cannot redeclare (file: %s, line: %d)", c.statement(), r.Ref(), where, r.File, r.Line)
}

// setParams sets the attributes of a new resource; tags and Sensitive values are noted besides.
func (c *Compiler) setParams(r *Resource, attrs *types.Hash, at place) {
	for k, v := range attrs.All() {
		c.setParam(r, k.(string), v, at)
	}
}

func (c *Compiler) setParam(r *Resource, name string, v any, at place) {
	if name == "tag" {
		for _, t := range flatten(v) {
			for part := range strings.SplitSeq(types.Text(t), ",") {
				if part = strings.TrimSpace(part); part != "" {
					r.Tags = append(r.Tags, part)
				}
			}
		}
	}
	v = r.unwrap(name, v)
	if v == nil && r.Kind != "define" && r.Kind != "class" {
		r.Params.Delete(name)
	} else {
		r.Params.Set(name, v)
	}
	if r.set != nil {
		r.set[name] = paramSource{class: r.scope.class, at: at}
	}
}

// addTags adds a tag, or a list of them.
func (r *Resource) addTags(v any) {
	for _, t := range flatten(v) {
		r.Tags = append(r.Tags, types.Text(t))
	}
}

// unwrap takes a Sensitive apart: a native resource gets the value, and the note that it is secret.
func (r *Resource) unwrap(name string, v any) any {
	x, ok := v.(*types.Sensitive)
	if !ok || r.Kind != "" {
		return v
	}
	if !slices.Contains(r.Sensitive, name) {
		r.Sensitive = append(r.Sensitive, name)
	}
	return x.Of
}

func (c *Compiler) declareClass(s *scope, title string, attrs *types.Hash, at syntax.Pos) *types.Type {
	name := strings.ToLower(strings.TrimPrefix(title, "::"))
	d := c.findClass(name)
	if d == nil || d.class.Define {
		c.fail(at, "Error while evaluating a %s, Could not find declared class %s", c.statement(), name)
	}
	if other := c.catalog.Find("Class", name); other != nil {
		c.duplicate(&Resource{Type: "Class", Title: other.Title, File: c.file, Line: at.Line}, other)
	}
	r := c.classResource(s, d, types.NewHash(), at)
	for k, v := range attrs.All() {
		r.Params.Set(k, v)
		if k == "tag" {
			r.addTags(v)
		}
	}
	r.Container = c.stageOf(attrs, s)
	c.evaluateClass(s, r, at, c.statement())
	return types.ClassRef(name)
}

// An override is `Type['title'] { attributes }`, which may stand before what it overrides.
type override struct {
	ref   *types.Type
	ops   []attrOp
	class string
	file  string
	line  int
}

type attrOp struct {
	name string
	add  bool
	val  any
}

// override evaluates `Type['title'] { }`, or the defaults `Type { }`.
func (c *Compiler) override(s *scope, n *syntax.Override) any {
	v := c.operand(s, n.Of)
	refs, isList := v.([]any)
	if t, ok := v.(*types.Type); ok {
		if t.Kind == "Resource" && t.Title == "" && t.Text != "" {
			c.setDefaults(s, t, n)
			return t
		}
		refs = []any{t}
	} else if _, ok := v.(string); ok {
		if _, isName := n.Of.(*syntax.Name); isName && len(n.Ops) == 0 {
			return []any{} // `notify { }` declares nothing
		}
		c.fail(n.Pos, "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got String")
	} else if !isList {
		if len(n.Ops) > 0 {
			c.fail(n.Pos, "The value '%s' is not a valid resource reference", types.Text(v))
		}
		c.fail(n.Pos, "Illegal Resource Type expression, expected result to be a type name, or untitled Resource, got %s",
			types.Infer(v).Kind)
	}
	for _, ref := range refs {
		t, ok := ref.(*types.Type)
		if !ok {
			c.fail(n.Pos, "The value '%s' is not a valid resource reference", types.Text(ref))
		}
		o := &override{ref: t, ops: c.attrOps(s, n.Ops), class: s.class, file: c.file, line: n.Line}
		if r := c.catalog.Lookup(t); r != nil {
			c.applyOverride(r, o)
		} else {
			key := refKey(t.Text, t.Title)
			c.overrides[key] = append(c.overrides[key], o)
		}
	}
	return v
}

func (c *Compiler) attrOps(s *scope, ops []syntax.Attribute) (out []attrOp) {
	for _, a := range ops {
		v := c.eval(s, a.Val)
		if h, ok := v.(*types.Hash); ok && a.Name == "*" {
			for k, x := range h.All() {
				out = append(out, attrOp{types.Text(k), false, x})
			}
			continue
		}
		out = append(out, attrOp{a.Name, a.Op == "+>", v})
	}
	return out
}

// applyOverride changes a resource; only a class that inherits the one which declared it may.
func (c *Compiler) applyOverride(r *Resource, o *override) {
	owner := ""
	if r.scope != nil {
		owner = r.scope.class
	}
	if !c.childOf(o.class, owner) {
		c.raise(o.file, syntax.Pos{Line: o.line}, "Only subclasses can override parameters")
	}
	for _, op := range o.ops {
		if src, was := r.set[op.name]; was && (src.class == o.class) && !op.add && op.name != "tag" {
			c.raise(o.file, syntax.Pos{Line: o.line}, fmt.Sprintf("Parameter '%s' is already set on %s at (file: %s, line: %d); "+
				"cannot redefine", op.name, r.Ref(), src.at.file, src.at.pos.Line))
		}
		c.changeParam(r, op)
		if r.set != nil {
			r.set[op.name] = paramSource{o.class, place{o.file, syntax.Pos{Line: o.line}}}
		}
	}
}

// changeParam sets a parameter, or adds to it.
func (c *Compiler) changeParam(r *Resource, op attrOp) {
	v := op.val
	if op.add {
		have, there := r.Params.Get(op.name)
		if there {
			v = append(flattenOnce(have), flattenOnce(v)...)
		}
	}
	if op.name == "tag" {
		r.addTags(op.val)
	}
	v = r.unwrap(op.name, v)
	if v == nil {
		r.Params.Delete(op.name)
		return
	}
	r.Params.Set(op.name, v)
}

func flattenOnce(v any) []any {
	if l, ok := v.([]any); ok {
		return slices.Clone(l)
	}
	return []any{v}
}

// setDefaults notes `Type { attributes }`.
func (c *Compiler) setDefaults(s *scope, t *types.Type, n *syntax.Override) {
	name := strings.ToLower(t.Text)
	s = s.owner()
	if s.defaults == nil {
		s.defaults = map[string]*defaults{}
	}
	d := s.defaults[name]
	if d == nil {
		d = &defaults{attrs: types.NewHash(), pos: place{c.file, n.Pos}}
		s.defaults[name] = d
	}
	for _, op := range c.attrOps(s, n.Ops) {
		if _, there := d.attrs.Get(op.name); there {
			c.raise(c.file, syntax.Pos{Line: n.Line}, fmt.Sprintf("Default already defined for %s { %s }; cannot redefine",
				t.Text,
				op.name))
		}
		d.attrs.Set(op.name, op.val)
	}
}

// addDefaults gives a new resource the defaults that its scope has by now for what it does not say.
func (c *Compiler) addDefaults(r *Resource) {
	if r.scope == nil || r.Kind == "class" {
		return
	}
	for k, v := range r.scope.lookupDefaults(strings.ToLower(r.Type)).All() {
		name := k.(string)
		if _, said := r.set[name]; said {
			continue
		}
		if _, there := r.Params.Get(name); !there && v != nil {
			if name == "tag" {
				r.addTags(v)
			}
			r.Params.Set(name, r.unwrap(name, v))
		}
	}
}
