package report

import (
	"testing"

	"github.com/gostate/gostate/state"
)

func TestAdvice(t *testing.T) {
	const makedirs = "`makedirs: true` makes the directories above it"
	for comment, want := range map[string]string{
		"Parent directory not present: /var/none":          makedirs,
		"No directory to create /var/none/d in":            makedirs,
		"Directory /var/none for symlink is not present":   makedirs,
		"Directory /var/none for hard link is not present": makedirs,
		"The target directory /var/none is not present":    makedirs,
		"Directory not present to touch file /var/none/x":  makedirs,
		"User anna is not available":                       "user.present makes 'anna': have this state require it",
		"Group www is not available":                       "group.present makes 'www': have this state require it",
		"User anna is not available Group www is not available": "user.present makes 'anna': have this state require it; " +
			"group.present makes 'www': have this state require it",
		"Something else": "",
	} {
		r := &state.Result{Low: &state.Low{Module: "file"}, Comment: comment}
		if got := advice(r); got != want {
			t.Errorf("%s: %q, want %q", comment, got, want)
		}
	}
	if got := advice(&state.Result{Low: &state.Low{Module: "cmd"}, Comment: "No directory to create x in"}); got != "" {
		t.Errorf("of a command: %q", got)
	}
}
