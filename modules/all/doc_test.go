package all

import (
	"testing"
	"unicode"
)

// TestDocumentation: every argument of every state function says what it is in a sentence, and every function has an
// example.
func TestDocumentation(t *testing.T) {
	for _, f := range Families() {
		for i := range f.States {
			s := &f.States[i]
			if s.Doc == "" || s.Example == "" {
				t.Errorf("%s has no documentation or no example", s.Name)
			}
			for _, a := range s.Arguments() {
				r := []rune(a.Doc)
				if len(r) < 3 || unicode.IsLower(r[0]) || r[len(r)-1] != '.' {
					t.Errorf("%s: the argument %s is documented as %q, which is no sentence", s.Name, a.Name, a.Doc)
				}
			}
		}
	}
}
