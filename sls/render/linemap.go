package render

import (
	"strings"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/diag"
)

// A lineMap leads from rendered text back to the templates. A nil lineMap is of text that is the file's own.
type lineMap struct {
	text  string
	lines *jinja.Output // where the lines of the text come from
	// source gives the lines of a template.
	source  func(file string) []string
	sources map[string][]string // what source gave, by file
	split   []string
}

// pos is the place in a template of a place in the text. The column is only known where all before it stood so in the
// file.
func (m *lineMap) pos(file string, p diag.Pos) diag.Pos {
	switch {
	case p.Line == 0:
		return diag.Pos{File: file}
	case m == nil:
		return diag.Pos{File: file, Line: p.Line, Col: p.Col}
	case m.lines.Lines() == 0:
		return diag.Pos{File: file}
	case p.Line > m.lines.Lines():
		p.Line, p.Col = m.lines.Lines(), 0
	}
	at := m.lines.Line(p.Line)
	out := diag.Pos{File: at.File, Line: at.Line}
	if m.literal(at, p) {
		out.Col = p.Col
	}
	return out
}

// literal says whether the text up to a place is that of the template's line.
func (m *lineMap) literal(at jinja.SourceLine, p diag.Pos) bool {
	if p.Col == 0 {
		return false
	}
	if m.split == nil {
		m.split = strings.Split(m.text, "\n")
	}
	src, known := m.sources[at.File]
	if !known {
		// Kept: there are places by the thousand, and splitting the file for each would be quadratic.
		src = m.source(at.File)
		if m.sources == nil {
			m.sources = map[string][]string{}
		}
		m.sources[at.File] = src
	}
	if p.Line > len(m.split) || at.Line < 1 || at.Line > len(src) {
		return false
	}
	have, want := []rune(m.split[p.Line-1]), []rune(src[at.Line-1])
	n := p.Col - 1
	return n <= len(have) && n <= len(want) && string(have[:n]) == string(want[:n])
}

// sourceLines gives the lines of a file that was read before.
func (r *Renderer) sourceLines(file string) []string {
	b, err := r.cfg.Roots.ReadPath(file)
	if err != nil {
		return nil
	}
	return strings.Split(strings.TrimPrefix(string(b), bom), "\n")
}
