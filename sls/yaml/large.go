package yaml

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"sync"

	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/value"
)

// A large text that is one block mapping, as generated SLS files are, is read in pieces, each some of its keys: the
// nodes of a piece are gone before the next is parsed. Whatever does not fit (anchors, several documents, any error) is
// left to the reader of whole texts, which also finds the words for it. Pieces are parsed beside each other; values are
// made of them in their order.
const (
	largeText = 64 << 10
	pieceSize = 32 << 10
)

// decodeLarge reads the text in pieces; ok is false when that cannot be done.
func decodeLarge(p prepared, o Options) (v value.Value, ok bool) {
	if p.bangs || p.quotes {
		return nil, false // such scalars are looked up in the whole text
	}
	for _, marker := range []string{"\n---", "\n...", "\n%"} {
		if bytes.Contains(p.text, []byte(marker)) {
			return nil, false
		}
	}
	d := value.NewDict(0)
	c := &constructor{
		o: o, p: p, made: map[*yamlv3.Node]value.Value{}, anchors: map[string]*yamlv3.Node{},
		strings: map[string]value.Value{},
		keepAll: hasMerge(p.text),
	}
	ok = true
	parsePieces(pieces(p.text), func(piece parsed) bool {
		ok = c.piece(piece, d)
		c.o.Line += piece.lines
		return ok
	})
	return d, ok
}

// pieces cuts the text into pieces.
func pieces(text []byte) [][]byte {
	var out [][]byte
	for len(text) > 0 {
		n := pieceEnd(text)
		out = append(out, text[:n])
		text = text[n:]
	}
	return out
}

// A parsed piece is its document, nil when it holds comments only.
type parsed struct {
	doc   *yamlv3.Node
	lines int
	bad   bool // an error, or a second document
}

// parsePieces parses the pieces, a few at once and a few ahead, and gives them to use in their order until that is
// false.
func parsePieces(texts [][]byte, use func(parsed) bool) {
	workers := min(runtime.GOMAXPROCS(0), 4)
	ahead := 2 * workers
	jobs := make(chan int, ahead)
	out := make([]chan parsed, len(texts))
	for i := range out {
		out[i] = make(chan parsed, 1)
	}
	var wg sync.WaitGroup
	for range workers {
		wg.Go(func() {
			for i := range jobs {
				out[i] <- parsePiece(texts[i])
			}
		})
	}
	next := 0
	for i := range texts {
		for ; next < len(texts) && next < i+ahead; next++ {
			jobs <- next
		}
		if !use(<-out[i]) {
			break
		}
	}
	close(jobs)
	wg.Wait()
}

func parsePiece(text []byte) parsed {
	p := parsed{doc: &yamlv3.Node{}, lines: bytes.Count(text, []byte{'\n'})}
	dec := yamlv3.NewDecoder(&chunked{rest: text})
	var more yamlv3.Node
	switch err := decodeNode(dec, p.doc); {
	case errors.Is(err, io.EOF):
		p.doc = nil
	case err != nil:
		p.bad = true
	default:
		p.bad = !errors.Is(decodeNode(dec, &more), io.EOF)
	}
	return p
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
func (c *constructor) piece(p parsed, d *value.Dict) bool {
	switch {
	case p.bad:
		return false
	case p.doc == nil:
		return true
	case len(p.doc.Content) != 1:
		return false
	}
	top := p.doc.Content[0]
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
