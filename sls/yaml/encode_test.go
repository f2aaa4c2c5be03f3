package yaml

import (
	"encoding/hex"
	"math/big"
	"strconv"
	"testing"
	"unicode/utf8"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

type emitCase struct {
	ID    int            `json:"id"`
	Value []any          `json:"value"`
	Opts  map[string]any `json:"opts"`
	Want  string         `json:"want"`
}

// unpack builds the value that generate.py packed; refs counts collections in the order of their beginning.
func unpack(p []any, refs *[]value.Value) value.Value {
	switch p[0] {
	case "n":
		return value.None
	case "b":
		return value.Bool(p[1].(bool))
	case "i":
		i, _ := new(big.Int).SetString(p[1].(string), 10)
		return value.NewInt(i)
	case "f":
		f, _ := strconv.ParseFloat(p[1].(string), 64)
		return value.Float(f)
	case "s":
		return value.Str(p[1].(string))
	case "y":
		b, _ := hex.DecodeString(p[1].(string))
		return value.Bytes(b)
	case "r":
		return (*refs)[int(p[1].(float64))]
	}
	return unpackCollection(p[0].(string), p[1].([]any), refs)
}

func unpackCollection(kind string, items []any, refs *[]value.Value) value.Value {
	if kind == "d" {
		d := value.NewDict(0)
		*refs = append(*refs, d)
		for _, it := range items {
			k := unpack(it.([]any)[0].([]any), refs)
			_ = d.Set(k, unpack(it.([]any)[1].([]any), refs))
		}
		return d
	}
	var out value.Value
	var dest *[]value.Value
	switch kind {
	case "l":
		l := &value.List{}
		out, dest = l, &l.Items
	case "t":
		t := &value.Tuple{}
		out, dest = t, &t.Items
	case "set":
		s, _ := value.NewSet()
		*refs = append(*refs, s)
		for _, it := range items {
			_ = s.Add(unpack(it.([]any), refs))
		}
		return s
	}
	if kind == "l" || len(items) > 0 {
		*refs = append(*refs, out)
	}
	for _, it := range items {
		*dest = append(*dest, unpack(it.([]any), refs))
	}
	return out
}

func options(m map[string]any) EncodeOptions {
	flag := func(k string) bool { b, _ := m[k].(bool); return b }
	num := func(k string) int { f, _ := m[k].(float64); return int(f) }
	o := EncodeOptions{
		AllowUnicode: flag("allow_unicode"), SortKeys: flag("sort_keys"), ExplicitStart: flag("explicit_start"),
		ExplicitEnd: flag("explicit_end"), Canonical: flag("canonical"), Width: num("width"), Indent: num("indent"),
	}
	switch m["default_flow_style"] {
	case nil:
		o.Flow = FlowLeaves
	case true:
		o.Flow = FlowAll
	}
	if s, ok := m["default_style"].(string); ok {
		o.DefaultStyle = s[0]
	}
	return o
}

// TestEmit holds the emitter against PyYAML over libyaml, byte for byte; testdata/generate.py made the cases.
func TestEmit(t *testing.T) {
	var cases []emitCase
	readCases(t, "emit.json", &cases)
	bad := 0
	for _, c := range cases {
		var refs []value.Value
		v := unpack(c.Value, &refs)
		got, err := Encode(v, options(c.Opts))
		if err != nil {
			t.Errorf("%d: %v", c.ID, err)
			continue
		}
		if got != c.Want {
			if bad++; bad < 15 {
				t.Errorf("%d %v\n got %q\nwant %q\n%s", c.ID, c.Opts, got, c.Want, cmp.Diff(c.Want, got))
			}
		}
	}
	t.Logf("%d of %d differ", bad, len(cases))
}

// TestBlocks: texts of several lines stand as they are, and are read back as they were.
func TestBlocks(t *testing.T) {
	for _, text := range []string{"a\nb\n", "a\nb", "a\n\n\n", "\n", "\n\na", "\ta\n\tb\n", "  a\n b\n", "a \nb\t\n",
		"a\n   \nb\n",
		"   \na\n", "\t\na\n", "a\n   ", "a\n\t", "a: b\n# c\n- d\n", "{{ a }}\n{% b %}\n", "---\na\n", "...\n", "é\n€\n",
		"a\r\nb\n",
		"a\x00\nb\n", "\u2028\n", "😀\n", "%a\n", "\ufeffa\n", "a\n\u0085\n"} {
		v := value.DictOf("k", value.NewList(value.DictOf("contents", value.Str(text)), value.Str(text)))
		out, err := Encode(v, EncodeOptions{Blocks: true, AllowUnicode: true, Width: -1})
		if err != nil {
			t.Fatal(err)
		}
		back, err := Decode("t", []byte(out))
		if err != nil || !value.Equal(back, v) {
			t.Errorf("%q is written\n%s\nand read %v %v", text, out, back, err)
		}
	}
	out, _ := Encode(value.DictOf("a", value.Str("x\n\ty \n")), EncodeOptions{Blocks: true})
	if out != "a: |\n  x\n  \ty \n" {
		t.Errorf("a block is %q", out)
	}
}

func FuzzBlocks(f *testing.F) {
	f.Add("a\n\tb \n")
	f.Add(" \n\n\ta")
	f.Fuzz(func(t *testing.T, text string) {
		v := value.DictOf("k", value.NewList(value.DictOf("contents", value.Str(text)), value.Str(text)))
		out, err := Encode(v, EncodeOptions{Blocks: true, AllowUnicode: true, Width: -1})
		if err != nil || !utf8.ValidString(text) {
			t.Skip()
		}
		if back, err := Decode("t", []byte(out)); err != nil || !value.Equal(back, v) {
			t.Errorf("%q is written\n%s\nand read %v %v", text, out, back, err)
		}
	})
}
