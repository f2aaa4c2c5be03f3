package erb

import "strings"

// functions are what a template calls without a receiver.
const functions = " fail raise sprintf format require has_variable? instance_variables Array String " +
	"Integer Float "

// classFunctions are what templates call of classes.
const classFunctions = " Regexp.escape Regexp.quote Regexp.new Shellwords.escape Shellwords.shellescape Array.new " +
	"Hash.new String.new Gem::Version.new IPAddr.new File.join File.basename File.dirname File.extname " +
	"Digest::MD5.hexdigest Digest::SHA1.hexdigest Digest::SHA256.hexdigest Base64.strict_encode64 " +
	"Puppet::Pops::Types::PSensitiveType::Sensitive.new "

// bare are what a function calls without a receiver, besides those of templates.
const bare = " call_function lookupvar closure_scope "

// ident is a local, a function of the template, or one of the few that there are.
func (p *parser) ident(t *token) *node {
	switch {
	case p.known.set[t.text]:
		return &node{kind: "local", text: t.text, line: t.line}
	case t.text == "scope":
		return &node{kind: "scope", line: t.line}
	case p.known.defs[t.text]:
		n := &node{kind: "call", text: t.text, line: t.line}
		n.kids = p.arguments(t)
		return n
	case strings.Contains(functions, " "+t.text+" "):
		n := &node{kind: "function", text: t.text, line: t.line}
		n.kids = p.arguments(t)
		if t.text == "require" {
			p.required(n)
		}
		return n
	}
	if p.lazy && strings.Contains(bare, " "+t.text+" ") || p.lazy && strings.HasPrefix(t.text, "function_") {
		return p.onScope(t)
	}
	n := p.refuse(t.line, "the word '%s' is not known: it is no local of the template and none of the functions that "+
		"there are", t.text)
	n.kids = p.arguments(t)
	return n
}

// onScope is a call of the scope that a function is evaluated in.
func (p *parser) onScope(t *token) *node {
	n := &node{kind: "scopecall", text: t.text, line: t.line}
	if name, ok := strings.CutPrefix(t.text, "function_"); ok {
		n.kind, n.text = "puppet", name
	} else if t.text == "closure_scope" {
		return &node{kind: "scope", line: t.line}
	} else if t.text == "call_function" {
		n.text = "own call_function"
	}
	n.kids = append([]*node{{kind: "scope", line: t.line}}, p.arguments(t)...)
	return n
}

// required takes the libraries whose words are known anyway.
func (p *parser) required(n *node) {
	if p.lazy { // what a library brings is not known where it is used
		return
	}
	if len(n.kids) == 1 {
		if lib, ok := n.kids[0].val.(string); ok && strings.Contains(" yaml json shellwords erb set ", " "+lib+" ") {
			return
		}
	}
	fail(n.line, "this library of Ruby is not known to require")
}

// constant is a class to compare with, or one with a function: Array(x), Regexp.escape(x).
func (p *parser) constant(t *token) *node {
	if p.is("(") && strings.Contains(functions, " "+t.text+" ") {
		return &node{kind: "function", text: t.text, line: t.line, kids: p.arguments(t)}
	}
	name := t.text
	for p.is("::") && p.toks[p.at+1].kind == "const" {
		p.take()
		name += "::" + p.take().text
	}
	isError := strings.HasSuffix(name, "Error") || strings.HasSuffix(name, "Exception")
	if p.is(".") {
		p.take()
		m := p.expect("ident")
		full := name + "." + m.text
		switch {
		case isError && m.text == "new":
			full = "String.new"
		case !strings.Contains(classFunctions, " "+full+" "):
			n := p.refuse(t.line, "'%s' is not known", full)
			n.kids = p.arguments(m)
			return n
		}
		n := &node{kind: "function", text: full, line: t.line, kids: p.arguments(m)}
		n.block = p.blockOf(true)
		return n
	}
	switch {
	case p.known.defs[name] || p.is("=") && p.lazy:
		p.known.defs[name] = true
		return &node{kind: "constant", text: name, line: t.line}
	case name == "RUBY_VERSION":
		return &node{kind: "literal", val: "3.1.2", line: t.line}
	case !isError && !strings.Contains(classes, " "+name+" "):
		return p.refuse(t.line, "the class '%s' is not known", name)
	}
	return &node{kind: "literal", val: class(name), line: t.line}
}

// postfix are the calls and indexes behind a value.
func (p *parser) postfix(n *node) *node {
	for range 1000 {
		switch {
		case p.is(".", "&."):
			safe := p.take().kind == "&."
			p.lines()
			n = p.method(n, safe)
		case p.is("[") && !p.tok().space:
			p.take()
			n = p.new("index", "", append([]*node{n}, p.list("]")...)...)
		default:
			return n
		}
	}
	p.unknown("behind so many calls")
	return nil
}

func (p *parser) method(of *node, safe bool) *node {
	t := p.expect("ident")
	n := &node{kind: "method", text: t.text, line: t.line, val: safe}
	if of.kind == "scope" {
		n.kind = "scopecall"
		if name, ok := strings.CutPrefix(t.text, "function_"); ok {
			n.kind, n.text = "puppet", name
		} else if !strings.Contains(" lookupvar setvar to_hash include? has_variable? call_function [] ", " "+t.text+" ") {
			fail(t.line, "'scope.%s' is not known", t.text)
		}
	} else if !p.lazy && !knownMethod(t.text) {
		fail(t.line, "the method '%s' is not known", t.text)
	}
	if p.is("=") && n.kind == "method" {
		p.unknown("behind a method")
	}
	n.kids = append([]*node{of}, p.arguments(t)...)
	if last := n.kids[len(n.kids)-1]; last.kind == "symproc" {
		n.kids, n.block = n.kids[:len(n.kids)-1], p.symbolBlock(last)
		return n
	}
	n.block = p.blockOf(true)
	return n
}

// symbolBlock is &:name, a block that calls the method.
func (p *parser) symbolBlock(s *node) *node {
	if !knownMethod(s.text) {
		fail(s.line, "the method '%s' is not known", s.text)
	}
	x := &node{kind: "local", text: "it", line: s.line}
	call := &node{kind: "method", text: s.text, line: s.line, val: false, kids: []*node{x}}
	return &node{kind: "block", line: s.line, kids: []*node{{kind: "param", text: "it"}}, body: []*node{call}}
}

// arguments are those in parentheses, or of a command: include? 'x'.
func (p *parser) arguments(name *token) (out []*node) {
	if p.is("(") && !p.tok().space {
		p.take()
		if p.accept("&") {
			n := p.new("symproc", p.expect("sym").text)
			p.expect(")")
			return []*node{n}
		}
		return p.list(")")
	}
	if !p.commandArgument(name) {
		return nil
	}
	for out = append(out, p.argument()); p.accept(","); out = append(out, p.argument()) {
		p.lines()
	}
	return out
}

func (p *parser) commandArgument(name *token) bool {
	switch p.tok().kind {
	case "str", "ident", "const", "ivar", "int", "float", "sym", "regexp", "words", "nil", "true", "false":
		return true
	case "label":
		return p.lazy
	case "[":
		return p.tok().space && name.kind == "ident" && strings.HasSuffix(name.text, "?") || name.text == "fail"
	case "(":
		return p.tok().space
	}
	return false
}
