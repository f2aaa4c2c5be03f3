package jinja

import (
	"cmp"

	"github.com/gostate/gostate/state/secret"
)

// UndefinedMode says what an unknown name may be used for.
type UndefinedMode uint8

const (
	// Strict undefined values may only be tested for being defined.
	Strict UndefinedMode = iota
	// Lenient undefined values print as nothing, are false and empty.
	Lenient
	// Chainable ones are lenient, and attributes of them are undefined too.
	Chainable
	// Debug ones are lenient and print as the expression that is undefined.
	Debug
)

// Limits bound what one rendering may use. Zero takes the default, a negative number lifts the limit.
type Limits struct {
	Fuel       int64 // steps of evaluation
	Depth      int   // macros, includes, imports and recursive loops within each other
	Output     int64 // bytes of text
	Iterations int64 // of all loops together
}

// The default limits.
const (
	defaultFuel       = 200_000_000
	defaultDepth      = 400
	defaultOutput     = 256 << 20
	defaultIterations = 50_000_000
)

func (l Limits) withDefaults() Limits {
	unlimited := func(n, def int64) int64 {
		switch {
		case n == 0:
			return def
		case n < 0:
			return 1<<63 - 1
		}
		return n
	}
	l.Fuel = unlimited(l.Fuel, defaultFuel)
	l.Output = unlimited(l.Output, defaultOutput)
	l.Iterations = unlimited(l.Iterations, defaultIterations)
	if l.Depth <= 0 {
		l.Depth = defaultDepth
	}
	return l
}

// Config is how an Environment reads and runs templates. The zero Config is Jinja's default, with StrictUndefined.
// The tags do, break and continue are always there.
type Config struct {
	TrimBlocks, LstripBlocks, KeepTrailingNewline bool

	BlockStart, BlockEnd       string // "{%", "%}"
	VariableStart, VariableEnd string // "{{", "}}"
	CommentStart, CommentEnd   string // "{#", "#}"
	LineStatementPrefix        string // "" is none
	LineCommentPrefix          string // "" is none
	NewlineSequence            string // "\n"

	Undefined  UndefinedMode
	Autoescape bool
	// CaseSensitive makes unique, min and max tell letters of either case apart, as Salt's do.
	CaseSensitive bool
	// Secrets takes what filters, calls and operators make of secrets; nil knows none.
	Secrets *secret.Store
	Limits  Limits
}

func (c Config) withDefaults() Config {
	c.BlockStart = cmp.Or(c.BlockStart, "{%")
	c.BlockEnd = cmp.Or(c.BlockEnd, "%}")
	c.VariableStart = cmp.Or(c.VariableStart, "{{")
	c.VariableEnd = cmp.Or(c.VariableEnd, "}}")
	c.CommentStart = cmp.Or(c.CommentStart, "{#")
	c.CommentEnd = cmp.Or(c.CommentEnd, "#}")
	c.NewlineSequence = cmp.Or(c.NewlineSequence, "\n")
	c.Limits = c.Limits.withDefaults()
	return c
}
