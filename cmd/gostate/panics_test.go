package main

import (
	"bytes"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/secret"
)

// TestPanic: what a panic says reaches the terminal as other errors do.
func TestPanic(t *testing.T) {
	for _, begun := range []bool{false, true} {
		var err bytes.Buffer
		p := &program{signals: newInterrupts(&err)}
		p.Err, p.Secrets = report.NewScreen(&err), secret.New()
		p.Secrets.MarkText("opensesame")
		want := exitInput
		if begun {
			p.signals.begin()
			want = exitFailed
		}
		code := p.guarded(func() int { panic("bad \x1b[2J opensesame") })
		said := err.String()
		if code != want || strings.Contains(said, "opensesame") || strings.Contains(said, "\x1b") ||
			!strings.Contains(said, "error: gostate has a fault: bad ") || !strings.Contains(said, "panics_test.go:") ||
			strings.Contains(said, "nothing was touched") == begun {
			t.Errorf("code %d, want %d, and it says\n%s", code, want, said)
		}
	}
	p := &program{}
	if code := p.guarded(func() int { return 7 }); code != 7 {
		t.Errorf("without a panic: %d", code)
	}
}
