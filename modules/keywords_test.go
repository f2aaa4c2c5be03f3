package modules

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/state"
)

// TestKeywords holds what `gostate doc` tells of the words that every state takes to those that there are.
func TestKeywords(t *testing.T) {
	hidden := []string{"fun", "state"} // how low data names a function: no arguments to be given
	told := KeywordNames()
	for _, name := range state.GlobalArgs() {
		if !slices.Contains(told, name) && !slices.Contains(hidden, name) {
			t.Errorf("%s is told nowhere", name)
		}
	}
	for _, k := range Keywords() {
		if !slices.Contains(state.GlobalArgs(), k.Name) {
			t.Errorf("%s is taken by no state", k.Name)
		}
	}
	for _, k := range append(Topics(), Keywords()...) {
		if text := KeywordDoc(k.Name); !strings.Contains(text, k.Example[:strings.Index(k.Example+"\n", "\n")]) ||
			!strings.HasSuffix(strings.TrimSpace(k.Doc), ".") {
			t.Errorf("%s is told badly: %s", k.Name, text)
		}
	}
}
