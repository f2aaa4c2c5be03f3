package dnsutil

import (
	"context"
	"strconv"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func serialSpec() modules.ExecSpec {
	spec := modules.NewExec("dnsutil.serial", "serial(zone='', update=False): the serial number of a zone: the grain "+
		"dnsserial_ZONE, else today's first. With update it is the next one, which is noted as that grain.",
		func(ctx context.Context, c *modules.Call) (value.Value, error) { return zoneSerial(ctx, c, c.Time()) }, "zone=",
		"update=False")
	spec.Class = modules.Writes
	return spec
}

// zoneSerial is the serial of the zone at that time, or its next one.
func zoneSerial(ctx context.Context, c *modules.Call, now time.Time) (value.Value, error) {
	key := "dnsserial"
	if zone := c.Str("zone"); zone != "" {
		key += "_" + zone
	}
	var stored value.Value = value.None
	if v, ok := value.Lookup(c.Grains.Dict(), key, ":"); ok {
		stored = v
	}
	present := now.Format("20060102") + "01"
	if !c.Bool("update") {
		if value.Truth(stored) {
			return stored, nil
		}
		return value.Str(present), nil
	}
	if n, err := strconv.Atoi(value.String(stored)); err == nil && value.String(stored) >= present {
		present = strconv.Itoa(n + 1)
	}
	_, err := c.Exec.Call(ctx, "grains.setval", nil, value.DictOf("key", value.Str(key), "val", value.Str(present)))
	return value.Str(present), err
}
