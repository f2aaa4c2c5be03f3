package yaml

import (
	"fmt"
	"math"
	"unicode/utf8"
)

// An emitter writes nodes as libyaml does. It knows where on the line it is, and whether what stands before it is
// blank.
type emitter struct {
	o      EncodeOptions
	out    []byte
	column int
	indent int // -1 outside of everything
	width  int
	step   int
	flow   int // how many flow collections are open
	lastID int
	// whitespace: what was written last is blank or begins a line. indention: the line holds only what indents.
	whitespace, indention bool
	// open says that a block scalar ended with empty lines that belong to it.
	open bool
}

// A spot is where a node stands.
type spot struct {
	root, sequence, mapping, key bool
}

func newEmitter(o EncodeOptions) *emitter {
	e := &emitter{o: o, indent: -1, width: o.Width, step: o.Indent, whitespace: true, indention: true}
	if e.step < 2 || e.step > 9 {
		e.step = 2
	}
	switch {
	case e.width < 0:
		e.width = math.MaxInt
	case e.width <= e.step*2:
		e.width = 80
	}
	return e
}

// name gives anchors to the nodes that are met more than once, in the order of their second meeting.
func (e *emitter) name(n *node, met map[*node]bool) {
	if n.kind == scalarNode {
		return
	}
	if met[n] {
		if n.anchor == "" {
			e.lastID++
			n.anchor = fmt.Sprintf("id%03d", e.lastID)
		}
		return
	}
	met[n] = true
	for _, it := range n.items {
		e.name(it, met)
	}
}

func (e *emitter) document(root *node) {
	if e.o.ExplicitStart || e.o.Canonical {
		e.indicator("---", true, false, false)
		if e.o.Canonical {
			e.newline()
		}
	}
	e.node(root, spot{root: true}, map[*node]bool{})
	e.newline()
	if e.o.ExplicitEnd || e.open {
		e.indicator("...", true, false, false)
		e.newline()
	}
}

// node writes a node, or an alias to it when it was begun before.
func (e *emitter) node(n *node, at spot, begun map[*node]bool) {
	if n.anchor != "" {
		if begun[n] {
			e.indicator("*", true, false, false)
			e.raw(n.anchor)
			if at.key {
				e.raw(" ")
			}
			return
		}
		begun[n] = true
		e.indicator("&", true, false, false)
		e.raw(n.anchor)
	}
	switch {
	case n.kind == scalarNode:
		e.scalar(n, at)
	case n.kind == sequenceNode && (e.flow > 0 || n.flow || len(n.items) == 0 || e.o.Canonical):
		e.tag(e.tagOf(n))
		e.flowSequence(n, begun)
	case n.kind == sequenceNode:
		e.tag(e.tagOf(n))
		e.blockSequence(n, at, begun)
	case e.flow > 0 || n.flow || len(n.items) == 0 || e.o.Canonical:
		e.tag(e.tagOf(n))
		e.flowMapping(n, begun)
	default:
		e.tag(e.tagOf(n))
		e.blockMapping(n, begun)
	}
}

// tagOf is the tag to write: canonical output names all.
func (e *emitter) tagOf(n *node) string {
	if e.o.Canonical {
		return n.is
	}
	return n.tag
}

func (e *emitter) tag(t string) {
	if t == "" {
		return
	}
	if !e.whitespace {
		e.put(' ')
	}
	e.raw(t)
}

// deeper sets the indent of a collection's content; the caller puts the old one back.
func (e *emitter) deeper(flow, indentless bool) (old int) {
	old = e.indent
	switch {
	case e.indent < 0 && flow:
		e.indent = e.step
	case e.indent < 0:
		e.indent = 0
	case !indentless:
		e.indent += e.step
	}
	return old
}

func (e *emitter) flowSequence(n *node, begun map[*node]bool) {
	e.indicator("[", true, true, false)
	old := e.deeper(true, false)
	e.flow++
	for i, it := range n.items {
		if i > 0 {
			e.indicator(",", false, false, false)
		}
		if e.o.Canonical || e.column > e.width {
			e.newline()
		}
		e.node(it, spot{sequence: true}, begun)
	}
	e.flow--
	e.indent = old
	if e.o.Canonical && len(n.items) > 0 {
		e.indicator(",", false, false, false)
		e.newline()
	}
	e.indicator("]", false, false, false)
}

func (e *emitter) flowMapping(n *node, begun map[*node]bool) {
	e.indicator("{", true, true, false)
	old := e.deeper(true, false)
	e.flow++
	for i := 0; i < len(n.items); i += 2 {
		if i > 0 {
			e.indicator(",", false, false, false)
		}
		if e.o.Canonical || e.column > e.width {
			e.newline()
		}
		if k := n.items[i]; !e.o.Canonical && e.simple(k, begun) {
			e.node(k, spot{mapping: true, key: true}, begun)
			e.indicator(":", false, false, false)
		} else {
			e.indicator("?", true, false, false)
			e.node(k, spot{mapping: true}, begun)
			if e.o.Canonical || e.column > e.width {
				e.newline()
			}
			e.indicator(":", true, false, false)
		}
		e.node(n.items[i+1], spot{mapping: true}, begun)
	}
	e.flow--
	e.indent = old
	if e.o.Canonical && len(n.items) > 0 {
		e.indicator(",", false, false, false)
		e.newline()
	}
	e.indicator("}", false, false, false)
}

func (e *emitter) blockSequence(n *node, at spot, begun map[*node]bool) {
	old := e.deeper(false, at.mapping && !e.indention && !e.o.IndentSequences)
	for _, it := range n.items {
		e.newline()
		e.indicator("-", true, false, true)
		e.node(it, spot{sequence: true}, begun)
	}
	e.indent = old
}

func (e *emitter) blockMapping(n *node, begun map[*node]bool) {
	old := e.deeper(false, false)
	for i := 0; i < len(n.items); i += 2 {
		e.newline()
		if k := n.items[i]; e.simple(k, begun) {
			e.node(k, spot{mapping: true, key: true}, begun)
			e.indicator(":", false, false, false)
		} else {
			e.indicator("?", true, false, true)
			e.node(k, spot{mapping: true}, begun)
			e.newline()
			e.indicator(":", true, false, true)
		}
		e.node(n.items[i+1], spot{mapping: true}, begun)
	}
	e.indent = old
}

// simple says whether a key can stand before its colon on one line.
func (e *emitter) simple(k *node, begun map[*node]bool) bool {
	length := len(k.anchor)
	if k.anchor != "" && begun[k] {
		return true
	}
	length += len(k.tag)
	switch k.kind {
	case scalarNode:
		if analyze(k.text, e.o.AllowUnicode).multiline {
			return false
		}
		length += len(k.text)
	default:
		if len(k.items) > 0 {
			return false
		}
	}
	return length <= 128
}

// indicator writes punctuation.
func (e *emitter) indicator(s string, needBlank, isBlank, isIndention bool) {
	if needBlank && !e.whitespace {
		e.put(' ')
	}
	e.out = append(e.out, s...)
	e.column += len(s)
	e.whitespace = isBlank
	e.indention = e.indention && isIndention
}

// newline begins a line at the indent, unless the emitter is there already.
func (e *emitter) newline() {
	indent := max(e.indent, 0)
	if !e.indention || e.column > indent || e.column == indent && !e.whitespace {
		e.lineBreak()
	}
	for e.column < indent {
		e.put(' ')
	}
	e.whitespace, e.indention = true, true
}

func (e *emitter) lineBreak() {
	if e.o.LineBreak != "" {
		e.out = append(e.out, e.o.LineBreak...)
	} else {
		e.out = append(e.out, '\n')
	}
	e.column = 0
	if len(e.out) > maxEncoded {
		panic(tooLong{"the text is longer than 256 MiB"})
	}
}

func (e *emitter) put(b byte) {
	e.out = append(e.out, b)
	e.column++
}

// raw writes text that holds no line break.
func (e *emitter) raw(s string) {
	e.out = append(e.out, s...)
	e.column += utf8.RuneCountInString(s)
	e.whitespace, e.indention = false, false
}

func (e *emitter) rune(r rune) {
	e.out = utf8.AppendRune(e.out, r)
	e.column++
}
