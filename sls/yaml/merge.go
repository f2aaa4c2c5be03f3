package yaml

import (
	"slices"

	yamlv3 "gopkg.in/yaml.v3"
)

// flatten puts what a mapping's merge keys name in front of its own entries, in the node itself, so that it happens
// once.
// Own keys win. Keys that two merged mappings share are left doubled, and refused later, as Salt does.
func (c *constructor) flatten(n *yamlv3.Node) error {
	if !c.keepAll || !slices.ContainsFunc(n.Content, c.isMerge) {
		return nil
	}
	var own, merged []*yamlv3.Node
	var values []*yamlv3.Node
	for i := 0; i+1 < len(n.Content); i += 2 {
		if c.isMerge(n.Content[i]) {
			values = append(values, n.Content[i+1])
			continue
		}
		own = append(own, n.Content[i], n.Content[i+1])
	}
	n.Content = own
	for _, v := range values {
		m, err := c.mergedBy(v)
		if err != nil {
			return err
		}
		merged = append(merged, m...)
	}
	if c.merged += len(merged); c.merged > maxMerged {
		return c.errorf(n, "the merge keys of this text bring more than %d entries", maxMerged/2)
	}
	keys := keysOf(own)
	var front []*yamlv3.Node
	for i := 0; i+1 < len(merged); i += 2 {
		if !keys[keyOf(merged[i])] {
			front = append(front, merged[i], merged[i+1])
		}
	}
	n.Content = append(front, own...)
	return nil
}

func (c *constructor) isMerge(n *yamlv3.Node) bool {
	return n.Kind == yamlv3.ScalarNode && c.tagOf(n) == tagMerge
}

// mergedBy is the entries that the value of a merge key brings: those of a mapping, or of a list of them, last first.
func (c *constructor) mergedBy(v *yamlv3.Node) ([]*yamlv3.Node, error) {
	m := target(v)
	switch m.Kind {
	case yamlv3.MappingNode:
		err := c.flatten(m)
		return m.Content, err
	case yamlv3.SequenceNode:
		var out []*yamlv3.Node
		for _, item := range slices.Backward(m.Content) {
			sub := target(item)
			if sub.Kind != yamlv3.MappingNode {
				return nil, c.errorf(item, "expected a mapping for merging, but found %s", kindName(sub))
			}
			if err := c.flatten(sub); err != nil {
				return nil, err
			}
			out = append(out, sub.Content...)
		}
		return out, nil
	}
	return nil, c.errorf(v, "expected a mapping or list of mappings for merging, but found %s", kindName(m)).
		WithHint("name an anchor: \"<<: *name\"")
}

func target(n *yamlv3.Node) *yamlv3.Node {
	if n.Kind == yamlv3.AliasNode {
		return n.Alias
	}
	return n
}

// maxMerged bounds the nodes that merge keys bring into a document, so that mappings merged into each other over and
// over do not fill the memory.
const maxMerged = 10_000_000

// keyOf tells keys apart as merging does: by their text, whatever its type; collections by being the same node.
func keyOf(n *yamlv3.Node) any {
	if n = target(n); n.Kind == yamlv3.ScalarNode {
		return n.Value
	}
	return n
}

func keysOf(entries []*yamlv3.Node) map[any]bool {
	keys := make(map[any]bool, len(entries)/2)
	for i := 0; i < len(entries); i += 2 {
		keys[keyOf(entries[i])] = true
	}
	return keys
}
