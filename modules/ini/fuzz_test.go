package ini

import (
	"slices"
	"strings"
	"testing"
)

// FuzzDocument: what is written is read as the same, and setting an option leaves all others.
func FuzzDocument(f *testing.F) {
	for _, s := range []string{
		"a = 1\n[s]\nb=2\n  more\n; c\n#b = 3\n", "[x]\r\nk = v\r\n", "[]\n[ ]\n= x\n", " lead\n[a]\n\tk = v\n\t\tw\n",
		"[s]\n[s]\nk=1\nk=2",
		"k =\n\n\n[s]\n\n", "text",
	} {
		f.Add(s, "s", "b", "new")
	}
	f.Fuzz(func(t *testing.T, text, name, key, val string) {
		if strings.Contains(strings.ReplaceAll(text, "\r\n", ""), "\r") {
			return // a line that ends in several of them
		}
		d := parse(text, "=")
		written := d.String()
		if again := parse(written, "=").String(); again != written {
			t.Fatalf("%q is written as %q, and that as %q", text, written, again)
		}
		bad := func(s string) bool {
			return s == "" || strings.TrimSpace(s) != s || strings.ContainsAny(s, "\n\r=[]#;")
		}
		if bad(name) || bad(key) || bad(val) {
			return
		}
		before := others(d, name, key)
		if len(d.named(name)) == 0 {
			d.add(name)
		}
		d.set(name, key, val)
		again := parse(d.String(), "=")
		if e := again.find(name, key); e == nil || strings.TrimRight(e.val, " \t") != val {
			t.Fatalf("%q of %q is %+v in %q", key, name, e, d.String())
		}
		if after := others(again, name, key); !slices.Equal(before, after) {
			t.Fatalf("setting %q of %q in %q\nbefore %q\nafter  %q", key, name, text, before, after)
		}
	})
}

// others are all options but one.
func others(d *document, name, key string) (out []string) {
	for _, s := range d.sections {
		for _, e := range s.entries {
			if e.option && (s.name != name || e.key != key) {
				out = append(out, s.name+"|"+e.key+"|"+strings.TrimRight(e.val, " \t\n"))
			}
		}
	}
	return out
}
