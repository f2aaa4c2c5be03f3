package yaml

import (
	"strings"

	yamlv3 "gopkg.in/yaml.v3"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A constructor turns the nodes of one document into values.
type constructor struct {
	o Options
	p prepared
	// made holds the values of nodes that may be met again: anchored ones, and all collections of a document with merge
	// keys.
	made    map[*yamlv3.Node]value.Value
	anchors map[string]*yamlv3.Node
	keepAll bool
	strings map[string]value.Value
	depth   int
	merged  int   // nodes that merge keys brought
	flow    int   // how many flow collections are open
	starts  []int // where the lines of the text begin, once that was asked
}

// construct gives the value of a document.
func construct(p prepared, doc *yamlv3.Node, o Options) (value.Value, error) {
	c := &constructor{
		o: o, p: p, made: map[*yamlv3.Node]value.Value{}, anchors: map[string]*yamlv3.Node{},
		strings: map[string]value.Value{}, keepAll: hasMerge(p.text),
	}
	if len(doc.Content) == 0 {
		return value.None, nil
	}
	return c.node(doc.Content[0])
}

func (c *constructor) errorf(n *yamlv3.Node, format string, args ...any) *diag.Diagnostic {
	return diag.Errorf(c.o.pos(n.Line, n.Column), format, args...)
}

// node gives the value of n, the same one each time for a node that is met again.
func (c *constructor) node(n *yamlv3.Node) (value.Value, error) {
	if n.Kind == yamlv3.AliasNode {
		if v, ok := c.made[n.Alias]; ok {
			return v, nil
		}
		n = n.Alias
	}
	if n.Anchor != "" {
		if err := c.anchor(n); err != nil {
			return nil, err
		}
	}
	if n.Kind == yamlv3.ScalarNode {
		v, err := c.scalar(n)
		if err == nil && n.Anchor != "" {
			c.made[n] = v
		}
		return v, err
	}
	if c.keepAll {
		if v, ok := c.made[n]; ok {
			return v, nil
		}
	}
	if c.depth++; c.depth > maxDepth {
		return nil, c.errorf(n, "the text nests more than %d levels deep", maxDepth)
	}
	flow := c.flow
	if n.Style&yamlv3.FlowStyle != 0 {
		c.flow++
	} else {
		c.flow = 0
	}
	defer func() { c.depth, c.flow = c.depth-1, flow }()
	return c.collection(n)
}

func (c *constructor) anchor(n *yamlv3.Node) error {
	first, ok := c.anchors[n.Anchor]
	if ok && first != n {
		d := c.errorf(n, "found duplicate anchor '%s'", n.Anchor).WithHint("give the second one another name")
		d.Related = []diag.Related{{Pos: c.o.pos(first.Line, first.Column), Msg: "first occurrence"}}
		return d
	}
	c.anchors[n.Anchor] = n
	return nil
}

// keep remembers the value of a node that may be met again; it is called before the collection is filled, so that one
// that holds itself does.
func (c *constructor) keep(n *yamlv3.Node, v value.Value) {
	if c.keepAll || n.Anchor != "" {
		c.made[n] = v
	}
}

// collection gives the value of a sequence or a mapping by its tag.
func (c *constructor) collection(n *yamlv3.Node) (value.Value, error) {
	isMap := n.Kind == yamlv3.MappingNode
	switch tag := n.Tag; {
	case isMap && (tag == "!!map" || tag == "!" || tag == ""):
		d := value.NewDict(len(n.Content) / 2)
		c.keep(n, d)
		return d, c.mapping(n, d)
	case !isMap && (tag == "!!seq" || tag == "!" || tag == ""):
		l := &value.List{Items: make([]value.Value, 0, len(n.Content)), Marks: make([]value.Mark, 0, len(n.Content))}
		c.keep(n, l)
		return l, c.sequence(n, l)
	case tag == "!!set" && isMap:
		return c.set(n)
	case tag == "!!omap" && !isMap:
		return c.pairs(n, "an ordered map")
	case tag == "!!pairs" && !isMap:
		return c.pairs(n, "pairs")
	case isMap && (tag == tagStr || tag == tagTimestamp || tag == tagInt || tag == tagFloat || tag == tagBool ||
		tag == tagNull || tag == "!!binary"):
		return c.defaultValue(n)
	}
	return nil, c.wrongKind(n)
}

// defaultValue is a tagged mapping that stands for the scalar under its key "=".
func (c *constructor) defaultValue(n *yamlv3.Node) (value.Value, error) {
	for i := 0; i+1 < len(n.Content); i += 2 {
		if c.tagOf(n.Content[i]) != tagValue {
			continue
		}
		if v := n.Content[i+1]; v.Kind == yamlv3.ScalarNode {
			s := *v
			s.Tag, s.Anchor = n.Tag, ""
			s.Style |= yamlv3.TaggedStyle
			return c.scalar(&s)
		}
	}
	return nil, c.wrongKind(n)
}

// wrongKind says that the tag of a collection is unknown, or is one of another kind of node.
func (c *constructor) wrongKind(n *yamlv3.Node) error {
	found := "sequence"
	if n.Kind == yamlv3.MappingNode {
		found = "mapping"
	}
	switch n.Tag {
	case "!!map", "!!set":
		return c.errorf(n, "expected a mapping node, but found %s", found)
	case "!!seq", "!!omap", "!!pairs":
		return c.errorf(n, "expected a sequence node, but found %s", found)
	case tagStr, tagTimestamp, tagInt, tagFloat, tagBool, tagNull, "!!binary", "!!python/unicode":
		return c.errorf(n, "expected a scalar node, but found %s", found)
	}
	return c.unknownTag(n, n.Tag)
}

func (c *constructor) unknownTag(n *yamlv3.Node, tag string) error {
	hint := "remove the tag; Salt knows !!str, !!int, !!float, !!bool, !!null, !!binary, !!set, !!omap and !!pairs"
	switch tag {
	case tagValue, tagMerge:
		hint = "put quotes around it to have it as text"
		if tag == tagMerge {
			hint = "a merge key stands before a colon: \"<<: *name\"; put quotes around << to have it as text"
		}
	}
	if short, ok := strings.CutPrefix(tag, "!!"); ok {
		tag = "tag:yaml.org,2002:" + short
	}
	return c.errorf(n, "could not determine a constructor for the tag '%s'", tag).WithHint("%s", hint)
}

func (c *constructor) sequence(n *yamlv3.Node, l *value.List) error {
	for _, item := range n.Content {
		v, err := c.node(item)
		if err != nil {
			return err
		}
		l.Items = append(l.Items, v)
		l.Marks = append(l.Marks, c.o.mark(item))
	}
	return nil
}

func (c *constructor) mapping(n *yamlv3.Node, d *value.Dict) error {
	if err := c.flatten(n); err != nil {
		return err
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if err := c.entry(n.Content[i], n.Content[i+1], d); err != nil {
			return err
		}
	}
	return nil
}

func (c *constructor) entry(kn, vn *yamlv3.Node, d *value.Dict) error {
	k, err := c.key(kn)
	if err != nil {
		return err
	}
	v, err := c.node(vn)
	if err != nil {
		return err
	}
	before := d.Len()
	if err := d.SetAt(k, v, c.o.mark(kn), c.o.mark(vn)); err != nil {
		return c.badKey(kn)
	}
	if d.Len() == before {
		return c.conflict(kn, k, d)
	}
	return nil
}

// key is the value of a key. A lone "=" is text there.
func (c *constructor) key(n *yamlv3.Node) (value.Value, error) {
	if n.Kind == yamlv3.ScalarNode && c.tagOf(n) == tagValue {
		return c.intern(n.Value), nil
	}
	return c.node(n)
}

func (c *constructor) badKey(n *yamlv3.Node) error {
	d := c.errorf(n, "found unacceptable key: a %s cannot be a key", kindName(n))
	if n.Kind == yamlv3.MappingNode && n.Style&yamlv3.FlowStyle != 0 {
		return d.WithHint("put quotes around text that begins with {{ or {: \"{{ name }}\"")
	}
	return d.WithHint("use text, a number or a boolean as the key")
}

func kindName(n *yamlv3.Node) string {
	if n.Kind == yamlv3.AliasNode {
		n = n.Alias
	}
	switch n.Kind {
	case yamlv3.MappingNode:
		return "mapping"
	case yamlv3.SequenceNode:
		return "list"
	}
	return "scalar"
}

func (c *constructor) conflict(n *yamlv3.Node, k value.Value, d *value.Dict) error {
	e := c.errorf(n, "found conflicting ID '%s'", value.String(k)).WithHint("a key may stand only once; rename or join " +
		"them")
	for i := range d.Len() {
		first := d.At(i)
		if one, ok := equalKeys(first.Key, k); ok && one {
			e.Related = []diag.Related{{
				Pos: diag.Pos{File: c.o.Name, Line: int(first.KeyAt.Line), Col: int(first.KeyAt.Col)}, Msg: "first here",
			}}
		}
	}
	return e
}

// equalKeys says whether a dict takes both for one key.
func equalKeys(a, b value.Value) (equal, ok bool) {
	d := value.NewDict(1)
	if d.Set(a, value.None) != nil {
		return false, false
	}
	_, equal = d.Get(b)
	return equal, true
}

// set gives the value of a !!set: its keys.
func (c *constructor) set(n *yamlv3.Node) (value.Value, error) {
	s, _ := value.NewSet()
	c.keep(n, s)
	d := value.NewDict(len(n.Content) / 2)
	if err := c.mapping(n, d); err != nil {
		return nil, err
	}
	for k := range d.All() {
		if err := s.Add(k); err != nil {
			return nil, err
		}
	}
	return s, nil
}

// pairs gives the value of an !!omap or !!pairs: a list of tuples.
func (c *constructor) pairs(n *yamlv3.Node, what string) (value.Value, error) {
	l := &value.List{}
	c.keep(n, l)
	for _, item := range n.Content {
		m := item
		if m.Kind == yamlv3.AliasNode {
			m = m.Alias
		}
		if m.Kind != yamlv3.MappingNode {
			return nil, c.errorf(item, "while constructing %s: expected a mapping of length 1, but found %s", what, kindName(m))
		}
		if len(m.Content) != 2 {
			return nil, c.errorf(item, "while constructing %s: expected a single mapping item, but found %d items", what,
				len(m.Content)/2)
		}
		k, err := c.node(m.Content[0])
		if err != nil {
			return nil, err
		}
		v, err := c.node(m.Content[1])
		if err != nil {
			return nil, err
		}
		l.Items = append(l.Items, value.NewTuple(k, v))
		l.Marks = append(l.Marks, c.o.mark(item))
	}
	return l, nil
}
