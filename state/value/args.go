package value

import "context"

// args are the arguments of one call of a method. Its methods check them as CPython's several ways of binding do, which
// differ in their words.
type args struct {
	ctx       context.Context
	typ, name string
	pos       []Value
	kw        *Dict
}

func (a *args) noKeywords() error {
	if a.kw == nil || a.kw.Len() == 0 {
		return nil
	}
	return Raise("TypeError", "%s.%s() takes no keyword arguments", a.typ, a.name)
}

func (a *args) none() error {
	if err := a.noKeywords(); err != nil {
		return err
	}
	if len(a.pos) > 0 {
		return Raise("TypeError", "%s.%s() takes no arguments (%d given)", a.typ, a.name, len(a.pos))
	}
	return nil
}

func (a *args) one() (Value, error) {
	if err := a.noKeywords(); err != nil {
		return nil, err
	}
	if len(a.pos) != 1 {
		return nil, Raise("TypeError", "%s.%s() takes exactly one argument (%d given)", a.typ, a.name, len(a.pos))
	}
	return a.pos[0], nil
}

// between is for methods that say "NAME expected at least ...".
func (a *args) between(low, high int) error {
	if err := a.noKeywords(); err != nil || len(a.pos) >= low && len(a.pos) <= high {
		return err
	}
	return arity(a.name+" expected", "got ", "", low, high, len(a.pos))
}

// parsed is for methods that say "NAME() takes at least ...".
func (a *args) parsed(low, high int) error {
	if err := a.noKeywords(); err != nil || len(a.pos) >= low && len(a.pos) <= high {
		return err
	}
	return arity(a.name+"() takes", "(", " given)", low, high, len(a.pos))
}

func arity(verb, before, after string, low, high, n int) error {
	bound, limit := "", low
	switch {
	case n < low && low != high:
		bound = "at least "
	case n > high && low != high:
		bound, limit = "at most ", high
	case n >= low && n <= high:
		return nil
	}
	noun := "arguments"
	if limit == 1 {
		noun = "argument"
	}
	sep := " "
	if before == "got " {
		sep = ", "
	}
	return Raise("TypeError", "%s %s%d %s%s%s%d%s", verb, bound, limit, noun, sep, before, n, after)
}

// at is positional argument i, nil when it was not given.
func (a *args) at(i int) Value {
	if i < len(a.pos) {
		return a.pos[i]
	}
	return nil
}

// named binds optional arguments that may be given by place or by name; nil where one was not given.
func (a *args) named(names ...string) ([]Value, error) {
	n := len(a.pos)
	if a.kw != nil {
		n += a.kw.Len()
	}
	if n > len(names) {
		noun := "arguments"
		if len(names) == 1 {
			noun = "argument"
		}
		return nil, Raise("TypeError", "%s() takes at most %d %s (%d given)", a.name, len(names), noun, n)
	}
	out := make([]Value, len(names))
	copy(out, a.pos)
	if a.kw == nil {
		return out, nil
	}
	for k, v := range a.kw.All() {
		i := indexOfName(names, k)
		if i < 0 {
			return nil, a.unknownKeyword(k)
		}
		if i < len(a.pos) {
			return nil, Raise("TypeError", "argument for %s() given by name ('%s') and position (%d)", a.name, names[i], i+1)
		}
		out[i] = v
	}
	return out, nil
}

func (a *args) unknownKeyword(k Value) error {
	return Raise("TypeError", "'%s' is an invalid keyword argument for %s()", String(k), a.name)
}

func indexOfName(names []string, k Value) int {
	for i, n := range names {
		if k == Value(Str(n)) {
			return i
		}
	}
	return -1
}

// integer is an argument that must be a whole number; missing stands for one that was not given.
func integer(v Value, missing int) (int, error) {
	if v == nil {
		return missing, nil
	}
	if i, ok := asIndex(v); ok {
		return i, nil
	}
	if err := undefinedAmong(v); err != nil {
		return 0, err
	}
	return 0, Raise("TypeError", "'%s' object cannot be interpreted as an integer", typeName(v))
}

// wantStr is an argument that must be text; the words of the error are prefix, "not" and the type.
func wantStr(v Value, prefix string) (string, error) {
	if s, ok := v.(Str); ok {
		return string(s), nil
	}
	if err := undefinedAmong(v); err != nil {
		return "", err
	}
	return "", Raise("TypeError", "%s, not %s", prefix, typeName(v))
}
