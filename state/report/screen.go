package report

import (
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"unicode/utf8"
)

// A Screen is what people read the program on: all output of the program goes through one, so that no text of a tree, a
// file or a command can steer the terminal, or have letters stand in another order than they are. What would is shown:
// \x1b, \u009b, \u202e. Salt differs: it writes them, but for the escape character. In JSON, these are the letters
// themselves, as JSON writes them.
type Screen struct {
	w io.Writer

	mu      sync.Mutex // guards the fields below, and writing
	painted bool       // colours are the program's own
	rest    []byte     // the beginning of a letter, of which the next write brings the rest
}

// NewScreen is the screen on a stream.
func NewScreen(w io.Writer) *Screen { return &Screen{w: w} }

// Paint lets colours through from now on.
func (s *Screen) Paint() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.painted = true
}

// Under is the stream of a screen, or the writer itself where it is none: for what is data and not shown to people, and
// for what steers the terminal on purpose.
func Under(w io.Writer) io.Writer {
	if s, ok := w.(*Screen); ok {
		return s.w
	}
	return w
}

// Write shows the text.
func (s *Screen) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text := string(append(s.rest, p...))
	cut := partial(text)
	s.rest = []byte(text[cut:])
	text = text[:cut]
	if s.painted {
		text = visibleBetween(text)
	} else {
		text = Visible(text)
	}
	if _, err := io.WriteString(s.w, text); err != nil {
		return 0, err
	}
	return len(p), nil
}

// partial is where a letter begins that is cut at the end of a text, the text's length where none is.
func partial(text string) int {
	for i := len(text) - 1; i >= max(0, len(text)-utf8.UTFMax+1); i-- {
		if utf8.RuneStart(text[i]) {
			if text[i] >= utf8.RuneSelf && !utf8.FullRuneInString(text[i:]) {
				return i
			}
			break
		}
	}
	return len(text)
}

// visibleBetween is Visible of what is between colours.
func visibleBetween(text string) string {
	if !strings.Contains(text, "\x1b[") {
		return Visible(text)
	}
	var b strings.Builder
	at := 0
	for _, m := range regexp.MustCompile(`\x1b\[[0-9;]*m`).FindAllStringIndex(text, -1) {
		b.WriteString(Visible(text[at:m[0]]) + text[m[0]:m[1]])
		at = m[1]
	}
	b.WriteString(Visible(text[at:]))
	return b.String()
}

// Visible is a text in which controls other than newline and tab, what turns the direction of letters, and bytes that
// are no letters are shown as escapes.
func Visible(text string) string {
	if shown(text) {
		return text
	}
	var b strings.Builder
	for i := 0; i < len(text); {
		r, n := utf8.DecodeRuneInString(text[i:])
		switch {
		case r == utf8.RuneError && n == 1, r < ' ' && r != '\n' && r != '\t':
			fmt.Fprintf(&b, `\x%02x`, text[i])
		case steers(r):
			fmt.Fprintf(&b, `\u%04x`, r)
		default:
			b.WriteString(text[i : i+n])
		}
		i += n
	}
	return b.String()
}

// shown says whether a text is as most are, of ASCII without controls.
func shown(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' {
			return false
		}
	}
	return true
}

// steers says whether a letter is a control beyond ASCII's first ones, or turns the direction of others.
func steers(r rune) bool {
	switch {
	case r >= 0x7f && r <= 0x9f, r == 0x61c, r == 0x200e, r == 0x200f, r >= 0x2028 && r <= 0x202e, r >= 0x2066 &&
		r <= 0x2069:
		return true
	}
	return false
}
