package value

func setMethod(name string) method {
	switch name {
	case "add", "remove", "discard":
		return setOne
	case "pop", "copy", "clear":
		return setPlain
	case "union", "intersection", "difference", "update", "intersection_update", "difference_update":
		return setMany
	case "symmetric_difference", "symmetric_difference_update", "issubset", "issuperset", "isdisjoint":
		return setPair
	}
	return nil
}

// viewMethod is the methods of dict_keys and dict_items.
func viewMethod(name string) method {
	if name == "isdisjoint" {
		return setPair
	}
	return nil
}

func setOne(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	if err := usable(v); err != nil {
		return nil, err
	}
	s := recv.(*Set)
	if a.name == "add" {
		return None, s.Add(v)
	}
	if !s.Delete(v) && a.name == "remove" {
		return nil, KeyError(v)
	}
	return None, nil
}

func setPlain(recv Value, a args) (Value, error) {
	if err := a.none(); err != nil {
		return nil, err
	}
	s := recv.(*Set)
	switch a.name {
	case "copy":
		return s.Copy(), nil
	case "clear":
		s.dict.Clear()
		return None, nil
	}
	if s.Len() == 0 {
		return nil, KeyError(Str("pop from an empty set"))
	}
	v := s.dict.entries[0].Key
	s.dict.removeAt(0)
	return v, nil
}

// ToSet is Python's set(v).
func ToSet(v Value) (*Set, error) {
	if s, ok := v.(*Set); ok {
		return s, nil
	}
	items, err := ToList(v)
	if err != nil {
		return nil, err
	}
	for _, it := range items {
		if err := usable(it); err != nil {
			return nil, err
		}
	}
	return NewSet(items...)
}

func setMany(recv Value, a args) (Value, error) {
	if err := a.noKeywords(); err != nil {
		return nil, err
	}
	s := recv.(*Set)
	out := s.Copy()
	for _, v := range a.pos {
		t, err := ToSet(v)
		if err != nil {
			return nil, err
		}
		switch a.name {
		case "union", "update":
			out = out.union(t)
		case "intersection", "intersection_update":
			out = out.intersect(t)
		default:
			out = out.minus(t)
		}
	}
	switch a.name {
	case "update", "intersection_update", "difference_update":
		s.dict.become(&out.dict)
		return None, nil
	}
	return out, nil
}

func setPair(recv Value, a args) (Value, error) {
	v, err := a.one()
	if err != nil {
		return nil, err
	}
	t, err := ToSet(v)
	if err != nil {
		return nil, err
	}
	s, ok := asSet(recv)
	if !ok {
		return nil, Raise("TypeError", "unhashable item in '%s'", typeName(recv))
	}
	switch a.name {
	case "symmetric_difference":
		return s.symmetric(t), nil
	case "symmetric_difference_update":
		s.dict.become(&s.symmetric(t).dict)
		return None, nil
	case "issubset":
		return Bool(s.within(t)), nil
	case "issuperset":
		return Bool(t.within(s)), nil
	}
	return Bool(s.intersect(t).Len() == 0), nil
}
