package merge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

func parse(t *testing.T, s string) value.Value {
	t.Helper()
	v, err := value.ParseJSON(s)
	if err != nil {
		t.Fatal(err)
	}
	return v
}

// TestMerge pins each strategy; the results are those of Salt's own functions.
func TestMerge(t *testing.T) {
	for _, c := range []struct {
		name, a, b string
		o          Options
		want       string
	}{
		{"recurse", `{"a": {"x": 1, "y": [1]}, "b": 1}`, `{"a": {"y": [2], "z": 3}, "c": 4}`, Options{Strategy: "recurse"},
			"{'a': {'x': 1, 'y': [2], 'z': 3}, 'b': 1, 'c': 4}"},
		{"smart is recurse", `{"a": {"x": 1}}`, `{"a": {"y": 2}}`, Options{}, "{'a': {'x': 1, 'y': 2}}"},
		{"smart is aggregate", `{"a": {"x": 1}}`, `{"a": {"y": 2}}`, Options{Renderer: "jinja|yamlex"}, "{'a': {'y': 2}}"},
		{"lists", `{"a": [1, {"k": 1}]}`, `{"a": [{"k": 1}, 2, 2]}`, Options{Lists: true}, "{'a': [1, {'k': 1}, 2, 2]}"},
		{"lists only with lists", `{"a": [1]}`, `{"a": 2}`, Options{Lists: true}, "{'a': 2}"},
		{"none does not empty", `{"a": {"x": 1}}`, `{"a": null}`, Options{}, "{'a': None}"},
		{"overwrite", `{"a": {"x": 1}, "b": 1}`, `{"c": 3, "a": {"y": 2}}`, Options{Strategy: "overwrite"},
			"{'a': {'y': 2}, 'b': 1, 'c': 3}"},
		{"list", `{"a": 1, "b": 2}`, `{"a": 3, "c": 4}`, Options{Strategy: "list"}, "{'a': [1, 3], 'b': 2}"},
		{"aggregate lists", `[1, 2]`, `[2, 3]`, Options{Strategy: "aggregate"}, "[1, 2, 3]"},
		{"unknown is recurse", `{"a": {"x": 1}}`, `{"a": {"y": 2}}`, Options{Strategy: "what"}, "{'a': {'x': 1, 'y': 2}}"},
	} {
		t.Run(c.name, func(t *testing.T) {
			a, b := parse(t, c.a), parse(t, c.b)
			before := value.Repr(a) + value.Repr(b)
			got, err := Merge(a, b, c.o)
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(c.want, value.Repr(got)); diff != "" {
				t.Errorf("(-want +got)\n%s", diff)
			}
			if diff := cmp.Diff(before, value.Repr(a)+value.Repr(b)); diff != "" {
				t.Errorf("the arguments changed:\n%s", diff)
			}
		})
	}
}

func TestMergeRefusesScalars(t *testing.T) {
	if _, err := Merge(value.Int(1), value.NewDict(0), Options{}); err == nil {
		t.Error("want an error")
	}
}

func TestUpdateIsInPlace(t *testing.T) {
	inner := value.DictOf("x", value.Int(1))
	d := value.DictOf("a", inner)
	Update(d, value.DictOf("a", value.DictOf("y", value.Int(2))), true, false)
	if got, want := value.Repr(inner), "{'x': 1, 'y': 2}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestAll(t *testing.T) {
	got, err := All([]value.Value{value.DictOf("a", value.Int(1)), value.DictOf("b", value.Int(2)),
		value.DictOf("a", value.Int(3))}, Options{})
	if err != nil || value.Repr(got) != "{'a': 3, 'b': 2}" {
		t.Errorf("got %v, %v", got, err)
	}
}
