package value

func dictMethod(name string) method {
	switch name {
	case "get":
		return dictGet
	case "items", "keys", "values", "copy", "clear", "popitem":
		return dictPlain
	case "update":
		return dictUpdate
	case "pop":
		return dictPop
	case "setdefault":
		return dictSetdefault
	case "fromkeys":
		return dictFromkeys
	}
	return nil
}

// usable is the error of a key that cannot be hashed or is undefined.
func usable(key Value) error {
	if hashable(key, 0) {
		return nil
	}
	if err := undefinedAmong(key); err != nil {
		return err
	}
	return unhashable(key)
}

func dictGet(recv Value, a args) (Value, error) {
	if err := a.between(1, 2); err != nil {
		return nil, err
	}
	if err := usable(a.pos[0]); err != nil {
		return nil, err
	}
	if v, ok := recv.(*Dict).Get(a.pos[0]); ok {
		return v, nil
	}
	return orNone(a.at(1)), nil
}

func orNone(v Value) Value {
	if v == nil {
		return None
	}
	return v
}

func dictPlain(recv Value, a args) (Value, error) {
	if err := a.none(); err != nil {
		return nil, err
	}
	d := recv.(*Dict)
	switch a.name {
	case "items":
		return &ItemsView{d}, nil
	case "keys":
		return &KeysView{d}, nil
	case "values":
		return &ValuesView{d}, nil
	case "copy":
		return d.Copy(), nil
	case "clear":
		d.Clear()
		return None, nil
	}
	if d.Len() == 0 {
		return nil, KeyError(Str("popitem(): dictionary is empty"))
	}
	last := d.At(d.Len() - 1)
	d.removeAt(d.Len() - 1)
	return NewTuple(last.Key, last.Val), nil
}

func dictUpdate(recv Value, a args) (Value, error) {
	if err := arity(a.name+" expected", "got ", "", 0, 1, len(a.pos)); err != nil {
		return nil, err
	}
	d := recv.(*Dict)
	if v := a.at(0); v != nil {
		if err := UpdateDict(d, v); err != nil {
			return nil, err
		}
	}
	if a.kw != nil {
		d.Update(a.kw)
	}
	return None, nil
}

// UpdateDict is d.update(v): v is a dict, or walks over pairs of key and value. It is also what dict(v) does to {}.
func UpdateDict(d *Dict, v Value) error {
	if other, ok := v.(*Dict); ok {
		d.Update(other)
		return nil
	}
	pairs, err := ToList(v)
	if err != nil {
		return err
	}
	for i, p := range pairs {
		if !CanIterate(p) {
			return Raise("TypeError", "cannot convert dictionary update sequence element #%d to a sequence", i)
		}
		kv, err := ToList(p)
		if err != nil {
			return err
		}
		if len(kv) != 2 {
			return Raise("ValueError", "dictionary update sequence element #%d has length %d; 2 is required", i, len(kv))
		}
		if err := usable(kv[0]); err != nil {
			return err
		}
		if err := d.Set(kv[0], kv[1]); err != nil {
			return err
		}
	}
	return nil
}

func dictPop(recv Value, a args) (Value, error) {
	if err := a.between(1, 2); err != nil {
		return nil, err
	}
	d, key := recv.(*Dict), a.pos[0]
	if d.Len() > 0 {
		if err := usable(key); err != nil {
			return nil, err
		}
		if v, ok := d.Get(key); ok {
			d.Delete(key)
			return v, nil
		}
	}
	if v := a.at(1); v != nil {
		return v, nil
	}
	return nil, KeyError(key)
}

func dictSetdefault(recv Value, a args) (Value, error) {
	if err := a.between(1, 2); err != nil {
		return nil, err
	}
	if err := usable(a.pos[0]); err != nil {
		return nil, err
	}
	d := recv.(*Dict)
	if v, ok := d.Get(a.pos[0]); ok {
		return v, nil
	}
	v := orNone(a.at(1))
	return v, d.Set(a.pos[0], v)
}

func dictFromkeys(_ Value, a args) (Value, error) {
	if err := a.between(1, 2); err != nil {
		return nil, err
	}
	keys, err := ToList(a.pos[0])
	if err != nil {
		return nil, err
	}
	d := NewDict(len(keys))
	for _, k := range keys {
		if err := usable(k); err != nil {
			return nil, err
		}
		_ = d.Set(k, orNone(a.at(1))) // usable keys can be set
	}
	return d, nil
}
