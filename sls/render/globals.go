package render

import (
	"context"

	"github.com/gostate/gostate/sls/jinja"
	"github.com/gostate/gostate/state/value"
)

// addTo adds Salt's filters, tests, tags and globals to an environment.
func (r *Renderer) addTo(env *jinja.Environment) {
	for _, f := range saltFilters() {
		env.AddFilter(f.name, func(c *jinja.Call) (value.Value, error) {
			return f.call(c.Ctx, r, c.Value, c.Args, c.Kwargs)
		})
	}
	env.AddFilter("python", env.Filter("pprint"))
	match := filter{name: "match"}
	match.setParams("rgx ignorecase= multiline=")
	env.AddTest("match", func(c *jinja.Call) (bool, error) {
		if u, ok := c.Value.(*value.Undefined); ok {
			return false, u.Err()
		}
		a, err := match.bind(c.Args, c.Kwargs)
		if err != nil {
			return false, err
		}
		return testMatch(c.Value, a)
	})
	env.AddTest("list", func(c *jinja.Call) (bool, error) { _, ok := c.Value.(*value.List); return ok, nil })
	env.AddGlobal("raise", &value.Func{Name: "raise", Fn: raise})
	env.AddGlobal("show_full_context", &value.Func{Name: "show_full_context", Fn: showFullContext})
	env.AddGlobal("odict", &value.Func{Name: "odict", Fn: odict})
	r.addTags(env)
}

// raise ends the rendering with the user's message.
func raise(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	msg := ""
	if len(args) > 0 {
		msg = value.String(args[0])
	} else if kwargs != nil {
		if v, ok := kwargs.GetStr("msg"); ok {
			msg = value.String(v)
		}
	}
	return nil, value.Raise("TemplateError", "%s", msg)
}

// showFullContext gives all variables of the template, those that are no plain data as text.
func showFullContext(ctx context.Context, _ []value.Value, _ *value.Dict) (value.Value, error) {
	s := jinja.ScopeOf(ctx)
	if s == nil {
		return value.NewDict(0), nil
	}
	return simpleTypes(s.All(), &nesting{}), nil
}

// simpleTypes is data with everything else replaced by what it prints as, "..." for data that holds itself.
func simpleTypes(v value.Value, at *nesting) value.Value {
	switch v.(type) {
	case value.Str, value.Int, value.Float, value.Bool, value.NoneType, value.BigInt:
		return v
	}
	if at.enter(v) != nil {
		return value.Str("...")
	}
	defer at.leave()
	switch v := v.(type) {
	case *value.Dict:
		out := value.NewDict(v.Len())
		for k, x := range v.All() {
			_ = out.Set(k, simpleTypes(x, at))
		}
		return out
	case *value.List:
		return simpleItems(v.Items, at)
	case *value.Tuple:
		return simpleItems(v.Items, at)
	}
	return value.Str(value.Repr(v))
}

func simpleItems(items []value.Value, at *nesting) *value.List {
	out := value.NewList()
	for _, x := range items {
		out.Items = append(out.Items, simpleTypes(x, at))
	}
	return out
}

// odict is Python's OrderedDict: from a dict, from pairs, from keywords.
func odict(_ context.Context, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	out := value.NewDict(0)
	if len(args) > 1 {
		return nil, value.Raise("TypeError", "expected at most 1 argument, got %d", len(args))
	}
	if len(args) == 1 {
		if d, ok := args[0].(*value.Dict); ok {
			out.Update(d)
		} else {
			pairs, err := value.ToList(args[0])
			if err != nil {
				return nil, err
			}
			for _, p := range pairs {
				kv, err := value.ToList(p)
				if err != nil {
					return nil, err
				}
				if len(kv) != 2 {
					return nil, value.Raise("ValueError", "an element of the pairs has length %d; 2 is required", len(kv))
				}
				if err := out.Set(kv[0], kv[1]); err != nil {
					return nil, err
				}
			}
		}
	}
	if kwargs != nil {
		out.Update(kwargs)
	}
	return out, nil
}
