package test

import (
	"context"
	"errors"
	"strings"

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
	return append(append(callingSpecs(), numberSpecs()...),
		modules.NewExec("test.ping", "ping(): True.", constant(value.Bool(true))),
		modules.NewExec("test.true", "true(): True.", constant(value.Bool(true))),
		modules.NewExec("test.true_", "true_(): True.", constant(value.Bool(true))),
		modules.NewExec("test.false", "false(): False.", constant(value.Bool(false))),
		modules.NewExec("test.false_", "false_(): False.", constant(value.Bool(false))),
		modules.NewExec("test.nop", "nop(*args, **kwargs): does nothing.", constant(value.None), "*args", "**kwargs"),
		modules.NewExec("test.echo", "echo(text): the text.", argument("text"), "text"),
		modules.NewExec("test.outputter", "outputter(data): the data.", argument("data"), "data"),
		modules.NewExec("test.version", "version(): the version of Salt whose behaviour gostate has.",
			constant(value.Str(saltVersion))),
		modules.NewExec("test.versions_information", "versions_information(): the versions.",
			constant(value.DictOf("Salt Version", value.DictOf("Salt", value.Str(saltVersion))))),
		modules.NewExec("test.arg", "arg(*args, **kwargs): the arguments as they came.", testArg, "*args", "**kwargs"),
		modules.NewExec("test.arg_repr", "arg_repr(*args, **kwargs): the arguments as Python prints them.", testArgRepr,
			"*args", "**kwargs"),
		modules.NewExec("test.arg_type", "arg_type(*args, **kwargs): the types of the arguments.", testArgType, "*args",
			"**kwargs"),
		modules.NewExec("test.kwarg", "kwarg(**kwargs): the keyword arguments.",
			func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Extra(), nil }, "**kwargs"),
		modules.NewExec("test.get_opts", "get_opts(): the options.",
			func(_ context.Context, c *modules.Call) (value.Value, error) { return c.Opts.Dict(), nil }),
		modules.NewExec("test.exception", "exception(message='Test Exception'): an error.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return nil, errors.New(c.Str("message"))
			}, "message=Test Exception"),
		modules.NewExec("test.provider", "provider(module): the name of the module of Salt's that does its work here, '' "+
			"where there is none.", provider, "module"),
		modules.NewExec("test.providers", "providers(): the modules that are there, by the names of Salt's that do their "+
			"work.", providers),
		modules.NewExec("test.not_loaded", "not_loaded(): the modules that are not loaded; none.", constant(value.NewList())),
		modules.NewExec("test.versions_report", "versions_report(): the versions, as text.",
			constant(value.Str(versionsReport))),
		modules.NewExec("test.versions", "versions(): the versions, as text.", constant(value.Str(versionsReport))),
		modules.NewExec("test.arg_clean", "arg_clean(*args, **kwargs): the arguments as they came.", testArg, "*args",
			"**kwargs"),
		modules.NewExec("test.retcode", "retcode(code=42): True.", constant(value.Bool(true)), "code=42"),
		modules.NewExec("test.deprecation_warning", "deprecation_warning(): True.", constant(value.Bool(true))),
		modules.NewExec("test.tty", "tty(*args, **kwargs): says that cmd.tty does that.",
			constant(value.Str("ERROR: This function has been moved to cmd.tty")), "*args", "**kwargs"),
		modules.NewExec("test.assertion", "assertion(assertion): an error where the argument is not true.", assertion,
			"assertion"),
		modules.NewExec("test.raise_exception", "raise_exception(name, *args, **kwargs): an error of the name.", raise,
			"name", "*args", "**kwargs"),
		modules.NewExec("test.opts_pkg", "opts_pkg(): the options, and the grains under grains.", optsPkg),
	)
}

const versionsReport = "Salt Version:\n          Salt: " + saltVersion

func testArg(_ context.Context, c *modules.Call) (value.Value, error) {
	return value.DictOf("args", value.NewList(c.Rest()...), "kwargs", c.Extra()), nil
}

func testArgRepr(_ context.Context, c *modules.Call) (value.Value, error) {
	return value.DictOf("args", value.Str(value.Repr(value.NewTuple(c.Rest()...))), "kwargs",
		value.Str(value.Repr(c.Extra()))), nil
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

func assertion(_ context.Context, c *modules.Call) (value.Value, error) {
	if !c.Bool("assertion") {
		return nil, &value.Error{Class: "AssertionError"}
	}
	return value.None, nil
}

// raise gives the error the arguments' text; any name is taken for one.
func raise(_ context.Context, c *modules.Call) (value.Value, error) {
	text := ""
	switch args := c.Rest(); len(args) {
	case 0:
	case 1:
		text = value.String(args[0])
	default:
		text = value.Repr(value.NewTuple(args...))
	}
	return nil, &value.Error{Class: strings.TrimPrefix(c.Str("name"), "salt.exceptions."), Msg: text}
}

func optsPkg(_ context.Context, c *modules.Call) (value.Value, error) {
	out := c.Opts.Dict().Copy()
	out.SetStr("grains", c.Grains.Dict())
	return out, nil
}

func provider(_ context.Context, c *modules.Call) (value.Value, error) {
	if module := c.Str("module"); c.Registry != nil && c.Registry.HasExecModule(module) {
		return value.Str(saltModule(c, module)), nil
	}
	return value.Str(""), nil
}

func providers(_ context.Context, c *modules.Call) (value.Value, error) {
	out := value.NewDict(0)
	for _, name := range c.Registry.ExecNames() {
		module, _, _ := strings.Cut(name, ".")
		out.SetStr(saltModule(c, module), value.Str(module))
	}
	return out, nil
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
