package test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

func TestExecs(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	x := modtest.Execs{Family: Family(), Env: &modules.Env{Registry: reg, Opts: modtest.Dict(t, `{"id": "x"}`),
		Grains: modtest.Dict(t, `{"os": "Debian"}`),
		Now:    func() time.Time { return time.Unix(0, 0) }}}
	x.Env.Exec = calls{reg, x.Env}
	x.Table(t, [][4]string{
		{"test.ping", `[]`, "", "True"},
		{"test.false", `[]`, "", "False"},
		{"test.echo", `["hi"]`, "", "'hi'"},
		{"test.version", `[]`, "", "'3006.9'"},
		{"test.arg", `[1, "a"]`, `{"k": 2}`, "{'args': [1, 'a'], 'kwargs': {'k': 2}}"},
		{"test.arg_repr", `[1]`, `{"k": 2}`, `{'args': '(1,)', 'kwargs': "{'k': 2}"}`},
		{"test.arg_type", `[1]`, `{"k": 2}`, `{'args': ["<class 'int'>"], 'kwargs': {'k': "<class 'int'>"}}`},
		{"test.kwarg", `[]`, `{"k": 2}`, "{'k': 2}"},
		{"test.sleep", `[0.001]`, "", "True"},
		{"test.fib", `["x"]`, "", "error: invalid literal for int() with base 10: 'x'"},
		{"test.get_opts", `[]`, "", "{'id': 'x'}"},
		{"test.exception", `[]`, "", "error: Test Exception"},
		{"test.provider", `["test"]`, "", "'test'"},
		{"test.provider", `["nope"]`, "", "''"},
		{"test.providers", `[]`, "", "{'test': 'test'}"},
		{"test.arg_clean", `[1]`, `{"k": 2, "__pub_fun": "x"}`, "{'args': [1], 'kwargs': {'k': 2}}"},
		{"test.assertion", `[1]`, "", "None"},
		{"test.assertion", `[0]`, "", "error: "},
		{"test.raise_exception", `["TypeError", "An integer is required"]`, "", "error: An integer is required"},
		{"test.raise_exception", `["salt.exceptions.SaltException", 1, 2]`, "", "error: (1, 2)"},
		{"test.opts_pkg", `[]`, "", "{'id': 'x', 'grains': {'os': 'Debian'}}"},
		{"test.cross_test", `["test.echo", ["hi"]]`, "", "'hi'"},
		{"test.cross_test", `["test.nope"]`, "", "error: 'test.nope' is not available; did you mean 'test.nop'?"},
		{"test.try", `["test.echo"]`, `{"text": "hi"}`, "'hi'"},
		{"test.try", `["test.exception"]`, "", "None"},
		{"test.try", `["test.exception", true]`, "", "'Test Exception'"},
		{"test.conf_test", `[]`, "", "error: 'config.option' is not available"},
		{"test.collatz", `["40"]`, "", "([40, 20.0, 10.0, 5.0, 16.0, 8.0, 4.0, 2.0], 0.0)"},
		{"test.collatz", `[3]`, "", "([3, 10, 5.0, 16.0, 8.0, 4.0, 2.0], 0.0)"},
		{"test.collatz", `[0]`, "", "error: the sequence of 0 does not end"},
		{"test.collatz", `["x"]`, "", "error: invalid literal for int() with base 10: 'x'"},
		{"test.fib", `["20"]`, "", "(6765, 0.0)"},
		{"test.fib", `[100]`, "", "(354224848179261915075, 0.0)"},
		{"test.fib", `[0]`, "", "(0, 0.0)"},
		{"test.fib", `[-1]`, "", "error: Negative number is not allowed!"},
		{"test.random_hash", `[1, "md5"]`, "", "'c4ca4238a0b923820dcc509a6f75849b'"},
		{"test.random_hash", `[1, "nope"]`, "", "error: Hash func 'nope' is not supported."},
		{"test.rand_sleep", `[0]`, "", "True"},
	})
}

// TestFibTakesText: a number that is text is one, as for Python's int.
func TestFibTakesText(t *testing.T) {
	if got := (modtest.Execs{Family: Family()}).Call(t, "test.fib", `["20"]`, ""); !strings.HasPrefix(got, "(6765, ") {
		t.Errorf("got %s", got)
	}
}

// calls are the functions that others call.
type calls struct {
	*modules.Registry
	env *modules.Env
}

func (c calls) Has(name string) bool { _, ok := c.Exec(name); return ok }
func (c calls) Call(ctx context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	return c.Registry.Call(ctx, c.env, nil, name, args, kwargs)
}

func TestSleepEndsWithTheRun(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := reg.Call(ctx, &modules.Env{}, nil, "test.sleep", []value.Value{value.Int(60)}, nil); err == nil ||
		time.Since(start) > 50*time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
}

// TestSaltModule: formulas tell systemd from its predecessors by the name of the module.
func TestSaltModule(t *testing.T) {
	on := func(grains string) *modules.Call {
		return &modules.Call{Env: &modules.Env{Grains: modtest.Dict(t, grains)}}
	}
	debian := on(`{"init": "systemd", "os_family": "Debian"}`)
	for _, c := range []struct {
		call         *modules.Call
		module, want string
	}{
		{debian, "service", "systemd_service"}, {debian, "pkg", "aptpkg"}, {debian, "user", "useradd"},
		{debian, "file", "file"},
		{on(`{"init": "sysvinit"}`), "service", "service"}, {&modules.Call{Env: &modules.Env{}}, "group", "groupadd"},
	} {
		if got := saltModule(c.call, c.module); got != c.want {
			t.Errorf("%s is %s, want %s", c.module, got, c.want)
		}
	}
}
