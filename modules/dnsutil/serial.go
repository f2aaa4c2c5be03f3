package dnsutil

import (
	"context"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func serialSpec() modules.ExecSpec {
	return modules.NewExec("dnsutil.serial", "serial(zone='', update=False): the serial number of a zone: the grain "+
		"dnsserial_ZONE, else today's first. It is not stored.",
		func(_ context.Context, c *modules.Call) (value.Value, error) { return zoneSerial(c, c.Time()) }, "zone=",
		"update=False")
}

// zoneSerial is the serial of the zone at that time.
// Salt differs: with update, Salt writes the next serial to its file of grains; here grains are only read.
func zoneSerial(c *modules.Call, now time.Time) (value.Value, error) {
	key := "dnsserial"
	if zone := c.Str("zone"); zone != "" {
		key += "_" + zone
	}
	if c.Bool("update") {
		return nil, value.Raise("CommandExecutionError", "a serial is not stored: set the grain %s", key)
	}
	if c.Grains != nil {
		if v, ok := value.Lookup(c.Grains.Dict(), key, ":"); ok && value.Truth(v) {
			return v, nil
		}
	}
	return value.Str(now.Format("20060102") + "01"), nil
}
