package jinja

import (
	"bytes"
	"cmp"
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
	lines []int32 // as text may have millions of lines, the files are elsewhere
	files []fileFrom
}

// A fileFrom says that the lines from number line on, counted from 0, come from the file, up to the next fileFrom.
type fileFrom struct {
	line int
	file string
}

// Lines is the number of lines of Text whose place is known: all of them.
func (o *Output) Lines() int { return len(o.lines) }

// Line is where line n of Text comes from; the first is 1.
func (o *Output) Line(n int) SourceLine {
	i, _ := slices.BinarySearchFunc(o.files, n, func(f fileFrom, n int) int { return cmp.Compare(f.line, n) })
	return SourceLine{o.files[i-1].file, int(o.lines[n-1])}
}

// output collects text.
type output struct {
	buf    []byte
	lines  []int32
	files  []fileFrom
	from   *Template // that printed last
	main   bool      // of the rendering as a whole
	mapped bool      // whether lines are recorded
	begun  bool      // whether the current line has a place
	run    *run

	limit   int // length of buf from which on settle is called
	settled int // length of buf that the run has paid for
}

// text writes text of the template t.
func (o *output) text(t *Template, x *templateText) error {
	if len(x.s) == 1 {
		o.buf = append(o.buf, x.s[0])
	} else {
		o.buf = append(o.buf, x.s...)
	}
	if o.mapped {
		if o.from != t {
			o.enter(t)
		}
		o.placeText(x)
	}
	if len(o.buf) > o.limit {
		return o.settle(len(o.buf))
	}
	return nil
}

// newOutput is room for text of the rendering. take ends its use.
func (r *run) newOutput() *output {
	if n := len(r.outputs); n > 0 {
		o := r.outputs[n-1]
		r.outputs = r.outputs[:n-1]
		o.allow()
		return o
	}
	o := &output{run: r}
	o.allow()
	return o
}

// take ends the use of the output and gives its text.
func (o *output) take() (string, error) {
	text, err := string(o.buf), o.settle(len(o.buf))
	o.buf, o.settled = o.buf[:0], 0
	if !o.main {
		o.run.outputs = append(o.run.outputs, o)
	}
	return text, err
}

// set makes buf, which is as it was or longer, the text.
func (o *output) set(buf []byte) {
	if cap(buf) == cap(o.buf) {
		o.buf = o.buf[:len(buf)] // spares the collector the look at a pointer that is stored
		return
	}
	o.buf = buf
}

// settleEvery is how many bytes are written before the run is asked whether there may be more: an output that waits for
// another one to end has at most so many that were not paid for.
const settleEvery = 1 << 16

func (o *output) allow() { o.limit = o.settled + int(min(max(o.run.output, 0), settleEvery)) }

// settle takes what was written since, up to a length of size, from what the run may print.
func (o *output) settle(size int) error {
	o.run.output -= int64(size - o.settled)
	o.settled = size
	if o.run.output < 0 {
		return o.run.tooMuch()
	}
	o.allow()
	return nil
}

func (r *run) tooMuch() error {
	return raise("SecurityError", "the template prints too much (the limit is %d bytes)", r.env.cfg.Limits.Output)
}

// value writes what a statement at the line printed.
func (o *output) value(t *Template, line int, s string) error {
	start := len(o.buf)
	o.buf = append(o.buf, s...)
	if o.mapped {
		if o.from != t {
			o.enter(t)
		}
		o.placeValue(line, o.buf[start:])
	}
	if len(o.buf) > o.limit {
		return o.settle(len(o.buf))
	}
	return nil
}

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

// enter notes that t prints from now on.
func (o *output) enter(t *Template) {
	o.from = t
	if n := len(o.files); n > 0 && o.files[n-1].line == len(o.lines) {
		o.files = o.files[:n-1]
	}
	o.files = append(o.files, fileFrom{len(o.lines), t.File})
}

// placeText notes where the lines of template text come from.
func (o *output) placeText(x *templateText) {
	if !o.begun {
		o.lines = append(o.lines, x.line)
	}
	last := x.line + x.newlines
	o.begun = !x.endsLine
	if x.endsLine {
		last--
	}
	for line := x.line + 1; line <= last; line++ {
		o.lines = append(o.lines, line)
	}
}

// placeValue notes where the lines come from of what an expression at the line printed.
func (o *output) placeValue(line int, text []byte) {
	for len(text) > 0 {
		if !o.begun {
			o.lines = append(o.lines, int32(line))
			o.begun = true
		}
		i := newline(text)
		if i < 0 {
			return
		}
		o.begun = false
		text = text[i+1:]
	}
}

// newline is bytes.IndexByte for text that is short most of the time.
func newline(text []byte) int {
	if len(text) > 24 {
		return bytes.IndexByte(text, '\n')
	}
	for i, b := range text {
		if b == '\n' {
			return i
		}
	}
	return -1
}
