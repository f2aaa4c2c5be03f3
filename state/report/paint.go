package report

import (
	"strings"

	"github.com/fatih/color"
)

// A paint colours a text; without colour it gives the text as it is.
type paint func(text string) string

// A palette is Salt's colours: green unchanged, cyan changed, yellow would change, red failed.
type palette struct{ green, cyan, yellow, red, lightRed, lightYellow, bold, blue paint }

func newPalette(on bool) palette {
	make := func(attrs ...color.Attribute) paint {
		if !on {
			return func(text string) string { return text }
		}
		c := color.New(attrs...)
		c.EnableColor()
		return func(text string) string {
			if text == "" {
				return ""
			}
			return c.Sprint(text)
		}
	}
	return palette{
		green: make(color.FgGreen), cyan: make(color.FgCyan), yellow: make(color.FgYellow), red: make(color.FgRed),
		lightRed: make(color.FgRed, color.Bold), lightYellow: make(color.FgYellow, color.Bold), bold: make(color.Bold),
		blue: make(color.FgBlue),
	}
}

// isDiff says whether a text is a unified diff.
func isDiff(text string) bool {
	return strings.HasPrefix(text, "--- ") && strings.Contains(text, "\n+++ ")
}

// diffLine is the colour of a line of a unified diff, nil for context.
func (p *palette) diffLine(line string) paint {
	switch {
	case strings.HasPrefix(line, "@@"):
		return p.cyan
	case strings.HasPrefix(line, "+"):
		return p.green
	case strings.HasPrefix(line, "-"):
		return p.red
	}
	return func(text string) string { return text }
}
