package top

import (
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Groups that name others twice double at each step.
func TestNodegroupBomb(t *testing.T) {
	groups := value.NewDict(40)
	groups.SetStr("g0", value.Str("a and b"))
	for i := range 40 {
		groups.SetStr(fmt.Sprint("g", i+1), value.Str(fmt.Sprintf("N@g%d or N@g%d", i, i)))
	}
	_, err := NewMatcher(Minion{ID: "a", Nodegroups: groups}).Nodegroup("g40")
	if err == nil || !strings.Contains(err.Error(), "stands for more than") {
		t.Errorf("got %v", err)
	}
}

// A top file that was written for a master names groups that this machine's configuration may not have.
func TestUnknownNodegroupMatchesNobody(t *testing.T) {
	const text = "base:\n  wiki:\n    - match: nodegroup\n    - never\n  N@wiki or web1:\n    - never\n  '*':\n    - " +
		"always\n"
	got, diags, err := Match(t.Context(), files(t, "base", text), NewMatcher(Minion{ID: "web1"}), Options{})
	if err != nil || len(got) != 1 || strings.Join(got[0].Names(), ",") != "always" {
		t.Fatalf("got %v, %v", got, err)
	}
	if n := diags.Count(diag.Warning); n != 2 {
		t.Errorf("%d warnings: %v", n, diags)
	}
}
