package hosts

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzHosts: a name that is added is there, one that is dropped is gone, and the names of other addresses stay.
func FuzzHosts(f *testing.F) {
	for _, s := range []string{
		"127.0.0.1 localhost\n::1 localhost ip6-localhost # six\n\n# a comment\n", "10.0.0.1 a b # c # d", "10.0.0.1#x",
		" 10.0.0.1\ta\n10.0.0.1 b\n", "\t#", "1",
	} {
		f.Add(s, "10.0.0.1", "a")
	}
	f.Fuzz(func(t *testing.T, text, ip, name string) {
		if badAddress("ip", ip) != nil || strings.Join(strings.Fields(name), "") != name || strings.Contains(name, "#") ||
			name == "" {
			return
		}
		file := &file{lines: strings.Split(text, "\n")}
		others := func() (out []string) {
			for _, e := range file.entries() {
				if e.ip != ip && e.ip != "" {
					out = append(out, e.ip+" "+strings.Join(e.names, " ")+"#"+strings.TrimSpace(e.comment))
				}
			}
			return out
		}
		before, had := others(), file.has(ip, name)
		if !had {
			file.add(ip, name)
		}
		if !file.has(ip, name) {
			t.Fatalf("%s of %s is not there: %q", name, ip, file.lines)
		}
		if d := cmp.Diff(before, others()); d != "" {
			t.Fatalf("adding %s to %s in %q (-before +after)\n%s", name, ip, text, d)
		}
		file.drop(ip, name)
		if file.has(ip, name) {
			t.Fatalf("%s of %s is still there: %q", name, ip, file.lines)
		}
		if d := cmp.Diff(before, others()); d != "" {
			t.Fatalf("dropping %s of %s in %q (-before +after)\n%s", name, ip, text, d)
		}
		if slices.ContainsFunc(file.lines, func(l string) bool { return strings.Contains(l, "\n") }) {
			t.Fatalf("a line of several: %q", file.lines)
		}
	})
}
