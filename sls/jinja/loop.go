package jinja

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/state/value"
)

// A Loop is the variable loop of a for.
type Loop struct {
	it      iterator
	over    value.Value // what the loop walks, nil when only its iterator is known
	index0  int
	depth0  int
	length  int
	counted bool
	peeked  bool // after holds the next item, or none is left
	more    bool
	after   value.Value
	current value.Value
	before  value.Value
	changed []value.Value
	asked   bool
	recurse func(v value.Value, depth int) (string, error)
	env     *Environment
}

// TypeName is Python's name of the type.
func (*Loop) TypeName() string { return "LoopContext" }

// QualName is the name of the type with its module.
func (*Loop) QualName() string { return "jinja2.runtime.LoopContext" }

// PyStr is how it prints.
func (l *Loop) PyStr() string {
	n, _ := l.size()
	return fmt.Sprintf("<LoopContext %d/%d>", l.index0+1, n)
}

// Len is the number of items.
func (l *Loop) Len() int { n, _ := l.size(); return n }

// next gives the next item to the loop itself.
func (l *Loop) next() (value.Value, bool, error) {
	v, ok := l.after, l.more
	if l.peeked {
		l.peeked, l.after = false, nil
	} else {
		var err error
		if v, ok, err = l.it.next(); err != nil {
			return nil, false, err
		}
	}
	if !ok {
		l.peeked, l.more = true, false
		return nil, false, nil
	}
	l.index0++
	l.before, l.current = l.current, v
	return v, true, nil
}

func (l *Loop) peek() (value.Value, bool, error) {
	if !l.peeked {
		v, ok, err := l.it.next()
		if err != nil {
			return nil, false, err
		}
		l.peeked, l.more, l.after = true, ok, v
	}
	return l.after, l.more, nil
}

// size is the number of items, for which those that are left may have to be fetched.
func (l *Loop) size() (int, error) {
	if l.counted {
		return l.length, nil
	}
	if l.over != nil {
		if n, err := value.Len(l.over); err == nil {
			l.length, l.counted = n, true
			return n, nil
		}
	}
	rest, err := drain(l.it)
	if err != nil {
		return 0, err
	}
	l.it = &sliceIter{items: rest}
	l.length = len(rest) + l.index0 + 1
	if l.peeked && l.more {
		l.length++
	}
	l.counted = true
	return l.length, nil
}

// Attr is loop.name.
func (l *Loop) Attr(name string) (value.Value, bool) {
	v, ok, err := l.attr(name)
	if err != nil {
		return &value.Undefined{Name: name, Hint: err.Error()}, true
	}
	return v, ok
}

// A loopCounter is one of the attributes of a loop that are numbers known at once.
type loopCounter uint8

const (
	noCounter loopCounter = iota
	loopIndex
	loopIndex0
	loopDepth
	loopDepth0
)

func counterOf(attr string) loopCounter {
	switch attr {
	case "index":
		return loopIndex
	case "index0":
		return loopIndex0
	case "depth":
		return loopDepth
	case "depth0":
		return loopDepth0
	}
	return noCounter
}

func (l *Loop) counter(kind loopCounter) int64 {
	switch kind {
	case loopIndex:
		return int64(l.index0 + 1)
	case loopIndex0:
		return int64(l.index0)
	case loopDepth:
		return int64(l.depth0 + 1)
	}
	return int64(l.depth0)
}

func (l *Loop) attr(name string) (value.Value, bool, error) {
	if kind := counterOf(name); kind != noCounter {
		return value.Int(l.counter(kind)), true, nil
	}
	switch name {
	case "first":
		return value.Bool(l.index0 == 0), true, nil
	case "last":
		_, more, err := l.peek()
		return value.Bool(!more), true, err
	case "length", "revindex", "revindex0":
		n, err := l.size()
		switch name {
		case "revindex":
			n -= l.index0
		case "revindex0":
			n -= l.index0 + 1
		}
		return value.Int(n), true, err
	case "previtem":
		if l.index0 == 0 {
			return l.env.undefinedHint("", "there is no previous item"), true, nil
		}
		return l.before, true, nil
	case "nextitem":
		v, more, err := l.peek()
		if !more {
			return l.env.undefinedHint("", "there is no next item"), true, err
		}
		return v, true, err
	case "cycle":
		return &builtin{name: "cycle", fn: l.cycle}, true, nil
	case "changed":
		return &builtin{name: "changed", fn: l.hasChanged}, true, nil
	}
	return nil, false, nil
}

func (l *Loop) cycle(_ context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
	if len(args) == 0 {
		return nil, raise("TypeError", "no items for cycling given")
	}
	return args[l.index0%len(args)], nil
}

func (l *Loop) hasChanged(_ context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
	same := l.asked && len(args) == len(l.changed)
	for i := 0; same && i < len(args); i++ {
		var err error
		if same, err = equal(l.changed[i], args[i]); err != nil {
			return nil, err
		}
	}
	l.asked, l.changed = true, args
	return value.Bool(!same), nil
}

// Call renders the body of a recursive loop for further items.
func (l *Loop) Call(_ context.Context, args []value.Value, _ *value.Dict) (value.Value, error) {
	if len(args) != 1 {
		return nil, raise("TypeError", "LoopContext.__call__() missing 1 required positional argument: 'iterable'")
	}
	if l.recurse == nil {
		return nil, raise("TypeError", "The loop must have the 'recursive' marker to be called recursively.")
	}
	text, err := l.recurse(args[0], l.depth0+1)
	return value.Str(text), err
}

// builtin is a function of the engine itself: its arguments keep their Markup.
type builtin struct {
	name string
	fn   func(ctx context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error)
}

// TypeName is Python's name of the type.
func (*builtin) TypeName() string { return "function" }

// PyStr is how it prints.
func (b *builtin) PyStr() string { return "<function " + b.name + " at 0x7f0000000000>" }

// Call calls the function.
func (b *builtin) Call(ctx context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	return b.fn(ctx, args, kwargs)
}
