package config

import (
	"strings"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/schedule"
	"github.com/gostate/gostate/state/value"
)

// placesBelow notes the places of the keys below a key, whose maps several files may fill.
func (c *Config) placesBelow(path, key string, v value.Value) {
	d, ok := v.(*value.Dict)
	for i := 0; ok && i < d.Len(); i++ {
		e := d.At(i)
		below := key + ":" + value.String(e.Key)
		c.places[below] = diag.Pos{File: path, Line: int(e.KeyAt.Line), Col: int(e.KeyAt.Col)}
		c.placesBelow(path, below, e.Val)
	}
}

// Schedules are those of the key `schedules`, by name, over the builtin ones. What is wrong with them is found when the
// configuration is read.
func (c *Config) Schedules() map[string]*schedule.Schedule {
	out, _ := c.schedules()
	return out
}

func (c *Config) schedules() (map[string]*schedule.Schedule, *diag.List) {
	out, faults := schedule.Builtin(), &diag.List{}
	v, given := c.Opts.GetStr("schedules")
	d, ok := v.(*value.Dict)
	switch {
	case !given, v == value.Value(value.None):
		return out, faults
	case !ok:
		faults.Add(diag.Errorf(c.Pos("schedules"), "schedules is %s, not a map of schedules", value.Repr(v)).
			WithHint("schedules: {nightly: {range: '2-4', period: daily}}"))
		return out, faults
	}
	for i := range d.Len() {
		e := d.At(i)
		name := value.String(e.Key)
		out[name] = schedule.Parse(name, e.Val, func(key string) diag.Pos {
			return c.Pos(strings.TrimSuffix("schedules:"+name+":"+key, ":"))
		}, faults)
	}
	return out, faults
}
