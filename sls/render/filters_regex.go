package render

import (
	"github.com/gostate/gostate/state/pyre"
	"github.com/gostate/gostate/state/value"
)

func regexFilters() []filter {
	return []filter{
		with("regex_search", "rgx ignorecase= multiline=", func(v value.Value, a []value.Value) (value.Value, error) {
			return regexGroups("regex_search", v, a, (*pyre.Regexp).Search)
		}),
		with("regex_match", "rgx ignorecase= multiline=", func(v value.Value, a []value.Value) (value.Value, error) {
			return regexGroups("regex_match", v, a, (*pyre.Regexp).Match)
		}),
		with("regex_replace", "rgx val ignorecase= multiline=", regexReplace),
	}
}

// sameKind is Python's rule that a pattern and what it is looked for in are both text, or both bytes.
func sameKind(pattern, v value.Value) error {
	_, bytePattern := pattern.(value.Bytes)
	_, isBytes := v.(value.Bytes)
	switch {
	case isBytes && !bytePattern:
		return value.Raise("TypeError", "cannot use a string pattern on a bytes-like object")
	case bytePattern && !isBytes:
		return value.Raise("TypeError", "cannot use a bytes pattern on a string-like object")
	}
	return nil
}

func compileRegex(pattern, ignorecase, multiline value.Value) (*pyre.Regexp, error) {
	s, err := textOf("re.compile", pattern)
	if err != nil {
		return nil, err
	}
	var flags pyre.Flags
	if truth(ignorecase) {
		flags |= pyre.IgnoreCase
	}
	if truth(multiline) {
		flags |= pyre.Multiline
	}
	return pyre.Compile(s, flags)
}

// regexGroups gives the tuple of the groups, or None when nothing matches.
func regexGroups(name string, v value.Value, a []value.Value,
	find func(*pyre.Regexp, string) (*pyre.Match, error)) (value.Value, error) {
	re, err := compileRegex(a[0], a[1], a[2])
	if err != nil {
		return nil, err
	}
	s, err := textOf(name, v)
	if err == nil {
		err = sameKind(a[0], v)
	}
	if err != nil {
		return nil, err
	}
	m, err := find(re, s)
	if err != nil || m == nil {
		return value.None, err
	}
	out := value.NewTuple()
	for _, g := range m.Groups[1:] {
		if g == nil {
			out.Items = append(out.Items, value.None)
			continue
		}
		out.Items = append(out.Items, value.Str(*g))
	}
	return out, nil
}

func regexReplace(v value.Value, a []value.Value) (value.Value, error) {
	re, err := compileRegex(a[0], a[2], a[3])
	if err != nil {
		return nil, err
	}
	s, err := textOf("regex_replace", v)
	if err == nil {
		err = sameKind(a[0], v)
	}
	if err != nil {
		return nil, err
	}
	repl, err := textOf("regex_replace", a[1])
	if err != nil {
		return nil, err
	}
	out, err := re.Sub(repl, s)
	return value.Str(out), err
}

// testMatch is Salt's test: 'abc' is match('a.c').
func testMatch(v value.Value, a []value.Value) (bool, error) {
	re, err := compileRegex(a[0], a[1], a[2])
	if err != nil {
		return false, err
	}
	s, err := textOf("match", v)
	if err == nil {
		err = sameKind(a[0], v)
	}
	if err != nil {
		return false, err
	}
	return re.Matches(s)
}
