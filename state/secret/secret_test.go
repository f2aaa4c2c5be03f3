package secret_test

import (
	"encoding/base64"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

const canary = `p4ss"w'rd\x &%/ü`

func with(texts ...string) *secret.Store {
	s := secret.New()
	for _, t := range texts {
		s.MarkText(t)
	}
	return s
}

// TestWritings: a secret is found however it is written down.
func TestWritings(t *testing.T) {
	json, err := value.DumpsJSON(value.Str(canary), value.JSONOptions{})
	if err != nil {
		t.Fatal(err)
	}
	s := with(canary)
	for name, text := range map[string]string{
		"plain":         canary,
		"json":          strings.Trim(json, `"`),
		"repr":          value.Repr(value.NewList(value.Str(canary))),
		"yaml":          strings.ReplaceAll(canary, "'", "''"),
		"shell":         strings.ReplaceAll(canary, "'", `'"'"'`),
		"url":           "p4ss%22w%27rd%5Cx+%26%25%2F%C3%BC",
		"url in lower":  "p4ss%22w%27rd%5cx%20%26%25%2f%c3%bc",
		"base64":        base64.StdEncoding.EncodeToString([]byte(canary)),
		"base64 amid":   base64.StdEncoding.EncodeToString([]byte("user:" + canary + "\n")),
		"base64 behind": base64.URLEncoding.EncodeToString([]byte("user1:" + canary)),
	} {
		if got := s.Text("before " + text + " after"); !strings.HasPrefix(got, "before ") ||
			!strings.Contains(got, secret.Shown) || !strings.HasSuffix(got, " after") || strings.Contains(got, "p4ss") {
			t.Errorf("%s: %s", name, got)
		}
	}
}

func TestText(t *testing.T) {
	for _, c := range []struct {
		name    string
		secrets []string
		text    string
		want    string
	}{
		{"none", nil, "a hunter2", "a hunter2"},
		{"short ones are not looked for", []string{"abc", " ab "}, "abc", "abc"},
		{"overlapping", []string{"abc1e", "c1efgh"}, "xabc1efghx", "x***x"},
		{"one within the other", []string{"abcd", "abcdefgh"}, "abcdefgh", "***"},
		{"beside each other", []string{"abc1"}, "abc1abc1", "***"},
		{"at the ends", []string{"abcd"}, "abcd-abcd", "***-***"},
		{"lines", []string{"-----BEGIN KEY-----\nMIIEabcdefgh\nxyzzy123\nab\n-----END KEY-----\n"},
			"  MIIEabcdefgh\n+xyzzy123\n ab\n", "  ***\n+***\n ab\n"},
		{"the white space around it", []string{"hunter2\n"}, "is hunter2.", "is ***."},
	} {
		if got := with(c.secrets...).Text(c.text); got != c.want {
			t.Errorf("%s: got %q, want %q", c.name, got, c.want)
		}
	}
}

func TestValue(t *testing.T) {
	s := secret.New()
	s.Mark(value.DictOf("a", value.Str("hunter2"), "n", value.NewList(value.Int(12345), value.Bool(true), value.None)))
	v := value.DictOf("hunter2", value.NewTuple(value.Str("x"), value.Bytes("is hunter2")), "hunter2hunter2",
		value.Int(12345), "a", value.Int(123456), "b", value.Bool(true))
	want := "{'***': ('x', b'is ***'), '*** 2': '***', 'a': 123456, 'b': True}"
	if d := cmp.Diff(want, value.Repr(s.Value(v))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if clean := value.DictOf("a", value.NewList(value.Str("b"), value.Bytes("c"))); s.Value(clean) != value.Value(clean) {
		t.Error("what holds no secret was copied")
	}
	if got := value.Repr(v); !strings.Contains(got, "hunter2") {
		t.Errorf("the value itself was changed: %s", got)
	}
}

// TestCarry: what is made of a secret is one, and what only stood beside it is none.
func TestCarry(t *testing.T) {
	str := func(s string) value.Value { return value.Str(s) }
	list := func(s ...string) value.Value {
		l := value.NewList()
		for _, t := range s {
			l.Items = append(l.Items, value.Str(t))
		}
		return l
	}
	for _, c := range []struct {
		name      string
		out, from value.Value
		hidden    []string
		shown     []string
	}{
		{"another case", str("HUNTER2"), str("hunter2"), []string{"HUNTER2"}, nil},
		{"a slice", str("unter2"), str("hunter2"), []string{"unter2"}, nil},
		{"beside", list("https", "host.example", "r:hunt"), str("https://user:hunter2@host.example"), []string{"r:hunt"},
			[]string{"https", "host.example"}},
		{"a list of all", list("hunt", "er-2"), str("hunter2"), []string{"hunt", "er-2"}, nil},
		{"lines", str("ONE LINE\nPW=HUNTER2\n"), str("one line\npw=hunter2\n"), []string{"PW=HUNTER2"}, []string{"ONE LINE"}},
		{"a number", value.Int(1704), str("hunter2"), nil, []string{"1704"}},
		{"concatenated", str("abcd hunter2"), str("hunter2"), nil, []string{"abcd"}},
		{"no secret", str("ABCD"), str("abcd"), nil, []string{"ABCD"}},
	} {
		s := with("hunter2")
		s.Carry(c.out, str("x"), c.from)
		for _, text := range c.hidden {
			if !s.Holds(text) {
				t.Errorf("%s: %s is shown", c.name, text)
			}
		}
		for _, text := range c.shown {
			if s.Holds(text) {
				t.Errorf("%s: %s is hidden", c.name, text)
			}
		}
	}
}

func TestCarryText(t *testing.T) {
	s := with("hunter2")
	users := value.DictOf("bob", value.DictOf("password", value.Str("hunter2"), "shell", value.Str("/bin/sh")))
	s.CarryText(value.Str("/bin/sh"), users)
	s.CarryText(value.Str("password"), users)
	s.CarryText(value.Str("8d969eef"), users)
	for text, want := range map[string]bool{"/bin/sh": false, "password": false, "8d969eef": true} {
		if s.Holds(text) != want {
			t.Errorf("%s: hidden is %v", text, !want)
		}
	}
}

func TestKeys(t *testing.T) {
	k := secret.NewKeys([]string{"users:*:password", "token", "db:root", "list:1"})
	pillar := value.DictOf("users", value.DictOf("bob", value.DictOf("password", value.Str("x"), "shell",
		value.Str("sh"))), "a", value.NewList(value.DictOf("token", value.Str("tok"))),
		"db", value.DictOf("root", value.DictOf("pw", value.Int(1), "on", value.Bool(true))),
		"list", value.NewList(value.Str("a"), value.Str("b")))
	want := "{'users': {'bob': {'password': '***', 'shell': 'sh'}}, 'a': [{'token': '***'}], " +
		"'db': {'root': {'pw': '***', 'on': True}}, 'list': ['a', '***']}"
	if d := cmp.Diff(want, value.Repr(k.Hide(pillar))); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !k.Within([]string{"db", "root", "pw"}) || k.Within([]string{"db", "other"}) {
		t.Error("Within is wrong")
	}
}

// TestDiff: the old secret in a line that is replaced is one, too.
func TestDiff(t *testing.T) {
	text := "--- \n+++ \n@@ -1,3 +1,3 @@\n user=bob\n-password = old-one\n-port = 1\n+password = hunter2\n+port = 2\n"
	want := "--- \n+++ \n@@ -1,3 +1,3 @@\n user=bob\n-password = ***\n-port = 1\n+password = ***\n+port = 2\n"
	got := with("hunter2").Value(value.DictOf("diff", value.Str(text)))
	if d := cmp.Diff(value.Repr(value.DictOf("diff", value.Str(want))), value.Repr(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestURLs: what is secret in a URL is hidden, however short it is.
func TestURLs(t *testing.T) {
	s := secret.New()
	s.MarkURLs("deb https://bob:ab@host.example/x and ftp://u:pw%40long@h")
	for text, want := range map[string]string{
		"get https://bob:ab@host.example/x": "get https://bob:***@host.example/x",
		"pw@long":                           "***",
		"git@host.example:x":                "git@host.example:x",
		"https://ghp_0123456789abcdef0123@github.com/x": "https://***@github.com/x",
		"https://bob@github.com/x":                      "https://bob@github.com/x",
		"https://host.example/a:b@c":                    "https://host.example/a:b@c",
	} {
		if got := s.Text(text); got != want {
			t.Errorf("%s: got %s, want %s", text, got, want)
		}
	}
	plain := secret.New()
	if plain.MarkURLs("https://bob@host.example/x"); !plain.Empty() {
		t.Error("a URL without a password is a secret")
	}
}

// TestLines: lines of a file that cannot be read are judged by the keys that they stand under.
func TestLines(t *testing.T) {
	lines := strings.Split("users:\n  bob:\n    password: 'pass-one\n    key: |\n      line-of-key-1\n      "+
		"line-of-key-2\n"+
		"    shell: /bin/sh\n- other:\n  - password: {{ pillar.x }}\n  - password: two-two", "\n")
	s := secret.New()
	got := s.Lines(lines, func(path []string) bool {
		return path[len(path)-1] == "password" ||
			path[len(path)-1] == "key"
	})
	want := "users:\n  bob:\n    password: ***\n    key: |\n      ***\n      ***\n    shell: /bin/sh\n- other:\n" +
		"  - password: {{ pillar.x }}\n  - password: ***"
	if d := cmp.Diff(want, strings.Join(got, "\n")); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if got := s.Text("found pass-one, line-of-key-2 and two-two"); got != "found ***, *** and ***" {
		t.Errorf("got %q", got)
	}
}

func TestNil(t *testing.T) {
	var s *secret.Store
	s.Mark(value.Str("hunter2"))
	if s.Text("hunter2") != "hunter2" || !s.Empty() || s.Holds("hunter2") {
		t.Error("a nil Store hides")
	}
}

func BenchmarkText(b *testing.B) {
	s := with("hunter2-is-the-word", canary)
	text := strings.Repeat("a line of a log that holds nothing at all\n", 1<<14)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		s.Text(text)
	}
}

// What stands in results for a secret is none, and a name of the run is shown though a password is the same word.
func TestOrdinaryWords(t *testing.T) {
	s := secret.New()
	s.Mark(value.NewList(value.Str("XXX-REDACTED-XXX"), value.Str("changed"), value.Str("postgres"), value.Str("swordfish"),
		value.Str("Postgres9"), value.Str("bareos"), value.Str("localhost")))
	s.Spare("postgres")
	s.Spare("Postgres9") // no ordinary word
	for text, want := range map[string]string{
		"passwd: XXX-REDACTED-XXX (changed)": "passwd: XXX-REDACTED-XXX (changed)",
		"User postgres is present":           "User postgres is present",
		"swordfish postgres":                 "*** postgres",
		"Postgres9":                          "***",
		"bareos_repo http://bareos.org":      "bareos_repo http://***.org",
		"xswordfishy":                        "xswordfishy",
	} {
		if got := s.Text(text); got != want {
			t.Errorf("%q is shown as %q", text, got)
		}
	}
}
