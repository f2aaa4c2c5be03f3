package all

import (
	"os"
	"path/filepath"
	"reflect"
	"runtime"
	"strings"
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

// Every family that has state functions plays the one suite of them, which in turn wants a deed of every function.
func TestEveryFamilyPlaysTheSuite(t *testing.T) {
	for _, s := range Sources() {
		if len(s.Make().States) == 0 || plays(t, s) {
			continue
		}
		t.Errorf("the family %s has states and no test that runs modtest.Suite: see the package comment of modules/modtest",
			s.Name)
	}
}

// plays says whether a test beside the source's code runs the suite.
func plays(t *testing.T, s modules.Source) bool {
	t.Helper()
	made := runtime.FuncForPC(reflect.ValueOf(s.Make).Pointer()).Name() // github.com/gostate/gostate/modules/file.Family
	pkg, _, _ := strings.Cut(filepath.Base(made), ".")
	tests, err := filepath.Glob(filepath.Join("..", pkg, "*_test.go"))
	if err != nil || len(tests) == 0 {
		t.Fatalf("no tests of %s: %v", made, err)
	}
	for _, name := range tests {
		raw, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		if strings.Contains(string(raw), "modtest.Suite{") {
			return true
		}
	}
	return false
}
