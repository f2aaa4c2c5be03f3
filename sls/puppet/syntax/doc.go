// Package syntax reads the Puppet language: text to tokens to a tree, with the place of every node. It refuses what
// Puppet 7 refuses before it evaluates anything, in its words.
//
// It evaluates nothing and reads no files. The grammar is in the order of its levels, lowest first, one method of the
// parser for each: statements, assignment, relationship, resource, expression (by a table of operators), postfix,
// primary.
package syntax

import "fmt"

// A Pos is a place in a file: both count from 1. The zero Pos is no place.
type Pos struct{ Line, Col int }

// An Error is a fault of a manifest at a place, in Puppet's words.
type Error struct {
	File string
	Pos  Pos
	Msg  string
}

func (e *Error) Error() string { return e.Msg + e.Place() }

// Place is " (file: site.pp, line: 1, column: 2)", as Puppet puts it behind its messages.
func (e *Error) Place() string {
	switch {
	case e.Pos.Line == 0:
		return fmt.Sprintf(" (file: %s)", e.File)
	case e.Pos.Col == 0:
		return fmt.Sprintf(" (file: %s, line: %d)", e.File, e.Pos.Line)
	}
	return fmt.Sprintf(" (file: %s, line: %d, column: %d)", e.File, e.Pos.Line, e.Pos.Col)
}
