package erb

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// A run is one rendering.
type run struct {
	env   Env
	out   strings.Builder
	ivars map[string]any
	all   *types.Hash // scope.to_hash
	defs  map[string]*node
	match []any
	steps int
	depth int
	line  int
	// consts are the constants of a function.
	consts map[string]any
}

// A frame holds the locals of a block; those around it are seen.
type frame struct {
	vars map[string]any
	up   *frame
}

func newFrame(up *frame) *frame { return &frame{map[string]any{}, up} }

func (f *frame) holder(name string) *frame {
	for at := f; at != nil; at = at.up {
		if _, ok := at.vars[name]; ok {
			return at
		}
	}
	return f
}

// A jump is next, break or return on its way out; a break ends the call that has the block.
type jump struct {
	kind string
	val  any
	to   *lambda
}

// A lambda is a block with the locals that it sees.
type lambda struct {
	r *run
	n *node
	f *frame
}

func (r *run) fail(format string, args ...any) { r.failAt(r.line, format, args...) }

func (r *run) failAt(line int, format string, args ...any) {
	if line == 0 {
		line = r.line
	}
	panic(&Error{Line: line, Msg: fmt.Sprintf(format, args...)})
}

// end fails so that no rescue takes it.
func (r *run) end(format string, args ...any) { fail(r.line, format, args...) }

// step bounds the work of a template: loops in loops end.
func (r *run) step(line int) {
	if line > 0 {
		r.line = line
	}
	if r.steps++; r.steps > 5_000_000 {
		r.end("the template takes too many steps")
	}
}

// deeper bounds how deep calls and values go.
func (r *run) deeper(line int) func() {
	r.step(line)
	if r.depth++; r.depth > 2000 {
		r.end("the template goes too deep: a function that calls itself, or a value that holds itself")
	}
	return func() { r.depth-- }
}

func (r *run) sized(s string) string {
	if len(s) > 16*most {
		r.fail("a text is too long")
	}
	r.steps += len(s) / 256
	return s
}

func (r *run) body(body []*node, f *frame) (v any) {
	for _, n := range body {
		v = r.eval(n, f)
	}
	return v
}

func (r *run) eval(n *node, f *frame) any {
	defer r.deeper(n.line)()
	switch n.kind {
	case "text":
		r.write(n.text)
	case "print":
		r.write(r.text(r.eval(n.kids[0], f)))
	case "literal":
		return n.val
	case "body":
		return r.body(n.body, f)
	case "local":
		return f.holder(n.text).vars[n.text]
	case "ivar":
		return r.ivar(n.text)
	case "gvar":
		return r.group(n)
	case "if":
		if types.Truth(r.eval(n.kids[0], f)) {
			return r.eval(n.kids[1], f)
		}
		return r.eval(n.kids[2], f)
	case "!":
		return !types.Truth(r.eval(n.kids[0], f))
	case "&&", "||":
		v := r.eval(n.kids[0], f)
		if types.Truth(v) != (n.kind == "&&") {
			return v
		}
		return r.eval(n.kids[1], f)
	case "=":
		return r.assign(n, f)
	case "def":
		r.defs[n.text] = n
		return symbol(n.text)
	case "next", "break", "return":
		return r.leave(n, f)
	case "case":
		return r.cases(n, f)
	case "defined":
		return r.defined(n, f)
	case "str", "dsym", "regexp":
		return r.quoted(n, f)
	case "list":
		return &list{r.evalAll(n.kids, f)}
	case "scope":
		return scope{}
	case "constant":
		return r.consts[n.text]
	case "unknown":
		r.end("%s", n.text)
	case "begin":
		return r.rescue(n, f)
	case "while":
		return r.while(n, f)
	case "several":
		return r.several(n, f)
	case "hash":
		h := types.NewHash()
		for i := 0; i+1 < len(n.kids); i += 2 {
			h.Set(r.key(r.eval(n.kids[i], f)), r.eval(n.kids[i+1], f))
		}
		return h
	default:
		return r.calls(n, f)
	}
	return nil
}

// calls are the expressions whose sides are evaluated first.
func (r *run) calls(n *node, f *frame) any {
	args := r.evalAll(n.kids, f)
	switch n.kind {
	case "op":
		if s, ok := args[0].(string); ok && n.text == "<<" {
			return r.appended(n, s, args[1], f)
		}
		return r.operate(n.text, args[0], args[1])
	case "-":
		return r.operate("*", args[0], int64(-1))
	case "..", "...":
		if to, ok := args[1].(int64); ok && n.kind == "..." {
			args[1] = to - 1
		}
		return span{args[0], args[1]}
	case "index":
		if n.kids[0].kind == "scope" {
			return r.lookup(args[1:])
		}
		return r.call(args[0], "[]", args[1:], nil)
	case "method":
		if args[0] == nil && n.val == true {
			return nil
		}
		if s, ok := args[0].(string); ok && mutates(n.text) {
			return r.mutate(n, s, args, f)
		}
		return r.withBlock(n, f, args)
	case "call":
		return r.callDef(n, args)
	case "function":
		if n.block != nil {
			return r.filled(args, &lambda{r, n.block, f})
		}
		return r.function(n.text, args)
	case "puppet":
		return r.puppet(n.text, args[1:])
	case "scopecall":
		return r.scopeCall(n.text, args[1:])
	}
	r.fail("'%s' is not known as a value", n.kind)
	return nil
}

// appended is `x << 'text'`: x has the longer text afterwards.
func (r *run) appended(n *node, s string, more any, f *frame) any {
	to := n.kids[0]
	for to.kind == "op" && to.text == "<<" {
		to = to.kids[0]
	}
	return r.put(to, r.operate("+", s, more), f)
}

func (r *run) evalAll(nodes []*node, f *frame) []any {
	out := make([]any, 0, len(nodes))
	for _, n := range nodes {
		if n.kind == "splat" {
			out = append(out, r.array(r.eval(n.kids[0], f)).of...)
			continue
		}
		out = append(out, r.eval(n, f))
	}
	return out
}

func (r *run) write(s string) {
	r.step(0)
	if r.out.Len()+len(s) > 64*most {
		r.fail("the text that the template makes is too long")
	}
	r.out.WriteString(s)
}

func (r *run) ivar(name string) any {
	v, ok := r.ivars[name]
	if !ok {
		v, _ = r.env.Variable(name)
		v = r.in(v)
		r.ivars[name] = v
	}
	return v
}

func (r *run) group(n *node) any {
	i := strings.IndexByte("0123456789", n.text[0])
	if len(n.text) != 1 || i < 1 {
		r.fail("'$%s' is not known", n.text)
	}
	if i < len(r.match) {
		return r.match[i]
	}
	return nil
}

func (r *run) leave(n *node, f *frame) any {
	j := &jump{kind: n.kind}
	if len(n.kids) > 0 {
		j.val = r.eval(n.kids[0], f)
	}
	panic(j)
}

// key is a value as a hash has it: arrays are copied.
func (r *run) key(v any) any {
	if _, ok := v.(*list); ok {
		return r.export(v)
	}
	return v
}

func (r *run) assign(n *node, f *frame) any {
	to := n.kids[0]
	switch n.text {
	case "||", "&&":
		old := r.eval(to, f)
		if types.Truth(old) == (n.text == "||") {
			return old
		}
		return r.put(to, r.eval(n.kids[1], f), f)
	case "":
		return r.put(to, r.eval(n.kids[1], f), f)
	}
	return r.put(to, r.operate(n.text, r.eval(to, f), r.eval(n.kids[1], f)), f)
}

func (r *run) put(to *node, v any, f *frame) any {
	switch to.kind {
	case "local":
		f.holder(to.text).vars[to.text] = v
	case "ivar":
		r.ivars[to.text] = v
	case "constant":
		r.consts[to.text] = v
	case "index":
		args := r.evalAll(to.kids, f)
		switch of := args[0].(type) {
		case *types.Hash:
			of.Set(r.key(args[1]), v)
		case *list:
			i, ok := args[1].(int64)
			if i < 0 {
				i += int64(len(of.of))
			}
			if !ok || i < 0 || i >= most || len(args) != 2 {
				r.fail("the index %s is out of the array", r.inspect(args[1]))
			}
			for int64(len(of.of)) <= i {
				of.of = append(of.of, nil)
			}
			of.of[i] = v
		default:
			r.fail("undefined method '[]=' for %s", r.inspect(of))
		}
	}
	return v
}

func (r *run) cases(n *node, f *frame) any {
	var v any
	if n.kids[0] != nil {
		v = r.eval(n.kids[0], f)
	}
	for _, w := range n.kids[1:] {
		for _, c := range w.kids {
			got := r.eval(c, f)
			if n.kids[0] == nil && types.Truth(got) || n.kids[0] != nil && r.fits(got, v) {
				return r.body(w.body, f)
			}
		}
	}
	return r.body(n.body, f)
}

// fits is ===, by which case chooses.
func (r *run) fits(pattern, v any) bool {
	switch p := pattern.(type) {
	case class:
		return isA(v, p)
	case *types.Regexp:
		s, ok := v.(string)
		return ok && r.matches(p, s) != nil
	case span:
		if className(v) != className(p.from) {
			return false
		}
		return r.compare(0, p.from, v) <= 0 && (p.to == nil || r.compare(0, v, p.to) <= 0)
	}
	return r.equal(pattern, v)
}

func (r *run) matches(re *types.Regexp, s string) []any {
	r.steps += len(s)/16 + 1
	r.match = re.Match(s)
	return r.match
}

func (r *run) defined(n *node, f *frame) any {
	if len(n.kids) == 0 {
		return nil
	}
	switch k := n.kids[0]; k.kind {
	case "ivar":
		if _, set := r.ivars[k.text]; !set || r.ivar(k.text) == nil {
			if v, ok := r.env.Variable(k.text); !ok || v == nil {
				return nil
			}
		}
		return "instance-variable"
	case "local":
		return "local-variable"
	default:
		if k.kind == "literal" {
			return "expression"
		}
		if r.eval(k, f) == nil {
			return nil
		}
		return "method"
	}
}

func (r *run) quoted(n *node, f *frame) any {
	var b strings.Builder
	for _, k := range n.kids {
		b.WriteString(r.text(r.eval(k, f)))
		r.sized(b.String())
	}
	switch n.kind {
	case "dsym":
		return symbol(b.String())
	case "str":
		return b.String()
	}
	flags := ""
	for _, c := range n.text {
		flags += map[rune]string{'i': "i", 'm': "s", 'x': "x"}[c]
	}
	if n.val == nil || len(n.kids) > 1 {
		source := b.String()
		if flags != "" {
			source = "(?" + flags + ")" + source
		}
		n.val = r.regexp(source)
	}
	return n.val
}

func (r *run) regexp(source string) *types.Regexp {
	re, err := types.Compile(source)
	if err != nil {
		r.fail("the regular expression /%s/ is not known: %v", source, err)
	}
	return re
}
