package pkg

import (
	"fmt"
	"os"
	"strings"
	"testing"
)

// TestCompareAsTools holds the orders of versions to what rpm 4.18 (labelCompare), pacman 6.0 (vercmp) and apk 2.14
// (apk version -t) said of the same pairs, recorded in testdata: known hard ones, and 400 made by chance for each.
func TestCompareAsTools(t *testing.T) {
	for file, compare := range map[string]func(a, b string) int{"rpm": compareRPM, "alpm": compareALPM,
		"apk": compareAPK} {
		data, err := os.ReadFile("testdata/version_" + file + ".txt")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			var a, b string
			var want int
			if _, err := fmt.Sscan(line, &a, &b, &want); err != nil {
				t.Fatal(err)
			}
			if got := compare(a, b); got != want {
				t.Errorf("%s: %s %s is %d, the tool says %d", file, a, b, got, want)
			}
			if got := compare(b, a); file != "alpm" && got != -want {
				t.Errorf("%s: %s %s is %d, the other way round %d", file, b, a, got, want)
			}
		}
	}
}
