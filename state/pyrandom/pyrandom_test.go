package pyrandom

import (
	"fmt"
	"math/big"
	"testing"

	"github.com/gostate/gostate/state/value"
)

// TestAsPython has what CPython 3.10 and 3.11 give: randrange(10), randrange(10 ** 12), a sample, randrange(60).
func TestAsPython(t *testing.T) {
	long, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for _, tt := range []struct {
		seed value.Value
		n, k int
		want string
	}{
		{value.Str("x"), 5, 5, "5 659693744067 [3 0 1 2 4] 24"},
		{value.Str(""), 5, 3, "7 225895574272 [3 1 4] 49"},
		{value.Int(7), 100, 4, "5 167279807972 [50 83 6 9] 52"},
		{value.Int(-7), 100, 4, "5 167279807972 [50 83 6 9] 52"},
		{value.Int(0), 6, 6, "6 978212965548 [3 0 2 5 1 4] 58"},
		{value.NewInt(long), 100, 30, "3 902628267422 [1 67 34 95 71 90 92 84 14 31 46 33 86 8 26 12 91 17 65 60 75 39 93 " +
			"81 94 83 16 22 18 44] 29"},
		{value.Str("web1.example.com"), 1000, 8, "7 603581043445 [693 411 997 391 44 791 623 742] 40"},
	} {
		s := New(tt.seed)
		got := fmt.Sprint(s.Below(10), s.Below(1e12), s.Sample(tt.n, tt.k), s.Below(60))
		if got != tt.want {
			t.Errorf("%s: %s, want %s", value.Repr(tt.seed), got, tt.want)
		}
	}
}

// TestPick: a whole number picks what Python picks for its hash, a text the same in each run.
func TestPick(t *testing.T) {
	long, _ := new(big.Int).SetString("123456789012345678901234567890", 10)
	for _, tt := range []struct {
		seed value.Value
		want string
	}{
		{value.Int(9), "[3, 4, 2, 1, 0, 5]"},
		{value.Int(-1), "[0, 5, 4, 1, 3, 2]"},
		{value.Bool(true), "[1, 4, 0, 5, 3, 2]"},
		{value.NewInt(long), "[3, 0, 1, 5, 2, 4]"},
		{value.Str("x"), "[5, 2, 3, 0, 1, 4]"},
	} {
		var items []value.Value
		for i := range 6 {
			items = append(items, value.Int(i))
		}
		got, err := Pick(items, 6, tt.seed)
		if text := value.Repr(value.NewList(got...)); err != nil || text != tt.want {
			t.Errorf("%s: %s %v, want %s", value.Repr(tt.seed), text, err, tt.want)
		}
	}
}
