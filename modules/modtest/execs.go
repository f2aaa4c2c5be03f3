package modtest

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Execs are the execution functions of a family, on a machine. A nil Env knows nothing.
type Execs struct {
	Family modules.Family
	Env    *modules.Env
	Host   host.Host
}

// Table makes calls, one after the other: the function, its arguments as a list in JSON, keywords as a map or "", and
// the answer as Python prints it, or "error: " and the text.
func (e Execs) Table(t *testing.T, rows [][4]string) {
	t.Helper()
	for _, r := range rows {
		if diff := cmp.Diff(r[3], e.Call(t, r[0], r[1], r[2])); diff != "" {
			t.Errorf("%s %s %s (-want +got)\n%s", r[0], r[1], r[2], diff)
		}
	}
}

// Call is the answer of one call, as a row of Table has it.
func (e Execs) Call(t *testing.T, fun, args, kwargs string) string {
	t.Helper()
	if kwargs == "" {
		kwargs = "{}"
	}
	v, err := e.Value(t, fun, JSON(t, args).(*value.List).Items, JSON(t, kwargs).(*value.Dict))
	if err != nil {
		return "error: " + err.Error()
	}
	return value.Repr(v)
}

// Value makes one call.
func (e Execs) Value(t *testing.T, fun string, args []value.Value, kwargs *value.Dict) (value.Value, error) {
	t.Helper()
	r, err := modules.New(e.Family)
	if err != nil {
		t.Fatal(err)
	}
	env := e.Env
	if env == nil {
		env = &modules.Env{}
	}
	return r.Call(context.Background(), env, e.Host, fun, args, kwargs)
}

// JSON is a value written as JSON.
func JSON(t *testing.T, text string) value.Value {
	t.Helper()
	v, err := value.ParseJSON(text)
	if err != nil {
		t.Fatalf("%s: %v", text, err)
	}
	return v
}

// Dict is the Data of a map written as JSON.
func Dict(t *testing.T, text string) modules.Data {
	t.Helper()
	d := JSON(t, text).(*value.Dict)
	return modules.Whole(func() *value.Dict { return d })
}
