package jinja

import (
	"slices"

	"github.com/gostate/gostate/state/value"
)

// argsFunc evaluates the arguments of a call; kwargs is nil when there are none.
type argsFunc func(f *frame) (args []value.Value, kwargs *value.Dict, err error)

func (c *compiler) args(a *callArgs, fr *scopeFrame, line int) argsFunc {
	for i, n := range a.kwNames {
		for _, m := range a.kwNames[:i] {
			if n == m {
				c.fail("SyntaxError", line, "keyword argument repeated: %s", n)
			}
		}
	}
	pos, kwVals, kwNames := c.exprs(a.args, fr), c.exprs(a.kwVals, fr), a.kwNames
	if a.dyn == nil && a.dkw == nil {
		if len(kwVals) == 0 {
			return func(f *frame) ([]value.Value, *value.Dict, error) {
				args, err := evalAll(f, pos)
				return args, nil, err
			}
		}
		return func(f *frame) ([]value.Value, *value.Dict, error) {
			args, err := evalAll(f, pos)
			if err != nil {
				return nil, nil, err
			}
			kwargs, err := evalKeywords(f, kwNames, kwVals)
			return args, kwargs, err
		}
	}
	var dyn, dkw evalFunc
	if a.dyn != nil {
		dyn = c.expr(a.dyn, fr)
	}
	if a.dkw != nil {
		dkw = c.expr(a.dkw, fr)
	}
	return func(f *frame) ([]value.Value, *value.Dict, error) {
		args, err := evalAll(f, pos)
		if err != nil {
			return nil, nil, err
		}
		if dyn != nil {
			if args, err = appendStar(f, args, dyn); err != nil {
				return nil, nil, err
			}
		}
		kwargs, err := evalKeywords(f, kwNames, kwVals)
		if err != nil || dkw == nil {
			return args, kwargs, err
		}
		return args, kwargs, addStarStar(f, kwargs, dkw)
	}
}

func evalKeywords(f *frame, names []string, vals []evalFunc) (*value.Dict, error) {
	kwargs := value.NewDict(len(names))
	for i, x := range vals {
		v, err := x(f)
		if err != nil {
			return nil, err
		}
		kwargs.SetStr(names[i], v)
	}
	return kwargs, nil
}

const caller = "jinja2.sandbox.SandboxedEnvironment.call()"

func appendStar(f *frame, args []value.Value, dyn evalFunc) ([]value.Value, error) {
	v, err := dyn(f)
	if err != nil {
		return nil, err
	}
	more, err := list(v)
	if err != nil {
		if _, ok := v.(*value.Undefined); ok {
			return nil, err
		}
		return nil, raise("TypeError", "Value after * must be an iterable, not %s", typeName(v))
	}
	return append(args, more...), nil
}

func addStarStar(f *frame, kwargs *value.Dict, dkw evalFunc) error {
	v, err := dkw(f)
	if err != nil {
		return err
	}
	if err := used(v); err != nil {
		return err
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return raise("TypeError", caller+" argument after ** must be a mapping, not %s", typeName(v))
	}
	for i := range d.Len() {
		e := d.At(i)
		name, ok := e.Key.(value.Str)
		if !ok {
			return raise("TypeError", "keywords must be strings")
		}
		if _, dup := kwargs.Get(name); dup {
			return raise("TypeError", caller+" got multiple values for keyword argument %s", quote(string(name)))
		}
		if err := kwargs.Set(name, e.Val); err != nil {
			return err
		}
	}
	return nil
}

// call calls a function, or a method of a value without making an object of it. forward is the caller of a call block.
func (c *compiler) call(e *callExpr, fr *scopeFrame, forward func(f *frame) *Macro) evalFunc {
	var fn, recv evalFunc
	method := ""
	if a, ok := e.fn.(*attrExpr); ok && a.name[0] != '_' {
		recv, method = c.expr(a.x, fr), a.name
	} else {
		fn = c.expr(e.fn, fr)
	}
	line := e.Line()
	args := c.args(&e.callArgs, fr, line)
	return func(f *frame) (value.Value, error) {
		var v, target value.Value
		var err error
		if recv != nil {
			if target, err = recv(f); err != nil {
				return nil, err
			}
			if !hasFastMethods(target) {
				v, err = getattr(f, target, method)
			}
		} else {
			v, err = fn(f)
		}
		if err != nil {
			return nil, err
		}
		if err := f.run.step(1); err != nil {
			return nil, err
		}
		pos, kwargs, err := args(f)
		if err != nil {
			return nil, err
		}
		if forward != nil {
			if kwargs == nil {
				kwargs = value.NewDict(1)
			}
			kwargs.SetStr("caller", forward(f))
		}
		f.run.line = line
		if v == nil {
			v, err = f.callMethod(target, method, pos, kwargs)
		} else {
			v, err = f.call(v, pos, kwargs)
		}
		f.carryMethod(v, target, pos, kwargs)
		return v, err
	}
}

func hasFastMethods(v value.Value) bool {
	switch v.(type) {
	case value.Str, *value.Dict, *value.List, Markup:
		return true
	}
	return false
}

// call calls v with the scope of this frame at hand.
func (f *frame) call(v value.Value, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	before := f.run.scope
	f.run.scope = f.ctx
	out, err := call(f.run.ctx, v, args, kwargs)
	f.run.scope = before
	return out, err
}

// callMethod calls a method of a text, dict or list; without such a method the attribute may be an item that can be
// called.
func (f *frame) callMethod(v value.Value, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if m, ok := v.(Markup); ok {
		return f.callMarkup(m, name, args, kwargs)
	}
	if slices.ContainsFunc(args, isMarkup) {
		plainFor(v, name, args)
	}
	if err := growth(v, name, args); err != nil {
		return nil, err
	}
	if s, ok := v.(value.Str); ok && (name == "format" || name == "format_map") {
		return f.format(string(s), name, args, kwargs)
	}
	if out, ok, err := value.CallMethod(f.run.ctx, v, name, args, kwargs); ok || err != nil {
		return out, err
	}
	fn, err := f.run.env.Getattr(v, name)
	if err != nil {
		return nil, err
	}
	return f.call(fn, args, kwargs)
}

// growth refuses undefined arguments where Python would hash or compare them.
func growth(v value.Value, name string, args []value.Value) error {
	if _, ok := v.(*value.Dict); !ok || len(args) == 0 {
		return nil
	}
	switch name {
	case "get", "pop", "setdefault":
		return strict(args[0])
	}
	return nil
}

// callMarkup calls a method of safe text; text that it gives is safe too.
func (f *frame) callMarkup(m Markup, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if (name == "unescape" || name == "striptags") && len(args) > 0 {
		return nil, raise("TypeError", "Markup.%s() takes 1 positional argument but %d were given", name, len(args)+1)
	}
	if (name == "unescape" || name == "striptags") && kwargs != nil && kwargs.Len() > 0 {
		return nil, raise("TypeError", "Markup.%s() got an unexpected keyword argument %s", name,
			value.Repr(kwargs.At(0).Key))
	}
	switch name {
	case "unescape":
		return value.Str(unescapeHTML(string(m))), nil
	case "striptags":
		return value.Str(stripTags(string(m))), nil
	}
	args, kwargs, err := markupArguments(name, args, kwargs)
	if err != nil {
		return nil, err
	}
	out, ok, err := value.CallMethod(f.run.ctx, value.Str(m), name, args, kwargs)
	if err != nil {
		return nil, err
	}
	if !ok {
		fn, err := f.run.env.Getattr(m, name)
		if err != nil {
			return nil, err
		}
		return f.call(fn, args, kwargs)
	}
	if s, ok := out.(value.Str); ok {
		if name == "casefold" || name == "removeprefix" || name == "removesuffix" {
			return s, nil
		}
		return Markup(s), nil
	}
	switch name {
	case "split", "rsplit", "splitlines", "partition", "rpartition":
		return safeItems(out), nil
	}
	return out, nil
}
