package system

import (
	"context"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func clockSpecs() []modules.ExecSpec {
	shown := func(layout string) modules.ExecFunc {
		return func(_ context.Context, c *modules.Call) (value.Value, error) {
			now, err := clock(c)
			return value.Str(now.Format(layout)), err
		}
	}
	parts := []string{"years=None", "months=None", "days=None", "hours=None", "minutes=None", "seconds=None",
		"utc_offset=None"}
	return append(modules.Writing(
		modules.NewExec("system.set_system_time", "set_system_time(newtime, utc_offset=None): sets the time of the day: "+
			"HH:MM[:SS], with AM or PM or of 24 hours. False where it is none.",
			setTime, "newtime", "utc_offset=None"),
		modules.NewExec("system.set_system_date", "set_system_date(newdate, utc_offset=None): sets the date: YYYY-MM-DD, "+
			"MM-DD-YYYY, MM-DD-YY, or with slashes.",
			setDate, "newdate", "utc_offset=None"),
		modules.NewExec("system.set_system_date_time", "set_system_date_time(years=None, months=None, days=None, "+
			"hours=None, minutes=None, seconds=None, utc_offset=None): sets the "+
			"clock, and the hardware's; what is not given stays.", setDateTime, parts...),
	),
		modules.NewExec("system.get_system_time", "get_system_time(utc_offset=None): the time, as 03:04:05 PM.",
			shown("03:04:05 PM"), "utc_offset=None"),
		modules.NewExec("system.get_system_date", "get_system_date(utc_offset=None): the date, as Mon 01/02/2006.",
			shown("Mon 01/02/2006"), "utc_offset=None"),
		modules.NewExec("system.get_system_date_time", "get_system_date_time(utc_offset=None): date and time, as "+
			"2006-01-02 15:04:05.", shown(time.DateTime), "utc_offset=None"),
		modules.NewExec("system.has_settable_hwclock", "has_settable_hwclock(): whether there is a hardware clock that can "+
			"be set.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				return value.Bool(settable(ctx, c)), nil
			}))
}

// clock is the time in the zone of utc_offset, [+-]HHMM, else in that of the machine.
func clock(c *modules.Call) (time.Time, error) {
	offset := c.Arg("utc_offset")
	if offset == value.None {
		return c.Time(), nil
	}
	text, plus := strings.CutPrefix(value.String(offset), "+")
	if !plus && !strings.HasPrefix(text, "-") {
		plus = true
	}
	if plus {
		text = "+" + text
	}
	t, err := time.Parse("-0700", text)
	if err != nil {
		return c.Time(), value.Raise("SaltInvocationError", "Invalid UTC offset")
	}
	_, seconds := t.Zone()
	return c.Time().In(time.FixedZone("", seconds)), nil
}

// parsed reads text in the first of the layouts that it has.
func parsed(text string, layouts ...string) (t time.Time, ok bool) {
	for _, l := range layouts {
		if t, err := time.Parse(l, strings.ToUpper(text)); err == nil {
			return t, true
		}
	}
	return t, false
}

func setTime(ctx context.Context, c *modules.Call) (value.Value, error) {
	t, ok := parsed(c.Str("newtime"), "3:4:5 PM", "3:4 PM", "15:4:5", "15:4")
	if !ok {
		return value.Bool(false), nil
	}
	now, err := clock(c)
	if err != nil {
		return nil, err
	}
	return set(ctx, c, time.Date(now.Year(), now.Month(), now.Day(), t.Hour(), t.Minute(), t.Second(), 0, now.Location()))
}

func setDate(ctx context.Context, c *modules.Call) (value.Value, error) {
	t, ok := parsed(c.Str("newdate"), "2006-1-2", "1-2-2006", "1-2-06", "1/2/2006", "1/2/06", "2006/1/2")
	if !ok {
		return nil, value.Raise("SaltInvocationError", "Invalid date format")
	}
	now, err := clock(c)
	if err != nil {
		return nil, err
	}
	return set(ctx, c, time.Date(t.Year(), t.Month(), t.Day(), now.Hour(), now.Minute(), now.Second(), 0, now.Location()))
}

func setDateTime(ctx context.Context, c *modules.Call) (value.Value, error) {
	now, err := clock(c)
	if err != nil {
		return nil, err
	}
	n := []int{now.Year(), int(now.Month()), now.Day(), now.Hour(), now.Minute(), now.Second()}
	for i, name := range []string{"years", "months", "days", "hours", "minutes", "seconds"} {
		if v := c.Arg(name); v != value.None {
			given, err := modules.Integer(v)
			if err != nil {
				return nil, value.Raise("TypeError", "%s: an integer is required", name)
			}
			n[i] = int(given)
		}
	}
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], 0, now.Location())
	if t.Year() != n[0] || int(t.Month()) != n[1] || t.Day() != n[2] || t.Hour() != n[3] || t.Minute() != n[4] ||
		t.Second() != n[5] {
		return nil, value.Raise("SaltInvocationError", "there is no %d-%d-%d %d:%d:%d", n[0], n[1], n[2], n[3], n[4], n[5])
	}
	return set(ctx, c, t)
}

// set sets the kernel's clock, then the hardware's, if there is one.
func set(ctx context.Context, c *modules.Call, t time.Time) (value.Value, error) {
	args := []string{"date", t.Format("010215042006.05")}
	if c.Arg("utc_offset") != value.None {
		args = []string{"date", "-u", t.UTC().Format("010215042006.05")}
	}
	out, err := c.Outright(ctx, args...)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return nil, value.Raise("CommandExecutionError", "date failed: %s", strings.TrimSpace(string(out.Stderr)))
	}
	if !settable(ctx, c) {
		return value.Bool(true), nil
	}
	if out, err = c.Outright(ctx, "hwclock", "--systohc"); err == nil && out.Code != 0 {
		err = value.Raise("CommandExecutionError", "hwclock failed to set hardware clock from software clock: %s",
			strings.TrimSpace(string(out.Stderr)))
	}
	return value.Bool(true), err
}

func settable(ctx context.Context, c *modules.Call) bool {
	if _, err := c.Host.LookPath("hwclock"); err != nil {
		return false
	}
	out, err := c.Ask(ctx, "hwclock", "--test", "--systohc")
	return err == nil && out.Code == 0
}
