package modules

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func testRegistry(t *testing.T) *Registry {
	t.Helper()
	second := *thingSpec()
	second.Name, second.Aliases = "thing.gone", []string{"stuff.gone"}
	r, err := New(Family{Name: "thing", States: []StateSpec{*thingSpec(), second}, Execs: []ExecSpec{{
		Name: "grains.get", Doc: "get(key): a grain.", Params: []string{"key", "default=none", "*args", "**kwargs"},
		Fn: func(_ context.Context, c *Call) (value.Value, error) {
			return value.Str(c.Str("key") + "|" + c.Str("default") + "|" + value.Str(c.Str("x")).TypeName()), nil
		}}, {Name: "grains.two", Params: []string{"a", "b", "c="},
		Fn: func(_ context.Context, c *Call) (value.Value, error) { return nil, nil }}}})
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func TestRegistryRefusesDuplicates(t *testing.T) {
	_, err := New(Family{Name: "a", States: []StateSpec{*thingSpec()}},
		Family{Name: "b", States: []StateSpec{*thingSpec()}})
	if err == nil || err.Error() != "family b: two state functions are called thing.made" {
		t.Errorf("got %v", err)
	}
}

func TestLookupNamesTheNearest(t *testing.T) {
	r := testRegistry(t)
	for _, tt := range []struct{ module, fn, want string }{
		{"thing", "mode", `unknown state function "thing.mode": module "thing" has no function "mode" | did you mean "thing.made"?`},
		{"thign", "made", `unknown state module "thign" in thign.made | did you mean "thing.made"?`},
		{"sysrc", "managed", `sysrc.managed is not in gostate | it is for FreeBSD, and gostate is for Linux: put it in a ` +
			`branch on grains.os_family, which Linux does not take; service.enabled and file.keyvalue are for Linux`},
		{"rvm", "installed", `rvm.installed is not in gostate | Salt has it, and gostate does not: cmd.run with unless or ` +
			"creates does the work, or a state of your own in the tree's _states, which may be Salt's file (docs/bridge.md)"},
		{"boto_iam_role", "present", `boto_iam_role.present is not in gostate | gostate works on the machine that it runs ` +
			`on, not on a cloud's interface: keep that in OpenTofu or Terraform, or call the cloud's own tool with cmd.run ` +
			`and unless`},
		{"thing", "zzzzzz", `unknown state function "thing.zzzzzz": module "thing" has no function "zzzzzz" | it has gone, made`},
	} {
		_, d := r.Lookup(tt.module, tt.fn)
		if d == nil {
			t.Errorf("%s.%s was found", tt.module, tt.fn)
			continue
		}
		if diff := cmp.Diff(tt.want, d.Msg+" | "+d.Hint); diff != "" {
			t.Errorf("(-want +got):\n%s", diff)
		}
	}
	if s, d := r.Lookup("stuff", "gone"); d != nil || s.Name != "thing.gone" {
		t.Errorf("alias: %v %v", s, d)
	}
	if diff := cmp.Diff([]string{"stuff", "thing"}, r.Modules()); diff != "" {
		t.Errorf("modules (-want +got):\n%s", diff)
	}
}

func TestCallBindsAsPython(t *testing.T) {
	r := testRegistry(t)
	for _, tt := range []struct {
		name   string
		args   []value.Value
		kwargs *value.Dict
		want   string
	}{
		{"grains.get", nil, nil, "get() missing 1 required positional argument: 'key'"},
		{"grains.get", []value.Value{value.Str("a")}, nil, "a|none|str"},
		{"grains.get", []value.Value{value.Str("a")}, value.DictOf("default", value.Int(3), "x", value.Int(1)), "a|3|str"},
		{"grains.get", []value.Value{value.Str("a")}, value.DictOf("key", value.Int(3)),
			"get() got multiple values for argument 'key'"},
		{"grains.two", nil, nil, "two() missing 2 required positional arguments: 'a' and 'b'"},
		{"grains.two", nil, value.DictOf("d", value.None), "two() got an unexpected keyword argument 'd'"},
		{"grains.two", []value.Value{value.None, value.None, value.None, value.None}, nil,
			"two() takes from 2 to 3 positional arguments but 4 were given"},
		{"grains.gett", nil, nil, "'grains.gett' is not available; did you mean 'grains.get'?"},
	} {
		v, err := r.Call(t.Context(), &Env{}, nil, tt.name, tt.args, tt.kwargs)
		got := ""
		if err != nil {
			got = err.Error()
		} else if s, ok := v.(value.Str); ok {
			got = string(s)
		}
		if got != tt.want {
			t.Errorf("%s: got %q, want %q", tt.name, got, tt.want)
		}
	}
}

func TestDocsComeFromTheStruct(t *testing.T) {
	r := testRegistry(t)
	text, ok := r.Doc("thing.made")
	if !ok || !strings.Contains(text, "user  (line; also owner)\n        who owns it") ||
		!strings.Contains(text, "replace  (boolean; default true)") {
		t.Errorf("doc:\n%s", text)
	}
	if md := r.Markdown("thing"); !strings.Contains(md, "| `replace` | boolean | `true` |  |") {
		t.Errorf("markdown:\n%s", md)
	}
	raw, err := r.Schema()
	if err != nil || !json.Valid(raw) {
		t.Errorf("schema: %v\n%s", err, raw)
	}
}

// TestClass: what is declared to look cannot write, whatever it tries; what writes can.
func TestClass(t *testing.T) {
	write := func(_ context.Context, c *Call) (value.Value, error) {
		return value.None, c.Host.WriteFile("/x", strings.NewReader("x"), host.KeepAttr())
	}
	r, err := New(Family{Name: "m", Execs: append(Writing(ExecSpec{Name: "m.writes", Fn: write}),
		ExecSpec{Name: "m.looks", Fn: write})})
	if err != nil {
		t.Fatal(err)
	}
	over := host.NewOverlay(hosttest.NewMemory())
	if _, err := r.Call(t.Context(), &Env{}, over, "m.looks", nil, nil); !errors.Is(err, host.ErrLooks) ||
		len(over.Journal()) > 0 {
		t.Errorf("got %v, %v, want ErrLooks", err, over.Journal())
	}
	if _, err := r.Call(t.Context(), &Env{}, over, "m.writes", nil, nil); err != nil || len(over.Journal()) == 0 {
		t.Errorf("got %v, %v", err, over.Journal())
	}
	if text, _ := r.Doc("m.writes"); !strings.Contains(text, "may change the machine") {
		t.Errorf("doc: %s", text)
	}
}

// TestKinds: what is given for a parameter of a kind is refused before the function is called.
func TestKinds(t *testing.T) {
	spec := NewExec("m.f", "", nil, "n:int=1", "s:seconds=None", "l:list=", "d:map=")
	for _, tt := range []struct {
		param string
		v     value.Value
		want  string
	}{
		{"n", value.Str("7"), ""}, {"n", value.None, ""},
		{"n", value.Str("x"), "f() argument 'n' takes a whole number, not the text \"x\""},
		{"s", value.Float(0.5), ""},
		{"s", value.Int(-1), "f() argument 's' takes a number of seconds, not -1"},
		{"s", value.Float(1e300), "f() argument 's' takes a number of seconds, not 1e+300"},
		{"l", value.Str("a,b"), ""}, {"l", value.NewDict(0), "f() argument 'l' takes a list of names, not a map"},
		{"d", value.NewDict(0), ""}, {"d", value.Str("x"), "f() argument 'd' takes a map, not the text \"x\""},
	} {
		_, err := NewCall(&spec, nil, nil, nil, value.DictOf(tt.param, tt.v))
		if got := errorText(err); got != tt.want {
			t.Errorf("%s=%s: got %q, want %q", tt.param, value.Repr(tt.v), got, tt.want)
		}
	}
	if got := strings.Join(spec.Signature(), ", "); got != "n=1, s=None, l=, d=" {
		t.Errorf("shown as %s", got)
	}
}

func errorText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}
