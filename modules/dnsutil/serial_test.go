package dnsutil

import (
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

func TestSerial(t *testing.T) {
	env := &modules.Env{Grains: modtest.Dict(t, `{"dnsserial_a.example": "2024010107"}`)}
	now := time.Date(2025, 3, 9, 23, 0, 0, 0, time.UTC)
	for _, c := range []struct{ zone, want string }{{"", "2025030901"}, {"b.example", "2025030901"},
		{"a.example", "2024010107"}} {
		spec := serialSpec()
		call, err := modules.NewCall(&spec, env, nil, []value.Value{value.Str(c.zone)}, nil)
		if err != nil {
			t.Fatal(err)
		}
		v, err := zoneSerial(call, now)
		if err != nil || v != value.Value(value.Str(c.want)) {
			t.Errorf("%q: got %v, %v; want %s", c.zone, v, err, c.want)
		}
	}
	spec := serialSpec()
	call, err := modules.NewCall(&spec, env, nil, nil, value.DictOf("update", value.Bool(true)))
	if err != nil {
		t.Fatal(err)
	}
	if v, err := zoneSerial(call, now); err == nil {
		t.Errorf("update: got %v, want an error", v)
	}
}
