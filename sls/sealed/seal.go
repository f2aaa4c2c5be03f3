package sealed

import "github.com/gostate/gostate/state/value"

// Seal seals what is encrypted within a value, in place, and gives the value. A text that is the value itself is
// opened.
// Salt differs: it decrypts all values of the pillar, used or not.
func (k *Keys) Seal(f Format, v value.Value, s Source) (value.Value, error) {
	w := walker{k: k, f: f, s: s, seen: map[value.Value]bool{}}
	if w.direct(v) {
		return w.open(v, value.Mark{})
	}
	w.within(v)
	return v, nil
}

// Open is Seal that opens everything at once. The error is a *diag.Diagnostic.
func (k *Keys) Open(f Format, v value.Value, s Source) (value.Value, error) {
	v, err := k.Seal(f, v, s)
	if err != nil {
		return nil, err
	}
	return v, force(v, map[value.Value]bool{})
}

// force opens what is sealed within a value.
func force(v value.Value, seen map[value.Value]bool) error {
	var items []value.Value
	switch v := v.(type) {
	case *value.Undefined:
		return v.Err()
	case *value.List:
		items = v.Items
	case *value.Dict:
		for _, item := range v.All() {
			items = append(items, item)
		}
	}
	if items == nil || seen[v] {
		return nil
	}
	seen[v] = true
	for _, item := range items {
		if err := force(item, seen); err != nil {
			return err
		}
	}
	return nil
}

// A walker seals the values of one document. Aliases make one value stand in several places, even within itself.
type walker struct {
	k    *Keys
	f    Format
	s    Source
	seen map[value.Value]bool
}

// direct says whether a value holds encrypted text without a dict in between: then it is sealed as a whole.
func (w *walker) direct(v value.Value) bool {
	return holds(v, map[value.Value]bool{}, func(text string) bool { return len(w.f.places(text)) > 0 })
}

// holds says whether a text is so, or one in a list or the lists in it.
func holds(v value.Value, seen map[value.Value]bool, is func(text string) bool) bool {
	switch v := v.(type) {
	case value.Str:
		return is(string(v))
	case *value.List:
		if seen[v] {
			return false
		}
		seen[v] = true
		for _, item := range v.Items {
			if holds(item, seen, is) {
				return true
			}
		}
	}
	return false
}

// within seals the entries of the dicts in a value.
func (w *walker) within(v value.Value) {
	switch v := v.(type) {
	case *value.List:
		if w.seen[v] {
			return
		}
		w.seen[v] = true
		for _, item := range v.Items {
			w.within(item)
		}
	case *value.Dict:
		if w.seen[v] {
			return
		}
		w.seen[v] = true
		for i := range v.Len() {
			w.entry(v, v.PeekAt(i))
		}
	}
}

func (w *walker) entry(d *value.Dict, e value.Entry) {
	w.within(e.Val) // the dicts in a list that is sealed, too
	if w.direct(e.Val) {
		_ = d.SetAt(e.Key, w.k.sealed(func() (value.Value, error) { return w.open(e.Val, e.ValueAt) }), e.KeyAt, e.ValueAt)
	}
}

// sealed is a value that open makes when it is asked for.
func (k *Keys) sealed(open func() (value.Value, error)) *value.Sealed {
	k.mu.Lock()
	defer k.mu.Unlock()
	k.used = true
	return value.NewSealed(func() value.Value {
		v, err := open()
		if err != nil {
			return &value.Undefined{Cause: err}
		}
		return v
	})
}

// open decrypts a text, or the texts of a list.
func (w *walker) open(v value.Value, at value.Mark) (value.Value, error) {
	return opened(v, at, map[*value.List]*value.List{}, func(text string, at value.Mark) (value.Value, error) {
		return w.k.Text(w.f, text, w.s, at)
	})
}

// opened is a value whose texts open decrypts: itself, or those of a list and of the lists in it.
func opened(v value.Value, at value.Mark, done map[*value.List]*value.List,
	open func(string, value.Mark) (value.Value, error)) (_ value.Value, err error) {
	switch v := v.(type) {
	case value.Str:
		return open(string(v), at)
	case *value.List:
		if out := done[v]; out != nil {
			return out, nil
		}
		out := &value.List{Items: make([]value.Value, len(v.Items)), Marks: v.Marks}
		done[v] = out
		for i, item := range v.Items {
			if out.Items[i], err = opened(item, v.MarkAt(i), done, open); err != nil {
				return nil, err
			}
		}
		return out, nil
	}
	return v, nil
}

// Mask is v with asterisks where a value is sealed, opened or not.
func Mask(v value.Value) value.Value { return mask(v, map[value.Value]value.Value{}) }

func mask(v value.Value, done map[value.Value]value.Value) value.Value {
	if out, ok := done[v]; ok && isContainer(v) {
		return out
	}
	switch v := v.(type) {
	case *value.List:
		out := &value.List{Items: make([]value.Value, len(v.Items)), Marks: v.Marks}
		done[v] = out
		for i, item := range v.Items {
			out.Items[i] = mask(item, done)
		}
		return out
	case *value.Dict:
		out := value.NewDict(v.Len())
		done[v] = out
		for i := range v.Len() {
			e := v.PeekAt(i)
			if _, ok := e.Val.(*value.Sealed); ok {
				e.Val = value.Str("***")
			}
			_ = out.SetAt(e.Key, mask(e.Val, done), e.KeyAt, e.ValueAt)
		}
		return out
	}
	return v
}

func isContainer(v value.Value) bool {
	switch v.(type) {
	case *value.List, *value.Dict:
		return true
	}
	return false
}
