package fnmatch

import "testing"

func TestMatch(t *testing.T) {
	// The answers are those of Python's fnmatch.fnmatch on Linux.
	for _, c := range []struct {
		pattern, name string
		want          bool
	}{
		{"a", "a", true}, {"a", "A", false}, {"*", "", true}, {"?", "", false}, {"a*c", "abbc", true}, {"a*c", "abbd", false},
		{"*.conf", "/etc/x.conf", true}, {"/etc/*", "/etc/a/b", true}, {"a?c", "a\nc", true},
		{"*a*b*c*", "xxaxxbxxcxx", true},
		{"[abc]x", "bx", true}, {"[!abc]x", "bx", false}, {"[!abc]x", "dx", true}, {"[a-c]", "b", true},
		{"[c-a]", "b", false},
		{"[]]", "]", true}, {"[!]]", "]", false}, {"[!]]", "a", true}, {"[a", "[a", true}, {"[", "[", true},
		{"[]", "[]", true}, {"a[", "a[", true},
		{"[-a]", "-", true}, {"[a-]", "-", true}, {"[!-a]", "-", false}, {"[a^]", "^", true}, {"[\\]]", "\\]", true},
		{"é?", "éü", true},
		{"cedar-[0-9]", "cedar-7", true}, {"fj*", "fjord-4-east", true}, {"**a", "ba", true}, {"a**", "a", true},
		{"[[]", "[", true},
	} {
		if got := Match(c.pattern, c.name); got != c.want {
			t.Errorf("Match(%q, %q) = %v, want %v", c.pattern, c.name, got, c.want)
		}
	}
}

// TestSlowPattern would take for ever if stars were tried in all ways.
func TestSlowPattern(t *testing.T) {
	name := make([]byte, 20000)
	for i := range name {
		name[i] = 'a'
	}
	if Match("*a*a*a*a*a*a*a*a*a*b", string(name)) {
		t.Error("matches")
	}
}
