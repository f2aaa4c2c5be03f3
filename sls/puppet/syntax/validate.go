package syntax

import (
	"encoding/json"
	"fmt"
	"strings"
)

// validate refuses what the grammar lets through and Puppet refuses before it evaluates. Of several faults it says how
// many there are, as Puppet does.
func validate(f *File) error {
	c := &checker{file: f.Path}
	for _, p := range f.Params {
		c.node(nodeOf(p.Default))
	}
	c.body(f.Body)
	switch len(c.faults) {
	case 0:
		return nil
	case 1:
		return c.faults[0]
	}
	err := &Errors{Faults: c.faults}
	err.Together = &Error{f.Path, Pos{}, fmt.Sprintf("Language validation logged %d errors. Giving up", len(c.faults))}
	return err
}

// Errors are several faults of one file.
type Errors struct {
	Faults   []*Error
	Together *Error // what Puppet says of them together
}

func (e *Errors) Error() string { return e.Together.Error() }

func nodeOf(n Node) Node {
	if n == nil {
		return &Default{}
	}
	return n
}

type checker struct {
	file   string
	faults []*Error
	// inside is what the node stands in: a class, a define, a function, a lambda.
	inside []string
}

func (c *checker) fail(pos Pos, format string, args ...any) {
	c.faults = append(c.faults, &Error{c.file, pos, fmt.Sprintf(format, args...)})
}

// body checks statements: what only produces a value is of use only as the last one.
func (c *checker) body(nodes []Node) {
	for i, n := range nodes {
		if i < len(nodes)-1 {
			c.effect(n)
		}
		c.node(n)
	}
}

// idle is what a node is called when it does nothing but give a value, "" for others.
func idle(n Node) string {
	switch n := n.(type) {
	case *Literal:
		switch n.Val.(type) {
		case nil:
			return "Literal Undef" // Puppet's name of its node
		case bool:
			return "Literal Boolean"
		case string:
			if !n.Quoted {
				return "Name"
			}
			return "String"
		case int64:
			return "Literal Integer"
		default:
			return "Literal Float"
		}
	case *Interp:
		return "Interpolated String"
	case *Name:
		return "Name"
	case *TypeName:
		return "Type-Name"
	case *Variable:
		return "Variable"
	case *List:
		return "Array Expression"
	case *Hash:
		return "Hash Expression"
	case *Access:
		return "Access Expression"
	case *Regex:
		return "Regular Expression"
	case *Default:
		return "Default Expression"
	case *Unary:
		if n.Op == "!" {
			return "'not' expression"
		}
		return "'-' expression"
	case *Binary:
		switch n.Op {
		case "and", "or": // the right side may do something
			return idle(n.R)
		case "+", "-", "*", "/", "%", "<<", ">>":
			return "'" + n.Op + "' expression"
		case "in":
			return "'in' expression"
		}
		return "'" + n.Op + "' expression"
	case *Selector:
		return "Selector Expression"
	}
	return ""
}

func (c *checker) effect(n Node) {
	if what := idle(n); what != "" {
		c.fail(n.At(), "This %s has no effect. A value was produced and then forgotten (one or more preceding expressions "+
			"may have the wrong form)", what)
	}
}

func (c *checker) node(n Node) {
	switch n := n.(type) {
	case *Assign:
		c.assign(n.L)
		c.node(n.R)
		return
	case *Class:
		c.class(n)
		return
	case *NodeDef:
		c.place(n.Pos, "Node definition")
		c.within("node", n.Body)
		return
	case *Function:
		c.place(n.Pos, "Function definition")
		c.params(n.Params, "Function Definition")
		c.within("function", n.Body)
		return
	case *TypeAlias:
		c.place(n.Pos, "Type alias")
	case *Lambda:
		c.params(n.Params, "Lambda")
		c.within("lambda", n.Body)
		return
	case *If:
		c.node(n.Cond)
		c.body(n.Then)
		c.body(n.Else)
		return
	case *Case:
		c.options(n)
		return
	case *Resource:
		c.resource(n)
	case *Override:
		c.attributes(n.Ops, true)
	case *Collector:
		c.query(n)
	case *Interp:
		c.syntax(n)
	case *Reserved:
		c.fail(n.Pos, "'%s' is only available when running with tasks or in an application", n.Word)
		c.fail(n.Pos, "'%s' is reserved", n.Word)
	case *Hash:
		c.keys(n)
	case *Variable:
		c.variable(n)
	}
	Each(n, c.node)
}

func (c *checker) within(what string, body []Node) {
	c.inside = append(c.inside, what)
	c.body(body)
	c.inside = c.inside[:len(c.inside)-1]
}

// place refuses a definition that stands anywhere but at the top of a file or in a class.
func (c *checker) place(pos Pos, _ string) {
	for _, in := range c.inside {
		if in != "class" {
			c.fail(pos, "Classes, definitions, and nodes may only appear at toplevel or inside other classes")
			return
		}
	}
}

func (c *checker) class(n *Class) {
	what := "Host Class Definition"
	if n.Define {
		what = "Resource Type Definition"
	}
	c.place(n.Pos, what)
	c.params(n.Params, what)
	for _, p := range n.Params {
		switch {
		case p.Name == "name" || p.Name == "title":
			c.fail(p.Pos, "The parameter $%s redefines a built in parameter in the %s", p.Name, what)
		case p.Rest:
			c.fail(p.Pos, "The parameter $%s has 'captures rest' - not supported in %s %s", p.Name, article(what), what)
		}
	}
	in := "class"
	if n.Define {
		in = "define"
	}
	c.within(in, n.Body)
}

func article(what string) string {
	if strings.ContainsRune("AEIOU", rune(what[0])) {
		return "an"
	}
	return "a"
}

func (c *checker) params(params []*Param, what string) {
	seen := map[string]bool{}
	optional := false
	for i, p := range params {
		switch {
		case strings.Contains(p.Name, "::"):
			c.fail(p.Pos, "The parameter name '%s' is not a simple name", p.Name)
		case seen[p.Name]:
			c.fail(p.Pos, "The parameter '%s' is declared more than once in the parameter list", p.Name)
		case p.Name != "" && p.Name[0] >= 'A' && p.Name[0] <= 'Z':
			c.fail(p.Pos, "Illegal parameter name. The given name '%s' does not conform to the naming rule /\\A[a-z_]\\w*\\z/",
				p.Name)
		case p.Rest && i < len(params)-1:
			c.fail(p.Pos, "Parameter $%s is not last, and has 'captures rest'", p.Name)
		}
		seen[p.Name] = true
		if what == "Function Definition" || what == "Lambda" {
			if p.Default == nil && !p.Rest && optional {
				c.fail(p.Pos, "Parameter $%s is required but appears after optional parameters", p.Name)
			}
			optional = optional || p.Default != nil
		}
		if p.Type != nil {
			c.node(p.Type)
		}
		if p.Default != nil {
			c.node(p.Default)
		}
	}
}

// assign checks what is assigned to.
func (c *checker) assign(n Node) {
	switch n := n.(type) {
	case *Variable:
		c.variable(n)
		switch {
		case strings.Contains(n.Name, "::"):
			c.fail(n.Pos, "Illegal attempt to assign to '%s'. Cannot assign to variables in other namespaces", n.Name)
		case n.Name[0] >= '0' && n.Name[0] <= '9':
			c.fail(n.Pos, "Illegal attempt to assign to '%s'. Cannot assign to a numeric match result variable", "$"+n.Name)
		}
	case *List:
		for _, it := range n.Items {
			c.assign(it)
		}
	case *Hash:
		for _, e := range n.Entries {
			c.assign(e.Key)
		}
	case *Access:
		c.fail(n.Pos, "Illegal attempt to assign via [index/key]. Not an assignable reference")
	default:
		what := idle(n)
		if what == "" {
			what = "Expression"
		}
		c.fail(n.At(), "Illegal attempt to assign to '%s'. Not an assignable reference", articled(what))
	}
}

func articled(what string) string {
	if strings.HasPrefix(what, "'") {
		return what
	}
	return article(what) + " " + what
}

// variable refuses a name whose parts begin with a capital.
func (c *checker) variable(n *Variable) {
	for part := range strings.SplitSeq(strings.TrimPrefix(n.Name, "::"), "::") {
		if part != "" && part[0] >= 'A' && part[0] <= 'Z' {
			c.fail(n.Pos, "Illegal variable name, The given name '%s' does not conform to the naming rule "+
				"/\\A(?:::)?(?:[a-z]\\w*::)*[a-z_]\\w*\\z/", n.Name)
			return
		}
	}
}

func (c *checker) options(n *Case) {
	c.node(n.Of)
	defaults := 0
	for _, o := range n.Options {
		for _, v := range o.Values {
			if _, is := v.(*Default); is {
				defaults++
			}
			c.node(v)
		}
		c.body(o.Body)
	}
	if defaults > 1 {
		c.fail(n.Pos, "This case expression contains more than one 'default'")
	}
}

func (c *checker) resource(n *Resource) {
	name, isName := n.Type.(*Name)
	if n.Form != "" && isName && name.Text == "class" {
		c.fail(n.Pos, "Classes are not virtualizable")
	}
	for i := range n.Bodies {
		c.attributes(n.Bodies[i].Ops, false)
	}
}

func (c *checker) attributes(ops []Attribute, override bool) {
	splats := 0
	for _, a := range ops {
		if a.Op == "+>" && !override {
			c.fail(a.Pos, "Illegal +> operation on attribute '%s'. This operator can not be used in a Resource Expression",
				a.Name)
		}
		if a.Name == "*" {
			splats++
		}
	}
	if splats > 1 {
		c.fail(ops[0].Pos, "Unfolding of attributes from Hash can only be used once per resource body")
	}
}

// query checks that a query compares only.
func (c *checker) query(n *Collector) {
	var check func(q Node)
	check = func(q Node) {
		b, ok := q.(*Binary)
		switch {
		case ok && (b.Op == "and" || b.Op == "or"):
			check(b.L)
			check(b.R)
		case !ok || b.Op != "==" && b.Op != "!=":
			c.fail(q.At(), "Illegal query expression. %s cannot be used in a query", capital(articled(idleOr(q))))
		}
	}
	if n.Query != nil {
		check(n.Query)
	}
}

func idleOr(n Node) string {
	if s := idle(n); s != "" {
		return s
	}
	return "Expression"
}

func capital(s string) string { return strings.ToUpper(s[:1]) + s[1:] }

// syntax checks a heredoc that says what its text is.
func (c *checker) syntax(n *Interp) {
	if n.Syntax != "json" || len(n.Parts) != 1 {
		return
	}
	text, ok := n.Parts[0].(*Literal)
	if !ok {
		return
	}
	var v any
	if err := json.Unmarshal([]byte(text.Val.(string)), &v); err != nil {
		c.fail(n.Pos, "Invalid produced text having syntax: 'json'. JSON syntax checker: Cannot parse invalid JSON string. %q",
			err)
	}
}

// keys refuses a literal key that is given twice.
func (c *checker) keys(n *Hash) {
	seen := map[any]bool{}
	for _, e := range n.Entries {
		l, ok := e.Key.(*Literal)
		if !ok {
			continue
		}
		if seen[l.Val] {
			c.fail(e.Key.At(), "The key '%v' is declared more than once", l.Val)
		}
		seen[l.Val] = true
	}
}
