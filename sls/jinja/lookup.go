package jinja

import (
	"fmt"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// undefinedName is an unknown variable.
func (e *Environment) undefinedName(name string) value.Value {
	return &value.Undefined{Name: name, Lenient: e.cfg.Undefined != Strict}
}

// undefinedHint is an undefined value that says msg when it is used.
func (e *Environment) undefinedHint(name, msg string) value.Value {
	return &value.Undefined{Name: name, Hint: msg, Lenient: e.cfg.Undefined != Strict}
}

// undefinedOf is an unknown attribute or item of v.
func (e *Environment) undefinedOf(v, key value.Value) value.Value {
	u := &value.Undefined{Obj: typeOf(v), In: v, Lenient: e.cfg.Undefined != Strict}
	if s, ok := Plain(key).(value.Str); ok {
		u.Name = string(s)
	} else {
		u.Name, u.Key = value.Repr(key), key
	}
	return u
}

func (e *Environment) unsafe(v value.Value, name string) value.Value {
	return e.undefinedHint(name, fmt.Sprintf(unsafeHint+"%s of %s object is unsafe.", quote(name), quote(typeName(v))))
}

// Getattr is v.name of a template: an attribute or method, else an item.
func (e *Environment) Getattr(v value.Value, name string) (value.Value, error) {
	if u, ok := v.(*value.Undefined); ok {
		return e.ofUndefined(u)
	}
	if out, ok := e.attribute(v, name); ok {
		return out, nil
	}
	if out, ok := item(v, value.Str(name)); ok {
		return out, nil
	}
	return e.undefinedOf(v, value.Str(name)), nil
}

// Getitem is v[key] of a template: an item, else an attribute or method.
func (e *Environment) Getitem(v, key value.Value) (value.Value, error) {
	if u, ok := v.(*value.Undefined); ok {
		return e.ofUndefined(u)
	}
	key = Plain(key)
	if out, ok := item(v, key); ok {
		return out, nil
	}
	if err := strict(key); err != nil {
		if _, isDict := v.(*value.Dict); isDict {
			return nil, err
		}
	}
	if s, ok := key.(value.Str); ok {
		if out, ok := e.attribute(v, string(s)); ok {
			return out, nil
		}
	}
	return e.undefinedOf(v, key), nil
}

func (e *Environment) ofUndefined(u *value.Undefined) (value.Value, error) {
	if e.cfg.Undefined == Chainable {
		return u, nil
	}
	return nil, useError(u)
}

// item is v[key], not ok where Python raises a TypeError or a LookupError.
func item(v, key value.Value) (value.Value, bool) {
	switch v := v.(type) {
	case *value.Dict:
		return v.Get(key)
	case value.Indexer:
		return v.Item(key)
	case value.Attrs, value.Callable, value.NoneType, value.Bool, *Generator:
		return nil, false
	case *value.List, *value.Tuple, value.Str:
		if _, ok := key.(value.Str); ok {
			return nil, false
		}
	}
	out, err := value.GetItem(Plain(v), key)
	if err != nil {
		return nil, false
	}
	return out, true
}

// attribute is Python's getattr(v, name), guarded: what begins with an underscore is an undefined value that says so.
func (e *Environment) attribute(v value.Value, name string) (value.Value, bool) {
	if strings.HasPrefix(name, "_") {
		if hasDunder(v, name) {
			return e.unsafe(v, name), true
		}
		return nil, false
	}
	if a, ok := v.(value.Attrs); ok {
		return a.Attr(name)
	}
	if _, ok := v.(*Generator); ok {
		switch name {
		case "gi_frame", "gi_code":
			return e.unsafe(v, name), true
		}
		return nil, false
	}
	if m, ok := value.Method(Plain(v), name); ok {
		return m, true
	}
	return numberAttr(v, name)
}

// numberAttr are the attributes of numbers that are no methods.
func numberAttr(v value.Value, name string) (value.Value, bool) {
	switch n := v.(type) {
	case value.Bool:
		i := value.Int(0)
		if n {
			i = 1
		}
		return numberAttr(i, name)
	case value.Int, value.BigInt:
		switch name {
		case "real", "numerator":
			return v, true
		case "imag":
			return value.Int(0), true
		case "denominator":
			return value.Int(1), true
		}
	case value.Float:
		switch name {
		case "real":
			return v, true
		case "imag":
			return value.Float(0), true
		}
	case *value.Range:
		switch name {
		case "start":
			return value.Int(n.Start), true
		case "stop":
			return value.Int(n.Stop), true
		case "step":
			return value.Int(n.Step), true
		}
	}
	return nil, false
}

const objectDunders = " __class__ __doc__ __init__ __repr__ __str__ __eq__ __ne__ __hash__ __format__ " +
	"__getattribute__ __setattr__" +
	" __delattr__ __dir__ __sizeof__ __reduce__ __reduce_ex__ __subclasshook__ __init_subclass__ __new__ __lt__ __le__ " +
	"__gt__" +
	" __ge__ __getstate__ "

const containerDunders = " __add__ __contains__ __getitem__ __iter__ __len__ __mul__ __rmul__ __setitem__ " +
	"__delitem__ __reversed__" +
	" __class_getitem__ __mod__ __rmod__ __getnewargs__ __or__ __ror__ __ior__ __iadd__ __imul__ "

const numberDunders = " __abs__ __add__ __bool__ __divmod__ __float__ __floordiv__ __int__ __mod__ __mul__ __neg__ " +
	"__pos__ __pow__" +
	" __radd__ __rdivmod__ __rfloordiv__ __rmod__ __rmul__ __round__ __rpow__ __rsub__ __rtruediv__ __sub__ __truediv__ " +
	"__trunc__ "

// hasDunder says whether Python's object would have the private attribute.
func hasDunder(v value.Value, name string) bool {
	word := " " + name + " "
	if strings.Contains(objectDunders, word) {
		return true
	}
	switch v.(type) {
	case value.Str, Markup, *value.Dict, *value.List, *value.Tuple, *value.Set, value.Bytes:
		return strings.Contains(containerDunders, word)
	case value.Int, value.Bool, value.Float, value.BigInt:
		return strings.Contains(numberDunders, word)
	case value.NoneType:
		return name == "__bool__"
	case *Module:
		return name == "__name__" || name == "__html__" || name == "_body_stream"
	}
	_, isCallable := v.(value.Callable)
	return isCallable && strings.HasPrefix(name, "__")
}
