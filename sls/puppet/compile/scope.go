package compile

import (
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// A scope holds variables. Those of lambdas and blocks hang below the one that they stand in; those of classes, nodes
// and defines below the node's or the top one.
type scope struct {
	parent *scope
	vars   map[string]any
	// class is the name of the class whose scope this is; module is that of the code.
	class, module string
	// resource is what is declared here is contained in.
	resource *Resource
	// defaults are those of resource types: File { mode => ... }.
	defaults map[string]*defaults
	// outer is where defaults are looked for next: the scope that declared this one.
	outer *scope
	// match are the groups of the last regular expression, in the scope where it matched.
	match []any
	// closed says that variables of the parent are not seen: functions.
	closed bool
	node   bool
	// block says that it is part of the scope that it stands in: a lambda's, or that of match variables.
	block bool
	out   *strings.Builder // of a template
	// kept is what templates in ERB keep for each other.
	kept map[string]any
}

// defaults are the attributes of one `Type { }`.
type defaults struct {
	attrs *types.Hash
	pos   place
}

// A place is a file and a position in it.
type place struct {
	file string
	pos  syntax.Pos
}

func newScope(parent *scope) *scope {
	s := &scope{parent: parent, vars: map[string]any{}}
	if parent != nil {
		s.class, s.module, s.resource, s.outer, s.out = parent.class, parent.module, parent.resource, parent, parent.out
	}
	return s
}

// inner is a scope of a block: what it sets is gone behind it, what it declares belongs to the outer one.
func (s *scope) inner() *scope {
	in := newScope(s)
	in.block = true
	return in
}

// find looks a simple name up, from the inside out.
func (s *scope) find(name string) (any, bool) {
	for at := s; at != nil; at = at.parent {
		if v, ok := at.vars[name]; ok {
			return v, true
		}
		if at.closed {
			for at.parent != nil {
				at = at.parent
			}
			v, ok := at.vars[name]
			return v, ok
		}
	}
	return nil, false
}

// group is a match variable: $0, $1.
func (s *scope) group(n int) any {
	for at := s; at != nil; at = at.parent {
		if at.match != nil {
			if n < len(at.match) {
				return at.match[n]
			}
			return nil
		}
		if !at.block {
			break
		}
	}
	return nil
}

// owner is the scope that blocks are part of.
func (s *scope) owner() *scope {
	for s.block && s.parent != nil {
		s = s.parent
	}
	return s
}

// variable looks a name up that may be qualified: `a::b` is $b of the class a, `::x` is at the top.
func (c *Compiler) variable(s *scope, name string) (any, bool) {
	if !strings.Contains(name, "::") {
		if v, ok := s.find(name); ok {
			return v, true
		}
		if v, ok := c.builtinVar(s, name); ok {
			return v, true
		}
		return nil, false
	}
	i := strings.LastIndex(name, "::")
	class, simple := strings.ToLower(strings.TrimPrefix(name[:i], "::")), name[i+2:]
	if class == "" {
		if v, ok := c.top.vars[simple]; ok {
			return v, ok
		}
		return c.given(simple)
	}
	if at := c.scopes[class]; at != nil {
		return at.find(simple)
	}
	return nil, false
}

// builtinVar are variables that every scope has.
func (c *Compiler) builtinVar(s *scope, name string) (any, bool) {
	switch name {
	case "module_name":
		if s.module != "" {
			return s.module, true
		}
		return "", true
	case "caller_module_name":
		return s.owner().caller(), true
	}
	return c.given(name)
}

// given is one of the variables that the caller of the compiler gives.
func (c *Compiler) given(name string) (any, bool) {
	makes, ok := c.opts.Vars[name]
	if !ok {
		return nil, false
	}
	v := makes()
	c.top.vars[name] = v
	return v, true
}

// caller is the module of what declared the class or define whose scope this is; what inherits a class calls it.
func (s *scope) caller() string {
	switch {
	case s.parent != nil && s.parent.class != "":
		return s.parent.module
	case s.outer != nil:
		return s.outer.module
	}
	return ""
}

// set gives a variable its value, once.
func (c *Compiler) set(s *scope, name string, v any, at syntax.Pos) {
	if _, there := s.vars[name]; there {
		c.fail(at, "Cannot reassign variable '$%s'", name)
	}
	if s == c.top && (name == "facts" || name == "trusted" || name == "server_facts") {
		c.fail(at, "Attempt to assign to a reserved variable name: '$%s'", name)
	}
	s.vars[name] = v
}

// lookupDefaults are the attributes that a new resource of a type gets in a scope: the nearest `Type { }` says first.
func (s *scope) lookupDefaults(typeName string) *types.Hash {
	out := types.NewHash()
	for at := s; at != nil; at = at.outer {
		if d := at.defaults[typeName]; d != nil {
			for k, v := range d.attrs.All() {
				if _, there := out.Get(k); !there {
					out.Set(k, v)
				}
			}
		}
	}
	return out
}
