package all

import (
	"testing"

	"github.com/gostate/gostate/modules"
)

// A lazy registry finds a family by its source's name, and would panic where two functions have one name.
func TestSources(t *testing.T) {
	for _, s := range Sources() {
		if got := s.Make().Name; got != s.Name {
			t.Errorf("the source %q makes the family %q", s.Name, got)
		}
	}
	eager, err := modules.New(Families()...)
	if err != nil {
		t.Fatal(err)
	}
	for _, n := range eager.StateNames() {
		lazy := modules.Lazy(Sources()...)
		if want, _ := eager.State(n); want != nil {
			if got, fault := lazy.Lookup(split(n)); fault != nil || got.Name != want.Name {
				t.Errorf("lazy lookup of %s: %v, %v", n, got, fault)
			}
		}
	}
}

func split(name string) (module, function string) {
	for i := range name {
		if name[i] == '.' {
			return name[:i], name[i+1:]
		}
	}
	return name, ""
}
