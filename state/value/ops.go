package value

import "fmt"

// Truth is Python's bool(v).
func Truth(v Value) bool {
	switch v := v.(type) {
	case nil, NoneType, *Undefined:
		return false
	case Bool:
		return bool(v)
	case Int:
		return v != 0
	case Float:
		return v != 0
	case Str:
		return v != ""
	case Bytes:
		return v != ""
	case *List:
		return len(v.Items) > 0
	case *Tuple:
		return len(v.Items) > 0
	case *Dict:
		return v.Len() > 0
	case *Set:
		return v.Len() > 0
	case Truther:
		return v.Truth()
	case Lener:
		return v.Len() > 0
	}
	return true
}

// Repr is Python's repr(v).
func Repr(v Value) string { return fmt.Sprintf("%#v", v) }

// String is Python's str(v).
func String(v Value) string {
	if s, ok := v.(Str); ok {
		return string(s)
	}
	return Repr(v)
}
