package jinja

import (
	"slices"

	"github.com/gostate/gostate/state/value"
)

// copyCall keeps what a generator needs of a call.
func copyCall(c *Call) *Call {
	k := *c
	k.Args = slices.Clone(c.Args)
	return &k
}

func filterMap(c *Call) (value.Value, error) {
	c = copyCall(c)
	it := later(c.Value)
	var f getter
	return NewGenerator("sync_do_map", func() (value.Value, bool, error) {
		if f == nil {
			yes, err := truth(c.Value)
			if err != nil || !yes {
				return nil, false, err
			}
			if f, err = mapper(c); err != nil {
				return nil, false, err
			}
		}
		v, ok, err := it.next()
		if err != nil || !ok {
			return nil, false, err
		}
		v, err = f(v)
		return v, err == nil, err
	}), nil
}

// mapper is what the filter map does to each item.
func mapper(c *Call) (getter, error) {
	if len(c.Args) == 0 && c.Kwargs != nil {
		if attr, ok := c.Kwargs.GetStr("attribute"); ok {
			var def value.Value
			for i := range c.Kwargs.Len() {
				switch e := c.Kwargs.At(i); value.String(e.Key) {
				case "attribute":
				case "default":
					def = e.Val
				default:
					return nil, raise("FilterArgumentError", "Unexpected keyword argument %s", value.Repr(e.Key))
				}
			}
			return attrGetter(c.Env, attr, def), nil
		}
	}
	if len(c.Args) == 0 {
		return nil, raise("FilterArgumentError", "map requires a filter argument")
	}
	if err := used(c.Args[0]); err != nil {
		return nil, err
	}
	name, args := value.String(Plain(c.Args[0])), c.Args[1:]
	return func(v value.Value) (value.Value, error) { return c.CallFilter(name, v, args, c.Kwargs) }, nil
}

func selectOrReject(pyName string, want, byAttr bool) Filter {
	return func(c *Call) (value.Value, error) {
		c = copyCall(c)
		it := later(c.Value)
		var pass func(v value.Value) (bool, error)
		return NewGenerator("select_or_reject", func() (value.Value, bool, error) {
			if pass == nil {
				yes, err := truth(c.Value)
				if err != nil || !yes {
					return nil, false, err
				}
				if pass, err = selector(c, byAttr); err != nil {
					return nil, false, err
				}
			}
			for {
				v, ok, err := it.next()
				if err != nil || !ok {
					return nil, false, err
				}
				yes, err := pass(v)
				if err != nil {
					return nil, false, err
				}
				if yes == want {
					return v, true, nil
				}
			}
		}), nil
	}
}

// selector is the test of select and its kin: a named test, or truth.
func selector(c *Call, byAttr bool) (func(v value.Value) (bool, error), error) {
	args := c.Args
	get := func(v value.Value) (value.Value, error) { return v, nil }
	if byAttr {
		if len(args) == 0 {
			return nil, raise("FilterArgumentError", "Missing parameter for attribute name")
		}
		get = attrGetter(c.Env, args[0], nil)
		args = args[1:]
	}
	test := truth
	if len(args) > 0 {
		if err := used(args[0]); err != nil {
			return nil, err
		}
		name, rest := value.String(Plain(args[0])), args[1:]
		test = func(v value.Value) (bool, error) { return c.CallTest(name, v, rest, c.Kwargs) }
	}
	return func(v value.Value) (bool, error) {
		v, err := get(v)
		if err != nil {
			return false, err
		}
		return test(v)
	}, nil
}
