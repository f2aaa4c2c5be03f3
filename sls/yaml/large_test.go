package yaml

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// TestLarge: a text that is read in pieces gives what it gives as a whole, places included.
func TestLarge(t *testing.T) {
	body := string(generated(2600))
	for name, head := range map[string]string{
		"states":            "",
		"quoted over lines": "q: \"a\nb: c\nd\"\n",
		"flow over lines":   "f: [a,\nb: c,\nd]\n",
		"block scalar":      "s: |\n  a: b\n\n  c\nt: >\n x\n",
		"list at the key":   "l:\n- a: b\n- c\n",
		"complex key":       "? k\n: v\n",
		"anchors":           "x: &x {p: 1}\ny: *x\n",
		"merge":             "x: &x {p: 1}\n<<: *x\n",
		"document":          "---\na: 1\n",
		"quotes":            "'a b': 1\n\"c d\": 2\n/etc/x: 3\n",
	} {
		t.Run(name, func(t *testing.T) {
			text := body + head
			if strings.HasPrefix(head, "---") {
				text = head + body
			}
			if len(text) < largeText {
				t.Fatal("the text is not large")
			}
			got, err := Decode("f", []byte(text))
			if err != nil {
				t.Fatal(err)
			}
			want, err := decodeWhole(prepare([]byte(text)), Options{Name: "f"})
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(places(want), places(got)); diff != "" {
				t.Errorf("(-whole +pieces)\n%s", diff)
			}
		})
	}
}

// places prints a value with where each key was read.
func places(v value.Value) []string {
	d := v.(*value.Dict)
	out := make([]string, 0, d.Len())
	for i := range d.Len() {
		e := d.At(i)
		out = append(out, fmt.Sprint(value.Repr(e.Key), e.KeyAt, e.ValueAt, value.Repr(e.Val)))
	}
	return out
}

// TestLargeErrors: errors of a large text name their place in the whole.
func TestLargeErrors(t *testing.T) {
	for _, c := range [][3]string{
		{"state_5: 1\n", "13001:1", "found conflicting ID 'state_5'"},
		{"a: 1\n---\nb: 1\n", "13002:1", "expected a single document"},
		{"a: !x y\n", "13001:4", "could not determine a constructor"},
		{"a: *nope\n", "13001:4", "found undefined alias"},
		{"just text\n", "13001:1", "could not find expected ':'"},
	} {
		text := string(generated(2600)) + c[0]
		_, err := Decode("f", []byte(text))
		d, ok := err.(*diag.Diagnostic)
		if !ok || strings.TrimPrefix(d.Pos.String(), "f:") != c[1] || !strings.Contains(d.Msg, c[2]) {
			t.Errorf("%q: got %v, want %s %s", c[0], err, c[1], c[2])
		}
	}
}
