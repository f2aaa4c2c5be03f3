package yaml

import (
	"math"
	"testing"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// FuzzDecode: any bytes give a value or a diagnostic, and what was read can be written and read again.
func FuzzDecode(f *testing.F) {
	for _, s := range []string{
		"a: 1\nb: [x, {y: z}]\n", "- &x {a: *x}\n", "<<: [{a: 1}, {b: 2}]\n", "v: |+\n  a\n\n", "\"\\x41\\/\"", "? [a]\n: b",
		"!!set {a, b}",
		"a: &a [*a]\n", "%YAML 1.1\n---\na", "[a?b, http://x/?q]", "\ufeffa: 1", "a:\n\t- b", "{a: [", "v: 0_",
		"!!omap [a: 1]",
	} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		v, err := Decode("f", text)
		if err != nil {
			if _, ok := err.(*diag.Diagnostic); !ok {
				t.Fatalf("%T: %v", err, err)
			}
			return
		}
		roundTrip(t, v, EncodeOptions{AllowUnicode: true})
		roundTrip(t, v, EncodeOptions{Flow: FlowAll})
	})
}

// FuzzText: any text comes back as it was, in every style.
func FuzzText(f *testing.F) {
	for _, s := range []string{"", "yes", " a\n b", "'\"", "a: b # c", "\u2028x\n\n", "- x", "0644", "é\x00\x85"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		s = string([]rune(s)) // text is UTF-8
		v := value.DictOf("k", value.NewList(value.Str(s), value.DictOf(s, value.Str(s))))
		for _, o := range []EncodeOptions{{}, {Flow: FlowAll, AllowUnicode: true, Width: 20}, {AllowUnicode: true, Indent: 4},
			{DefaultStyle: '"'}, {Flow: FlowLeaves, DefaultStyle: '\''}} {
			roundTrip(t, v, o)
		}
	})
}

func roundTrip(t *testing.T, v value.Value, o EncodeOptions) {
	t.Helper()
	text, err := Encode(v, o)
	if err != nil {
		return
	}
	back, err := Decode("round", []byte(text))
	if err != nil {
		if onlyPython(v, 0) {
			return
		}
		t.Fatalf("%+v wrote %q\nof %s\n%v", o, text, repr(v, map[any]bool{}), err)
	}
	if got, want := repr(back, map[any]bool{}), repr(v, map[any]bool{}); got != want && !onlyPython(v, 0) {
		t.Fatalf("%+v wrote %q\n got %s\nwant %s", o, text, got, want)
	}
}

// onlyPython says whether v holds what YAML has no own form for: tuples come back as lists, a collection as a key not
// at all, -0.0 and nan are not equal to themselves as keys.
func onlyPython(v value.Value, depth int) bool {
	if depth > 50 {
		return true
	}
	switch v := v.(type) {
	case *value.Tuple:
		return true
	case value.Float:
		return math.IsNaN(float64(v))
	case *value.List:
		for _, it := range v.Items {
			if onlyPython(it, depth+1) {
				return true
			}
		}
	case *value.Dict:
		for k, it := range v.All() {
			if onlyPython(k, depth+1) || onlyPython(it, depth+1) {
				return true
			}
		}
	}
	return false
}
