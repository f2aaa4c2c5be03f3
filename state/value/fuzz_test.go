package value

import (
	"errors"
	"testing"
	"unicode/utf8"
)

// raised fails the test for an error that Python would not raise, and for text that is too big.
func raised(t *testing.T, s string, err error) {
	t.Helper()
	var e *Error
	if err != nil && !errors.As(err, &e) {
		t.Fatalf("error of no class: %v", err)
	}
	if len(s) > 2*MaxText {
		t.Fatalf("%d bytes", len(s))
	}
}

func FuzzFormat(f *testing.F) {
	for _, s := range []string{"{}", "{0!r:>{1}}", "{a[b].c:x^10}", "{{", "{:,.3f}", "{:010_x}", "{!", "{:{}}", "{0[",
		"é{}"} {
		f.Add(s, int64(5), 1.5, "a")
	}
	f.Fuzz(func(t *testing.T, format string, i int64, x float64, s string) {
		kw := DictOf("a", DictOf("b", Str(s)), "w", Int(5))
		out, err := call(Str(format), "format", []Value{Int(i), Float(x), Str(s), NewList(None)}, kw)
		if err == nil {
			s = string(out.(Str))
		}
		raised(t, s, err)
		for _, v := range []Value{Int(i), Float(x), Str(s)} {
			got, err := Format(v, format)
			raised(t, got, err)
		}
	})
}

func FuzzPercent(f *testing.F) {
	for _, s := range []string{"%s", "%(a)s", "%-5.2f|%#x", "%*.*d", "%c%%", "%5%", "%(a", "%é", "%+ 08.3e"} {
		f.Add(s, int64(5), 1.5, "a")
	}
	f.Fuzz(func(t *testing.T, format string, i int64, x float64, s string) {
		for _, arg := range []Value{NewTuple(Int(i), Float(x), Str(s)), Str(s), Int(i), DictOf("a", Float(x), s, Int(i))} {
			out, err := FormatPercent(format, arg)
			text, _ := out.(Str)
			raised(t, string(text), err)
		}
	})
}

// FuzzJSON says that what was read and written reads the same again.
func FuzzJSON(f *testing.F) {
	for _, s := range []string{`{"a": [1, 2.5e-7, null, true, "\u00e9\ud83d\ude00"]}`, `[NaN, -Infinity, -0.0]`,
		`123456789012345678901234567890`, `{"a":1,"a":2}`, `"\ud800"`, `[[[[`} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		v, err := ParseJSON(s)
		raised(t, "", err)
		if err != nil || !utf8.ValidString(s) {
			return
		}
		for _, o := range []JSONOptions{{}, {Unicode: true, SortKeys: true, Pretty: true, Indent: "  "}} {
			out, err := DumpsJSON(v, o)
			if err != nil {
				t.Fatal(err)
			}
			back, err := ParseJSON(out)
			if err != nil {
				t.Fatalf("%s: %v", out, err)
			}
			if !Equal(NewList(back), NewList(v)) {
				t.Fatalf("%s became %s", Repr(v), Repr(back))
			}
		}
	})
}

// FuzzNumbers says that what int and float read prints as what reads the same.
func FuzzNumbers(f *testing.F) {
	for _, s := range []string{"1_0", " -12 ", "0x1f", "1e5", "nan", "٣", "-0", "99999999999999999999"} {
		f.Add(s, 10)
	}
	f.Fuzz(func(t *testing.T, s string, base int) {
		for _, read := range []func(Value) (Value, error){ToFloat,
			func(v Value) (Value, error) { return ToInt(v, Int(base)) }} {
			v, err := read(Str(s))
			raised(t, "", err)
			if err != nil {
				continue
			}
			again := ToFloat
			if _, isFloat := v.(Float); !isFloat {
				again = func(v Value) (Value, error) { return ToInt(v, nil) }
			}
			if n, ok := asNum(v); ok && n.kind == isBig && n.b.BitLen() > 14000 {
				continue // Python refuses to read that many digits
			}
			back, err := again(Str(Repr(v)))
			if err != nil || !Equal(NewList(v), NewList(back)) {
				t.Fatalf("%q: %s became %v, %v", s, Repr(v), back, err)
			}
		}
	})
}
