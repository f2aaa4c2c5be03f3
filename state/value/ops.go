package value

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
