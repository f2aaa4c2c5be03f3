package yaml

import (
	"fmt"

	"github.com/gostate/gostate/state/value"
)

// A Flow says which collections are written on one line: [a, b] and {a: b}.
type Flow uint8

const (
	// FlowNone writes all as blocks: default_flow_style=False.
	FlowNone Flow = iota
	// FlowAll writes all on one line: default_flow_style=True.
	FlowAll
	// FlowLeaves writes those on one line that hold plain scalars only: default_flow_style=None.
	FlowLeaves
)

// EncodeOptions are PyYAML's options of dump. The zero value is block style, keys in their order, ASCII only.
type EncodeOptions struct {
	Flow   Flow
	Indent int // 2 to 9, else 2
	Width  int // 0: 80; negative: unlimited
	// SortKeys sorts the keys of dicts where they can be compared.
	SortKeys bool
	// AllowUnicode writes characters beyond ASCII as they are.
	AllowUnicode bool
	// DefaultStyle is the style of scalars: 0 chooses, else ' " | or >.
	DefaultStyle byte
	// Blocks writes texts of several lines as literal blocks, those with tabs and blanks at the ends of lines, too, which
	// PyYAML escapes.
	Blocks                     bool
	ExplicitStart, ExplicitEnd bool
	Canonical                  bool
	// NoAliases writes a collection again each time instead of naming the first; one that holds itself is then an error.
	NoAliases bool
	// IndentSequences indents a list below its key.
	IndentSequences bool
	// Psych chooses the styles of scalars as Ruby's library does.
	Psych bool
	// LineBreak ends lines; "\n" when empty.
	LineBreak string
}

// maxEncoded bounds the text that Encode writes: an alias bomb written without aliases ends there.
const maxEncoded = 256 << 20

// tooLong is what the emitter panics with beyond a bound.
type tooLong struct{ what string }

// Encode writes v as PyYAML's safe_dump over libyaml does, byte for byte. What YAML cannot hold is written NULL, as
// Salt writes it. The error is for values that nest too deep or give more than 256 MiB.
func Encode(v value.Value, o EncodeOptions) (text string, err error) {
	defer func() {
		switch r := recover().(type) {
		case nil:
		case tooLong:
			err = fmt.Errorf("write YAML: %s", r.what)
		default:
			panic(r)
		}
	}()
	rep := &representer{o: o, seen: map[any]*node{}}
	root := rep.node(v)
	e := newEmitter(o)
	e.name(root, map[*node]bool{})
	e.document(root)
	return string(e.out), nil
}
