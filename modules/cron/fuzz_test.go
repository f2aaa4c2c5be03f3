package cron

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// FuzzCrontab: what is written is read as the same jobs and variables, writing it again changes nothing, and what
// stands above the marker stays, byte by byte.
func FuzzCrontab(f *testing.F) {
	for _, s := range []string{
		"", "MAILTO=root\n* * * * * true\n", marker + "\n# note SALT_CRON_IDENTIFIER:x\n*/5 1-4 * * mon a % b\n",
		strings.Join(header(), "\n") + "\n" + marker + "\n#DISABLED#@daily x\nA=\n@hourly y\n\n# tail\n",
		"#a\n#b\n" + marker + "\n# one\n# two SALT_CRON_IDENTIFIER:\n1 2 3 4 5\t6\n" + marker + "\nPATH = /bin\nodd line\n",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if strings.ContainsAny(text, "\r\x00") {
			return // cron(8) takes no such table
		}
		before := parse(text)
		written := before.body()
		after := parse(written)
		if d := cmp.Diff(before.above, after.above); d != "" && len(before.above) > 0 {
			t.Fatalf("%q: above the marker (-before +after)\n%s", text, d)
		}
		if got, want := lines(after.managed), lines(before.sorted()); !slices.Equal(got, want) {
			t.Fatalf("%q was written as\n%q\n got %q\nwant %q", text, written, got, want)
		}
		if again := after.body(); spaced(again) != spaced(written) {
			t.Fatalf("%q: written %q\nand again %q", text, written, again)
		}
	})
}

// spaced has one space where a text has several: those at the end of a comment go.
func spaced(text string) string {
	var out []string
	for l := range strings.Lines(text) {
		out = append(out, strings.Join(strings.Fields(l), " "))
	}
	return strings.Join(out, "\n")
}

func lines(all []line) (out []string) {
	for _, l := range all {
		out = append(out, spaced(l.String()))
	}
	return out
}
