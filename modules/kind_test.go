package modules

import (
	"testing"

	"github.com/gostate/gostate/state/value"
)

// TestWhatTextsBecome: what a text has to look like, alone, in a list and in a map.
func TestWhatTextsBecome(t *testing.T) {
	taken := map[kind][]string{
		aText:    {"a", "a b", "a\nb", "a\rb", "a\x00", "", "\t", "\u0085"},
		aCommand: {"a", "a b", "a\nb", "a\rb", "", "\t", "\u0085"},
		aLine:    {"a", "a b", "", "\t", "/x y", "..", "ü €", "a:b", "a=b"},
		aTrimmed: {"a", "a b", "a\n", "\n a \r\n", "", "\t", "a:b"},
		aWord:    {"a", "/x", "..", "ü", "a:b", "a=b"},
		aPath:    {"a", "a b", "/x y", "..", "a/../b", "", "ü"},
		aFile:    {"a", "a:b", "a@b.service", "...", ".a", `a\x2db`, "a b"},
	}
	odd := []string{"a\nb", "a\r", "a\x00", "a\u0085b", "a\u2028b", "a\u2029b", "a\x1b[2J", "a\u009bb", "a\x7f", "a\v",
		"a\fb", "a\x1c"}
	for k, texts := range taken {
		for _, text := range texts {
			refuses(t, k, text, false)
		}
		for _, text := range odd {
			refuses(t, k, text, k >= aWord || k == aLine || text == "a\x00" && k == aCommand)
		}
	}
	for _, text := range []string{"", "a b", "a\tb", "a\u00a0b"} {
		refuses(t, aWord, text, true)
	}
	for _, text := range []string{"", "a/b", "/a", "..", ".", "../a"} {
		refuses(t, aFile, text, true)
	}
	refuses(t, aPath, "a\tb", true)
	refuses(t, aTrimmed, "a\nb\n", true)
}

func refuses(t *testing.T, k kind, text string, want bool) {
	t.Helper()
	if text == "a\r" && k == aTrimmed || text == "a\v" && k == aTrimmed {
		want = false
	}
	s := shape{kind: k, must: true}
	for _, v := range []value.Value{value.Str(text), value.NewList(value.Str(text)), value.NewTuple(value.Str(text)),
		value.DictOf("k", value.NewList(value.Str(text))), value.DictOf(text, value.Int(1))} {
		if err := s.check(v); (err != nil) != want {
			t.Errorf("%s as %s: %v", value.Repr(v), k.said(), err)
		}
	}
}

// TestParts: what parts the fields of a format, and parents in a path.
func TestParts(t *testing.T) {
	s := shape{kind: aPath, not: []string{":", ".."}}
	for text, ok := range map[string]bool{"/a": true, "a..b": true, "/a:": false, "../a": false, "a/..": false, "": true} {
		if err := s.check(value.Str(text)); (err == nil) != ok {
			t.Errorf("%q: %v", text, err)
		}
	}
}

// TestEnvironments: a name is a word without "=", a value whatever a process can be given.
func TestEnvironments(t *testing.T) {
	dict := func(k, v string) value.Value { return value.DictOf(k, value.Str(v)) }
	for _, tt := range []struct {
		v  value.Value
		ok bool
	}{
		{dict("A", "1\n2"), true}, {value.NewList(dict("A", "")), true}, {value.Str("A=b=c\n"), true},
		{value.NewList(value.Str("A=b")), true}, {dict("A=B", "1"), false}, {dict("A\nB", "1"), false},
		{dict("A", "1\x00"), false}, {value.NewList(value.Str("A=\x00")), false}, {dict("", "1"), false},
	} {
		if err := (shape{kind: anEnv}).check(tt.v); (err == nil) != tt.ok {
			t.Errorf("%s: %v", value.Repr(tt.v), err)
		}
	}
}

// TestParametersOfWriters: a function that writes takes lines where it says nothing else; one that looks takes all.
func TestParametersOfWriters(t *testing.T) {
	params := []string{"a", "b:text=None", "c:list+word!:,=None", "*args:path", "**kwargs"}
	writes := ExecSpec{Name: "m.f", Params: params, Class: Writes}
	for _, tt := range []struct {
		args   []value.Value
		kwargs *value.Dict
		ok     bool
	}{
		{args: []value.Value{value.Str("x"), value.Str("x\n")}, ok: true},
		{args: []value.Value{value.Str("x\n")}},
		{args: []value.Value{value.Str("x"), value.None, value.NewList(value.Str("a:b"))}},
		{args: []value.Value{value.Str("x"), value.None, value.NewList(value.Str("a"), value.Str("b")), value.Str("/x")},
			ok: true},
		{args: []value.Value{value.Str("x"), value.None, value.None, value.Str("/x\n")}},
		{args: []value.Value{value.Str("x")}, kwargs: value.DictOf("k", value.Str("x\n"))},
	} {
		if _, err := NewCall(&writes, nil, nil, tt.args, tt.kwargs); (err == nil) != tt.ok {
			t.Errorf("%v %v: %v", tt.args, tt.kwargs, err)
		}
	}
	looks := ExecSpec{Name: "m.f", Params: []string{"a"}}
	if _, err := NewCall(&looks, nil, nil, []value.Value{value.Str("x\n")}, nil); err != nil {
		t.Error(err)
	}
}

// TestSecretsAreNotQuoted: what is cut off a secret in a message would not be known again.
func TestSecretsAreNotQuoted(t *testing.T) {
	secret := value.Str("0123456789012345678901234567890123456789abc\n")
	if err := unsaid((shape{}).check(secret)); err == nil || err.Error() != "takes one line, not ***" {
		t.Error(err)
	}
	spec := ExecSpec{Name: "m.f", Params: []string{"password"}, Class: Writes}
	_, err := NewCall(&spec, nil, nil, []value.Value{secret}, nil)
	if err == nil || err.Error() != "f() argument 'password' takes one line, not ***" {
		t.Error(err)
	}
}
