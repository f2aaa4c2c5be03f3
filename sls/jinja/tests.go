package jinja

import (
	"github.com/gostate/gostate/state/value"
)

// builtinTests are the tests of Jinja.
func builtinTests() map[string]Test {
	all := map[string]Test{
		"filter": tested("+test_filter(value)", func(c *Call, p []value.Value) (bool,
			error) {
			return named(c, p[0], false)
		}),
		"test":     tested("+test_test(value)", func(c *Call, p []value.Value) (bool, error) { return named(c, p[0], true) }),
		"lower":    textTest("test_lower(value)", "islower"),
		"upper":    textTest("test_upper(value)", "isupper"),
		"iterable": tested("test_iterable(value)", isIterable),
		"sameas": tested("test_sameas(value, *other)", func(_ *Call, p []value.Value) (bool,
			error) {
			return same(p[0], p[1]), nil
		}),
		"in": tested("test_in(value, *seq)", func(_ *Call, p []value.Value) (bool,
			error) {
			return contains(p[1], p[0])
		}),
	}
	for name, t := range remainderTests() {
		all[name] = t.test()
	}
	for _, t := range typeTests() {
		all[t.name] = typed(t.signature, t.is)
	}
	for op, names := range map[compareKind][]string{
		opEq: {"==", "eq", "equalto"}, opNe: {"!=", "ne"}, opGt: {">", "gt", "greaterthan"}, opGe: {">=", "ge"},
		opLt: {"<", "lt", "lessthan"}, opLe: {"<=", "le"},
	} {
		for _, name := range names {
			all[name] = comparison(op)
		}
	}
	return all
}

// A typeTest is a test of what a value is, without arguments.
type typeTest struct {
	name, signature string
	is              func(v value.Value) bool
}

func typeTests() []typeTest {
	return []typeTest{
		{"defined", "test_defined(value)", func(v value.Value) bool { return !isUndefined(v) }},
		{"undefined", "test_undefined(value)", isUndefined},
		{"none", "test_none(value)", func(v value.Value) bool { return v == value.Value(value.None) }},
		{"boolean", "test_boolean(value)", func(v value.Value) bool { _, ok := v.(value.Bool); return ok }},
		{"false", "test_false(value)", func(v value.Value) bool { return v == value.Value(value.Bool(false)) }},
		{"true", "test_true(value)", func(v value.Value) bool { return v == value.Value(value.Bool(true)) }},
		{"integer", "test_integer(value)", isInteger},
		{"float", "test_float(value)", func(v value.Value) bool { _, ok := v.(value.Float); return ok }},
		{"string", "test_string(value)", func(v value.Value) bool { _, ok := isText(v); return ok }},
		{"mapping", "test_mapping(value)", isMapping},
		{"number", "test_number(value)", isNumber},
		{"sequence", "test_sequence(value)", isSequence},
		{"callable", "callable(obj)", isCallable},
		{"escaped", "test_escaped(value)", func(v value.Value) bool { _, ok := v.(Markup); return ok }},
	}
}

// plainTests are the type tests by name, for code that calls them without more ado.
func plainTests() map[string]func(v value.Value) bool {
	all := map[string]func(v value.Value) bool{}
	for _, t := range typeTests() {
		all[t.name] = t.is
	}
	return all
}

// tested makes a Test of a function that gets its parameters by the signature.
func tested(text string, f func(c *Call, p []value.Value) (bool, error)) Test {
	s := filterSig(text)
	return func(c *Call) (bool, error) {
		p, err := c.params(s)
		if err != nil {
			return false, err
		}
		return f(c, p)
	}
}

// typed makes a Test of what a value is.
func typed(text string, f func(v value.Value) bool) Test {
	s := filterSig(text)
	return func(c *Call) (bool, error) {
		if len(c.Args) > 0 || c.Kwargs != nil {
			if _, err := c.params(s); err != nil {
				return false, err
			}
		}
		return f(c.Value), nil
	}
}

func textTest(text, method string) Test {
	return tested(text, func(c *Call, p []value.Value) (bool, error) {
		s, err := str(p[0])
		if err != nil {
			return false, err
		}
		out, _, err := value.CallMethod(c.Ctx, value.Str(s), method, nil, nil)
		return out == value.Value(value.Bool(true)), err
	})
}

func comparison(op compareKind) Test {
	words := [...]string{opEq: "eq", opNe: "ne", opLt: "lt", opLe: "le", opGt: "gt", opGe: "ge"}
	return func(c *Call) (bool, error) {
		if len(c.Args) != 1 || c.Kwargs != nil && c.Kwargs.Len() > 0 {
			return false, raise("TypeError", "%s expected 2 arguments, got %d", words[op], len(c.Args)+1)
		}
		return compare(op, c.Value, c.Args[0])
	}
}

// A remainderTest says whether dividing by a number leaves want.
type remainderTest struct {
	signature string
	by, want  int64 // by is 0 where it is the argument
}

func remainderTests() map[string]remainderTest {
	return map[string]remainderTest{
		"odd":         {"test_odd(value)", 2, 1},
		"even":        {"test_even(value)", 2, 0},
		"divisibleby": {"test_divisibleby(value, *num)", 0, 0},
	}
}

func (t remainderTest) test() Test {
	return tested(t.signature, func(_ *Call, p []value.Value) (bool, error) {
		if t.by == 0 {
			return remainder(p[0], p[1], value.Int(t.want))
		}
		return remainder(p[0], value.Int(t.by), value.Int(t.want))
	})
}

func remainder(v, by value.Value, want value.Int) (bool, error) {
	r, err := binary(Mod, v, by)
	if err != nil {
		return false, err
	}
	return equal(r, want)
}

func named(c *Call, v value.Value, test bool) (bool, error) {
	if err := strict(v); err != nil {
		return false, err
	}
	name, ok := isText(v)
	if !ok {
		if !value.Hashable(v) {
			return false, raise("TypeError", "unhashable type: '%s'", typeName(v))
		}
		return false, nil
	}
	if test {
		return c.Env.tests[name] != nil, nil
	}
	return c.Env.filters[name] != nil, nil
}

// isUndefined says whether there is no value. One that is there and cannot be told is an error where it is used.
func isUndefined(v value.Value) bool { u, ok := v.(*value.Undefined); return ok && u.Cause == nil }

func isInteger(v value.Value) bool {
	switch v.(type) {
	case value.Int, value.BigInt:
		return true
	}
	return false
}

func isNumber(v value.Value) bool {
	switch v.(type) {
	case value.Int, value.BigInt, value.Float, value.Bool:
		return true
	}
	return false
}

// A Mapping is a value from outside that is a mapping to the test of that name.
type Mapping interface{ IsMapping() bool }

func isMapping(v value.Value) bool {
	if m, ok := v.(Mapping); ok {
		return m.IsMapping()
	}
	_, ok := v.(*value.Dict)
	return ok
}

func isSequence(v value.Value) bool {
	switch v := v.(type) {
	case value.Str, Markup, value.Bytes, *value.List, *value.Tuple, *value.Dict, *value.Range, *groupTuple:
		return true
	case *value.Undefined:
		return v.Lenient
	case *Loop:
		return false
	case value.Indexer:
		_, ok := v.(value.Lener)
		return ok
	}
	return false
}

func isIterable(_ *Call, p []value.Value) (bool, error) {
	if err := strict(p[0]); err != nil {
		return false, err
	}
	switch p[0].(type) {
	case *Generator, Markup, *Loop:
		return true, nil
	}
	return value.CanIterate(p[0]), nil
}

func isCallable(v value.Value) bool {
	switch v.(type) {
	case *value.Undefined:
		return true
	case value.Callable:
		return true
	}
	return false
}

func same(a, b value.Value) bool {
	if a == nil || b == nil {
		return a == b
	}
	switch a.(type) {
	case *value.Undefined, *Macro, *Generator, *Loop, *Namespace, *Module:
		return a == b
	}
	return value.Is(a, b)
}
