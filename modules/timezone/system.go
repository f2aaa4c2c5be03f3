package timezone

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// System keeps the zone.
type System struct {
	Name string `arg:"name,required,path" not:".." doc:"The zone: Europe/Berlin."`
	UTC  bool   `arg:"utc" default:"true" doc:"The hardware clock runs in UTC, not in local time."`
}

func systemSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "timezone.system",
		Doc:     "Keeps the machine's time zone, and whether its hardware clock runs in UTC.",
		Example: "Europe/Berlin:\n  timezone.system:\n    - utc: true",
		New:     func() modules.StateFunc { return &System{} },
	}
}

const (
	zones     = "/usr/share/zoneinfo/"
	localtime = "/etc/localtime"
	named     = "/etc/timezone"
	adjtime   = "/etc/adjtime"
)

// Act sets the zone and the clock's mode; the running clock is left alone.
func (s *System) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	utc := value.Repr(value.Bool(s.UTC))
	if i, err := h.Stat(zones + s.Name); err != nil || i.IsDir() || s.Name != path.Clean(s.Name) ||
		strings.HasPrefix(s.Name, "..") {
		return state.Effect{}, host.Missing("there is no time zone %s: %s%s does not exist", s.Name, zones, s.Name)
	}
	e, todo := state.NewEffect(), []string(nil)
	e.Comment = "Set timezone " + s.Name
	zone, err := s.zone(h)
	if err != nil {
		return state.Effect{}, err
	}
	if zone {
		e.Changes.SetStr("timezone", value.Str(s.Name))
		todo = append(todo, fmt.Sprintf("Timezone %s needs to be set", s.Name))
	}
	clock, err := s.clock(h)
	if clock {
		e.Changes.SetStr("utc", value.Bool(s.UTC))
		todo = append(todo, "UTC needs to be set to "+utc)
	}
	if e.Preview = strings.Join(todo, ", "); todo == nil {
		e.Comment = fmt.Sprintf("Timezone %s already set, UTC already set to %s", s.Name, utc)
	}
	return e, err
}

// zone sets the link and the file that names the zone, and says whether it had to.
func (s *System) zone(h host.Host) (changed bool, err error) {
	to, err := h.Readlink(localtime)
	if err != nil || path.Join("/etc", to) != zones+s.Name && to != zones+s.Name {
		changed = true
		if err := h.Symlink(zones+s.Name, localtime); err != nil {
			return false, fmt.Errorf("link %s: %w", localtime, err)
		}
	}
	lines, err := modules.ReadLines(h, named)
	_, debian := h.Lstat("/etc/debian_version")
	if err != nil || slices.Equal(lines, []string{s.Name}) || lines == nil && debian != nil {
		return changed, err
	}
	return true, modules.WriteLines(h, named, []string{s.Name})
}

// clock notes whether the hardware clock runs in UTC, and says whether it had to. Salt differs: it does so for utc
// alone.
func (s *System) clock(h host.Host) (bool, error) {
	lines, err := modules.ReadLines(h, adjtime)
	if err != nil {
		return false, err
	}
	now := []string{"0.0 0 0.0", "0", "UTC"}
	copy(now, lines)
	if (now[2] == "LOCAL") == !s.UTC {
		return false, nil
	}
	now[2] = map[bool]string{true: "UTC", false: "LOCAL"}[s.UTC]
	return true, modules.WriteLines(h, adjtime, now)
}
