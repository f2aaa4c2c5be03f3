package diag

import (
	"errors"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestAddErr(t *testing.T) {
	at := func(line int, msg string) *Diagnostic { return Errorf(Pos{File: "a.sls", Line: line}, "%s", msg) }
	for _, tt := range []struct {
		name string
		err  error
		want string
	}{
		{"nothing", nil, ""},
		{"plain", errors.New("x"), "x"},
		{"diagnostic", at(1, "x"), "a.sls:1: x"},
		{"list", &List{All: []*Diagnostic{at(1, "x"), at(2, "y")}}, "a.sls:1: x\na.sls:2: y"},
		{"wrapped", fmt.Errorf("read: %w", at(3, "x")), "a.sls:3: x"},
		{"joined", errors.Join(at(1, "x"), &List{All: []*Diagnostic{at(2, "y")}}, errors.New("z")),
			"a.sls:1: x\na.sls:2: y\nz"},
	} {
		var l List
		l.AddErr(tt.err)
		if d := cmp.Diff(tt.want, l.Error()); d != "" {
			t.Errorf("%s (-want +got)\n%s", tt.name, d)
		}
	}
}

func TestSort(t *testing.T) {
	l := List{All: []*Diagnostic{
		Warnf(Pos{File: "a", Line: 1}, "w"), Errorf(Pos{File: "b", Line: 2}, "y"),
		Errorf(Pos{File: "b", Line: 1, Col: 9}, "z"),
		Errorf(Pos{File: "b", Line: 2}, "x"), Errorf(Pos{File: "b", Line: 2}, "y"), Errorf(Pos{}, "first"),
	}}
	l.Sort()
	if d := cmp.Diff("first\nb:1:9: z\nb:2: x\nb:2: y\na:1: w", l.Error()); d != "" {
		t.Errorf("(-want +got)\n%s", d)
	}
	if l.Errors() != 4 || !l.HasErrors() || l.Err() == nil {
		t.Errorf("%d errors", l.Errors())
	}
	if w := (&List{All: l.All[4:]}); w.HasErrors() || w.Err() != nil {
		t.Errorf("a warning is an error: %v", w)
	}
}

func TestNearest(t *testing.T) {
	for _, tt := range []struct{ word, want string }{
		{"reqiure", "require"}, {"requires", "require"}, {"watch", ""}, {"", ""}, {"requier", "require"},
	} {
		if got := Nearest(tt.word, []string{"require", "onchanges", "watch"}); got != tt.want {
			t.Errorf("Nearest(%q) = %q, want %q", tt.word, got, tt.want)
		}
	}
}
