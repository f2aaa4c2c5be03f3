package bridge

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state/value"
)

// TestCodec sends values over the wire and back; what JSON has is sent as it is.
func TestCodec(t *testing.T) {
	set, err := value.NewSet(value.Int(1), value.Str("a"))
	if err != nil {
		t.Fatal(err)
	}
	keys := value.NewDict(2)
	for _, k := range []value.Value{value.Int(1), value.Str("$"), value.NewTuple(value.Int(1))} {
		if err := keys.Set(k, value.Str("v")); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		v    value.Value
		wire string
	}{
		{value.DictOf("a", value.NewList(value.Int(1), value.Bool(true), value.None, value.Str("ü\n"))),
			`{"a": [1, true, null, "\u00fc\n"]}`},
		{value.NewTuple(value.Int(1), value.NewTuple()), `{"$": "tuple", "v": [1, {"$": "tuple", "v": []}]}`},
		{set, `{"$": "set", "v": [1, "a"]}`},
		{value.Bytes("\xff"), `{"$": "bytes", "v": "/w=="}`},
		{value.Float(1.5), `1.5`},
		{keys, `{"$": "dict", "v": [[1, "v"], ["$", "v"], [{"$": "tuple", "v": [1]}, "v"]]}`},
	} {
		wire, err := value.DumpsJSON(toWire(tt.v), value.JSONOptions{})
		if err != nil || wire != tt.wire {
			t.Errorf("toWire(%s) is %s, %v, want %s", value.Repr(tt.v), wire, err, tt.wire)
		}
		parsed, err := value.ParseJSON(wire)
		if err != nil {
			t.Fatal(err)
		}
		got, err := fromWire(parsed)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(value.Repr(tt.v), value.Repr(got)); diff != "" {
			t.Errorf("(-sent +got):\n%s", diff)
		}
	}
}

// TestCodecFaults are lines that nobody may send.
func TestCodecFaults(t *testing.T) {
	for _, wire := range []string{`{"$": "tuple", "v": 1}`, `{"$": "nonsense", "v": []}`, `{"$": "dict", "v": [[1]]}`,
		`{"$": "bytes", "v": "?"}`, `{"$": "dict", "v": [[[], 1]]}`} {
		parsed, err := value.ParseJSON(wire)
		if err != nil {
			t.Fatal(err)
		}
		if v, err := fromWire(parsed); err == nil {
			t.Errorf("fromWire(%s) is %s, want an error", wire, value.Repr(v))
		}
	}
}
