package value

import "testing"

func TestLookup(t *testing.T) {
	tree := DictOf(
		"a", DictOf("b", NewList(Int(1), DictOf("k", Str("deep")))),
		"ports", func() *Dict { d := NewDict(1); _ = d.Set(Int(80), Str("http")); return d }(),
	)
	for _, c := range []struct {
		path, want string
		ok         bool
	}{
		{"a:b:0", "1", true}, {"a:b:-1:k", "deep", true}, {"a:b:k", "deep", true}, {"a:b:2", "", false},
		{"ports:80", "http", true}, {"a:x", "", false}, {"a:b:0:c", "", false},
	} {
		v, ok := Lookup(tree, c.path, ":")
		if ok != c.ok || (ok && String(v) != c.want) {
			t.Errorf("Lookup(%q) = %v, %v, want %q, %v", c.path, v, ok, c.want, c.ok)
		}
	}
	if _, ok := Lookup(tree, "a:b", ""); ok {
		t.Error("without a separator the path is one key")
	}
}
