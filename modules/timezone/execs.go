package timezone

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	return []modules.ExecSpec{
		modules.NewExec("timezone.get_zone", "get_zone(): the time zone: Europe/Berlin.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				z, err := zone(c)
				return value.Str(z), err
			}),
		modules.NewExec("timezone.get_zonecode", "get_zonecode(): what the clock calls the zone: CET.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				now, err := localTime(c)
				return value.Str(now.Format("MST")), err
			}),
		modules.NewExec("timezone.get_offset", "get_offset(): how far the clock is from UTC: +0100.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				now, err := localTime(c)
				return value.Str(now.Format("-0700")), err
			}),
		modules.NewExec("timezone.zone_compare", "zone_compare(timezone): whether the machine's zone is this one.",
			zoneCompare, "timezone"),
		modules.NewExec("timezone.get_hwclock", "get_hwclock(): whether the hardware clock shows UTC or local time.",
			hwclock),
	}
}

// zone is where /etc/localtime points to, else what /etc/timezone says.
func zone(c *modules.Call) (string, error) {
	if to, err := c.Host.Readlink(localtime); err == nil {
		if i := strings.Index(to, "/zoneinfo/"); i >= 0 {
			return to[i+len("/zoneinfo/"):], nil
		}
	}
	if s, err := c.ReadText(named); err == nil && s != "" {
		return s, nil
	}
	if _, err := c.Host.Lstat(localtime); err != nil {
		return "UTC", nil
	}
	return "", value.Raise("CommandExecutionError", "/etc/localtime is no link to the database of time zones")
}

func localTime(c *modules.Call) (time.Time, error) {
	raw, err := c.Host.ReadFile(localtime)
	if err != nil {
		return c.Time().UTC(), nil
	}
	loc, err := time.LoadLocationFromTZData("local", raw)
	if err != nil {
		return time.Time{}, value.Raise("CommandExecutionError", "/etc/localtime: %v", err)
	}
	return c.Time().In(loc), nil
}

func zoneCompare(_ context.Context, c *modules.Call) (value.Value, error) {
	want := c.Str("timezone")
	if z, err := zone(c); err == nil && z == want {
		return value.Bool(true), nil
	}
	a, err := c.Host.ReadFile(zones + want)
	if err != nil || strings.Contains(want, "..") {
		return nil, value.Raise("SaltInvocationError", "Can't find a local timezone file for %s", want)
	}
	b, err := c.Host.ReadFile(localtime)
	return value.Bool(err == nil && bytes.Equal(a, b)), nil
}

func hwclock(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := c.ReadText(adjtime)
	if err == nil && strings.HasSuffix(text, "LOCAL") {
		return value.Str("localtime"), nil
	}
	return value.Str("UTC"), nil
}
