package state

import (
	"cmp"
	"slices"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// last is how far `order: last` and negative orders are above all others.
const last = 1_000_000

// sort gives every state its order and sorts: by order, then module, name and function as one text, then as declared.
func (c *compiler) sort(low []*Low) {
	top := ceiling(low)
	type keyed struct {
		low *Low
		key string
	}
	ks := make([]keyed, len(low))
	for i, l := range low {
		c.checkOrder(l)
		l.setOrder(top)
		ks[i] = keyed{l, l.Module + l.Name + l.Func}
	}
	slices.SortStableFunc(ks, func(a, b keyed) int {
		return cmp.Or(cmp.Compare(a.low.Order, b.low.Order), cmp.Compare(a.key, b.key))
	})
	for i := range ks {
		low[i] = ks[i].low
		low[i].Index = i
	}
}

// checkOrder reports an order that is none. Salt takes it without a word as if it were missing.
func (c *compiler) checkOrder(l *Low) {
	word := l.rawOrder
	if _, _, ok := number(word); ok || word == nil || value.Equal(word, value.Str("first")) ||
		value.Equal(word, value.Str("last")) {
		return
	}
	_, pos, _ := l.GivenOrder()
	c.diags.Add(diag.Warnf(pos, "'order' of ID '%s' is %s, neither a number nor first or last; the state runs as if it "+
		"had none", l.ID, value.Repr(word)).
		WithHint("write a number without quotes, 'first' or 'last'"))
}

// ceiling is Salt's cap: above each integer order by 100, seen in the order of the declarations.
func ceiling(low []*Low) float64 {
	top := 1.0
	for _, l := range low {
		n, isInt, ok := number(l.rawOrder)
		if ok && isInt && n > top-1 && n > 0 {
			top = n + 100
		}
	}
	return top
}

// number is the value as a number; booleans are 0 and 1.
func number(v value.Value) (n float64, isInt, ok bool) {
	switch v := v.(type) {
	case value.Bool:
		if v {
			return 1, true, true
		}
		return 0, true, true
	case value.Int:
		return float64(v), true, true
	case value.Float:
		return float64(v), false, true
	}
	return 0, false, false
}

func (l *Low) setOrder(top float64) {
	if l.rawOrder == nil {
		l.Order, l.rawOrder = top, value.Int(top)
		return
	}
	n, _, ok := number(l.rawOrder)
	switch {
	case ok:
	case value.Equal(l.rawOrder, value.Str("last")):
		n = top + last
	case value.Equal(l.rawOrder, value.Str("first")):
		n = 0
	default:
		n = top
	}
	if !ok {
		l.rawOrder = value.Int(n)
	}
	if l.nth > 0 {
		n += float64(l.nth) / 10000
		l.rawOrder = value.Float(n)
	}
	if n < 0 {
		n = top + last + n
		l.rawOrder = value.Float(n)
		if l.nth == 0 && n == float64(int64(n)) {
			l.rawOrder = value.Int(n)
		}
	}
	l.Order = n
}
