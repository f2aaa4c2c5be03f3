package value

import "slices"

func listMethod(name string) method {
	switch name {
	case "append":
		return listAppend
	case "extend":
		return listExtend
	case "insert":
		return listInsert
	case "remove":
		return listRemove
	case "pop":
		return listPop
	case "index":
		return seqIndex
	case "count":
		return seqCount
	case "sort":
		return listSort
	case "reverse", "clear", "copy":
		return listPlain
	}
	return nil
}

func tupleMethod(name string) method {
	switch name {
	case "index":
		return seqIndex
	case "count":
		return seqCount
	}
	return nil
}

func listAppend(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	l := recv.(*List)
	l.Items = append(l.Items, v)
	return None, nil
}

func listExtend(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	items, err := ToList(v)
	if err != nil {
		return nil, err
	}
	l := recv.(*List)
	l.Items = append(l.Items, items...)
	return None, nil
}

// moved forgets the places of items that no longer are where they were read.
func (l *List) moved() { l.Marks = nil }

func listInsert(recv Value, a args) (Value, error) {
	if err := a.between(2, 2); err != nil {
		return nil, err
	}
	i, err := integer(a.pos[0], 0)
	if err != nil {
		return nil, err
	}
	l := recv.(*List)
	if i < 0 {
		i = max(i+len(l.Items), 0)
	}
	l.Items = slices.Insert(l.Items, min(i, len(l.Items)), a.pos[1])
	l.moved()
	return None, nil
}

func listRemove(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	l := recv.(*List)
	i, err := findItem(l.Items, v)
	if err != nil {
		return nil, err
	}
	if i < 0 {
		return nil, Raise("ValueError", "list.remove(x): x not in list")
	}
	l.Items = slices.Delete(l.Items, i, i+1)
	l.moved()
	return None, nil
}

func listPop(recv Value, a args) (Value, error) {
	if err := a.between(0, 1); err != nil {
		return nil, err
	}
	i, err := integer(a.at(0), -1)
	if err != nil {
		return nil, err
	}
	l := recv.(*List)
	if len(l.Items) == 0 {
		return nil, Raise("IndexError", "pop from empty list")
	}
	if i < 0 {
		i += len(l.Items)
	}
	if i < 0 || i >= len(l.Items) {
		return nil, Raise("IndexError", "pop index out of range")
	}
	v := l.Items[i]
	if i < len(l.Items)-1 {
		l.moved()
	}
	l.Items = slices.Delete(l.Items, i, i+1)
	return v, nil
}

func seqIndex(recv Value, a args) (Value, error) {
	if err := a.between(1, 3); err != nil {
		return nil, err
	}
	items := itemsOf(recv)
	start, stop := 0, len(items)
	for i, at := range []*int{&start, &stop} {
		v := a.at(i + 1)
		if v == nil {
			continue
		}
		n, ok := asIndex(v)
		if !ok {
			return nil, Raise("TypeError", "slice indices must be integers or have an __index__ method")
		}
		if n < 0 {
			n = max(n+len(items), 0)
		}
		*at = min(n, len(items))
	}
	i, err := findItem(items[min(start, stop):stop], a.pos[0])
	if err != nil {
		return nil, err
	}
	if i >= 0 {
		return Int(start + i), nil
	}
	if _, ok := recv.(*Tuple); ok {
		return nil, Raise("ValueError", "tuple.index(x): x not in tuple")
	}
	return nil, Raise("ValueError", "%s is not in list", Repr(a.pos[0]))
}

func seqCount(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	n := 0
	for rest := itemsOf(recv); ; n++ {
		i, err := findItem(rest, v)
		if err != nil {
			return nil, err
		}
		if i < 0 {
			return Int(n), nil
		}
		rest = rest[i+1:]
	}
}

func itemsOf(v Value) []Value {
	if t, ok := v.(*Tuple); ok {
		return t.Items
	}
	return v.(*List).Items
}

func listSort(recv Value, a args) (Value, error) {
	if len(a.pos) > 0 {
		return nil, Raise("TypeError", "sort() takes no positional arguments")
	}
	v, err := a.named("key", "reverse")
	if err != nil {
		return nil, err
	}
	reverse, err := integer(v[1], 0)
	if err != nil {
		return nil, err
	}
	var key func(Value) (Value, error)
	if !isNone(v[0]) {
		key = func(it Value) (Value, error) {
			c, ok := v[0].(Callable)
			if !ok {
				return nil, Raise("TypeError", "'%s' object is not callable", typeName(v[0]))
			}
			return c.Call(a.ctx, []Value{it}, NewDict(0))
		}
	}
	l := recv.(*List)
	l.moved()
	return None, Sort(l.Items, key, reverse != 0)
}

func listPlain(recv Value, a args) (Value, error) {
	if err := a.none(); err != nil {
		return nil, err
	}
	l := recv.(*List)
	switch a.name {
	case "copy":
		return &List{Items: slices.Clone(l.Items), Marks: slices.Clone(l.Marks)}, nil
	case "clear":
		l.Items = nil
	case "reverse":
		slices.Reverse(l.Items)
	}
	l.moved()
	return None, nil
}
