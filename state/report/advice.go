package report

import (
	"strings"

	"github.com/gostate/gostate/state"
)

// advice is what mends a failure that is told in Salt's words, which say no more than what is wrong; "" where nobody
// knows. The words themselves stay: programs read them.
func advice(r *state.Result) string {
	var out []string
	for _, a := range [...]struct{ begin, hint string }{
		{"Parent directory not present", "`makedirs: true` makes the directories above it"},
		{"No directory to create ", "`makedirs: true` makes the directories above it"},
		{"Directory not present to touch file", "`makedirs: true` makes the directories above it"},
		{"The target directory ", "`makedirs: true` makes the directories above it"},
	} {
		if r.Low.Module == "file" && strings.HasPrefix(r.Comment, a.begin) {
			return a.hint
		}
	}
	if strings.HasPrefix(r.Comment, "Directory ") && strings.HasSuffix(r.Comment, "link is not present") {
		return "`makedirs: true` makes the directories above it"
	}
	for _, kind := range []string{"user", "group"} {
		begin := strings.ToUpper(kind[:1]) + kind[1:] + " "
		_, rest, ok := strings.Cut(r.Comment, begin)
		if name, _, known := strings.Cut(rest, " is not available"); ok && known && !strings.Contains(name, " ") {
			out = append(out, kind+".present makes '"+name+"': have this state require it")
		}
	}
	return strings.Join(out, "; ")
}
