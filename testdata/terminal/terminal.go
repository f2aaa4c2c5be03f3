// Package terminal is a small terminal for pictures of what the program prints: it takes what was written to a terminal
// of a width, colours and all, and gives what stands on the screen then, as text or as SVG. It knows what gostate
// writes (colours, carriage returns, deleted lines) and leaves out all other sequences.
package terminal

import (
	"regexp"
	"strconv"
	"strings"
)

// A Screen is what stands on a terminal. It is as long as what was written.
type Screen struct {
	cols     int
	lines    [][]cell
	row, col int
	pen      style
}

// A cell is one place of a line.
type cell struct {
	sign  rune
	style style
}

// A style is how a sign looks; colour 0 is the default, 1 to 8 are black to white, 9 to 16 the bright ones.
type style struct {
	colour      int
	bold, faint bool
}

// control is one escape sequence: those of a cursor and of colours (1: parameters, 2: which), and titles.
var control = regexp.MustCompile(`^(?:\x1b\[([0-9;?]*)([A-Za-z])|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\))`)

// Show gives the screen of a terminal with cols columns after text was written to it.
func Show(text string, cols int) *Screen {
	s := &Screen{cols: cols, lines: [][]cell{nil}}
	for text != "" {
		if m := control.FindStringSubmatch(text); m != nil {
			s.control(m[1], m[2])
			text = text[len(m[0]):]
			continue
		}
		sign := []rune(text[:min(len(text), 4)])[0]
		s.sign(sign)
		text = text[len(string(sign)):]
	}
	return s
}

// Lines is the text of the screen, line by line, without what is empty at the end.
func (s *Screen) Lines() (out []string) {
	for _, line := range s.lines {
		var b strings.Builder
		for _, c := range line {
			b.WriteRune(c.sign)
		}
		out = append(out, strings.TrimRight(b.String(), " "))
	}
	for len(out) > 0 && out[len(out)-1] == "" {
		out = out[:len(out)-1]
	}
	return out
}

// Text is the text of the screen.
func (s *Screen) Text() string { return strings.Join(s.Lines(), "\n") }

// sign puts one sign where the cursor stands.
func (s *Screen) sign(sign rune) {
	switch sign {
	case '\r':
		s.col = 0
	case '\n':
		s.down()
	case '\b':
		s.col = max(0, s.col-1)
	case '\t':
		s.col = min(s.col/8*8+8, s.cols-1)
	default:
		if sign < ' ' {
			return
		}
		if s.col >= s.cols {
			s.col = 0
			s.down()
		}
		for len(s.lines[s.row]) <= s.col {
			s.lines[s.row] = append(s.lines[s.row], cell{sign: ' '})
		}
		s.lines[s.row][s.col] = cell{sign: sign, style: s.pen}
		s.col++
	}
}

// down goes to the next line, which may be a new one.
func (s *Screen) down() {
	if s.row++; s.row == len(s.lines) {
		s.lines = append(s.lines, nil)
	}
}

// control does what an escape sequence says.
func (s *Screen) control(params, which string) {
	first, _ := strconv.Atoi(strings.Split(params, ";")[0])
	line := s.lines[s.row]
	switch {
	case which == "m":
		s.paint(params)
	case which == "A":
		s.row = max(0, s.row-max(1, first))
	case (which == "K" || which == "J") && first == 0:
		s.lines[s.row] = line[:min(s.col, len(line))]
		if which == "J" {
			s.lines = s.lines[:s.row+1]
		}
	}
}

// paint chooses how signs look from now on.
func (s *Screen) paint(params string) {
	for p := range strings.SplitSeq(params, ";") {
		switch n, _ := strconv.Atoi(p); {
		case n == 0:
			s.pen = style{}
		case n == 1:
			s.pen.bold = true
		case n == 2:
			s.pen.faint = true
		case n == 22:
			s.pen.bold, s.pen.faint = false, false
		case n >= 30 && n < 38:
			s.pen.colour = n - 29
		case n >= 90 && n < 98:
			s.pen.colour = n - 81
		case n == 39:
			s.pen.colour = 0
		}
	}
}
