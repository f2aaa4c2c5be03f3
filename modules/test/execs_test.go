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
	x := modtest.Execs{Family: Family(), Env: &modules.Env{Registry: reg, Opts: modtest.Dict(t, `{"id": "x"}`)}}
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
		{"test.provider", `["nope"]`, "", "error: 'nope' is not available"},
	})
}

// TestFibTakesText: a number that is text is one, as for Python's int.
func TestFibTakesText(t *testing.T) {
	if got := (modtest.Execs{Family: Family()}).Call(t, "test.fib", `["20"]`, ""); !strings.HasPrefix(got, "(6765, ") {
		t.Errorf("got %s", got)
	}
}

func TestSleepEndsWithTheRun(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := reg.Call(ctx, &modules.Env{}, nil, "test.sleep", []value.Value{value.Int(60)}, nil); err == nil || time.Since(start) > 5*time.Second {
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
		{debian, "service", "systemd_service"}, {debian, "pkg", "aptpkg"}, {debian, "user", "useradd"}, {debian, "file", "file"},
		{on(`{"init": "sysvinit"}`), "service", "service"}, {&modules.Call{Env: &modules.Env{}}, "group", "groupadd"},
	} {
		if got := saltModule(c.call, c.module); got != c.want {
			t.Errorf("%s is %s, want %s", c.module, got, c.want)
		}
	}
}
