package jinja

import (
	"bytes"
	"slices"
	"strings"
)

// A SourceLine is the place in a template that a line of output begins at.
type SourceLine struct {
	File string
	Line int
}

// Output is a rendered template.
type Output struct {
	Text  string
	files []string
	lines []lineRef
}

// A lineRef is a SourceLine with the number of its file: as text may have millions of lines, they are kept small.
type lineRef struct{ file, line int32 }

// Lines is the number of lines of Text whose place is known: all of them.
func (o *Output) Lines() int { return len(o.lines) }

// Line is where line n of Text comes from; the first is 1.
func (o *Output) Line(n int) SourceLine {
	at := o.lines[n-1]
	return SourceLine{o.files[at.file], int(at.line)}
}

// output collects text.
type output struct {
	buf    []byte
	lines  []lineRef
	files  []string  // that lines refer to
	file   int32     // the one of from
	from   *Template // that printed last
	mapped bool      // whether lines are recorded
	begun  bool      // whether the current line has a place
	run    *run

	limit   int // length of buf from which on settle is called
	settled int // length of buf that the run has paid for
}

// newOutput is room for text of the rendering.
func (r *run) newOutput() *output {
	o := &output{run: r}
	o.allow()
	return o
}

// settleEvery is how many bytes are written before the run is asked whether there may be more: an output that waits for
// another one to end has at most so many that were not paid for.
const settleEvery = 1 << 16

func (o *output) allow() { o.limit = o.settled + int(min(max(o.run.output, 0), settleEvery)) }

// settle takes what was written since from what the run may print.
func (o *output) settle() error {
	o.run.output -= int64(len(o.buf) - o.settled)
	o.settled = len(o.buf)
	if o.run.output < 0 {
		return o.run.tooMuch()
	}
	o.allow()
	return nil
}

// take ends the output and gives its text.
func (o *output) take() (string, error) { return string(o.buf), o.settle() }

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
func (o *output) text(t *Template, x *templateText) {
	if o.mapped {
		o.recordText(t, x)
	}
	o.buf = append(o.buf, x.s...)
}

// recordText is record for template text, whose lines are counted.
func (o *output) recordText(t *Template, x *templateText) {
	if x.newlines == 0 && o.begun {
		return
	}
	if o.from != t {
		o.enter(t)
	}
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

// enter notes that t prints from now on.
func (o *output) enter(t *Template) {
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
	start := len(o.buf)
	o.buf = append(o.buf, s...)
	o.placed(t, line, start)
	if len(o.buf) > o.limit {
		return o.settle()
	}
	return nil
}

func (r *run) tooMuch() error {
	return raise("SecurityError", "the template prints too much (the limit is %d bytes)", r.env.cfg.Limits.Output)
}

// placed notes where the lines come from that were written from start on, all by the expression at the line.
func (o *output) placed(t *Template, line int, start int) {
	if !o.mapped {
		return
	}
	if o.from != t {
		o.enter(t)
	}
	for text := o.buf[start:]; len(text) > 0; {
		if !o.begun {
			o.lines = append(o.lines, lineRef{o.file, int32(line)})
			o.begun = true
		}
		i := bytes.IndexByte(text, '\n')
		if i < 0 {
			return
		}
		o.begun = false
		text = text[i+1:]
	}
}
