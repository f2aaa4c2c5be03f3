package jinja

import "strings"

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
	lines  []SourceLine
	mapped bool // whether lines are recorded
	begun  bool // whether the current line has a place
	run    *run
}

// templateText is text of a template as it is printed.
type templateText struct {
	s        string
	line     int // that it begins at
	newlines int
	endsLine bool // the last character is a newline
}

func newTemplateText(s string, line int) templateText {
	return templateText{s, line, strings.Count(s, "\n"), strings.HasSuffix(s, "\n")}
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
	if !o.begun {
		o.lines = append(o.lines, SourceLine{t.File, x.line})
	}
	last := x.line + x.newlines
	o.begun = !x.endsLine
	if x.endsLine {
		last--
	}
	for line := x.line + 1; line <= last; line++ {
		o.lines = append(o.lines, SourceLine{t.File, line})
	}
}

// value writes what an expression at the line printed.
func (o *output) value(t *Template, line int, s string) error {
	if o.mapped && (!o.begun || strings.IndexByte(s, '\n') >= 0) {
		o.record(t, line, s)
	}
	o.buf = append(o.buf, s...)
	return o.charge(len(s))
}

func (o *output) charge(n int) error {
	if o.run.output -= int64(n); o.run.output >= 0 {
		return nil
	}
	return o.tooMuch()
}

func (o *output) tooMuch() error {
	return raise("SecurityError", "the template prints too much (the limit is %d bytes)", o.run.env.cfg.Limits.Output)
}

// record notes where lines come from when s, from one place, is written.
func (o *output) record(t *Template, line int, s string) {
	for s != "" {
		if !o.begun {
			o.lines = append(o.lines, SourceLine{t.File, line})
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
