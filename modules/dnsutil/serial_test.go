package dnsutil

import (
	"context"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

// noting notes the grains that are set.
type noting struct{ set *value.Dict }

func (noting) Has(string) bool { return true }

func (n noting) Call(_ context.Context, name string, _ []value.Value, kwargs *value.Dict) (value.Value, error) {
	key, _ := kwargs.GetStr("key")
	val, _ := kwargs.GetStr("val")
	return value.None, n.set.Set(value.Str(name+" "+value.String(key)), val)
}

func TestSerial(t *testing.T) {
	now := time.Date(2025, 3, 9, 23, 0, 0, 0, time.UTC)
	grains := modtest.Dict(t, `{"dnsserial_old.example": "2024010107", "dnsserial_new.example": "2025030904"}`)
	for _, tt := range []struct {
		zone      string
		update    bool
		want, set string
	}{
		{"", false, "2025030901", "{}"},
		{"b.example", false, "2025030901", "{}"},
		{"old.example", false, "2024010107", "{}"},
		{"", true, "2025030901", "{'grains.setval dnsserial': '2025030901'}"},
		{"old.example", true, "2025030901", "{'grains.setval dnsserial_old.example': '2025030901'}"},
		{"new.example", true, "2025030905", "{'grains.setval dnsserial_new.example': '2025030905'}"},
	} {
		spec, n := serialSpec(), noting{value.NewDict(0)}
		call, err := modules.NewCall(&spec, &modules.Env{Grains: grains, Exec: n}, nil, nil,
			value.DictOf("zone", value.Str(tt.zone), "update", value.Bool(tt.update)))
		if err != nil {
			t.Fatal(err)
		}
		v, err := zoneSerial(context.Background(), call, now)
		if diff := cmp.Diff([]string{tt.want, tt.set}, []string{value.String(v), value.Repr(n.set)}); err != nil ||
			diff != "" {
			t.Errorf("%s %v: %v (-want +got)\n%s", tt.zone, tt.update, err, diff)
		}
	}
}
