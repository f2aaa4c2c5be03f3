package agent

import (
	"fmt"
	"slices"
	"time"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/schedule"
	"github.com/gostate/gostate/state/value"
)

// Settings are the key `agent` of a machine's configuration.
type Settings struct {
	Source, Env, Reports string
	Keys                 []string
	Interval, Splay      time.Duration
	Skew                 time.Duration
	Blackout             []string // names of schedules
	Keep                 int
	Spool                Limits
	AllowHTTP            bool
}

// Default are the settings of a machine that says nothing.
func Default() Settings {
	return Settings{Env: "base", Interval: 30 * time.Minute, Splay: -1, Skew: 10 * time.Minute, Keep: 3}
}

// Read takes the settings from a configuration; at is where its key is.
func (s *Settings) Read(v value.Value, at diag.Pos) error {
	if v == nil || v == value.None {
		return nil
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return diag.Errorf(at, "agent is %s, not a map", value.Repr(v)).
			WithHint("agent: {source: https://..., env: prod, keys: ['ed25519:...']}")
	}
	var faults diag.List
	for k, v := range d.All() {
		if err := s.set(value.String(k), v); err != nil {
			faults.Add(diag.Errorf(at, "agent: %v", err))
		}
	}
	return faults.Err()
}

func (s *Settings) set(key string, v value.Value) (err error) {
	texts := map[string]*string{"source": &s.Source, "env": &s.Env, "reports": &s.Reports}
	lists := map[string]*[]string{"keys": &s.Keys, "blackout": &s.Blackout}
	times := map[string]*time.Duration{"interval": &s.Interval, "splay": &s.Splay, "skew": &s.Skew}
	numbers := map[string]*int{"keep": &s.Keep, "spool_reports": &s.Spool.Reports}
	switch {
	case texts[key] != nil:
		*texts[key] = value.String(v)
	case lists[key] != nil:
		*lists[key] = value.Texts(v)
	case times[key] != nil:
		if *times[key], err = time.ParseDuration(value.String(v)); err != nil || *times[key] < 0 {
			err = fmt.Errorf("%s is %s, not a time like 30m", key, value.Repr(v))
		}
	case numbers[key] != nil:
		n, ok := v.(value.Int)
		if *numbers[key] = int(n); !ok || n < 1 {
			err = fmt.Errorf("%s is %s, not a number from 1", key, value.Repr(v))
		}
	case key == "spool_bytes":
		n, ok := v.(value.Int)
		if s.Spool.Bytes = int64(n); !ok || n < 1 {
			err = fmt.Errorf("%s is %s, not a number from 1", key, value.Repr(v))
		}
	case key == "allow_http":
		s.AllowHTTP = value.Truth(v)
	default:
		err = unknown(key)
	}
	return err
}

func unknown(key string) error {
	known := []string{"source", "env", "reports", "keys", "blackout", "interval", "splay", "skew", "keep",
		"spool_reports", "spool_bytes", "allow_http"}
	if near := diag.Nearest(key, known); near != "" {
		return fmt.Errorf("there is no setting %q: did you mean %q?", key, near)
	}
	slices.Sort(known)
	return fmt.Errorf("there is no setting %q: there are %v", key, known)
}

// Configure fills what the settings say; schedules are those that blackouts may name.
func (s *Settings) Configure(c *Config, schedules map[string]*schedule.Schedule) error {
	if !release.GoodName(s.Env) {
		return diag.Errorf(diag.Pos{}, "%q is no name of an environment", s.Env).
			WithHint("letters, digits and . _ - name one")
	}
	if len(s.Keys) == 0 {
		return diag.Errorf(diag.Pos{}, "this machine trusts no key: no release can be accepted").
			WithHint("agent: {keys: ['ed25519:...']} holds the line that gostate pack keygen printed")
	}
	for _, text := range s.Keys {
		k, err := release.ParseKey(text)
		if err != nil {
			return err
		}
		c.Policy.Keys = append(c.Policy.Keys, k)
	}
	for _, name := range s.Blackout {
		one, ok := schedules[name]
		if !ok {
			return diag.Errorf(diag.Pos{}, "agent: blackout: there is no schedule %q", name).
				WithHint("schedules: {%s: {range: '8-18', weekday: [Mon, Fri]}} makes one", name)
		}
		c.Blackout = append(c.Blackout, one)
	}
	c.Policy.Env, c.Policy.Skew = s.Env, s.Skew
	c.Interval, c.Splay, c.Keep, c.Spool = s.Interval, s.Splay, s.Keep, s.Spool
	if s.Splay < 0 {
		c.Splay = s.Interval
	}
	return nil
}
