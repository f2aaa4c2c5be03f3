package top

import (
	"fmt"
	"strings"
	"testing"

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
