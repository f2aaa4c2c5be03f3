package pkg

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/value"
)

// orders are the ways in which package managers compare versions.
func orders() map[string]func(a, b string) int {
	return map[string]func(a, b string) int{"deb": Compare, "rpm": compareRPM, "alpm": compareALPM, "apk": compareAPK}
}

// FuzzVersions: every order is one: a version equals itself, and what is less one way is more the other way.
func FuzzVersions(f *testing.F) {
	for _, s := range []string{"1.0", "1:2.3-4", "1.0~rc1-1+b2", "2.4.57-2~deb12u1", "1.2_alpha3-r4", "1^git1", "0:0-",
		"-", ":", "~", "1.a.00", ""} {
		f.Add(s, "1.0-1", "2~1")
	}
	f.Fuzz(func(t *testing.T, a, b, c string) {
		if len(a)+len(b)+len(c) > 200 {
			return
		}
		for name, compare := range orders() {
			if compare(a, a) != 0 {
				t.Fatalf("%s: %q is not %q", name, a, a)
			}
			if x, y := compare(a, b), compare(b, a); x != -y || x < -1 || x > 1 {
				t.Fatalf("%s: %q to %q is %d, and the other way %d", name, a, b, x, y)
			}
			if name == "deb" && compare(a, b) < 0 && compare(b, c) < 0 && compare(a, c) >= 0 {
				t.Fatalf("%s: %q < %q < %q, and not %q < %q", name, a, b, c, a, c)
			}
		}
	})
}

// FuzzRepoFile: an option that is set is read again, and the other options and sources stay.
func FuzzRepoFile(f *testing.F) {
	for _, s := range []string{
		"[a]\nname=A\nbaseurl=x\n y\n# c\n[b]\nenabled: 1\n", "[a]\n[a]\nname=1", "name=0\n[a", "[a]\n; c\n\n\nname = 2\n\n",
		"[]\n=x",
	} {
		f.Add(s, "name", "new")
	}
	f.Add("[a]\n\n 0", "0", "0")
	f.Add("[a]\nname=1\n\n# c\n 2\nname=3\n4=4\n\n 5", "name", "6")
	f.Fuzz(func(t *testing.T, text, key, val string) {
		k, v, ok := option(key + "=" + val)
		if !ok || k != key || v != val || val == "" || strings.ContainsAny(key+val, "\n\r") || strings.TrimSpace(key) == "" ||
			key == "comments" {
			return
		}
		r := &repoFile{lines: strings.Split(text, "\n")}
		if _, _, ok := r.section("a"); !ok {
			r.add("a")
		}
		rest := func() (out []string) {
			for _, id := range r.sections() {
				for k, v := range r.options(id).All() {
					if id != "a" || value.String(k) != key {
						out = append(out, id+"|"+value.String(k)+"|"+value.String(v))
					}
				}
			}
			return out
		}
		before := rest()
		r.set("a", key, val)
		if got, _ := r.options("a").GetStr(key); value.String(got) != val {
			t.Fatalf("%q is %q, not %q, in %q", key, value.String(got), val, r.lines)
		}
		if after := rest(); !slices.Equal(before, after) {
			t.Fatalf("setting %q in %q\nbefore %q\nafter  %q", key, text, before, after)
		}
	})
}

// FuzzSources: reading a line of apt's ends, and gives the address that the line holds.
func FuzzSources(f *testing.F) {
	for _, s := range []string{"deb [arch=amd64,i386 signed-by=/x] http://a/ b c d", "# deb cdrom:[x y]/ z", "deb-src [",
		"deb  ", "deb [x]"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, line string) {
		if uri, repo := parseSource("f", line); repo != nil && (uri == "" || !strings.Contains(line, uri)) {
			t.Fatalf("%q has the address %q", line, uri)
		}
	})
}
