package jinja

import (
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// An Error is what is wrong with a template or went wrong while it ran. Class is the exception of Jinja or Python, Msg
// its text, worded as there.
type Error struct {
	Class string
	Msg   string
	Name  string // of the template
	File  string // of the template
	Line  int    // from 1; 0 when unknown
	Col   int    // from 1; 0 when unknown
	Stack []Frame
	Cause error // the error of a function from outside, if it was one
}

// A Frame is a call that led to an error: what was called, and from where. The innermost comes first.
type Frame struct {
	What string // "macro 'name'", "include 'name'", ...
	File string
	Line int
}

// Error is the place, the class and the text.
func (e *Error) Error() string {
	var b strings.Builder
	if e.File != "" || e.Name != "" {
		b.WriteString(e.place())
		b.WriteString(": ")
	}
	b.WriteString(e.Msg)
	return b.String()
}

func (e *Error) place() string {
	file := e.File
	if file == "" {
		file = e.Name
	}
	if e.Line == 0 {
		return file
	}
	return fmt.Sprintf("%s:%d", file, e.Line)
}

// Unwrap is the error of a function from outside.
func (e *Error) Unwrap() error { return e.Cause }

// TemplateNotFound is the error of a Loader that has no such template.
type TemplateNotFound struct {
	Name string
	Msg  string // of a choice of templates none of which was found; "" otherwise
}

func (e *TemplateNotFound) Error() string {
	if e.Msg != "" {
		return e.Msg
	}
	return e.Name
}

// raise makes an error of the class without a place; the statement that runs adds it.
func raise(class, format string, args ...any) error { return value.Raise(class, format, args...) }

// located gives err the place of the statement that was running.
func located(err error, t *Template, line int) error {
	if err == errBreak || err == errContinue {
		return err
	}
	if e, ok := err.(*Error); ok {
		if e.File == "" && e.Name == "" && e.Line == 0 {
			e.Name, e.File, e.Line = t.Name, t.File, line
		}
		for i := range e.Stack {
			if e.Stack[i].File == "" && e.Stack[i].Line == 0 {
				e.Stack[i].File, e.Stack[i].Line = t.File, line
			}
		}
		return e
	}
	return &Error{Class: classOf(err), Msg: messageOf(err), Name: t.Name, File: t.File, Line: line, Cause: err}
}

func classOf(err error) string {
	var ve *value.Error
	var nf *TemplateNotFound
	var inner *Error
	switch {
	case errors.As(err, &inner):
		return inner.Class
	case errors.As(err, &ve):
		return ve.Class
	case errors.As(err, &nf):
		if nf.Msg != "" {
			return "TemplatesNotFound"
		}
		return "TemplateNotFound"
	}
	return "Exception"
}

func messageOf(err error) string {
	var ve *value.Error
	if errors.As(err, &ve) && ve == err {
		return ve.Msg
	}
	return err.Error()
}

// called adds a call to the error's way out.
func called(err error, what string) error {
	if err == nil {
		return nil
	}
	e, ok := err.(*Error)
	if !ok {
		e = &Error{Class: classOf(err), Msg: messageOf(err), Cause: err}
	}
	if len(e.Stack) < maxStack {
		e.Stack = append(e.Stack, Frame{What: what})
	}
	return e
}

// maxStack bounds what an endless recursion leaves behind.
const maxStack = 12
