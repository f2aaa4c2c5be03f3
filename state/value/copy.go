package value

import "slices"

// DeepCopy copies lists, tuples, dicts and sets all the way down. What was one object in v is one in the copy; values
// of the program's own are shared. Places are kept.
func DeepCopy(v Value) Value {
	switch v.(type) {
	case *List, *Tuple, *Dict, *Set:
		return copier{}.copy(v)
	}
	return v
}

// copier maps the containers to their copies.
type copier map[Value]Value

func (c copier) copy(v Value) Value {
	switch v.(type) {
	case *List, *Tuple, *Dict, *Set:
	default:
		return v
	}
	if done, ok := c[v]; ok {
		return done
	}
	switch v := v.(type) {
	case *List:
		out := &List{Items: make([]Value, len(v.Items)), Marks: slices.Clone(v.Marks)}
		c[v] = out
		for i, it := range v.Items {
			out.Items[i] = c.copy(it)
		}
		return out
	case *Dict:
		out := v.Copy()
		c[v] = out
		for i := range out.entries {
			out.entries[i].Val = c.copy(out.entries[i].Val)
		}
		return out
	case *Tuple:
		return c.tuple(v)
	}
	out := v.(*Set).Copy() // its items cannot be changed
	c[v] = out
	return out
}

// tuple is itself when nothing within it was copied.
func (c copier) tuple(t *Tuple) Value {
	out := &Tuple{Items: make([]Value, len(t.Items))}
	c[t] = out
	same := true
	for i, it := range t.Items {
		out.Items[i] = c.copy(it)
		same = same && Is(out.Items[i], it)
	}
	if same {
		c[t] = t
		return t
	}
	return out
}
