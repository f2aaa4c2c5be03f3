package modules

import (
	"crypto/sha256"
	"fmt"
	"os/exec"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/state/host/hosttest"
)

// dice are the pseudo-random numbers of these tests, the same in Python:
//
//	seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64; return (seed >> 33) % n
type dice uint64

func (d *dice) roll(n int) int {
	*d = *d*6364136223846793005 + 1442695040888963407
	return int(uint64(*d)>>33) % n
}

// texts are a pair of texts of up to n lines of so many words, the second of which is the first one changed.
func (d *dice) texts(n, words int) (a, b []string) {
	for range d.roll(n + 1) {
		a = append(a, fmt.Sprintf("w%d\n", d.roll(words)))
	}
	for _, l := range a {
		switch d.roll(12) {
		case 0:
		case 1:
			b = append(b, fmt.Sprintf("w%d\n", d.roll(words)))
		case 2:
			b = append(b, l, l)
		default:
			b = append(b, l)
		}
	}
	return a, b
}

const pythonDiffs = `
import difflib, hashlib
seed = 7
def roll(n):
    global seed
    seed = (seed * 6364136223846793005 + 1442695040888963407) % 2**64
    return (seed >> 33) % n
for n, words in ((5, 3), (40, 8), (40, 100), (300, 12), (700, 40), (900, 4000)):
    h = hashlib.sha256()
    for _ in range(100):
        a = ["w%d\n" % roll(words) for _ in range(roll(n + 1))]
        b = []
        for l in a:
            case = roll(12)
            if case == 1:
                b.append("w%d\n" % roll(words))
            elif case == 2:
                b += [l, l]
            elif case > 2:
                b.append(l)
        h.update(("".join(difflib.unified_diff(a, b)) + "\f").encode())
    print(h.hexdigest()[:16])
`

// TestDiffsArePythons: byte for byte, in 600 texts. What Python made of them is below; where there is a Python it is
// asked again.
func TestDiffsArePythons(t *testing.T) {
	want := "9100848e117c8771 ca3187cd5254dab8 2a111dd34c0ed75a 71d4394e96874ade 6ace8b34d7adcfc2 da34b6135fbdc940"
	if python, err := exec.LookPath("python3"); err == nil {
		if out, err := exec.Command(python, "-c", pythonDiffs).Output(); err != nil ||
			strings.Join(strings.Fields(string(out)),
				" ") != want {
			t.Errorf("Python says %s, %v", out, err)
		}
	}
	d, got := dice(7), []string{}
	for _, c := range [][2]int{{5, 3}, {40, 8}, {40, 100}, {300, 12}, {700, 40}, {900, 4000}} {
		h := sha256.New()
		for range 100 {
			a, b := d.texts(c[0], c[1])
			fmt.Fprint(h, strings.Join(UnifiedDiff(a, b), "")+"\f")
		}
		got = append(got, fmt.Sprintf("%x", h.Sum(nil))[:16])
	}
	if g := strings.Join(got, " "); g != want {
		t.Errorf("got  %s\nwant %s", g, want)
	}
}

// TestLargeDiffsEnd: eight megabytes of short lines, of which each second, one in a thousand, or all differ, and one
// long line.
func TestLargeDiffsEnd(t *testing.T) {
	lines := func(n int, changed func(i int) bool) (a, b []string) {
		for i := range n {
			l := fmt.Sprintf("key%d = value\n", i%50_000)
			a, b = append(a, l), append(b, l)
			if changed(i) {
				b[i] = fmt.Sprintf("key%d = other\n", i)
			}
		}
		return a, b
	}
	const n = 250_000
	for name, changed := range map[string]func(i int) bool{
		"each second": func(i int) bool { return i%2 == 1 }, "some": func(i int) bool { return i%1000 == 1 },
		"all": func(int) bool { return true },
	} {
		a, b := lines(n, changed)
		begin := hosttest.CPU()
		out := UnifiedDiff(a, b)
		took := hosttest.CPU() - begin
		t.Logf("%s: %d lines in %v", name, len(out), took)
		if name == "some" && len(out) != n/1000*8+n/1000*1-2+2 {
			t.Errorf("%s: %d lines", name, len(out))
		}
		if len(out) > diffLines+1 || took > 20*time.Second {
			t.Errorf("%s: %d lines in %v", name, len(out), took)
		}
		if name == "all" && out[len(out)-1] != fmt.Sprintf("... and %d more lines\n", 2*n+3-diffLines) {
			t.Errorf("%s: it ends in %q", name, out[len(out)-1])
		}
	}
	long := strings.Repeat("x", 4<<20)
	out := UnifiedDiff([]string{long + "\n"}, []string{long + "y\n"})
	if got := strings.Join(out, ""); got != "--- \n+++ \n@@ -1 +1 @@\n... and 2 more lines\n" {
		t.Errorf("long lines: %.200q", got)
	}
}
