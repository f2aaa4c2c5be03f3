package all

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// TestWrongChoices: a word that is none of the choices of an argument is refused before the run, under each of the
// argument's names, for every state function: a word that is far from all, and words that are near one.
func TestWrongChoices(t *testing.T) {
	r, err := modules.New(Families()...)
	if err != nil {
		t.Fatal(err)
	}
	count := 0
	for _, name := range r.StateNames() {
		s, _ := r.State(name)
		for _, a := range s.Arguments() {
			for _, c := range a.Choices {
				count++
				for _, word := range []string{"nonesuch", c + "x", c[:len(c)-1] + "~"} {
					for _, arg := range append([]string{a.Name}, a.Aliases...) {
						tryArgument(t, s, arg, value.Str(word))
					}
				}
			}
		}
	}
	if count < 50 {
		t.Errorf("only %d choices in all state functions", count)
	}
	t.Log(count)
}
