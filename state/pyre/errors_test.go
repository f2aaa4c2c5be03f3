package pyre

import (
	"strings"
	"testing"
)

// What CPython refuses is refused, and nothing panics.
func TestRefused(t *testing.T) {
	for _, pattern := range []string{"(?<n>x)", "(?'n'x)", "(?i<n>x)", "(?", "(?<", "(?Z)", "(", "[", `\`, "(?P<n>",
		"(?P=n)", `\q`} {
		if _, err := Compile(pattern, 0); err == nil {
			t.Errorf("%s compiles", pattern)
		}
	}
	r, err := Compile("(?P<n>x)(?:y)(?=z)(?<=y)(?<!x)(?!y)(?i:Z)", 0)
	if err != nil {
		t.Fatal(err)
	}
	for template, want := range map[string]string{
		`\g<-1>`: "unknown group name '-1'", `\g<+1>`: "unknown group name '+1'", `\g<2>`: "invalid group reference 2",
		`\g<>`: "unknown group name ''",
		`\g<n`: "missing <", `\g`: "missing <", `\`: "bad escape", `\2`: "invalid group reference 2", `\g<1>\g<n>\1`: "xxx",
	} {
		got, err := r.Sub(template, "xyz")
		if err != nil {
			got = err.Error()
		}
		if !strings.Contains(got, want) {
			t.Errorf("Sub(%s) = %q, want %q", template, got, want)
		}
	}
}
