package yaml

import (
	"slices"

	yamlv3 "gopkg.in/yaml.v3"
)

// flatten puts what a mapping's merge keys name in front of its own entries, in the node itself, so that it happens once.
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
	var front []*yamlv3.Node
	for i := 0; i+1 < len(merged); i += 2 {
		if !hasKey(own, merged[i]) {
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

// hasKey says whether a key of the same text is among the entries.
func hasKey(entries []*yamlv3.Node, key *yamlv3.Node) bool {
	key = target(key)
	for i := 0; i < len(entries); i += 2 {
		k := target(entries[i])
		if k == key || k.Kind == yamlv3.ScalarNode && key.Kind == yamlv3.ScalarNode && k.Value == key.Value {
			return true
		}
	}
	return false
}
