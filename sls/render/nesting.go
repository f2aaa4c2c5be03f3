package render

import (
	"slices"

	"github.com/gostate/gostate/state/value"
)

// maxParts bounds what a walk through nested data visits: aliases make data that is small but endless to walk.
const maxParts = 5_000_000

// A nesting follows a walk through nested data.
type nesting struct {
	open  []value.Value // containers that the walk is inside of
	parts int
}

// enter notes a container. The error is for data that holds itself, or is too much.
func (n *nesting) enter(v value.Value) error {
	if n.parts++; n.parts > maxParts {
		return value.Raise("MemoryError", "more than %d parts", maxParts)
	}
	if slices.ContainsFunc(n.open, func(o value.Value) bool { return value.Is(o, v) }) {
		return value.Raise("RecursionError", "Reference cycle detected. Check input list.")
	}
	if len(n.open) > maxDeep {
		return value.Raise("RecursionError", "the value nests too deeply")
	}
	n.open = append(n.open, v)
	return nil
}

func (n *nesting) leave() { n.open = n.open[:len(n.open)-1] }
