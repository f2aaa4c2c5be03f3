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
	where  *Template
}

// text writes template text that begins at the line.
func (o *output) text(t *Template, line int, s string) error {
	if o.mapped {
		o.record(t, line, s, true)
	}
	o.buf = append(o.buf, s...)
	return o.charge(len(s))
}

// value writes what an expression at the line printed.
func (o *output) value(t *Template, line int, s string) error {
	if o.mapped {
		o.record(t, line, s, false)
	}
	o.buf = append(o.buf, s...)
	return o.charge(len(s))
}

func (o *output) charge(n int) error {
	o.run.output -= int64(n)
	if o.run.output < 0 {
		return raise("SecurityError", "the template prints too much (the limit is %d bytes)", o.run.env.cfg.Limits.Output)
	}
	return nil
}

func (o *output) record(t *Template, line int, s string, counting bool) {
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
		if counting {
			line++
		}
	}
}
