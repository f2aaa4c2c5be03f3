package value

import (
	"math"
	"math/big"
	"math/rand"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestDictModel runs random changes against a slice of keys and a map.
func TestDictModel(t *testing.T) {
	for seed := range int64(12) {
		rnd := rand.New(rand.NewSource(seed))
		d := &Dict{}
		var order []int
		want := map[int]int{}
		for step := range 1000 {
			k := rnd.Intn(200)
			key := modelKey(k)
			switch _, had := want[k]; {
			case rnd.Intn(100) < 45+int(seed):
				if d.Delete(key) != had {
					t.Fatalf("seed %d step %d: Delete(%d) is %v", seed, step, k, !had)
				}
				delete(want, k)
				order = slices.DeleteFunc(order, func(o int) bool { return o == k })
			default:
				if err := d.Set(key, Int(step)); err != nil {
					t.Fatal(err)
				}
				if !had {
					order = append(order, k)
				}
				want[k] = step
			}
			if rnd.Intn(500) == 0 {
				d = d.Copy()
			}
			if step%7 == 0 {
				checkModel(t, d, order, want)
			}
		}
	}
}

func modelKey(k int) Value {
	if k%3 == 0 {
		return Int(k)
	}
	return Str(Repr(Int(k)))
}

func checkModel(t *testing.T, d *Dict, order []int, want map[int]int) {
	t.Helper()
	if d.Len() != len(order) {
		t.Fatalf("%d entries, want %d", d.Len(), len(order))
	}
	for i, k := range order {
		if d.At(i).Key != modelKey(k) || d.At(i).Val != Value(Int(want[k])) {
			t.Fatalf("entry %d is %v: %v, want %d: %d", i, d.At(i).Key, d.At(i).Val, k, want[k])
		}
	}
	for k := range 200 {
		v, ok := d.Get(modelKey(k))
		if w, had := want[k]; ok != had || ok && v != Value(Int(w)) {
			t.Fatalf("Get(%d) is %v, %v, want %d, %v", k, v, ok, w, had)
		}
	}
}

func TestKeysThatAreOne(t *testing.T) {
	huge := NewInt(new(big.Int).Lsh(big.NewInt(1), 70))
	nan := Float(math.NaN())
	groups := [][]Value{
		{Int(1), Float(1), Bool(true)}, {Int(0), Float(0), Bool(false), Float(math.Copysign(0, -1))}, {Str("1")},
		{Bytes("1")},
		{None}, {huge, Float(math.Pow(2, 70))}, {nan, nan}, {Str("")}, {NewTuple()}, {NewTuple(Str("")), NewTuple(Str(""))},
		{NewTuple(Int(1), Str("a")), NewTuple(Bool(true), Str("a"))}, {NewTuple(NewTuple(Int(1)), Str("a"))},
		{NewTuple(Str("a\x00"), Str("b"))}, {NewTuple(Str("a"), Str("\x00b"))}, {Float(0.5)},
		{Int(math.MinInt64), Float(math.MinInt64)},
		{&Range{0, 3, 1}, &Range{0, 3, 1}},
	}
	for _, filler := range []int{0, 50} { // with and without an index
		d := NewDict(0)
		for i := range filler {
			d.SetStr("filler"+Repr(Int(i)), None)
		}
		for n, g := range groups {
			for _, k := range g {
				if err := d.Set(k, Int(n)); err != nil {
					t.Fatal(err)
				}
			}
		}
		if got := d.Len() - filler; got != len(groups) {
			t.Errorf("%d keys, want %d", got, len(groups))
		}
		for n, g := range groups {
			for _, k := range g {
				if v, _ := d.Get(k); v != Value(Int(n)) {
					t.Errorf("%s: %v, want %d", Repr(k), v, n)
				}
				if h, err := Hash(k); err != nil || h != hashOf(g[0]) {
					t.Errorf("hash of %s differs from that of %s", Repr(k), Repr(g[0]))
				}
			}
		}
	}
}

func TestDictKeepsPlaceAndMarks(t *testing.T) {
	d := NewDict(0)
	_ = d.SetAt(Int(1), Str("a"), Mark{1, 1}, Mark{1, 4})
	_ = d.SetAt(Str("x"), Str("b"), Mark{2, 1}, Mark{2, 4})
	_ = d.SetAt(Bool(true), Str("c"), Mark{3, 1}, Mark{3, 4})
	if got, want := Repr(d), "{1: 'c', 'x': 'b'}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	if got, want := d.At(0).ValueAt, (Mark{3, 4}); got != want {
		t.Errorf("value at %v, want %v", got, want)
	}
	if got, want := d.At(0).KeyAt, (Mark{1, 1}); got != want {
		t.Errorf("key at %v, want %v", got, want)
	}
}

func TestLookingUpDoesNotAllocate(t *testing.T) {
	for _, n := range []int{5, 100} {
		d := NewDict(n)
		for _, k := range keys(n) {
			_ = d.Set(k, None)
		}
		var key, tuple Value = keys(n)[n-1], NewTuple(Int(1000), Str("x"))
		var number Value = Int(123456)
		allocs := testing.AllocsPerRun(100, func() {
			d.Get(key)
			d.GetStr("key-1")
			d.Get(number)
			d.Get(tuple)
		})
		if allocs != 0 {
			t.Errorf("%d entries: %v allocations", n, allocs)
		}
	}
}

func TestChangedWhileWalked(t *testing.T) {
	d := DictOf("a", Int(1), "b", Int(2))
	var seen []string
	for k := range d.All() {
		seen = append(seen, String(k))
		d.Delete(Str("b"))
	}
	if diff := cmp.Diff([]string{"a"}, seen); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}
