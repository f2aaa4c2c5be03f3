package debconf

import (
	"slices"
	"strings"
	"testing"
)

// FuzzAnswers: what is read of a file is what debconf-set-selections is given, read again.
func FuzzAnswers(f *testing.F) {
	for _, s := range []string{"tzdata tz/zone select Europe\n", "# c\n\na b string two  blanks \r\n",
		"a b string x\\\ny\nc d e", "a b c\\",
		"a b\n#a b c d\n \t a\tb\tnote\n", "a b c v\\\r\nd", "* tz/zone: Etc\n  x:\n", "a\tb\tc\td\te\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		all := parseAnswers(text)
		for i, a := range all {
			if strings.ContainsAny(a.String(), "\n") {
				t.Fatalf("%q is more than a line", a)
			}
			if again := parseAnswers(a.String() + "\n"); !slices.Equal(again, all[i:i+1]) {
				t.Fatalf("%q is read as %q", a, again)
			}
		}
		for q, v := range shownAnswers(text) {
			if strings.Contains(q+v, "\n") {
				t.Fatalf("%q: %q", q, v)
			}
		}
		for _, v := range selectionsOf(text, "a") {
			if strings.Contains(v, "\n") {
				t.Fatalf("%q", v)
			}
		}
	})
}

// TestAnswersOfAFile: lines are read as debconf-set-selections reads them.
func TestAnswersOfAFile(t *testing.T) {
	got := parseAnswers("# no\n  # no\n\nx\na b string one  two\nc d note\n e\tf\tselect\tg \\\n  h\r\ni j string k\\")
	want := []answer{{"a", "b", "string", "one  two"}, {"c", "d", "note", ""}, {"e", "f", "select", "g   h"},
		{"i", "j", "string", `k\`}}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}
