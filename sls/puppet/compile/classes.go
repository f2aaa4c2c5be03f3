package compile

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// includeClass declares a class by its name without parameters, unless it was declared.
func (c *Compiler) includeClass(s *scope, name string, at syntax.Pos) *Resource {
	name = strings.ToLower(strings.TrimPrefix(name, "::"))
	if name == "" {
		c.fail(at, "Error while evaluating a Function Call, Cannot use empty string where a class name is expected")
	}
	if r := c.catalog.Find("Class", name); r != nil {
		c.evaluateClass(s, r, at, "Function Call")
		return r
	}
	d := c.findClass(name)
	if d == nil || d.class.Define {
		c.fail(at, "Error while evaluating a Function Call, Could not find class ::%s for %s", name, c.opts.Node)
	}
	r := c.classResource(s, d, types.NewHash(), at)
	r.included = true
	c.evaluateClass(s, r, at, "Function Call")
	return r
}

// classResource puts the resource of a class into the catalog.
func (c *Compiler) classResource(s *scope, d *definition, params *types.Hash, at syntax.Pos) *Resource {
	r := &Resource{Type: "Class", Title: types.ClassTitle(d.name), Kind: "class", Params: params, File: c.file,
		Line:  at.Line,
		scope: s, def: d}
	c.catalog.add(r, c.stageOf(params, s))
	c.catalog.Classes = append(c.catalog.Classes, d.name)
	return r
}

// stageOf is the stage that a class is in: its own, that of the class that declares it, or main.
func (c *Compiler) stageOf(params *types.Hash, s *scope) *Resource {
	if name, ok := params.Value("stage").(string); ok {
		if st := c.catalog.Find("Stage", name); st != nil {
			return st
		}
		c.plainly("Could not find stage %s specified by %s", name, "Class")
	}
	for r := s.resource; r != nil; r = r.Container {
		if r.Type == "Stage" {
			return r
		}
	}
	return c.catalog.Find("Stage", "main")
}

// evaluateClass evaluates the body of a class, once, that of what it inherits before it.
func (c *Compiler) evaluateClass(by *scope, r *Resource, at syntax.Pos, statement string) {
	if r.evaluated || r.def == nil {
		return
	}
	r.evaluated = true
	d := r.def
	parent := c.top
	if c.node != nil {
		parent = c.node
	}
	if d.class.Parent != "" {
		parent = c.inherit(by, d)
	}
	s := newScope(parent)
	s.class, s.module, s.resource, s.block = d.name, d.module, r, false
	s.outer = by
	if d.class.Parent != "" {
		s.outer = parent // defaults of what declares the class are not seen behind what it inherits
	}
	s.closed = false
	c.scopes[d.name] = s
	c.parameters(s, r, at, "Class["+r.Title+"]", statement)
	was := c.inCall
	c.inCall = false
	defer func() { c.inCall = was }()
	defer c.inFile(d.file)()
	defer c.deeper(at)()
	c.statements(s, d.class.Body)
}

// inherit evaluates the class that another inherits and gives its scope.
func (c *Compiler) inherit(by *scope, d *definition) *scope {
	name := strings.ToLower(d.class.Parent)
	if name == "default" {
		return c.top
	}
	p := c.findClass(name)
	if p == nil || p.class.Define {
		c.raise(d.file, syntax.Pos{Line: d.class.Line}, fmt.Sprintf("Could not find parent resource type '%s' of type "+
			"hostclass in production", name))
	}
	if c.ancestor(p, d.name) {
		c.raise(d.file, syntax.Pos{Line: d.class.Line}, "Parent classes must not be circular: "+d.name+" inherits itself")
	}
	r := c.catalog.Find("Class", name)
	if r == nil {
		r = c.classResource(by, p, types.NewHash(), p.class.Pos)
		r.included = true
	}
	c.evaluateClass(by, r, d.class.Pos, "Function Call")
	return c.scopes[name]
}

// ancestor says whether a class is another, or inherits it.
func (c *Compiler) ancestor(d *definition, name string) bool {
	for range 100 {
		if d.name == name {
			return true
		}
		if d.class.Parent == "" {
			return false
		}
		if d = c.findClass(strings.ToLower(d.class.Parent)); d == nil {
			return false
		}
	}
	return true
}

// childOf says whether a class may override what another declared: it is it, or inherits it.
func (c *Compiler) childOf(class, of string) bool {
	if class == of {
		return true
	}
	d := c.classes[class]
	return d != nil && c.ancestor(d, of) && of != ""
}

// evaluateDefine evaluates the body of a defined type for one resource.
func (c *Compiler) evaluateDefine(r *Resource) {
	if r.evaluated {
		return
	}
	r.evaluated = true
	parent := c.top
	if c.node != nil {
		parent = c.node
	}
	s := newScope(parent)
	s.class, s.module, s.resource, s.outer = r.scope.class, r.def.module, r, r.scope
	defer c.catalog.from(r.SLS)()
	back := c.inFile(r.File)
	c.parameters(s, r, syntax.Pos{Line: r.Line}, r.Ref(), "Resource Statement")
	back()
	defer c.inFile(r.def.file)()
	defer c.deeper(r.def.class.Pos)()
	c.statements(s, r.def.class.Body)
}

// deeper guards against classes, defines and functions that call each other without end.
func (c *Compiler) deeper(at syntax.Pos) func() {
	if c.depth++; c.depth > 400 {
		c.fail(at, "stack level too deep")
	}
	return func() { c.depth-- }
}

// metaParams are the parameters of every resource.
func metaParam(name string) bool {
	switch name {
	case "alias", "audit", "before", "loglevel", "noop", "notify", "require", "schedule", "stage", "subscribe", "tag",
		"consume", "export":
		return true
	}
	return false
}

// parameters sets the variables of a class or define: what is given, then what data says (classes), then the defaults,
// in the order in which they are declared.
func (c *Compiler) parameters(s *scope, r *Resource, at syntax.Pos, subject, statement string) {
	given := types.NewHash()
	s.vars["title"], s.vars["name"] = r.nameOf(), r.nameOf()
	for k, v := range r.Params.All() {
		name := k.(string)
		if metaParam(name) && !hasParam(r.def.class, name) {
			s.vars[name] = v
			continue
		}
		if name == "name" && r.Kind == "define" {
			s.vars["name"] = v
			continue
		}
		given.Set(k, v)
	}
	var check []types.Param
	file := r.def.file
	for _, p := range r.def.class.Params {
		v, ok := given.Get(p.Name)
		if (!ok || v == nil) && r.Kind == "class" {
			v, ok = c.automatic(r.def.name+"::"+p.Name, at)
		}
		if ok && v == nil && p.Default != nil {
			ok = false
		}
		back := c.inFile(file)
		t := types.Any()
		if p.Type != nil {
			t = c.typeOf(s, p.Type)
		}
		if !ok && p.Default != nil {
			v = c.eval(s, p.Default)
			ok = true
		}
		back()
		check = append(check, types.Param{Name: p.Name, Type: t, Optional: p.Default != nil})
		if ok {
			given.Set(p.Name, v)
			s.vars[p.Name] = v
			if v != nil {
				r.Params.Set(p.Name, v)
			} else {
				r.Params.Delete(p.Name)
			}
		}
	}
	if msg := types.CheckParams(subject, check, given, false); msg != "" {
		c.fail(at, "Error while evaluating a %s, %s", statement, msg)
	}
}

func hasParam(n *syntax.Class, name string) bool {
	for _, p := range n.Params {
		if p.Name == name {
			return true
		}
	}
	return false
}

// nameOf is $title of a resource: that of a class is its name.
func (r *Resource) nameOf() string {
	if r.Kind == "class" {
		return strings.ToLower(r.Title)
	}
	return r.Title
}

// findClass finds a class or define, and reads the file of the module that has it.
func (c *Compiler) findClass(name string) *definition {
	name = strings.ToLower(strings.TrimPrefix(name, "::"))
	if d := c.classes[name]; d != nil {
		return d
	}
	c.autoload(name)
	return c.classes[name]
}
