package diagnose

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func world(t *testing.T) (*modules.Registry, *modules.World, *[]string) {
	t.Helper()
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	var logs []string
	return reg, &modules.World{Registry: reg, Log: func(level, msg string) { logs = append(logs, level+" "+msg) },
		Opts: func() *value.Dict { return value.DictOf("id", value.Str("x")) }}, &logs
}

func TestFunctions(t *testing.T) {
	reg, w, logs := world(t)
	kw := value.DictOf("k", value.Int(2))
	for _, c := range []struct {
		name string
		args []value.Value
		kw   *value.Dict
		want string
	}{
		{"test.ping", nil, nil, "True"},
		{"test.false", nil, nil, "False"},
		{"test.echo", []value.Value{value.Str("hi")}, nil, "'hi'"},
		{"test.version", nil, nil, "'3006.9'"},
		{"test.arg", []value.Value{value.Int(1), value.Str("a")}, kw, "{'args': [1, 'a'], 'kwargs': {'k': 2}}"},
		{"test.arg_repr", []value.Value{value.Int(1)}, kw, `{'args': '(1,)', 'kwargs': "{'k': 2}"}`},
		{"test.arg_type", []value.Value{value.Int(1)}, kw, `{'args': ["<class 'int'>"], 'kwargs': {'k': "<class 'int'>"}}`},
		{"test.kwarg", nil, kw, "{'k': 2}"},
		{"test.sleep", []value.Value{value.Float(0.001)}, nil, "True"},
		{"test.get_opts", nil, nil, "{'id': 'x'}"},
		{"test.exception", nil, nil, "error: Test Exception"},
		{"test.provider", []value.Value{value.Str("log")}, nil, "'log'"},
		{"test.provider", []value.Value{value.Str("nope")}, nil, "error: 'nope' is not available"},
		{"log.warning", []value.Value{value.Str("careful")}, nil, "True"},
		{"sys.list_modules", nil, nil, "['log', 'sys', 'test']"},
		{"sys.list_functions", []value.Value{value.Str("test.t*")}, nil, "['test.true', 'test.true_']"},
		{"sys.doc", []value.Value{value.Str("test.ping")}, nil, "{'test.ping': 'ping(): True.'}"},
		{"sys.argspec", []value.Value{value.Str("sys.argspec")}, nil, `{'sys.argspec': {'args': ['name'], 'varargs': None, 'kwargs': None, 'defaults': ["''"]}}`},
	} {
		v, err := reg.Call(context.Background(), w, c.name, c.args, c.kw)
		got := ""
		if err != nil {
			got = "error: " + err.Error()
		} else {
			got = value.Repr(v)
		}
		if diff := cmp.Diff(c.want, got); diff != "" {
			t.Errorf("%s (-want +got)\n%s", c.name, diff)
		}
	}
	if diff := cmp.Diff([]string{"warning careful"}, *logs); diff != "" {
		t.Error(diff)
	}
}

func TestSleepEndsWithTheRun(t *testing.T) {
	reg, w, _ := world(t)
	ctx, cancel := context.WithTimeout(context.Background(), 5*time.Millisecond)
	defer cancel()
	start := time.Now()
	if _, err := reg.Call(ctx, w, "test.sleep", []value.Value{value.Int(60)}, nil); err == nil || time.Since(start) > 5*time.Second {
		t.Errorf("got %v after %v", err, time.Since(start))
	}
}

// TestSaltModule: formulas tell systemd from its predecessors by the name of the module.
func TestSaltModule(t *testing.T) {
	on := func(grains ...any) *modules.Call {
		return &modules.Call{World: &modules.World{Grains: func() *value.Dict { return value.DictOf(grains...) }}}
	}
	debian := on("init", value.Str("systemd"), "os_family", value.Str("Debian"))
	for _, c := range []struct {
		call         *modules.Call
		module, want string
	}{
		{debian, "service", "systemd_service"}, {debian, "pkg", "aptpkg"}, {debian, "user", "useradd"}, {debian, "file", "file"},
		{on("init", value.Str("sysvinit")), "service", "service"}, {&modules.Call{World: &modules.World{}}, "group", "groupadd"},
	} {
		if got := saltModule(c.call, c.module); got != c.want {
			t.Errorf("%s is %s, want %s", c.module, got, c.want)
		}
	}
}
