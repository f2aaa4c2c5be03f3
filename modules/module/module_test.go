package module

import (
	"context"
	"errors"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// execs notes the calls and gives False for bad.fn.
type execs struct{ got []string }

func (e *execs) Has(name string) bool { return name != "no.such" }

func (e *execs) Call(_ context.Context, name string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	e.got = append(e.got, name+value.Repr(value.NewList(args...))+value.Repr(kwargs))
	switch name {
	case "bad.fn":
		return value.Bool(false), nil
	case "deep.fn":
		return value.DictOf("a", value.DictOf("result", value.Bool(false))), nil
	case "raising.fn":
		return nil, errors.New("boom")
	}
	return value.Str("done"), nil
}

// CheckCall finds a missing argument of test.strict.
func (e *execs) CheckCall(name string, _ []value.Value, kwargs *value.Dict) error {
	if name == "test.strict" && kwargs.Len() == 0 {
		return errors.New("missing 'text'")
	}
	return nil
}

func TestRun(t *testing.T) {
	list := func(vs ...value.Value) value.Value { return value.NewList(vs...) }
	tests := []struct {
		name, state, changes, err string
		args                      []any
		calls                     []string
		foretold                  bool // the forecast fails as the run does
	}{
		{"new form", "x", "{'test.a': 'done', 'test.b': 'done'}", "",
			[]any{"test.a", list(value.Str("one"), value.DictOf("two", value.Int(2))), "test.b", value.None},
			[]string{"test.a['one']{'two': 2}", "test.b[]{}"}, false},
		{"twice, one fails", "x", "{'test.a:1': 'done', 'test.a:2': 'done'}",
			"Module function bad.fn failed: False\ntest.a:1: done\ntest.a:2: done",
			[]any{"test.a:1", value.None, "bad.fn", value.None, "test.a:2", value.None},
			[]string{"test.a[]{}", "bad.fn[]{}", "test.a[]{}"}, false},
		{"a result deep in it", "deep.fn", "{'ret': {'a': {'result': False}}}",
			"Module function deep.fn failed: {'a': {'result': False}}", nil, []string{"deep.fn[]{}"}, false},
		{"a result, as a key of its own", "x", "{}", "Module function deep.fn failed: {'a': {'result': False}}",
			[]any{"deep.fn", value.None}, []string{"deep.fn[]{}"}, false},
		{"legacy", "test.a", "{'ret': 'done'}", "", []any{"m_name", value.Str("nginx"), "force", value.Bool(true), "kwargs",
			value.DictOf("k", value.Int(1))},
			[]string{"test.a[]{'force': True, 'k': 1, 'name': 'nginx'}"}, false},
		{"false is a failure", "bad.fn", "{'ret': False}", "Module function bad.fn failed: False", nil,
			[]string{"bad.fn[]{}"}, false},
		{"error", "raising.fn", "{}", "Module function raising.fn threw an exception. Exception: boom", nil,
			[]string{"raising.fn[]{}"}, false},
		{"missing", "no.such", "{}", "Module function no.such is not available", nil, nil, true},
		{"wrong arguments", "test.strict", "{}", "Module function test.strict threw an exception. Exception: missing 'text'",
			nil, nil, true},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			e := &execs{}
			env := &modules.Env{Exec: e}
			spec := runSpec()
			fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: tt.state, Args: value.DictOf(tt.args...)})
			if fn == nil || len(diags) > 0 {
				t.Fatal(diags)
			}
			h := hosttest.NewMemory()
			_, foretold := fn.Act(context.Background(), env, host.Forecast(h))
			if len(e.got) > 0 {
				t.Errorf("the forecast called %v", e.got)
			}
			eff, err := fn.Act(context.Background(), env, h)
			if (foretold != nil) != tt.foretold {
				t.Errorf("the forecast fails with %v", foretold)
			}
			changes := value.Repr(eff.Changes)
			text := ""
			if err != nil {
				text = err.Error()
			}
			if d := cmp.Diff([]any{tt.changes, tt.err, tt.calls}, []any{changes, text, e.got}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}
