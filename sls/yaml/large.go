package yaml

import (
	"bytes"
	"errors"
	"io"

	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/value"
)

// A large text that is one block mapping, as generated SLS files are, is read in pieces, each some of its keys: the nodes
// of a piece are gone before the next is parsed. Whatever does not fit (anchors, several documents, any error) is left to
// the reader of whole texts, which also finds the words for it.
const (
	largeText = 256 << 10
	pieceSize = 32 << 10
)

// decodeLarge reads the text in pieces; ok is false when that cannot be done.
func decodeLarge(p prepared, o Options) (v value.Value, ok bool) {
	for _, marker := range []string{"\n---", "\n...", "\n%"} {
		if bytes.Contains(p.text, []byte(marker)) {
			return nil, false
		}
	}
	d := value.NewDict(0)
	c := &constructor{
		o: o, p: p, made: map[*yamlv3.Node]value.Value{}, anchors: map[string]*yamlv3.Node{}, strings: map[string]value.Value{},
		keepAll: hasMerge(p.text),
	}
	for rest := p.text; len(rest) > 0; {
		n := pieceEnd(rest)
		if !c.piece(rest[:n], d) {
			return nil, false
		}
		c.o.Line += bytes.Count(rest[:n], []byte{'\n'})
		rest = rest[n:]
	}
	return d, true
}

// pieceEnd is the offset of the first line behind pieceSize that begins with a key.
func pieceEnd(text []byte) int {
	for at := pieceSize; at < len(text); {
		i := bytes.IndexByte(text[at:], '\n')
		if i < 0 {
			break
		}
		if at += i + 1; at < len(text) && startsKey(text[at]) {
			return at
		}
	}
	return len(text)
}

func startsKey(b byte) bool {
	return b == '_' || b == '/' || b == '\'' || b == '"' || digit(b) || b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z'
}

// piece adds the keys of a piece to d. It is false when the piece is anything but a block mapping without anchors.
func (c *constructor) piece(text []byte, d *value.Dict) bool {
	dec := yamlv3.NewDecoder(&chunked{rest: text})
	var doc, more yamlv3.Node
	switch err := decodeNode(dec, &doc); {
	case errors.Is(err, io.EOF):
		return true // comments
	case err != nil:
		return false
	}
	if err := decodeNode(dec, &more); !errors.Is(err, io.EOF) || len(doc.Content) != 1 {
		return false
	}
	top := doc.Content[0]
	if top.Kind != yamlv3.MappingNode || top.Style != 0 || top.Column != 1 || c.named(top) {
		return false
	}
	return c.mapping(top, d) == nil
}

// named says whether an anchor or an alias is in the node, or a merge key at its top.
func (c *constructor) named(n *yamlv3.Node) bool {
	if n.Anchor != "" || n.Kind == yamlv3.AliasNode {
		return true
	}
	for i, child := range n.Content {
		if c.named(child) || n.Column == 1 && n.Kind == yamlv3.MappingNode && i%2 == 0 && c.isMerge(child) {
			return true
		}
	}
	return false
}
