package erb

import (
	"strings"
)

// A Function is a function of the Puppet language that a module has written in Ruby.
type Function struct {
	Name string
	// Ways are how it can be called, one for each dispatch; none means that its parameters have no types.
	Ways []Way
	// Old says that it is of the old kind: it has all arguments as one array, and undef is an empty text.
	Old bool

	body   *node // of an old function: its block
	defs   map[string]*node
	consts []*node
}

// A Way is one dispatch of a function.
type Way struct {
	// Params is the signature as Puppet documents it, `String name, Any rest*`.
	Params string
	def    string
	scoped bool
}

// ParseFunction reads a file that defines functions in Ruby: Puppet::Functions.create_function, or newfunction.
func ParseFunction(text string) (out []*Function, err error) {
	defer caught(&err)
	l := &lexer{line: 1}
	l.code(text)
	l.put("eof", "")
	p := &parser{toks: l.toks, lazy: true, known: &names{map[string]bool{}, map[string]bool{}}}
	for i, tk := range p.toks[1:] {
		if p.toks[i].kind == "def" || tk.kind == "=" && p.toks[i].kind == "const" {
			name := tk.text
			if tk.kind == "=" {
				name = p.toks[i].text
			}
			p.known.defs[name] = true
		}
	}
	return p.file("eof"), nil
}

// file reads what stands outside of functions.
func (p *parser) file(end string) (out []*Function) {
	defer p.deeper()()
	for {
		if p.lines(); p.accept(end) {
			return out
		}
		switch t := p.take(); {
		case t.kind == "module":
			for p.is("const", "::") {
				p.take()
			}
			out = append(out, p.file("end")...)
		case t.kind == "ident" && t.text == "newfunction":
			out = append(out, p.oldFunction())
		case t.kind == "ident" && strings.HasPrefix(t.text, "require"):
			for !p.is("nl", "eof") {
				p.take()
			}
		case t.kind == "const" && t.text == "Puppet":
			for p.is("::", "const", ".") {
				p.take()
			}
			switch name := p.expect("ident"); name.text {
			case "create_function":
				out = append(out, p.newFunction())
			case "newfunction":
				out = append(out, p.oldFunction())
			default:
				fail(name.line, "'%s' is not known outside of functions", name.text)
			}
		default:
			fail(t.line, "'%s' is not known outside of functions", t.text)
		}
	}
}

// oldFunction is newfunction(:name, ...) do |args| ... end.
func (p *parser) oldFunction() *Function {
	args := p.callArguments()
	f := &Function{Name: p.nameOf(args), Old: true}
	if f.body = p.blockOf(false); f.body == nil {
		p.unknown("where a block should be")
	}
	return f
}

// callArguments are those of a call, with parentheses or without.
func (p *parser) callArguments() []*node {
	if p.accept("(") {
		return p.list(")")
	}
	return p.arguments(&token{kind: "ident"})
}

// nameOf is the name that a function is defined by, a symbol or a text.
func (p *parser) nameOf(args []*node) string {
	if len(args) > 0 {
		switch v := args[0].val.(type) {
		case symbol:
			return string(v)
		case string:
			return v
		}
		if args[0].kind == "dsym" && len(args[0].kids) == 1 {
			s, _ := args[0].kids[0].val.(string)
			return s
		}
	}
	p.unknown("where the name of a function should be")
	return ""
}

// newFunction is create_function(:'a::b') do dispatch ... def ... end.
func (p *parser) newFunction() *Function {
	f := &Function{defs: map[string]*node{}}
	f.Name = p.nameOf(p.callArguments())
	end := p.begin()
	for p.lines(); !p.accept(end); p.lines() {
		switch t := p.tok(); {
		case t.kind == "def":
			p.take()
			n := p.function()
			f.defs[n.text] = n
		case t.kind == "const":
			f.consts = append(f.consts, p.statement())
		case t.kind == "ident" && t.text == "dispatch":
			p.take()
			f.Ways = append(f.Ways, p.dispatch())
		case t.kind == "ident" && t.text == "private":
			for !p.is("nl", "eof") {
				p.take()
			}
		case t.kind == "str": // documentation
			p.statement()
		default:
			p.unknown("in a function outside of its methods")
		}
	}
	return f
}

// begin takes the beginning of a block, and gives what ends it.
func (p *parser) begin() (end string) {
	if p.accept("{") {
		return "}"
	}
	p.expect("do")
	return "end"
}

// dispatch is dispatch :name do param 'T', :x ... end.
func (p *parser) dispatch() Way {
	w := Way{def: p.nameOf(p.callArguments())}
	var params []string
	end := p.begin()
	for p.lines(); !p.accept(end); p.lines() {
		t := p.expect("ident")
		args := p.callArguments()
		mark := map[string]string{"param": "", "required_param": "", "optional_param": "?", "repeated_param": "*",
			"optional_repeated_param": "*", "required_repeated_param": "+"}
		m, isParam := mark[t.text]
		switch {
		case isParam && len(args) == 2:
			typ, _ := args[0].val.(string)
			name, _ := args[1].val.(symbol)
			if typ == "" || name == "" {
				fail(t.line, "a parameter whose type is no plain text is not known")
			}
			params = append(params, typ+" "+string(name)+m)
		case t.text == "return_type":
		case t.text == "scope_param":
			w.scoped = true
		default:
			fail(t.line, "'%s' is not known in a dispatch", t.text)
		}
	}
	w.Params = strings.Join(params, ", ")
	return w
}

// Call calls the function in the way of that number; without ways there is none to choose.
func (f *Function) Call(env Env, way int, args []any) (v any, err error) {
	defer caught(&err)
	r := &run{env: env, ivars: map[string]any{}, defs: f.defs, consts: map[string]any{}}
	given := make([]any, len(args))
	for i, a := range args {
		if given[i] = r.in(a); f.Old && a == nil {
			given[i] = ""
		}
	}
	for _, n := range f.consts {
		r.eval(n, newFrame(nil))
	}
	if f.Old {
		return r.export(r.old(f.body, given)), nil
	}
	name := f.Name[strings.LastIndex(f.Name, ":")+1:]
	if len(f.Ways) > 0 {
		w := f.Ways[way]
		if name = w.def; w.scoped {
			given = append([]any{scope{}}, given...)
		}
	}
	return r.export(r.callDef(&node{kind: "call", text: name}, given)), nil
}

// old calls the block of an old function; return and next end it.
func (r *run) old(block *node, args []any) (v any) {
	defer func() {
		switch j := recover().(type) {
		case nil:
		case *jump:
			v = j.val
		default:
			panic(j)
		}
	}()
	f := newFrame(nil)
	r.bind(block.kids, []any{&list{args}}, f)
	return r.body(block.body, f)
}

// Arity is how many arguments a function without ways takes: at least, and at most, -1 for any number.
func (f *Function) Arity() (least, most int) {
	d := f.defs[f.Name[strings.LastIndex(f.Name, ":")+1:]]
	if d == nil || f.Old {
		return 0, -1
	}
	for _, p := range d.kids {
		switch {
		case p.val == true:
			return least, -1
		case p.block == nil:
			least++
		}
		most++
	}
	return least, most
}
