package jinja

import (
	"slices"
	"strings"
)

// A SourceLine is the place in a template that a line of output begins at.
type SourceLine struct {
	File string
	Line int
}

// Output is a rendered template. Lines[i] is where line i+1 of Text comes from.
type Output struct {
	Text  string
	Lines []SourceLine
}

// output collects text.
type output struct {
	buf    []byte
	lines  []lineRef
	files  []string // that lines refer to
	file   int32    // the current one
	from   *Template
	mapped bool // whether lines are recorded
	begun  bool // whether the current line has a place
	run    *run
}

// lineRef is a SourceLine in short.
type lineRef struct{ file, line int32 }

// templateText is text of a template as it is printed.
type templateText struct {
	s        string
	line     int32 // that it begins at
	newlines int32
	endsLine bool // the last character is a newline
}

func newTemplateText(s string, line int) templateText {
	return templateText{s, int32(line), int32(strings.Count(s, "\n")), strings.HasSuffix(s, "\n")}
}

// text writes template text.
func (o *output) text(t *Template, x *templateText) error {
	if o.mapped {
		o.recordText(t, x)
	}
	o.buf = append(o.buf, x.s...)
	return o.charge(len(x.s))
}

// recordText is record for template text, whose lines are counted.
func (o *output) recordText(t *Template, x *templateText) {
	if x.newlines == 0 && o.begun {
		return
	}
	o.enter(t)
	if !o.begun {
		o.lines = append(o.lines, lineRef{o.file, x.line})
	}
	last := x.line + x.newlines
	o.begun = !x.endsLine
	if x.endsLine {
		last--
	}
	for line := x.line + 1; line <= last; line++ {
		o.lines = append(o.lines, lineRef{o.file, line})
	}
}

// enter makes the file of t the current one.
func (o *output) enter(t *Template) {
	if t == o.from {
		return
	}
	o.from = t
	i := slices.Index(o.files, t.File)
	if i < 0 {
		i = len(o.files)
		o.files = append(o.files, t.File)
	}
	o.file = int32(i)
}

// value writes what an expression at the line printed.
func (o *output) value(t *Template, line int, s string) error {
	if o.mapped {
		o.record(t, line, s)
	}
	o.buf = append(o.buf, s...)
	return o.charge(len(s))
}

// sourceLines are the lines as the caller gets them.
func (o *output) sourceLines() []SourceLine {
	out := make([]SourceLine, len(o.lines))
	for i, l := range o.lines {
		out[i] = SourceLine{o.files[l.file], int(l.line)}
	}
	return out
}

func (o *output) charge(n int) error {
	o.run.output -= int64(n)
	if o.run.output < 0 {
		return raise("SecurityError", "the template prints too much (the limit is %d bytes)", o.run.env.cfg.Limits.Output)
	}
	return nil
}

// record notes where lines come from when s, from one place, is written.
func (o *output) record(t *Template, line int, s string) {
	for s != "" {
		if !o.begun {
			o.enter(t)
			o.lines = append(o.lines, lineRef{o.file, int32(line)})
			o.begun = true
		}
		i := strings.IndexByte(s, '\n')
		if i < 0 {
			return
		}
		o.begun = false
		s = s[i+1:]
	}
}
