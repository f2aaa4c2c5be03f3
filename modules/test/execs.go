package test

import (
	"context"
	"errors"
	"strconv"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func constant(v value.Value) modules.ExecFunc {
	return func(context.Context, *modules.Call) (value.Value, error) { return v, nil }
}

func argument(name string) modules.ExecFunc {
	return func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Arg(name), nil }
}

// saltVersion is the version of Salt whose behaviour gostate has; the grain saltversion says the same.
const saltVersion = "3006.9"

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("test.ping", "ping(): True.", constant(value.Bool(true))),
		modules.NewExec("test.true", "true(): True.", constant(value.Bool(true))),
		modules.NewExec("test.true_", "true_(): True.", constant(value.Bool(true))),
		modules.NewExec("test.false", "false(): False.", constant(value.Bool(false))),
		modules.NewExec("test.false_", "false_(): False.", constant(value.Bool(false))),
		modules.NewExec("test.nop", "nop(*args, **kwargs): does nothing.", constant(value.None), "*args", "**kwargs"),
		modules.NewExec("test.echo", "echo(text): the text.", argument("text"), "text"),
		modules.NewExec("test.outputter", "outputter(data): the data.", argument("data"), "data"),
		modules.NewExec("test.version", "version(): the version of Salt whose behaviour gostate has.", constant(value.Str(saltVersion))),
		modules.NewExec("test.versions_information", "versions_information(): the versions.", constant(value.DictOf("Salt Version", value.DictOf("Salt", value.Str(saltVersion))))),
		modules.NewExec("test.arg", "arg(*args, **kwargs): the arguments as they came.", testArg, "*args", "**kwargs"),
		modules.NewExec("test.arg_repr", "arg_repr(*args, **kwargs): the arguments as Python prints them.", testArgRepr, "*args", "**kwargs"),
		modules.NewExec("test.arg_type", "arg_type(*args, **kwargs): the types of the arguments.", testArgType, "*args", "**kwargs"),
		modules.NewExec("test.kwarg", "kwarg(**kwargs): the keyword arguments.", func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Extra(), nil }, "**kwargs"),
		modules.NewExec("test.sleep", "sleep(length): True, after so many seconds.", sleep, "length"),
		modules.NewExec("test.fib", "fib(num): a number of Fibonacci's and the seconds that it took.", fib, "num"),
		modules.NewExec("test.get_opts", "get_opts(): the options.", func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Opts.Dict(), nil }),
		modules.NewExec("test.exception", "exception(message='Test Exception'): an error.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			return nil, errors.New(c.Str("message"))
		}, "message=Test Exception"),
		modules.NewExec("test.provider", "provider(module): the name under which a module is there.", provider, "module"),
	}
}

func testArg(_ context.Context, c *modules.Call) (value.Value, error) {
	return value.DictOf("args", value.NewList(c.Rest()...), "kwargs", c.Extra()), nil
}

func testArgRepr(_ context.Context, c *modules.Call) (value.Value, error) {
	return value.DictOf("args", value.Str(value.Repr(value.NewTuple(c.Rest()...))), "kwargs", value.Str(value.Repr(c.Extra()))), nil
}

func testArgType(_ context.Context, c *modules.Call) (value.Value, error) {
	class := func(v value.Value) value.Value { return value.Str("<class '" + v.TypeName() + "'>") }
	args, kwargs := value.NewList(), value.NewDict(0)
	for _, v := range c.Rest() {
		args.Items = append(args.Items, class(v))
	}
	for k, v := range c.Extra().All() {
		if err := kwargs.Set(k, class(v)); err != nil {
			return nil, err
		}
	}
	return value.DictOf("args", args, "kwargs", kwargs), nil
}

// sleep waits, unless the run is ended meanwhile.
func sleep(ctx context.Context, c *modules.Call) (value.Value, error) {
	t := time.NewTimer(time.Duration(c.Float("length", 0) * float64(time.Second)))
	defer t.Stop()
	select {
	case <-t.C:
		return value.Bool(true), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func fib(_ context.Context, c *modules.Call) (value.Value, error) {
	n, err := strconv.Atoi(c.Str("num"))
	if err != nil {
		return nil, value.Raise("ValueError", "invalid literal for int() with base 10: %s", value.Repr(c.Arg("num")))
	}
	if n > 90 {
		return nil, value.Raise("ValueError", "fib: %d is too large", n)
	}
	start := c.Time()
	a, b := 0, 1
	for range n {
		a, b = b, a+b
	}
	return value.NewTuple(value.Int(a), value.Float(c.Time().Sub(start).Seconds())), nil
}

// provider is the module's own name where it has functions; there are no other providers' names here.
func provider(_ context.Context, c *modules.Call) (value.Value, error) {
	if module := c.Str("module"); c.Registry != nil && c.Registry.HasExecModule(module) {
		return value.Str(saltModule(c, module)), nil
	}
	return nil, value.Raise("CommandExecutionError", "'%s' is not available", c.Str("module"))
}

// saltModule is the name of the module of Salt's that does this one's work on this machine: formulas ask for it to tell
// systemd from its predecessors.
func saltModule(c *modules.Call, module string) string {
	switch module {
	case "service":
		if c.Grains.Text("init") == "systemd" {
			return "systemd_service"
		}
	case "pkg":
		if c.Grains.Text("os_family") == "Debian" {
			return "aptpkg"
		}
	case "user":
		return "useradd"
	case "group":
		return "groupadd"
	}
	return module
}
