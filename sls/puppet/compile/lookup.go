package compile

import (
	"github.com/gostate/gostate/sls/puppet/types"
)

// A Lookup is a key that is looked up as lookup() would, outside of a manifest.
type Lookup struct {
	// Names are tried in their order.
	Names []string
	// Merge is first, unique, hash or deep; "" is what lookup_options say.
	Merge, Knockout string
	// Type is a type that the value must have.
	Type string
	// Default is what is there where nothing is found.
	Default any
	// Explain asks for the way, ExplainOptions for that of lookup_options only.
	Explain, ExplainOptions bool
}

// A Found is what a Lookup came to.
type Found struct {
	Value any
	OK    bool
	// How is the explanation.
	How  string
	Logs []Log
}

// Lookup looks a key up in the data of the environment and of modules.
func (l *Lookup) Lookup(o Options) (out *Found, err error) {
	c := newCompiler(o)
	out = &Found{}
	defer func() { out.Logs = c.logs }()
	defer c.caught(&err)
	c.top = newScope(nil)
	c.topVariables()
	if l.Explain || l.ExplainOptions {
		c.trace = &trace{}
		defer func() { out.How = c.trace.b.String() }()
	}
	if l.Explain || l.ExplainOptions {
		c.explainOptions(l.Names[0], l.ExplainOptions)
	}
	if l.ExplainOptions {
		out.OK = true
		return out, nil
	}
	out.Value, out.OK = l.find(c)
	return out, nil
}

// find looks the names up, and holds the value against its type.
func (l *Lookup) find(c *Compiler) (any, bool) {
	var names []any
	for _, n := range l.Names {
		v, ok := c.lookupKey(n, lookupOptions{merge: l.Merge, knock: l.Knockout}, 0)
		if ok {
			return l.typed(c, v), true
		}
		names = append(names, n)
	}
	if l.Default != nil {
		return l.typed(c, l.Default), true
	}
	c.trace.say("%s", notFound(names))
	return nil, false
}

func (l *Lookup) typed(c *Compiler, v any) any {
	if l.Type == "" {
		return v
	}
	f := c.parse("--type", l.Type)
	if len(f.Body) == 1 {
		if t := c.typeOf(c.top, f.Body[0]); !types.Instance(t, v) {
			c.plainly("%s", types.MismatchValue("Found value has wrong type,", t, v))
		}
	}
	return v
}

// explainOptions tells where lookup_options of a key were looked for.
func (c *Compiler) explainOptions(key string, only bool) {
	o := lookupOptions{merge: "hash"}
	root := splitKey(key)[0]
	if !only {
		back := c.trace.in("Searching for %q", "lookup_options")
		for _, h := range c.data(root) {
			c.options(h)
		}
		back()
		if c.optionsFor(root).merges() {
			c.trace.say("Using merge options from \"lookup_options\" hash")
		}
		return
	}
	c.searchAll("lookup_options", o, 0)
}
