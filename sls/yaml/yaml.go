// Package yaml reads and writes YAML as Salt does: YAML 1.1 with Salt's rules for numbers, dates and duplicate keys,
// and output that is byte for byte PyYAML's.
//
// gopkg.in/yaml.v3 parses text to nodes; what a node means is decided here. Every dict entry and list item knows the
// line and column it was read from, anchors are shared and not copied, and an error says where and how to mend it.
//
// Salt differs: a tag right before a comma in a flow collection ([!!str, a]) is an error here.
package yaml

import (
	"errors"
	"io"

	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// maxDepth is how deep collections may nest. Python's own recursion limit ends Salt at about the same depth.
const maxDepth = 1000

// Options say how a text is read.
type Options struct {
	// Name is the file in diagnostics.
	Name string
	// Line is what to add to line numbers, for a text that begins further down in its file.
	Line int
}

// Decode reads the one document of text; empty text is None. Errors are a *diag.Diagnostic.
func Decode(name string, text []byte) (value.Value, error) {
	return DecodeWith(text, Options{Name: name})
}

// DecodeWith is Decode with options.
func DecodeWith(text []byte, o Options) (value.Value, error) {
	if d := checkCharacters(text, o); d != nil {
		return nil, d
	}
	p := prepare(text)
	if len(text) > largeText {
		if v, ok := decodeLarge(p, o); ok {
			return v, nil
		}
	}
	return decodeWhole(p, o)
}

func decodeWhole(p prepared, o Options) (value.Value, error) {
	dec := yamlv3.NewDecoder(&chunked{rest: p.text})
	var doc yamlv3.Node
	switch err := decodeNode(dec, &doc); {
	case errors.Is(err, io.EOF):
		return value.None, nil
	case err != nil:
		return nil, syntaxError(p.text, err, o)
	}
	var more yamlv3.Node
	switch err := decodeNode(dec, &more); {
	case errors.Is(err, io.EOF):
	case err != nil:
		return nil, syntaxError(p.text, err, o)
	default:
		return nil, diag.Errorf(o.pos(more.Line, more.Column),
			"expected a single document in the stream, but found another document").
			WithHint("keep one document per file: remove the line ---")
	}
	return construct(p, &doc, o)
}

// decodeNode is dec.Decode; what the parser panics with is an error like any other.
func decodeNode(dec *yamlv3.Decoder, n *yamlv3.Node) (err error) {
	defer func() {
		if r := recover(); r != nil {
			err = errors.New("yaml: the parser cannot read this text")
		}
	}()
	return dec.Decode(n)
}

// chunked gives the text to the parser.
type chunked struct{ rest []byte }

func (c *chunked) Read(p []byte) (int, error) {
	if len(c.rest) == 0 {
		return 0, io.EOF
	}
	n := copy(p, c.rest)
	c.rest = c.rest[n:]
	return n, nil
}

func (o Options) pos(line, col int) diag.Pos {
	p := diag.Pos{File: o.Name, Line: line, Col: col}
	if line > 0 {
		p.Line += o.Line
	}
	return p
}

func (o Options) mark(n *yamlv3.Node) value.Mark {
	return value.Mark{Line: int32(n.Line + o.Line), Col: int32(n.Column)}
}
