package serial

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

// TestSerialize has the ends of the formats: Salt's yaml, json and python have no newline behind them, its configparser
// two.
func TestSerialize(t *testing.T) {
	long := value.NewList()
	for range 30 {
		long.Items = append(long.Items, value.Int(1234))
	}
	data := value.DictOf("b", value.DictOf("Key", value.Str("x\ny"), "none", value.None), "a",
		value.DictOf("t", value.NewTuple(value.Int(1), value.Bool(true))))
	for format, want := range map[string]string{
		"yaml":         "a:\n  t:\n  - 1\n  - true\nb:\n  Key: 'x\n\n    y'\n  none: null",
		"json":         `{"b": {"Key": "x\ny", "none": null}, "a": {"t": [1, true]}}`,
		"python":       `{'a': {'t': [1, True]}, 'b': {'Key': 'x\ny', 'none': None}}`,
		"configparser": "[b]\nkey = x\n\ty\nnone\n\n[a]\nt = (1, True)\n\n",
	} {
		got, err := Serialize(format, data, value.DictOf("default_flow_style", value.Bool(false)))
		if d := cmp.Diff(want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", format, err, d)
		}
	}
	got, err := Serialize("python", value.DictOf("l", long), nil)
	if err != nil || !strings.HasPrefix(got, "{'l': [1234,\n       1234,\n") {
		t.Errorf("%q, %v", got, err)
	}
	if v, err := Deserialize("configparser", "[b]\nKey = x\n"); err != nil || value.Repr(v) != "{'b': {'key': 'x'}}" {
		t.Errorf("%v, %v", v, err)
	}
}
