// Package diagnose is the execution functions that say something of gostate itself: test.* to try out calls, log.* to write
// to the log from a template, sys.* to look up functions.
package diagnose

import (
	"context"
	"errors"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family is all functions of the package.
func Family() modules.Family {
	all := append(testSpecs(), logSpecs()...)
	return modules.Family{Name: "diagnose", Execs: append(all, sysSpecs()...)}
}

type fn = func(ctx context.Context, c *modules.Call) (value.Value, error)

func spec(name, doc string, f fn, params ...string) modules.ExecSpec {
	return modules.ExecSpec{Name: name, Doc: doc, Params: params, Fn: f}
}

func constant(v value.Value) fn {
	return func(context.Context, *modules.Call) (value.Value, error) { return v, nil }
}

func argument(name string) fn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Arg(name), nil }
}

// saltVersion is the version of Salt whose behaviour gostate has; the grain saltversion says the same.
const saltVersion = "3006.9"

func testSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("test.ping", "ping(): True.", constant(value.Bool(true))),
		spec("test.true", "true(): True.", constant(value.Bool(true))),
		spec("test.true_", "true_(): True.", constant(value.Bool(true))),
		spec("test.false", "false(): False.", constant(value.Bool(false))),
		spec("test.false_", "false_(): False.", constant(value.Bool(false))),
		spec("test.nop", "nop(*args, **kwargs): does nothing.", constant(value.None), "*args", "**kwargs"),
		spec("test.echo", "echo(text): the text.", argument("text"), "text"),
		spec("test.outputter", "outputter(data): the data.", argument("data"), "data"),
		spec("test.version", "version(): the version of Salt whose behaviour gostate has.", constant(value.Str(saltVersion))),
		spec("test.versions_information", "versions_information(): the versions.", constant(value.DictOf("Salt Version", value.DictOf("Salt", value.Str(saltVersion))))),
		spec("test.arg", "arg(*args, **kwargs): the arguments as they came.", testArg, "*args", "**kwargs"),
		spec("test.arg_repr", "arg_repr(*args, **kwargs): the arguments as Python prints them.", testArgRepr, "*args", "**kwargs"),
		spec("test.arg_type", "arg_type(*args, **kwargs): the types of the arguments.", testArgType, "*args", "**kwargs"),
		spec("test.kwarg", "kwarg(**kwargs): the keyword arguments.", func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Extra(), nil }, "**kwargs"),
		spec("test.sleep", "sleep(length): True, after so many seconds.", sleep, "length"),
		spec("test.fib", "fib(num): a number of Fibonacci's and the seconds that it took.", fib, "num"),
		spec("test.get_opts", "get_opts(): the options.", func(_ context.Context, c *modules.Call) (value.Value, error) { return c.World.Opts(), nil }),
		spec("test.exception", "exception(message='Test Exception'): an error.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			return nil, errors.New(c.Str("message"))
		}, "message=Test Exception"),
		spec("test.provider", "provider(module): the name under which a module is there.", provider, "module"),
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
	n := c.Int("num", 0)
	if n > 90 {
		return nil, value.Raise("ValueError", "fib: %d is too large", n)
	}
	start := c.World.Time()
	a, b := 0, 1
	for range n {
		a, b = b, a+b
	}
	return value.NewTuple(value.Int(a), value.Float(c.World.Time().Sub(start).Seconds())), nil
}

// provider is the module's own name where it has functions; there are no other providers' names here.
func provider(_ context.Context, c *modules.Call) (value.Value, error) {
	if c.World.Registry != nil {
		for _, name := range c.World.Registry.ExecNames() {
			if module, _, _ := cut(name); module == c.Str("module") {
				return value.Str(saltModule(c, module)), nil
			}
		}
	}
	return nil, value.Raise("CommandExecutionError", "'%s' is not available", c.Str("module"))
}

// saltModule is the name of the module of Salt's that does this one's work on this machine: formulas ask for it to tell
// systemd from its predecessors.
func saltModule(c *modules.Call, module string) string {
	grain := func(name string) string {
		if c.World.Grains == nil {
			return ""
		}
		v, _ := c.World.Grains().GetStr(name)
		s, _ := v.(value.Str)
		return string(s)
	}
	switch module {
	case "service":
		if grain("init") == "systemd" {
			return "systemd_service"
		}
	case "pkg":
		if grain("os_family") == "Debian" {
			return "aptpkg"
		}
	case "user":
		return "useradd"
	case "group":
		return "groupadd"
	}
	return module
}

func logSpecs() []modules.ExecSpec {
	var out []modules.ExecSpec
	for _, level := range [][2]string{{"trace", "debug"}, {"debug", "debug"}, {"info", "info"}, {"warning", "warning"}, {"error", "error"},
		{"critical", "error"}, {"exception", "error"}} {
		out = append(out, spec("log."+level[0], level[0]+"(message): writes a message to the log and gives True.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				c.Log(level[1], c.Str("message"))
				return value.Bool(true), nil
			}, "message"))
	}
	return out
}
