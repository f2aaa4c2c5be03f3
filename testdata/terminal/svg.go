package terminal

import (
	"encoding/xml"
	"fmt"
	"strings"
)

// The measures of a picture, in its units.
const (
	wide, high = 8, 18 // of one sign
	edge, bar  = 14, 30
)

// colours are those of a terminal with a dark background, default first.
var colours = [...]string{"#d8dee9", "#4c566a", "#ff7b72", "#7ee787", "#e3b341", "#79c0ff", "#d2a8ff", "#56d4dd",
	"#e5e9f0",
	"#8b949e", "#ffa198", "#aff5b4", "#f2cc60", "#a5d6ff", "#e2c5ff", "#b3f0ff", "#ffffff"}

// SVG is a picture of the screen with a title. What it shows can be read by programs, too: it is text.
func (s *Screen) SVG(title string) string {
	lines := len(s.Lines())
	width, height := s.cols*wide+2*edge, bar+lines*high+edge
	var b strings.Builder
	fmt.Fprintf(&b, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" role="img">`+"\n",
		width, height, width, height)
	fmt.Fprintf(&b, "<title>%s</title>\n", escape(title))
	fmt.Fprintf(&b, `<rect width="%d" height="%d" rx="8" fill="#0d1117"/>`+"\n", width, height)
	fmt.Fprintf(&b, `<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13" `+
		`style="white-space:pre">`+"\n"+`<text x="%d" y="20" fill="#8b949e">%s</text>`+"\n", edge, escape(title))
	for i, line := range s.lines[:lines] {
		runs(line, func(col int, text string, look style) {
			fmt.Fprintf(&b, `<text x="%d" y="%d" textLength="%d"%s>%s</text>`+"\n", edge+col*wide, bar+i*high+high-4,
				len([]rune(text))*wide, attributes(look), escape(text))
		})
	}
	b.WriteString("</g>\n</svg>\n")
	return b.String()
}

// runs calls do for each part of a line that looks alike and is not empty.
func runs(line []cell, do func(col int, text string, look style)) {
	for i := 0; i < len(line); {
		j := i
		for j < len(line) && line[j].style == line[i].style {
			j++
		}
		text := make([]rune, 0, j-i)
		for _, c := range line[i:j] {
			text = append(text, c.sign)
		}
		lead := len(text) - len([]rune(strings.TrimLeft(string(text), " ")))
		if shown := strings.TrimSpace(string(text)); shown != "" {
			do(i+lead, shown, line[i].style)
		}
		i = j
	}
}

func attributes(look style) string {
	out := fmt.Sprintf(` fill=%q`, colours[look.colour])
	if look.bold {
		out += ` font-weight="bold"`
	}
	if look.faint {
		out += ` opacity="0.7"`
	}
	return out
}

func escape(text string) string {
	var b strings.Builder
	_ = xml.EscapeText(&b, []byte(text))
	return b.String()
}
