package test

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// callingSpecs are the functions that call others. What others do is not known, so these may do anything.
func callingSpecs() []modules.ExecSpec {
	out := []modules.ExecSpec{
		modules.NewExec("test.cross_test", "cross_test(func, args=None): calls a function with a list of arguments.",
			crossTest, "func", "args=None"),
		modules.NewExec("test.try", "try(module, return_try_exception=False, **kwargs): calls a function; None, or the "+
			"error's text, where that fails.", try,
			"module", "return_try_exception=false", "**kwargs"),
	}
	for i := range out {
		out[i].Class = modules.Commands
	}
	calling := func(fun string, args ...value.Value) modules.ExecFunc {
		return func(ctx context.Context, c *modules.Call) (value.Value, error) {
			return c.Exec.Call(ctx, fun, args, nil)
		}
	}
	return append(out,
		modules.NewExec("test.conf_test", "conf_test(): what config.option finds for test.foo.",
			calling("config.option", value.Str("test.foo"))),
		modules.NewExec("test.attr_call", "attr_call(): all grains.", calling("grains.items")))
}

func crossTest(ctx context.Context, c *modules.Call) (value.Value, error) {
	var args []value.Value
	if given := c.Arg("args"); given != value.None {
		var err error
		if args, err = value.ToList(given); err != nil {
			return nil, err
		}
	}
	return c.Exec.Call(ctx, c.Str("func"), args, nil)
}

// try does not take for a failure what only cannot be foretold.
func try(ctx context.Context, c *modules.Call) (value.Value, error) {
	v, err := c.Exec.Call(ctx, c.Str("module"), nil, c.Extra())
	switch {
	case err == nil || errors.Is(err, host.ErrPreview):
		return v, err
	case c.Bool("return_try_exception"):
		return value.Str(err.Error()), nil
	}
	return value.None, nil
}
