package value

import "context"

// A method is the Go code behind a Python method.
type method func(recv Value, a args) (Value, error)

// A BoundMethod is a method with the value that it was taken from.
type BoundMethod struct {
	recv Value
	name string
	fn   method
}

func (*BoundMethod) TypeName() string { return "builtin_function_or_method" }

// Call calls the method.
func (m *BoundMethod) Call(ctx context.Context, pos []Value, kwargs *Dict) (Value, error) {
	return m.fn(m.recv, args{ctx: ctx, typ: typeName(m.recv), name: m.name, pos: pos, kw: kwargs})
}

// Method is the method of that name of a built-in type, bound to v. ok is false when there is none.
func Method(v Value, name string) (Callable, bool) {
	if fn := methodOf(v, name); fn != nil {
		return &BoundMethod{recv: v, name: name, fn: fn}, true
	}
	return nil, false
}

// CallMethod calls a method without making a Callable of it. ok is false when there is none of that name. A method that
// calls back (sort's key) does it with ctx.
func CallMethod(ctx context.Context, v Value, name string, pos []Value, kwargs *Dict) (out Value, ok bool, err error) {
	fn := methodOf(v, name)
	if fn == nil {
		return nil, false, nil
	}
	out, err = fn(v, args{ctx: ctx, typ: typeName(v), name: name, pos: pos, kw: kwargs})
	return out, true, err
}

func methodOf(v Value, name string) method {
	switch v.(type) {
	case Str:
		return strMethod(name)
	case *Dict:
		return dictMethod(name)
	case *List:
		return listMethod(name)
	case *Tuple:
		return tupleMethod(name)
	case *Set:
		return setMethod(name)
	case Int, Bool, BigInt:
		return intMethod(name)
	case Float:
		return floatMethod(name)
	case Bytes:
		return bytesMethod(name)
	case *Range:
		return rangeMethod(name)
	case *KeysView, *ItemsView:
		return viewMethod(name)
	}
	return nil
}
