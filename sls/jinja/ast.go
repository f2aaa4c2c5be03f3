package jinja

import (
	"context"

	"github.com/gostate/gostate/state/value"
)

// A Node is a statement of a template. Those of the language are made by the parser; a TagParser from outside gives a
// node that implements Exec.
type Node interface{ Line() int }

// An Expr is an expression of a template.
type Expr interface{ Line() int }

// Exec is a node made by a TagParser: it runs itself. It reads its expressions and renders its bodies through the
// Scope.
type Exec interface {
	Node
	// Run does what the tag does.
	Run(ctx context.Context, s *Scope) error
	// Exprs are the expressions that Run may evaluate.
	Exprs() []Expr
	// Bodies are the statements that Run may render, each in a scope of its own.
	Bodies() [][]Node
	// Assigns are the names that Run may set in the scope around the tag.
	Assigns() []string
}

type at int

// Line is the line of the template, from 1.
func (l at) Line() int { return int(l) }

type (
	constExpr struct {
		at
		v value.Value
	}
	nameExpr struct {
		at
		name string
	}
	nsRefExpr struct {
		at
		name, attr string
	}
	tupleExpr struct {
		at
		items []Expr
	}
	listExpr struct {
		at
		items []Expr
	}
	dictExpr struct {
		at
		keys, vals []Expr
	}
	condExpr struct {
		at
		test, then, els Expr // els may be nil
	}
	boolExpr struct {
		at
		or          bool
		left, right Expr
	}
	notExpr struct {
		at
		x Expr
	}
	unaryExpr struct {
		at
		op Kind
		x  Expr
	}
	binExpr struct {
		at
		op          Kind
		left, right Expr
	}
	concatExpr struct {
		at
		parts []Expr
	}
	compareExpr struct {
		at
		first Expr
		ops   []compareOp
	}
	attrExpr struct {
		at
		x    Expr
		name string
	}
	itemExpr struct {
		at
		x, key Expr
	}
	sliceExpr struct {
		at
		start, stop, step Expr // each may be nil
	}
	callExpr struct {
		at
		fn Expr
		callArgs
	}
	// filterExpr is a filter, or with test set a test. x is nil where a block's text is filtered.
	filterExpr struct {
		at
		x    Expr
		name string
		test bool
		callArgs
	}
)

type compareOp struct {
	op compareKind
	x  Expr
}

type compareKind uint8

const (
	opEq compareKind = iota
	opNe
	opLt
	opLe
	opGt
	opGe
	opIn
	opNotIn
)

type callArgs struct {
	args     []Expr
	kwNames  []string
	kwVals   []Expr
	dyn, dkw Expr // *args and **kwargs, may be nil
}

// none says whether there are no arguments.
func (a *callArgs) none() bool {
	return len(a.args) == 0 && a.positional()
}

// positional says whether all arguments are plain ones.
func (a *callArgs) positional() bool { return len(a.kwNames) == 0 && a.dyn == nil && a.dkw == nil }

type (
	outputNode struct {
		at
		parts []Expr
	}
	dataExpr struct {
		at
		text string
	}
	assignNode struct {
		at
		target, x Expr
	}
	assignBlockNode struct {
		at
		target Expr
		filter *filterExpr // may be nil
		body   []Node
	}
	ifNode struct {
		at
		test  Expr
		body  []Node
		elifs []*ifNode
		els   []Node
	}
	forNode struct {
		at
		target, iter Expr
		test         Expr // may be nil
		recursive    bool
		body, els    []Node
	}
	withNode struct {
		at
		targets, vals []Expr
		body          []Node
	}
	macroNode struct {
		at
		name     string
		params   []*nameExpr
		defaults []Expr
		body     []Node
	}
	callBlockNode struct {
		at
		call *callExpr
		macroNode
	}
	filterBlockNode struct {
		at
		filter *filterExpr
		body   []Node
	}
	blockNode struct {
		at
		name             string
		scoped, required bool
		body             []Node
	}
	extendsNode struct {
		at
		x Expr
	}
	includeNode struct {
		at
		x             Expr
		ignoreMissing bool
		withContext   bool
	}
	importNode struct {
		at
		x           Expr
		target      string
		withContext bool
	}
	fromNode struct {
		at
		x           Expr
		names, as   []string
		withContext bool
	}
	doNode struct {
		at
		x Expr
	}
	autoescapeNode struct {
		at
		x    Expr
		body []Node
	}
	// groupNode is several statements in the scope where they stand.
	groupNode struct {
		at
		body []Node
	}
	breakNode    struct{ at }
	continueNode struct{ at }
)

// Line is the line of the call, which the embedded macro has too.
func (n *callBlockNode) Line() int { return int(n.at) }

// Group makes one node of several statements, which run in the scope around the tag.
func Group(line int, body ...Node) Node { return &groupNode{at(line), body} }
