package types

import "testing"

func field(name string, t *Type, optional bool) Field {
	return Field{Name: name, Type: t, Optional: optional}
}

// TestMismatch holds the words of Puppet 7.
func TestMismatch(t *testing.T) {
	port := New("TypeAlias")
	port.Text, port.Alias = "Port", Range(0, 65535)
	words := New("Enum")
	words.Words = []string{"a", "b"}
	host := New("Struct")
	host.Fields = []Field{field("host", New("String"), false), field("port", New("Integer"), true)}
	for _, c := range []struct {
		want *Type
		v    any
		text string
	}{
		{New("Integer"), int64(1), ""},
		{New("Integer"), "x", "v expects an Integer value, got String"},
		{Of("Optional", New("String")), int64(1), "v expects a value of type Undef or String, got Integer"},
		{Of("Variant", New("Integer"), New("Boolean")), "x", "v expects a value of type Integer or Boolean, got String"},
		{words, "c", "v expects a match for Enum['a', 'b'], got 'c'"},
		{Of("Array", New("Integer")), []any{int64(1), "x"}, "v index 1 expects an Integer value, got String"},
		{Of("Array", New("Integer")).sized(2, 3), []any{int64(1)}, "v expects size to be between 2 and 3, got 1"},
		{Of("Hash", New("String"), New("Integer")), NewHash("k", "x"), "v entry 'k' expects an Integer value, got String"},
		{host, NewHash("host", "h"), ""},
		{host, NewHash("port", int64(1)), "v expects a value for key 'host'"},
		{host, NewHash("host", "h", "prot", int64(1)), "v unrecognized key 'prot'"},
		{port, int64(70000), "v expects a Port = Integer[0, 65535] value, got Integer[70000, 70000]"},
	} {
		if got := MismatchValue("v", c.want, c.v); got != c.text {
			t.Errorf("%s of %s: got %q, want %q", Inspect(c.v), c.want, got, c.text)
		}
	}
}

func TestWritten(t *testing.T) {
	fold := New("Enum")
	fold.Words, fold.Fold = []string{"a"}, true
	for want, v := range map[string]any{
		"[1, 'a', undef, true, 1.0, 1.0e+20]": []any{int64(1), "a", nil, true, 1.0, 1e20},
		"{'a' => 1, 2 => [default]}":          NewHash("a", int64(1), int64(2), []any{Default{}}),
		"'it\\'s'":                            "it's",
		`"a\n\u{7}"`:                          "a\n\a",
		"Integer[default, 5]":                 Range(Least, 5),
		"Enum['a', true]":                     fold,
		"Optional['k']":                       Of("Optional", StringValue("k")),
		"Array[String]":                       Of("Array", New("String")),
		"File['/x']":                          Resource("file", "/x"),
		"Class[a::b]":                         ClassRef("::A::B"),
	} {
		if got := Inspect(v); got != want {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

func TestHashKeys(t *testing.T) {
	h := NewHash(int64(1), "int", 1.0, "float", "1", "text", []any{int64(1)}, "list")
	if h.Len() != 4 || h.Value(1.0) != "float" || h.Value([]any{int64(1)}) != "list" {
		t.Errorf("%s", Inspect(h))
	}
	h.Delete(1.0)
	if _, there := h.Get(1.0); there || h.Value("1") != "text" {
		t.Errorf("%s", Inspect(h))
	}
}

func TestVersions(t *testing.T) {
	for _, c := range []struct {
		version, span string
		in            bool
	}{{"1.2.3", ">=1.0.0 <2.0.0", true}, {"2.0.0", ">=1.0.0 <2.0.0", false}, {"1.9.0", "1.x", true}, {"1.3.0", "~1.2.0", false},
		{"1.2.9", "~1.2.0", true}, {"0.2.9", "^0.2.1", true}, {"0.3.0", "^0.2.1", false}, {"3.0.0", "1.x || 3.0.0", true}} {
		if InRange(c.version, c.span) != c.in {
			t.Errorf("%s in %s is not %t", c.version, c.span, c.in)
		}
	}
	if VersionCmp("1.10", "1.9") != 1 || VersionCmp("1.0-1", "1.0.1") != -1 || VersionCmp("1.2.3", "1.2.3") != 0 {
		t.Error("versions are out of order")
	}
}
