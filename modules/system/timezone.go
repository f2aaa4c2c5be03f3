package system

import (
	"bytes"
	"context"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

const zoneinfo = "/usr/share/zoneinfo/"

func timezoneSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("timezone.get_zone", "get_zone(): the time zone: Europe/Berlin.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			z, err := zone(c)
			return value.Str(z), err
		}),
		spec("timezone.get_zonecode", "get_zonecode(): what the clock calls the zone: CET.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			now, err := localTime(c)
			return value.Str(now.Format("MST")), err
		}),
		spec("timezone.get_offset", "get_offset(): how far the clock is from UTC: +0100.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			now, err := localTime(c)
			return value.Str(now.Format("-0700")), err
		}),
		spec("timezone.zone_compare", "zone_compare(timezone): whether the machine's zone is this one.", zoneCompare, "timezone"),
		spec("timezone.get_hwclock", "get_hwclock(): whether the hardware clock shows UTC or local time.", hwclock),
	}
}

// zone is where /etc/localtime points to, else what /etc/timezone says.
func zone(c *modules.Call) (string, error) {
	if to, err := c.World.Host.Readlink("/etc/localtime"); err == nil {
		if i := strings.Index(to, "/zoneinfo/"); i >= 0 {
			return to[i+len("/zoneinfo/"):], nil
		}
	}
	if s, err := read(c, "/etc/timezone"); err == nil && s != "" {
		return s, nil
	}
	if _, err := c.World.Host.Lstat("/etc/localtime"); err != nil {
		return "UTC", nil
	}
	return "", value.Raise("CommandExecutionError", "/etc/localtime is no link to the database of time zones")
}

func localTime(c *modules.Call) (time.Time, error) {
	raw, err := c.World.Host.ReadFile("/etc/localtime")
	if err != nil {
		return c.World.Time().UTC(), nil
	}
	loc, err := time.LoadLocationFromTZData("local", raw)
	if err != nil {
		return time.Time{}, value.Raise("CommandExecutionError", "/etc/localtime: %v", err)
	}
	return c.World.Time().In(loc), nil
}

func zoneCompare(_ context.Context, c *modules.Call) (value.Value, error) {
	want := c.Str("timezone")
	if z, err := zone(c); err == nil && z == want {
		return value.Bool(true), nil
	}
	a, err := c.World.Host.ReadFile(zoneinfo + want)
	if err != nil || strings.Contains(want, "..") {
		return nil, value.Raise("SaltInvocationError", "Can't find a local timezone file for %s", want)
	}
	b, err := c.World.Host.ReadFile("/etc/localtime")
	return value.Bool(err == nil && bytes.Equal(a, b)), nil
}

func hwclock(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := read(c, "/etc/adjtime")
	if err == nil && strings.HasSuffix(text, "LOCAL") {
		return value.Str("localtime"), nil
	}
	return value.Str("UTC"), nil
}
