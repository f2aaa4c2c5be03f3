package config

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state/diag"
)

// StateOutputs are the ways in which results of states are shown. Each may end in _id: IDs in the place of names.
// brief is gostate's own, the others are Salt's.
func StateOutputs() []string { return []string{"full", "terse", "mixed", "changes", "filter", "brief"} }

// StateOutputFault says what is wrong with a value of state_output, nil when nothing is.
func StateOutputFault(word string) *diag.Diagnostic {
	known := StateOutputs()
	if slices.Contains(known, strings.TrimSuffix(strings.ToLower(word), "_id")) {
		return nil
	}
	return Unknown("state output", word, known)
}

// Unknown says that a word is none of the known ones, and which is near.
func Unknown(what, word string, known []string) *diag.Diagnostic {
	d := diag.Errorf(diag.Pos{}, "unknown %s %q: it is one of %s", what, word, strings.Join(known, ", "))
	if near := diag.Nearest(word, known); near != "" {
		d.WithHint("did you mean %q?", near)
	}
	return d
}
