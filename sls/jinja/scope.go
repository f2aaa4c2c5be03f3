package jinja

// This file is the pass that finds out which variable a name means. Jinja's rules: every loop, macro, with, filter
// block, set block and scope has symbols of its own; an if has not; what a scope stores it stores for itself, beginning
// with the value of the name around it; a name that nobody stores is looked up in the context when the scope is
// entered.

type loadKind uint8

const (
	loadParam     loadKind = iota // given by whoever enters the scope
	loadResolve                   // looked up in the context
	loadAlias                     // copied from a scope around
	loadUndefined                 // not yet set
)

// A variable is one name of one scope. Scopes of the same level in one function share variables of the same name, as
// they share the local variable in the code that Jinja makes.
type variable struct {
	level int
	name  string
}

type load struct {
	v     variable
	kind  loadKind
	outer variable // of loadAlias
}

// symbols are the names of one scope.
type symbols struct {
	level  int
	parent *symbols
	refs   map[string]variable
	loads  []load
	stores []string
}

func newSymbols(parent *symbols) *symbols {
	s := &symbols{parent: parent, refs: map[string]variable{}}
	if parent != nil {
		s.level = parent.level + 1
	}
	return s
}

func (s *symbols) clone() *symbols {
	c := &symbols{level: s.level, parent: s.parent, refs: make(map[string]variable, len(s.refs))}
	for k, v := range s.refs {
		c.refs[k] = v
	}
	c.loads = append(c.loads, s.loads...)
	c.stores = append(c.stores, s.stores...)
	return c
}

func (s *symbols) findRef(name string) (variable, bool) {
	for ; s != nil; s = s.parent {
		if v, ok := s.refs[name]; ok {
			return v, true
		}
	}
	return variable{}, false
}

func (s *symbols) setLoad(l load) {
	for i := range s.loads {
		if s.loads[i].v == l.v {
			s.loads[i] = l
			return
		}
	}
	s.loads = append(s.loads, l)
}

func (s *symbols) define(name string, kind loadKind, outer variable) variable {
	v := variable{s.level, name}
	s.refs[name] = v
	s.setLoad(load{v, kind, outer})
	return v
}

func (s *symbols) addStore(name string) {
	if !s.isStored(name) {
		s.stores = append(s.stores, name)
	}
}

func (s *symbols) isStored(name string) bool {
	for _, n := range s.stores {
		if n == name {
			return true
		}
	}
	return false
}

func (s *symbols) store(name string) {
	s.addStore(name)
	if _, ok := s.refs[name]; ok {
		return
	}
	if outer, ok := s.parent.findRef(name); ok {
		s.define(name, loadAlias, outer)
		return
	}
	s.define(name, loadUndefined, variable{})
}

func (s *symbols) declare(name string) variable {
	s.addStore(name)
	return s.define(name, loadParam, variable{})
}

func (s *symbols) load(name string) {
	if _, ok := s.findRef(name); !ok {
		s.define(name, loadResolve, variable{})
	}
}

// branches takes over what the branches of an if found.
func (s *symbols) branches(branches []*symbols) {
	before := map[string]bool{}
	for _, n := range s.stores {
		before[n] = true
	}
	var stores []string
	for _, b := range branches {
		// A branch began as a copy of s: what has not changed since is skipped.
		known := len(s.loads)
		for _, n := range b.stores {
			if !before[n] {
				before[n] = true
				stores = append(stores, n)
			}
		}
		for k, v := range b.refs {
			s.refs[k] = v
		}
		for i, l := range b.loads {
			if i >= known || s.loads[i] != l {
				s.setLoad(l)
			}
		}
		for i, n := range b.stores {
			if i >= len(s.stores) || s.stores[i] != n {
				s.addStore(n)
			}
		}
	}
	for _, name := range stores {
		v, _ := s.findRef(name)
		if outer, ok := s.parent.findRef(name); ok {
			s.setLoad(load{v, loadAlias, outer})
			continue
		}
		s.setLoad(load{v, loadResolve, variable{}})
	}
}

// visible are the names that this scope and those around it store, each with its innermost variable.
func (s *symbols) visible() map[string]variable {
	out := map[string]variable{}
	for c := s; c != nil; c = c.parent {
		for _, name := range c.stores {
			if _, ok := out[name]; !ok {
				out[name], _ = s.findRef(name)
			}
		}
	}
	return out
}

// visit finds the names that a node in this scope loads and stores. It stops at nodes that have scopes of their own.
func (s *symbols) visit(n any) {
	switch n := n.(type) {
	case nil:
	case *nameExpr:
		s.load(n.name)
	case *nsRefExpr:
		s.load(n.name)
	case *ifNode:
		s.visitIf(n)
	case *macroNode:
		s.store(n.name)
	case *importNode:
		s.visit(n.x)
		s.store(n.target)
	case *fromNode:
		s.visit(n.x)
		for _, name := range n.as {
			s.store(name)
		}
	case *assignNode:
		s.visit(n.x)
		s.visitTarget(n.target)
	case *assignBlockNode:
		if n.filter != nil {
			s.visit(n.filter)
		}
		s.visitTarget(n.target)
	case *forNode:
		s.visit(n.iter)
	case *callBlockNode:
		s.visit(n.call)
	case *filterBlockNode:
		s.visit(n.filter)
	case *withNode:
		for _, v := range n.vals {
			s.visit(v)
		}
	case *autoescapeNode, *blockNode:
	case *groupNode:
		for _, b := range n.body {
			s.visit(b)
		}
	case Exec:
		for _, x := range n.Exprs() {
			s.visit(x)
		}
		for _, name := range n.Assigns() {
			s.store(name)
		}
	default:
		children(n, func(c any) { s.visit(c) })
	}
}

func (s *symbols) visitTarget(target Expr) {
	switch t := target.(type) {
	case *nameExpr:
		s.store(t.name)
	case *nsRefExpr:
		s.load(t.name)
	case *tupleExpr:
		for _, it := range t.items {
			s.visitTarget(it)
		}
	}
}

func (s *symbols) visitIf(n *ifNode) {
	s.visit(n.test)
	branch := func(visit func(b *symbols)) *symbols {
		b := s.clone()
		visit(b)
		return b
	}
	all := []*symbols{branch(func(b *symbols) { b.visitAll(n.body) })}
	if n.elifs != nil {
		all = append(all, branch(func(b *symbols) {
			for _, e := range n.elifs {
				b.visit(e)
			}
		}))
	}
	if n.els != nil {
		all = append(all, branch(func(b *symbols) { b.visitAll(n.els) }))
	}
	s.branches(all)
}

func (s *symbols) visitAll(ns []Node) {
	for _, n := range ns {
		s.visit(n)
	}
}

// params declares what an assignment to target binds as given from outside.
func (s *symbols) params(target Expr) { targetNames(target, func(n *nameExpr) { s.declare(n.name) }) }
