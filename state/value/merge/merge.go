// Package merge joins data as Salt does: pillar files into one pillar, defaults with what users set, options with
// pillar.
//
// A strategy is one of recurse, smart, aggregate, overwrite, list and none. Nothing is changed but what Update is told
// to; Merge copies.
package merge

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// Options say how two values are merged.
type Options struct {
	// Strategy is "smart" when empty. One that is unknown is taken for recurse; see Known.
	Strategy string
	// Renderer decides what smart means: aggregate for yamlex, else recurse.
	Renderer string
	// Lists appends the items of lists that are not there yet, instead of replacing the list.
	Lists bool
}

// Strategies are the names that Merge knows.
var Strategies = [...]string{"aggregate", "list", "none", "overwrite", "recurse", "smart"}

// Known says whether a strategy has that name; Salt warns of another and takes recurse.
func Known(strategy string) bool {
	for _, s := range Strategies {
		if s == strategy {
			return true
		}
	}
	return strategy == ""
}

// Merge gives b merged over a. Neither is changed.
func Merge(a, b value.Value, o Options) (value.Value, error) {
	switch o.strategy() {
	case "aggregate":
		return aggregate(a, b), nil
	case "list":
		return list(a, b)
	case "overwrite":
		return overwrite(a, b, o.Lists)
	case "none":
		return recurse(a, b, false)
	}
	return recurse(a, b, o.Lists)
}

func (o Options) strategy() string {
	if o.Strategy != "smart" && o.Strategy != "" {
		return o.Strategy
	}
	last := o.Renderer[strings.LastIndexByte(o.Renderer, '|')+1:]
	if last == "yamlex" || strings.HasPrefix(o.Renderer, "yamlex_") {
		return "aggregate"
	}
	return "recurse"
}

// All merges the values one over the other, beginning with an empty dict.
func All(values []value.Value, o Options) (value.Value, error) {
	var out value.Value = value.NewDict(0)
	for _, v := range values {
		m, err := Merge(out, v, o)
		if err != nil {
			return nil, err
		}
		out = m
	}
	return out, nil
}

// recurse merges dicts into dicts at every level; everything else in b replaces what a has.
func recurse(a, b value.Value, lists bool) (value.Value, error) {
	x, y, err := dicts(a, b)
	if err != nil {
		return nil, err
	}
	x = value.DeepCopy(x).(*value.Dict)
	Update(x, y, true, lists)
	return x, nil
}

func dicts(a, b value.Value) (x, y *value.Dict, err error) {
	x, ok := a.(*value.Dict)
	y, ok2 := b.(*value.Dict)
	if ok && ok2 {
		return x, y, nil
	}
	bad := a
	if ok {
		bad = b
	}
	return nil, nil, value.Raise("TypeError", "%s", fmt.Sprintf("cannot merge a %s: both sides must be dicts",
		bad.TypeName()))
}

// Update merges upd into dest, in place. With deep, dicts on both sides are merged too, and with lists, lists are:
// items that are there already are not added again.
func Update(dest, upd *value.Dict, deep, lists bool) {
	for i := range upd.Len() {
		e := upd.PeekAt(i)
		if deep {
			if have, ok := dest.Peek(e.Key); ok {
				_ = dest.SetAt(e.Key, merged(have, e.Val, lists), e.KeyAt, e.ValueAt)
				continue
			}
		}
		_ = dest.SetAt(e.Key, e.Val, e.KeyAt, e.ValueAt)
	}
}

// merged is what becomes of an entry that both sides have. Sealed values stay closed, unless they are lists to be
// joined.
func merged(have, val value.Value, lists bool) value.Value {
	if lists {
		have, val = value.Opened(have), value.Opened(val)
	}
	switch x := have.(type) {
	case *value.Dict:
		if y, ok := val.(*value.Dict); ok {
			if x != y {
				Update(x, y, true, lists)
			}
			return x
		}
	case *value.List:
		if y, ok := val.(*value.List); ok && lists {
			return union(x, y)
		}
	}
	return val
}

// union is x with the items of y that it does not hold; what y holds twice is added twice, as in Salt.
func union(x, y *value.List) *value.List {
	out := value.DeepCopy(x).(*value.List)
	have := newMembers(out.Items)
	for i, it := range y.Items {
		if !have.has(it) {
			out.Items = append(out.Items, it)
			if len(out.Marks) == len(out.Items)-1 {
				out.Marks = append(out.Marks, y.MarkAt(i))
			}
		}
	}
	return out
}

// overwrite takes what b has at the first level, and keeps what only a has.
func overwrite(a, b value.Value, lists bool) (value.Value, error) {
	x, y, err := dicts(a, b)
	if err != nil {
		return nil, err
	}
	c := x.Copy()
	Update(c, y, false, lists)
	return value.DeepCopy(c), nil
}

// list gives both values of a key that both sides have, as a list; keys that only b has are dropped, as in Salt.
func list(a, b value.Value) (value.Value, error) {
	x, y, err := dicts(a, b)
	if err != nil {
		return nil, err
	}
	out := value.NewDict(x.Len())
	for i := range x.Len() {
		e := x.PeekAt(i)
		if other, ok := y.Get(e.Key); ok {
			e.Val = value.NewList(value.Opened(e.Val), other)
		}
		_ = out.SetAt(e.Key, e.Val, e.KeyAt, e.ValueAt)
	}
	return out, nil
}

// aggregate is Salt's merge of data that no yamlex tag marks: dicts are joined at the first level, where b wins; lists
// and single values become one list without repetitions.
func aggregate(a, b value.Value) value.Value {
	x, isDict := a.(*value.Dict)
	y, both := b.(*value.Dict)
	if isDict && both {
		out := x.Copy()
		Update(out, y, false, false)
		return out
	}
	if isDict || both {
		return b
	}
	return union(asList(a), asList(b))
}

func asList(v value.Value) *value.List {
	switch v := v.(type) {
	case *value.List:
		return v
	case *value.Tuple:
		return value.NewList(append([]value.Value(nil), v.Items...)...)
	case *value.Set:
		return value.NewList(v.Items()...)
	}
	return value.NewList(v)
}
