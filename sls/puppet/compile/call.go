package compile

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
)

// A closure is a lambda, or a function written in the language, with the scope that it sees.
type closure struct {
	c       *Compiler
	name    string // "" for a lambda
	params  []*syntax.Param
	returns syntax.Node
	body    []syntax.Node
	scope   *scope
	file    string
	kind    *types.Type
}

// PuppetType is the closure as a Callable.
func (f *closure) PuppetType() *types.Type {
	if f.kind != nil {
		return f.kind
	}
	t := types.New("Callable")
	t.Named, t.Min, t.Max = true, 0, 0
	for _, p := range f.params {
		e := types.Any()
		if p.Type != nil {
			defer f.c.inFile(f.file)()
			e = f.c.typeOf(f.scope, p.Type)
		}
		if p.Rest && e.Kind == "Array" && len(e.Elems) > 0 {
			e = e.Elems[0]
		}
		t.Elems, t.Names = append(t.Elems, e), append(t.Names, p.Name)
		switch {
		case p.Rest:
			t.Max = types.Most
		case p.Default == nil:
			t.Min, t.Max = t.Min+1, t.Max+1
		default:
			t.Max++
		}
	}
	f.kind = t
	return t
}

// A jump is next, break or return on its way out.
type jump struct {
	kind string
	val  any
	file string
	at   syntax.Pos
}

// invoke calls a closure. next and return give its value.
func (f *closure) invoke(args ...any) (v any) {
	c := f.c
	defer c.inFile(f.file)()
	defer c.deeper(syntax.Pos{})()
	s := f.scope.inner()
	if f.name != "" {
		s = newScope(f.scope)
		s.closed = true
	}
	f.bind(s, args)
	defer func() {
		switch r := recover().(type) {
		case nil:
		case jump:
			if r.kind == "break" || r.kind == "return" && f.name == "" {
				panic(r)
			}
			v = r.val
		default:
			panic(r)
		}
	}()
	v = c.statements(s, f.body)
	if f.returns != nil {
		if msg := types.MismatchValue("value returned from "+f.called(), f.typeOf(f.returns), v); msg != "" {
			if rest, ok := strings.CutPrefix(msg, "value returned from "+f.called()); ok {
				msg = "value returned from " + f.called() + " has wrong type," + rest
			}
			panic(callFault{msg})
		}
	}
	return v
}

func (f *closure) called() string {
	if f.name == "" {
		return "lambda"
	}
	return f.name
}

func (f *closure) typeOf(n syntax.Node) *types.Type { return f.c.typeOf(f.scope, n) }

// bind sets the parameters.
func (f *closure) bind(s *scope, args []any) {
	for i, p := range f.params {
		switch {
		case p.Rest:
			rest := []any{}
			if i < len(args) {
				rest = append(rest, args[i:]...)
			} else if p.Default != nil {
				rest = flattenOnce(f.c.eval(s, p.Default))
			}
			s.vars[p.Name] = rest
			return
		case i < len(args):
			s.vars[p.Name] = args[i]
		case p.Default != nil:
			s.vars[p.Name] = f.c.eval(s, p.Default)
		default:
			s.vars[p.Name] = nil
		}
	}
}

// callFault is what a function refuses; who called it says where.
type callFault struct{ msg string }

// A call is one of a builtin function.
type call struct {
	*Compiler
	scope *scope
	name  string
	args  []any
	block *closure
	at    syntax.Pos
	nodes []syntax.Node
}

// refuse ends a function with a message.
func (k *call) refuse(format string, args ...any) { panic(callFault{fmt.Sprintf(format, args...)}) }

// arg is an argument, nil behind the last.
func (k *call) arg(i int) any {
	if i < len(k.args) {
		return k.args[i]
	}
	return nil
}

// call evaluates a call: of a function, or of a type, which makes a value of it.
func (c *Compiler) call(s *scope, n *syntax.Call) any {
	what := "Function Call"
	if n.Method {
		what = "Method call"
	}
	name, isName := n.Of.(*syntax.Name)
	if !isName {
		v := c.eval(s, n.Of)
		t, ok := v.(*types.Type)
		if !ok {
			c.fail(n.Pos, "Function Call error: %s cannot be called", types.Infer(v).Kind)
		}
		return c.guard(n.Pos, what, func() any {
			return c.callNew(s, n, append([]any{t}, c.evalAll(s, n.Args)...))
		})
	}
	args := c.evalAll(s, n.Args)
	var block *closure
	if n.Lambda != nil {
		block = &closure{c: c, params: n.Lambda.Params, returns: n.Lambda.Returns, body: n.Lambda.Body, scope: s,
			file: c.file}
	}
	return c.guard(n.Pos, what, func() any { return c.callNamed(s, name.Text, args, block, n.Pos, n.Args) })
}

// guard gives what a function refuses its place.
func (c *Compiler) guard(at syntax.Pos, what string, f func() any) any {
	file := c.file
	defer func() {
		switch r := recover().(type) {
		case nil:
		case callFault:
			c.file = file
			c.fail(at, "Error while evaluating a %s, %s", what, r.msg)
		default:
			panic(r)
		}
	}()
	return f()
}

func (c *Compiler) callNew(s *scope, n *syntax.Call, args []any) any {
	k := &call{Compiler: c, scope: s, name: "new", args: args, at: n.Pos}
	return k.new()
}

// callNamed calls a function by its name: one that is written in the language, or one of ours.
func (c *Compiler) callNamed(s *scope, name string, args []any, block *closure, at syntax.Pos,
	nodes []syntax.Node) any {
	plain := strings.ToLower(strings.TrimPrefix(name, "::"))
	if v, ok := attributeOf(name, args); ok && block == nil {
		return v
	}
	b := c.builtin(plain)
	if b == nil {
		if f := c.findFunction(plain); f != nil {
			return c.callFunction(f, args, block)
		}
		if file := c.rubyFunction(plain); file != "" {
			if b = stdlibFunction(plain); b == nil {
				b = c.rubyBuiltin(plain, file)
			}
		}
	}
	if b == nil {
		c.fail(at, "Unknown function: '%s'.", name)
	}
	k := &call{Compiler: c, scope: s, name: plain, args: args, block: block, at: at, nodes: nodes}
	if b.sigs != "" {
		k.check(b)
	}
	return b.fn(k)
}

// attributeOf is an attribute of an object that is called as a method.
func attributeOf(name string, args []any) (any, bool) {
	if len(args) != 1 {
		return nil, false
	}
	o, ok := args[0].(*types.Object)
	if !ok || o.Fields == nil {
		return nil, false
	}
	return o.Fields.Get(name)
}

// callFunction calls a function written in the language.
func (c *Compiler) callFunction(f *syntax.Function, args []any, block *closure) any {
	name := strings.ToLower(f.Name)
	cl := &closure{c: c, name: f.Name, params: f.Params, returns: f.Returns, body: f.Body, scope: c.top,
		file: c.ruby["file "+name]}
	if cl.file == "" {
		cl.file = c.file
	}
	var bt *types.Type
	if block != nil {
		bt = block.PuppetType()
	}
	sig := cl.PuppetType()
	if !types.Accepts(sig, args, bt) {
		panic(callFault{types.Refusal(f.Name, []*types.Signature{sig}, args, bt)})
	}
	return cl.invoke(args...)
}

// check refuses arguments that none of a function's signatures takes.
func (k *call) check(b *builtin) {
	var bt *types.Type
	if k.block != nil {
		bt = k.block.PuppetType()
	}
	sigs := k.signatures(k.name, b.sigs)
	for _, s := range sigs {
		if types.Accepts(s, k.args, bt) {
			return
		}
	}
	panic(callFault{types.Refusal(k.name, sigs, k.args, bt)})
}

// yield calls the block with as many of the arguments as it takes.
func (k *call) yield(args ...any) any {
	return k.block.invoke(args...)
}

// each runs f, which break() ends.
func (k *call) loop(f func()) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case jump:
			if r.kind != "break" {
				panic(r)
			}
		default:
			panic(r)
		}
	}()
	f()
}

// arity is how many parameters the block has.
func (k *call) arity() int {
	for _, p := range k.block.params {
		if p.Rest {
			return 99
		}
	}
	return len(k.block.params)
}
