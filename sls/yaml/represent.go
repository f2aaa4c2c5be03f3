package yaml

import (
	"encoding/base64"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// The kinds of nodes that the emitter writes.
type kind uint8

const (
	scalarNode kind = iota
	sequenceNode
	mappingNode
)

// A node is a value as YAML sees it.
type node struct {
	kind   kind
	text   string // of a scalar
	is     string // its tag
	tag    string // written before it, "" for none
	style  byte   // wished for a scalar: 0, ' " | >
	plain  bool   // a plain scalar of this text is read back as the same value
	quoted bool   // so is a quoted one
	flow   bool
	items  []*node // of a sequence; keys and values by turns of a mapping
	anchor string
}

// A representer turns values into nodes. A collection that is met again is one node, and so an anchor and aliases.
type representer struct {
	o            EncodeOptions
	seen         map[any]*node
	depth, count int
}

// maxNodes bounds a document: an alias bomb that is written without aliases ends there.
const maxNodes = 20_000_000

func (r *representer) node(v value.Value) *node {
	switch v := v.(type) {
	case nil, value.NoneType:
		return r.scalar("null", tagNull)
	case value.Bool:
		return r.scalar(strconv.FormatBool(bool(v)), tagBool)
	case value.Int:
		return r.scalar(strconv.FormatInt(int64(v), 10), tagInt)
	case value.BigInt:
		return r.scalar(v.Big().String(), tagInt)
	case value.Float:
		return r.scalar(floatText(float64(v)), tagFloat)
	case value.Str:
		return r.scalar(string(v), tagStr)
	case value.Bytes:
		return &node{text: base64Lines(string(v)), is: "!!binary", tag: "!!binary", style: '|'}
	case *value.List:
		return r.sequence(v, v.Items)
	case *value.Tuple:
		return r.sequence(v, v.Items)
	case *value.Set:
		return r.set(v)
	case *value.Dict:
		return r.dict(v)
	}
	return r.scalar("NULL", tagNull) // Salt's word for what it cannot represent
}

func (r *representer) scalar(text, tag string) *node {
	n := &node{text: text, is: tag, style: r.o.DefaultStyle, plain: resolve(text) == tag, quoted: tag == tagStr}
	if r.o.Psych {
		return n.psych()
	}
	return n
}

// collection gives the node of a collection, filled the first time it is met.
func (r *representer) collection(v value.Value, k kind, fill func(*node)) *node {
	if n, ok := r.seen[v]; ok {
		return n
	}
	n := &node{kind: k, is: "!!seq"}
	if k == mappingNode {
		n.is = "!!map"
	}
	if t, ok := v.(*value.Tuple); !r.o.NoAliases && !(ok && len(t.Items) == 0) {
		r.seen[v] = n
	}
	if r.depth++; r.depth > maxDepth {
		panic(tooLong{fmt.Sprintf("the value nests more than %d levels deep", maxDepth)})
	}
	fill(n)
	r.depth--
	if r.count += len(n.items); r.count > maxNodes {
		panic(tooLong{"the value is too large"})
	}
	switch r.o.Flow {
	case FlowAll:
		n.flow = true
	case FlowLeaves:
		n.flow = !slices.ContainsFunc(n.items, func(i *node) bool { return i.kind != scalarNode || i.style != 0 })
	}
	return n
}

func (r *representer) sequence(v value.Value, items []value.Value) *node {
	return r.collection(v, sequenceNode, func(n *node) {
		n.items = make([]*node, 0, len(items))
		for _, it := range items {
			n.items = append(n.items, r.node(it))
		}
	})
}

func (r *representer) dict(d *value.Dict) *node {
	return r.collection(d, mappingNode, func(n *node) {
		entries := make([]value.Entry, 0, d.Len())
		for i := range d.Len() {
			entries = append(entries, d.At(i))
		}
		if r.o.SortKeys {
			sortEntries(entries)
		}
		n.items = make([]*node, 0, 2*len(entries))
		for _, e := range entries {
			n.items = append(n.items, r.node(e.Key), r.node(e.Val))
		}
	})
}

func (r *representer) set(s *value.Set) *node {
	return r.collection(s, mappingNode, func(n *node) {
		n.is, n.tag = "!!set", "!!set"
		entries := make([]value.Entry, 0, s.Len())
		for _, k := range s.Items() {
			entries = append(entries, value.Entry{Key: k, Val: value.None})
		}
		if r.o.SortKeys {
			sortEntries(entries)
		}
		for _, e := range entries {
			n.items = append(n.items, r.node(e.Key), r.node(e.Val))
		}
	})
}

// floatText is a float as YAML 1.1 reads it back: Python's repr with a point before the exponent.
func floatText(f float64) string {
	switch {
	case math.IsNaN(f):
		return ".nan"
	case math.IsInf(f, 1):
		return ".inf"
	case math.IsInf(f, -1):
		return "-.inf"
	}
	if a := math.Abs(f); a != 0 && (a < 1e-4 || a >= 1e16) {
		s := strconv.FormatFloat(f, 'e', -1, 64)
		if !strings.Contains(s, ".") {
			s = strings.Replace(s, "e", ".0e", 1)
		}
		return s
	}
	s := strconv.FormatFloat(f, 'f', -1, 64)
	if !strings.Contains(s, ".") {
		s += ".0"
	}
	return s
}

// base64Lines is base64 in lines of 76 characters, each ended.
func base64Lines(s string) string {
	enc := base64.StdEncoding.EncodeToString([]byte(s))
	var b strings.Builder
	for len(enc) > 76 {
		b.WriteString(enc[:76] + "\n")
		enc = enc[76:]
	}
	if enc != "" {
		b.WriteString(enc + "\n")
	}
	return b.String()
}
