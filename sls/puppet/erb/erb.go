// Package erb renders templates in ERB, with a small and stated part of Ruby: what templates of modules use. What it
// does not know is refused when a template is read, with the line and the word.
//
// It knows values of the Puppet language and asks for variables and functions through an interface; it reads no files.
package erb

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/sls/puppet/types"
)

// An Env is what a template asks of the one who renders it.
type Env interface {
	// Variable is @name, scope['a::b'] and scope.lookupvar('x'): the value, and whether there is such a variable.
	Variable(name string) (any, bool)
	// Variables are all that can be seen: scope.to_hash.
	Variables() *types.Hash
	// Call calls a function of the Puppet language; it also gives the template what needs no second implementation.
	Call(name string, args ...any) any
	// Keep is scope.setvar: the value itself, which templates of the same scope share, is there again with Kept.
	Keep(name string, v any)
	Kept(name string) (any, bool)
	// YAML is to_yaml.
	YAML(v any) (string, error)
}

// An Error is what is wrong with a template, or went wrong in it.
type Error struct {
	Line int
	Msg  string
	// final says that no rescue takes it: a word that is not known, work without end.
	final  bool
	raised bool
}

// Raised says that the code itself raised the error.
func (e *Error) Raised() bool { return e.raised }

func (e *Error) Error() string { return fmt.Sprintf("%s (line: %d)", e.Msg, e.Line) }

// A Template is a template that was read.
type Template struct{ body []*node }

// Parse reads a template whose lines are trimmed as with Ruby's trim_mode '-'.
func Parse(text string) (t *Template, err error) {
	defer caught(&err)
	p := &parser{toks: tokenize(text), known: &names{set: map[string]bool{}, defs: map[string]bool{}}}
	for i, tk := range p.toks[1:] {
		if p.toks[i].kind == "def" {
			p.known.defs[tk.text] = true
		}
	}
	t = &Template{body: p.statements("eof")}
	return t, nil
}

// Render gives the template's text.
func (t *Template) Render(env Env) (out string, err error) {
	defer caught(&err)
	r := &run{env: env, ivars: map[string]any{}, defs: map[string]*node{}}
	defer func() {
		switch j := recover().(type) {
		case nil:
		case *jump:
			r.fail("%s is not known here", j.kind)
		default:
			panic(j)
		}
	}()
	r.consts = map[string]any{}
	r.body(t.body, newFrame(nil))
	return r.out.String(), nil
}

// caught makes an error of what ended the work.
func caught(err *error) {
	switch r := recover().(type) {
	case nil:
	case *Error:
		*err = r
	default:
		panic(r)
	}
}

func fail(line int, format string, args ...any) {
	panic(&Error{Line: line, Msg: fmt.Sprintf(format, args...), final: true})
}

// tokenize cuts a template into text and tags, and the tags into tokens.
func tokenize(src string) []token {
	l := &lexer{line: 1}
	trimmed := true // the text begins a line, or stands right behind a tag: <%- takes the blanks before it
	for src != "" {
		n := strings.Index(src, "<%")
		if n < 0 {
			break
		}
		text, tag := src[:n], src[n+2:]
		if strings.HasPrefix(tag, "%") {
			l.text(text + "<%")
			src, trimmed = tag[1:], false
			continue
		}
		if strings.HasPrefix(tag, "-") {
			text, tag = trimBlanks(text, trimmed), tag[1:]
		}
		l.text(text)
		src, trimmed = l.tag(tag), true
	}
	l.text(src)
	l.put("eof", "")
	return l.toks
}

// trimBlanks takes blanks from the end of a text where nothing else is on their line.
func trimBlanks(text string, start bool) string {
	kept := strings.TrimRight(text, " \t")
	if kept == "" && start || strings.HasSuffix(kept, "\n") {
		return kept
	}
	return text
}

// tag reads a tag and gives what is behind it.
func (l *lexer) tag(src string) string {
	end, code, line := 0, "", l.line
	for {
		n := strings.Index(src[end:], "%>")
		if n < 0 {
			fail(line, "the tag <%% is never closed by %%>")
		}
		end += n
		if end == 0 || src[end-1] != '%' {
			break
		}
		end += 2
	}
	code = strings.ReplaceAll(src[:end], "%%>", "%>")
	rest := src[end+2:]
	cr := 0
	if strings.HasSuffix(code, "-") {
		code = code[:len(code)-1]
		switch {
		case strings.HasPrefix(rest, "\n"):
			cr = 1
		case strings.HasPrefix(rest, "\r\n"):
			cr = 2
		}
	}
	switch {
	case strings.HasPrefix(code, "#"):
		l.line += strings.Count(code, "\n")
	case strings.HasPrefix(code, "="):
		l.put("print", "<%=")
		l.code(code[1:])
	default:
		l.code(code)
	}
	l.put("nl", "")
	if cr > 0 {
		l.line++
	}
	return rest[cr:]
}

func (l *lexer) text(s string) {
	if s != "" {
		l.put("text", s)
		l.line += strings.Count(s, "\n")
	}
}
