package mine

import (
	"context"
	"errors"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/config"
	"github.com/gostate/gostate/modules/data"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/modules/test"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// calls are the functions that the mine calls.
type calls struct {
	r   *modules.Registry
	env *modules.Env
	h   host.Host
}

func (c calls) Has(name string) bool { _, ok := c.r.Exec(name); return ok }
func (c calls) Call(ctx context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	if name == "test.preview" {
		return nil, host.ErrPreview
	}
	return c.r.Call(ctx, c.env, c.h, name, args, kwargs)
}

func machine(t *testing.T, opts string) modtest.Execs {
	t.Helper()
	r, err := modules.New(data.Family(), test.Family(), config.Family())
	if err != nil {
		t.Fatal(err)
	}
	h := hosttest.NewMemory()
	none := modtest.Dict(t, "{}")
	env := &modules.Env{Opts: modtest.Dict(t, opts), Grains: none, Pillar: none, Serialize: serial.Serialize,
		Deserialize: serial.Deserialize,
		Match: func(kind, target, _, _ string) (bool, error) {
			if kind != "glob" {
				return false, errors.New("no such matcher")
			}
			return target == "*" || target == "me", nil
		}}
	env.Exec = calls{r, env, h}
	return modtest.Execs{Family: Family(), Host: h, Env: env}
}

func TestMine(t *testing.T) {
	machine(t, `{"id": "me"}`).Table(t, [][4]string{
		{"mine.get", `["*", "test.arg"]`, "", "{}"},
		{"mine.update", `[]`, "", "None"},
		{"mine.valid", `[]`, "", "None"},
		{"mine.send", `["foo.no"]`, "", "False"},
		{"mine.send", `["test.arg", 1]`, `{"foo": "bar"}`, "True"},
		{"mine.get", `["*", "test.arg"]`, "", "{'me': {'args': [1], 'kwargs': {'foo': 'bar'}}}"},
		{"mine.get", `["other", "test.arg"]`, "", "{}"},
		{"mine.get", `["*", "test.arg", "odd"]`, "", "error: no such matcher"},
		{"mine.send", `["named", "one"]`, `{"mine_function": "test.echo", "allow_tgt": "nobody"}`, "True"},
		{"mine.get", `["me", "named"]`, "", "{'me': 'one'}"},
		{"mine.get", `["me", "named,nope"]`, "", "{'named': {'me': 'one'}}"},
		{"mine.get", `["me", ["named"]]`, "", "{'named': {'me': 'one'}}"},
		{"mine.delete", `["test.arg"]`, "", "True"},
		{"mine.get", `["*", "test.arg"]`, "", "{}"},
		{"mine.update", `[]`, `{"mine_functions": ["test.ping", "no.such"]}`, "True"},
		{"mine.get", `["*", "test.ping,named"]`, "", "{'test.ping': {'me': True}, 'named': {'me': 'one'}}"},
		{"mine.update", `[true]`, `{"mine_functions": {"a": [{"mine_function": "test.echo"}, "x"], "b": {"mine_function": "test.echo", "text": "y"}}}`, "True"},
		{"mine.get", `["*", "a,b,named"]`, "", "{'a': {'me': 'x'}, 'b': {'me': 'y'}}"},
		{"mine.flush", `[]`, "", "True"},
		{"mine.get", `["*", "a"]`, "", "{}"},
	})
}

func TestConfigured(t *testing.T) {
	machine(t, `{"id": "me", "mine_functions": {"test.ping": [], "e": [{"mine_function": "test.echo"}, "x", {"k": 1}], "no.such": []}}`).Table(t, [][4]string{
		{"mine.valid", `[]`, "", "{'test.ping': [], 'e': {'test.echo': ['x', {'k': 1}]}}"},
		{"mine.update", `[]`, "", "True"},
		{"mine.get", `["*", "test.ping"]`, "", "{'me': True}"},
		{"mine.get", `["*", "e"]`, "", "{}"}, // test.echo takes no k: logged
	})
}

// TestPreview: what cannot be foretold is not taken for a failure.
func TestPreview(t *testing.T) {
	x := machine(t, `{"id": "me"}`)
	if _, err := x.Value(t, "mine.send", []value.Value{value.Str("test.preview")}, nil); !errors.Is(err, host.ErrPreview) {
		t.Errorf("got %v", err)
	}
}
