package jinja

import (
	"unicode/utf8"

	"github.com/gostate/gostate/state/value"
)

// An iterator is Python's iterator: next gives the items one by one, ok is false after the last.
type iterator interface {
	next() (v value.Value, ok bool, err error)
}

// iterate is Python's iter(v).
func iterate(v value.Value) (iterator, error) {
	switch v := v.(type) {
	case *value.List:
		return &listIter{list: v}, nil
	case *value.Tuple:
		return &sliceIter{items: v.Items}, nil
	case *value.Dict:
		return &dictIter{dict: v, n: v.Len(), kind: 'k'}, nil
	case *value.KeysView:
		return &dictIter{dict: v.Dict, n: v.Dict.Len(), kind: 'k'}, nil
	case *value.ValuesView:
		return &dictIter{dict: v.Dict, n: v.Dict.Len(), kind: 'v'}, nil
	case *value.ItemsView:
		return &dictIter{dict: v.Dict, n: v.Dict.Len(), kind: 'i'}, nil
	case *value.Range:
		return &rangeIter{r: v, n: v.Len()}, nil
	case value.Str:
		return &strIter{rest: string(v)}, nil
	case Markup:
		return &strIter{rest: string(v)}, nil
	case *Generator:
		return v, nil
	case *Loop:
		return &loopIter{v}, nil
	case *value.Undefined:
		return &sliceIter{}, strict(v)
	}
	items, err := value.ToList(v)
	if err != nil {
		return nil, err
	}
	return &sliceIter{items: items}, nil
}

// list is Python's list(v).
func list(v value.Value) ([]value.Value, error) {
	switch v.(type) {
	case *Generator, *value.Undefined, Markup, *Loop:
		it, err := iterate(v)
		if err != nil {
			return nil, err
		}
		return drain(it)
	}
	return value.ToList(v)
}

func drain(it iterator) ([]value.Value, error) {
	var out []value.Value
	for {
		v, ok, err := it.next()
		if err != nil || !ok {
			return out, err
		}
		out = append(out, v)
	}
}

// loopIter walks what is left of a loop, as Python's LoopContext does: pairs of an item and the loop.
type loopIter struct{ loop *Loop }

func (it *loopIter) next() (value.Value, bool, error) {
	v, ok, err := it.loop.next()
	if err != nil || !ok {
		return nil, false, err
	}
	return value.NewTuple(v, it.loop), true, nil
}

type listIter struct {
	list *value.List
	i    int
}

func (it *listIter) next() (value.Value, bool, error) {
	if it.i >= len(it.list.Items) {
		return nil, false, nil
	}
	it.i++
	return it.list.Items[it.i-1], true, nil
}

type sliceIter struct {
	items []value.Value
	i     int
}

func (it *sliceIter) next() (value.Value, bool, error) {
	if it.i >= len(it.items) {
		return nil, false, nil
	}
	it.i++
	return it.items[it.i-1], true, nil
}

// dictIter walks keys, values or items, and fails as Python does when the dict grows or shrinks meanwhile.
type dictIter struct {
	dict *value.Dict
	n, i int
	kind byte
}

func (it *dictIter) next() (value.Value, bool, error) {
	if it.dict.Len() != it.n {
		return nil, false, raise("RuntimeError", "dictionary changed size during iteration")
	}
	if it.i >= it.n {
		return nil, false, nil
	}
	e := it.dict.At(it.i)
	it.i++
	switch it.kind {
	case 'k':
		return e.Key, true, nil
	case 'v':
		return e.Val, true, nil
	}
	return newPair(e.Key, e.Val), true, nil
}

// newPair is a tuple of two, made at once with its items.
func newPair(a, b value.Value) *value.Tuple {
	p := &struct {
		tuple value.Tuple
		items [2]value.Value
	}{items: [2]value.Value{a, b}}
	p.tuple.Items = p.items[:]
	return &p.tuple
}

type rangeIter struct {
	r    *value.Range
	n, i int
}

func (it *rangeIter) next() (value.Value, bool, error) {
	if it.i >= it.n {
		return nil, false, nil
	}
	it.i++
	return value.Int(it.r.Start + int64(it.i-1)*it.r.Step), true, nil
}

type strIter struct{ rest string }

func (it *strIter) next() (value.Value, bool, error) {
	if it.rest == "" {
		return nil, false, nil
	}
	_, n := utf8.DecodeRuneInString(it.rest)
	c := it.rest[:n]
	it.rest = it.rest[n:]
	return value.Str(c), true, nil
}

// A Generator gives items when they are asked for, once.
type Generator struct {
	name string // "generator do_map", or the type's own name
	pull func() (value.Value, bool, error)
	done bool
	err  error // of Iterate, which cannot give it
}

// NewGenerator makes a generator of the function that gives the next item. The name is that of the Python function.
func NewGenerator(name string, pull func() (value.Value, bool, error)) *Generator {
	return &Generator{name: name, pull: pull}
}

// TypeName is Python's name of the type.
func (*Generator) TypeName() string { return "generator" }

// PyStr is its repr; the address is not one.
func (g *Generator) PyStr() string { return "<generator object " + g.name + " at 0x7f0000000000>" }

func (g *Generator) next() (value.Value, bool, error) {
	if g.done {
		return nil, false, nil
	}
	v, ok, err := g.pull()
	if err != nil || !ok {
		g.done = true
	}
	return v, ok, err
}

// Iterate walks the items that are left.
func (g *Generator) Iterate(yield func(value.Value) bool) {
	for {
		v, ok, err := g.next()
		if err != nil || !ok {
			g.err = err
			return
		}
		if !yield(v) {
			return
		}
	}
}

// unpack gives exactly n items of v, as an assignment to a tuple needs.
func unpack(v value.Value, n int) ([]value.Value, error) {
	var items []value.Value
	switch v := v.(type) {
	case *value.Tuple:
		items = v.Items
	case *value.List:
		items = v.Items
	default:
		it, err := iterate(v)
		if err != nil {
			if _, ok := v.(*value.Undefined); ok {
				return nil, err
			}
			return nil, raise("TypeError", "cannot unpack non-iterable %s object", typeName(v))
		}
		for len(items) <= n {
			x, ok, err := it.next()
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			items = append(items, x)
		}
	}
	switch {
	case len(items) > n:
		return nil, raise("ValueError", "too many values to unpack (expected %d)", n)
	case len(items) < n:
		return nil, raise("ValueError", "not enough values to unpack (expected %d, got %d)", n, len(items))
	}
	return items, nil
}
