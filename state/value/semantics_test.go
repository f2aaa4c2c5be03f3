package value

import (
	"context"
	"errors"
	"math"
	"math/big"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestValuesThatHoldThemselves(t *testing.T) {
	l := NewList(Int(1))
	l.Items = append(l.Items, l)
	d := DictOf("l", l)
	d.SetStr("d", d)
	d.SetStr("t", NewTuple(d))
	d.SetStr("again", l)
	if diff := cmp.Diff("{'l': [1, [...]], 'd': {...}, 't': ({...},), 'again': [1, [...]]}", Repr(d)); diff != "" {
		t.Errorf("repr (-want +got)\n%s", diff)
	}
	_, err := DumpsJSON(d, JSONOptions{})
	wantError(t, err, "ValueError", "Circular reference detected")
	c := DeepCopy(d).(*Dict)
	if v, _ := c.GetStr("d"); v != Value(c) {
		t.Error("the copy of a dict within itself is another dict")
	}
	if !Equal(c, d) {
		t.Error("a copy differs from what it was made of")
	}
	c.SetStr("l", None)
	if Equal(c, d) {
		t.Error("a changed copy equals what it was made of")
	}
}

// TestAliasesOfAliases has 2^60 items when written out; every operation must end soon.
func TestAliasesOfAliases(t *testing.T) {
	bomb := func() Value {
		v := Value(NewList(Str("x")))
		for range 60 {
			v = NewList(v, v)
		}
		return v
	}
	a, b := bomb(), bomb()
	if !Equal(a, b) {
		t.Error("equal aliases differ")
	}
	if !Equal(DeepCopy(a), a) {
		t.Error("copy of aliases differs")
	}
	_, err := DumpsJSON(a, JSONOptions{MaxBytes: 1 << 20})
	wantError(t, err, "MemoryError", "result is too big")
}

func TestAliasesAreKeptByDeepCopy(t *testing.T) {
	shared := NewList(Int(1))
	tuple := NewTuple(Str("a"))
	set, _ := NewSet(Int(1))
	v := &List{Items: []Value{shared, shared, tuple, set, DictOf("x", shared)}, Marks: []Mark{{1, 2}}}
	c := DeepCopy(v).(*List)
	if c.Items[0] == Value(shared) || c.Items[0] != c.Items[1] {
		t.Error("an alias was not kept within the copy")
	}
	if x, _ := GetItem(c.Items[4], Str("x")); x != c.Items[0] {
		t.Error("an alias below a dict was not kept")
	}
	if c.Items[2] != Value(tuple) {
		t.Error("a tuple of scalars was copied")
	}
	if c.Items[3] == Value(set) {
		t.Error("a set was shared")
	}
	if c.MarkAt(0) != (Mark{1, 2}) {
		t.Error("the places were lost")
	}
	shared.Items[0] = Int(2)
	if got := Repr(c); got != "[[1], [1], ('a',), {1}, {'x': [1]}]" {
		t.Errorf("got %s", got)
	}
}

func TestUndefined(t *testing.T) {
	for _, c := range []struct {
		u    Undefined
		want string
	}{
		{Undefined{Name: "x"}, "'x' is undefined"},
		{Undefined{Name: "x", Obj: "dict"}, "'dict object' has no attribute 'x'"},
		{Undefined{Name: "x", Obj: "NoneType"}, "'None' has no attribute 'x'"},
		{Undefined{Name: "5", Key: Int(5), Obj: "list"}, "list object has no element 5"},
		{Undefined{Name: "x", Hint: "no x here"}, "no x here"},
	} {
		if got := c.u.Message(); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

func TestUndefinedOperands(t *testing.T) {
	strict, lenient := &Undefined{Name: "x"}, &Undefined{Name: "x", Lenient: true}
	const msg = "'x' is undefined"
	operations := map[string]func(u Value) (any, error){
		"add":    func(u Value) (any, error) { return Add(Int(1), u) },
		"concat": func(u Value) (any, error) { return Add(u, Str("a")) },
		"mul":    func(u Value) (any, error) { return Mul(Str("a"), u) },
		"sub":    func(u Value) (any, error) { return Sub(u, u) },
		"pow":    func(u Value) (any, error) { return Pow(u, Int(2)) },
		"less":   func(u Value) (any, error) { return Less(u, Int(1)) },
		"neg":    func(u Value) (any, error) { return Neg(u) },
		"item":   func(u Value) (any, error) { return GetItem(u, Str("a")) },
		"index":  func(u Value) (any, error) { return GetItem(NewList(Int(1)), u) },
		"slice":  func(u Value) (any, error) { return Slice(u, nil, nil, nil) },
		"%d":     func(u Value) (any, error) { return FormatPercent("%d", u) },
		"int":    func(u Value) (any, error) { return ToInt(u, nil) },
		"join":   func(u Value) (any, error) { return call(Str(","), "join", []Value{NewList(u)}, nil) },
		"attr":   func(u Value) (any, error) { return Attribute(u, "a") },
		"in str": func(u Value) (any, error) { return Contains(Str("a"), u) },
	}
	for name, op := range operations {
		for _, u := range []Value{strict, lenient} {
			if _, err := op(u); !isError(err, "UndefinedError", msg) {
				t.Errorf("%s: got %v", name, err)
			}
		}
	}
	relaxed := map[string]func(u Value) (any, error){
		"%s":     func(u Value) (any, error) { return FormatPercent("%s", u) },
		"format": func(u Value) (any, error) { return Format(u, "") },
		"len":    func(u Value) (any, error) { return Len(u) },
		"list":   func(u Value) (any, error) { return ToList(u) },
		"in":     func(u Value) (any, error) { return Contains(u, Int(1)) },
	}
	for name, op := range relaxed {
		if _, err := op(strict); !isError(err, "UndefinedError", msg) {
			t.Errorf("%s of a strict one: got %v", name, err)
		}
		if _, err := op(lenient); err != nil {
			t.Errorf("%s of a lenient one: got %v", name, err)
		}
	}
}

func isError(err error, class, text string) bool {
	var e *Error
	return errors.As(err, &e) && e.Class == class && strings.Contains(e.Msg, text)
}

func wantError(t *testing.T, err error, class, text string) {
	t.Helper()
	if !isError(err, class, text) {
		t.Errorf("got error %v, want %s: %s", err, class, text)
	}
}

func TestLimits(t *testing.T) {
	tenToTen := NewInt(new(big.Int).Exp(big.NewInt(10), big.NewInt(10), nil))
	text := func(s string, args ...Value) func() (Value, error) {
		return func() (Value, error) { return call(Str("a\ta"), s, args, nil) }
	}
	for name, c := range map[string]struct {
		class string
		op    func() (Value, error)
	}{
		"text * n":  {"MemoryError", func() (Value, error) { return Mul(Str("x"), tenToTen) }},
		"list * n":  {"MemoryError", func() (Value, error) { return Mul(tenToTen, NewList(Int(1))) }},
		"power":     {"OverflowError", func() (Value, error) { return Pow(Int(10), tenToTen) }},
		"product":   {"OverflowError", func() (Value, error) { v, _ := Pow(Int(2), Int(3<<20)); return Mul(v, v) }},
		"shift":     {"OverflowError", func() (Value, error) { return Lshift(Int(1), tenToTen) }},
		"width":     {"MemoryError", func() (Value, error) { return FormatPercent("%9999999999d", Int(1)) }},
		"*":         {"MemoryError", func() (Value, error) { return FormatPercent("%*d", NewTuple(tenToTen, Int(1))) }},
		"format":    {"MemoryError", func() (Value, error) { s, err := Format(Int(1), "9999999999"); return Str(s), err }},
		"zeros":     {"MemoryError", func() (Value, error) { s, err := Format(Int(1), "09999999999,"); return Str(s), err }},
		"precision": {"MemoryError", func() (Value, error) { s, err := Format(Float(1), ".99999999f"); return Str(s), err }},
		"int of digits": {"OverflowError", func() (Value, error) {
			return ToInt(Str(strings.Repeat("v", 1<<20)), Int(32))
		}},
		"grouped zeros": {"", func() (Value, error) {
			s, err := Format(Int(1), "01000000,")
			if err == nil && len(s) == 1_000_001 { // no comma comes first
				err = Raise("", "as it should be")
			}
			return Str(s), err
		}},
		"center":     {"MemoryError", text("center", tenToTen)},
		"zfill":      {"MemoryError", text("zfill", tenToTen)},
		"expandtabs": {"MemoryError", text("expandtabs", tenToTen)},
		"replace":    {"MemoryError", text("replace", Str(""), Str(strings.Repeat("x", MaxText/2)))},
		"list(range)": {"MemoryError", func() (Value, error) {
			items, err := ToList(&Range{0, math.MaxInt64, 1})
			return NewList(items...), err
		}},
		"sort of range": {"MemoryError", func() (Value, error) {
			return call(NewList(), "extend", []Value{&Range{0, math.MaxInt64, 1}}, nil)
		}},
	} {
		if _, err := c.op(); !isError(err, c.class, "") {
			t.Errorf("%s: got error %v, want a %s", name, err, c.class)
		}
	}
}

func TestMethodsChangeWhatIsShared(t *testing.T) {
	d := DictOf("l", NewList())
	l, _ := d.GetStr("l")
	if _, _, err := CallMethod(context.Background(), l, "append", []Value{Str("x")}, nil); err != nil {
		t.Fatal(err)
	}
	keys, err := call(d, "keys", nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := call(d, "update", nil, DictOf("k", Int(1))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("{'l': ['x'], 'k': 1} dict_keys(['l', 'k'])", Repr(d)+" "+Repr(keys)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
	if _, ok, _ := CallMethod(context.Background(), d, "iteritems", nil, nil); ok {
		t.Error("Python 3 has no dict.iteritems")
	}
}

func TestSortWithKey(t *testing.T) {
	l := NewList(Str("bb"), Str("a"), Str("AA"), Str("c"))
	size := &Func{Name: "len", Fn: func(_ context.Context, args []Value, _ *Dict) (Value, error) {
		n, err := Len(args[0])
		return Int(n), err
	}}
	if _, err := call(l, "sort", nil, DictOf("key", size, "reverse", Bool(true))); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("['bb', 'AA', 'a', 'c']", Repr(l)); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestFormatAttributes(t *testing.T) {
	_, err := call(Str("{0.__class__}"), "format", []Value{Str("x")}, nil)
	wantError(t, err, "SecurityError", "access to attribute '__class__' of 'str' object is unsafe.")
}

func TestBridge(t *testing.T) {
	type named map[string]int
	in := map[string]any{"b": []any{1, 2.5, nil, true}, "a": named{"y": 1, "x": 2}, "c": []byte("z"),
		"d": uint64(math.MaxUint64)}
	v := From(in)
	if diff := cmp.Diff("{'a': {'x': 2, 'y': 1}, 'b': [1, 2.5, None, True], 'c': b'z', 'd': 18446744073709551615}",
		Repr(v)); diff != "" {
		t.Errorf("From (-want +got)\n%s", diff)
	}
	want := map[string]any{"1": []any{int64(1), "a", nil}, "x": map[string]any{"k": true}}
	d := DictOf("x", DictOf("k", Bool(true)))
	_ = d.Set(Int(1), NewTuple(Int(1), Str("a"), None))
	if diff := cmp.Diff(want, To(d)); diff != "" {
		t.Errorf("To (-want +got)\n%s", diff)
	}
}

func TestJSONPlaces(t *testing.T) {
	v, err := ParseJSON("{\"é\": 1,\n  \"b\": [true,\n 2]}")
	if err != nil {
		t.Fatal(err)
	}
	b, _ := v.(*Dict).Entry("b")
	l := b.Val.(*List)
	got := []Mark{v.(*Dict).At(0).ValueAt, b.KeyAt, b.ValueAt, l.MarkAt(0), l.MarkAt(1)}
	if diff := cmp.Diff([]Mark{{1, 7}, {2, 3}, {2, 8}, {2, 9}, {3, 2}}, got); diff != "" {
		t.Errorf("(-want +got)\n%s", diff)
	}
}

func TestDeepJSON(t *testing.T) {
	_, err := ParseJSON(strings.Repeat("[", 1_000_000))
	wantError(t, err, "RecursionError", "maximum recursion depth exceeded")
}
