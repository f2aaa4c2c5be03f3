package jinja

import (
	"context"
	"slices"

	"github.com/gostate/gostate/state/value"
)

// A Call is a filter or a test at work. It and its Args are valid until the filter returns.
type Call struct {
	Ctx    context.Context
	Name   string
	Value  value.Value // what is filtered or tested
	Args   []value.Value
	Kwargs *value.Dict // nil when there are none
	Env    *Environment
	Scope  *Scope

	bound [6]value.Value // room for the parameters
	given [4]value.Value // room for Args
}

// A Filter is the Go code of a filter.
type Filter func(c *Call) (value.Value, error)

// carrying is the filter that tells the secrets of what it makes.
func (fn Filter) carrying() func(c *Call) (value.Value, error) {
	return func(c *Call) (value.Value, error) {
		out, err := fn(c)
		c.carry(out)
		return out, err
	}
}

// A Test is the Go code of a test.
type Test func(c *Call) (bool, error)

// filter makes the closure of a filter or a test.
func (c *compiler) filter(e *filterExpr, fr *scopeFrame) evalFunc {
	if e.x == nil {
		c.fail("TemplateSyntaxError", e.Line(), "a filter without a value")
	}
	if e.test {
		return c.decided(e, fr)
	}
	x := c.expr(e.x, fr)
	apply := c.filterCall(e, fr)
	return func(f *frame) (value.Value, error) {
		v, err := x(f)
		if _, ok := v.(*value.Unknown); ok || err != nil {
			return v, err
		}
		return apply(f, v)
	}
}

// filterChain makes the filters of a block: what the block printed goes through the innermost first.
func (c *compiler) filterChain(e *filterExpr, fr *scopeFrame) func(f *frame, v value.Value) (value.Value, error) {
	apply := c.filterCall(e, fr)
	inner, ok := e.x.(*filterExpr)
	if !ok {
		return apply
	}
	first := c.filterChain(inner, fr)
	return func(f *frame, v value.Value) (value.Value, error) {
		v, err := first(f, v)
		if err != nil {
			return nil, err
		}
		return apply(f, v)
	}
}

// filterCall applies the filter or the test to a value.
func (c *compiler) filterCall(e *filterExpr, fr *scopeFrame) func(f *frame, v value.Value) (value.Value, error) {
	if e.test {
		test := c.testCall(e, fr)
		return func(f *frame, v value.Value) (value.Value, error) {
			yes, err := test(f, v)
			return value.Bool(yes), err
		}
	}
	fn := c.env.filters[e.name]
	if fn == nil {
		missing := c.missing("filter", e, fr)
		return func(*frame, value.Value) (value.Value, error) { return nil, missing() }
	}
	return applied(fn.carrying(), c.filterArgs(e, fr))
}

// testCall applies the test to a value.
func (c *compiler) testCall(e *filterExpr, fr *scopeFrame) func(f *frame, v value.Value) (bool, error) {
	fn := c.env.tests[e.name]
	if fn == nil {
		missing := c.missing("test", e, fr)
		return func(*frame, value.Value) (bool, error) { return false, missing() }
	}
	return applied(fn, c.filterArgs(e, fr))
}

// applied calls a filter or a test with the Call that prepare makes.
func applied[T any](fn func(*Call) (T, error), prepare func(*frame, value.Value) (*Call, error)) func(*frame, value.Value) (T, error) {
	return func(f *frame, v value.Value) (out T, err error) {
		call, err := prepare(f, v)
		if err != nil {
			return out, err
		}
		out, err = fn(call)
		f.run.endCall(call)
		return out, err
	}
}

// filterTest decides `x is name`.
func (c *compiler) filterTest(e *filterExpr, fr *scopeFrame) testFunc {
	if t, ok := c.env.remainderTests[e.name]; ok {
		if t.by == 0 && len(e.args) == 1 && e.positional() || t.by != 0 && e.none() {
			return c.remainderTest(t, e, fr)
		}
	}
	x := c.expr(e.x, fr)
	if plain := c.env.plainTests[e.name]; plain != nil && e.none() {
		return func(f *frame) (bool, error) {
			v, err := x(f)
			return err == nil && plain(v), err
		}
	}
	apply := c.testCall(e, fr)
	return func(f *frame) (bool, error) {
		v, err := x(f)
		if err != nil {
			return false, err
		}
		return apply(f, v)
	}
}

// missing is the failure of a filter or test that is not there: now, or where the code is soft, when it runs.
func (c *compiler) missing(word string, e *filterExpr, fr *scopeFrame) func() error {
	if !fr.soft {
		c.fail("TemplateAssertionError", e.Line(), "No %s named %s.", word, quote(e.name))
	}
	msg := "No " + word + " named " + quote(e.name) + " found."
	return func() error { return raise("TemplateRuntimeError", "%s", msg) }
}

// filterArgs evaluates the arguments of a filter or a test and gives its Call, which endCall takes back.
func (c *compiler) filterArgs(e *filterExpr, fr *scopeFrame) func(f *frame, v value.Value) (*Call, error) {
	args, name := c.callArgs(e, fr), e.name
	return func(f *frame, v value.Value) (*Call, error) {
		if err := f.run.step(1); err != nil {
			return nil, err
		}
		call := f.run.newCall()
		call.Name, call.Value, call.Scope = name, v, f.asScope()
		return call, args(f, call)
	}
}

// callArgs evaluates the arguments of a filter into its Call.
func (c *compiler) callArgs(e *filterExpr, fr *scopeFrame) func(f *frame, call *Call) error {
	if e.positional() && len(e.args) <= len(Call{}.given) {
		xs := c.exprs(e.args, fr)
		return func(f *frame, call *Call) error {
			for i, x := range xs {
				v, err := x(f)
				if err != nil {
					return err
				}
				call.given[i] = v
			}
			call.Args = call.given[:len(xs):len(xs)]
			return nil
		}
	}
	args := c.args(&e.callArgs, fr, e.Line())
	return func(f *frame, call *Call) (err error) {
		call.Args, call.Kwargs, err = args(f)
		return err
	}
}

// newCall takes a Call that no filter uses.
func (r *run) newCall() *Call {
	if n := len(r.calls); n > 0 {
		c := r.calls[n-1]
		r.calls = r.calls[:n-1]
		return c
	}
	return &Call{Ctx: r.ctx, Env: r.env}
}

// endCall keeps c for the next filter. What it refers to stays until then: clearing costs more than it frees.
func (r *run) endCall(c *Call) {
	c.Args, c.Kwargs = nil, nil
	r.calls = append(r.calls, c)
}

// CallFilter calls another filter by name.
func (c *Call) CallFilter(name string, v value.Value, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	fn := c.Env.filters[name]
	if fn == nil {
		return nil, raise("TemplateRuntimeError", "No filter named %s.", quote(name))
	}
	return fn.carrying()(&Call{Ctx: c.Ctx, Name: name, Value: v, Args: slices.Clone(args), Kwargs: kwargs, Env: c.Env,
		Scope: c.Scope})
}

// CallTest calls another test by name.
func (c *Call) CallTest(name string, v value.Value, args []value.Value, kwargs *value.Dict) (bool, error) {
	fn := c.Env.tests[name]
	if fn == nil {
		return false, raise("TemplateRuntimeError", "No test named %s.", quote(name))
	}
	return fn(&Call{Ctx: c.Ctx, Name: name, Value: v, Args: slices.Clone(args), Kwargs: kwargs, Env: c.Env,
		Scope: c.Scope})
}
