package mount

import (
	"slices"
	"strings"
	"testing"
)

// FuzzFstab: a row that is written is read as the same row, and an edit leaves all other lines as they are.
func FuzzFstab(f *testing.F) {
	for _, s := range []string{
		"/dev/sda1 / ext4 defaults 0 1\n# a comment\n\ntmpfs\t/tmp\ttmpfs\tsize=1g\n", `/dev/b /with\040space xfs a,b 0 0`,
		"UUID=1 none swap sw 0", `a\134040 b c d e f`, "too few", "1 2 3 4 5 6 7",
	} {
		f.Add(s, "/dev/sda1", "/tmp")
	}
	f.Fuzz(func(t *testing.T, text, device, dir string) {
		tab := &table{lines: strings.Split(text, "\n")}
		if device == "" || dir == "" || strings.HasPrefix(device, "#") ||
			strings.ContainsAny(device+dir, "\v\f\r\u0085\u00a0") {
			return
		}
		for _, l := range tab.lines {
			if r, ok := parseRow(l); ok {
				if again, ok := parseRow(r.String()); !ok || again != r {
					t.Fatalf("%q is %+v, which is written as %q and read as %+v", l, r, r.String(), again)
				}
			}
		}
		want := row{device, dir, "auto", "defaults", "0", "0"}
		if strings.Join(strings.Fields(want.String()), " ") != strings.ReplaceAll(want.String(), "\t\t", "\t") &&
			len(strings.Fields(want.String())) != 6 {
			return // spaces of other alphabets, which the binder refuses
		}
		before := slices.Clone(tab.lines)
		tab.put(want, []string{"name"}, false)
		if _, at := tab.find(func(r row) bool { return r.dir == dir }); at < 0 {
			t.Fatalf("%+v is not found in %q", want, tab.lines)
		}
		for i, l := range before {
			if r, ok := parseRow(l); (!ok || r.dir != dir) && tab.lines[i] != l {
				t.Fatalf("line %d was %q and is %q", i+1, l, tab.lines[i])
			}
		}
	})
}
