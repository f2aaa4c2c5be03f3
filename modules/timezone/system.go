package timezone

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// System keeps the zone.
type System struct {
	Name string `arg:"name,required" doc:"the zone: Europe/Berlin"`
	UTC  bool   `arg:"utc" default:"true" doc:"the hardware clock runs in UTC, not in local time"`
}

func systemSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "timezone.system",
		Doc:     "Keeps the machine's time zone, and whether its hardware clock runs in UTC.",
		Example: "Europe/Berlin:\n  timezone.system:\n    - utc: true",
		New:     func() modules.StateFunc { return &System{} },
	}
}

// OnlyFiles: the zone is files.
func (*System) OnlyFiles() {}

// Locks keeps other changes of the zone out.
func (*System) Locks() []string { return []string{"timezone"} }

const (
	zones     = "/usr/share/zoneinfo/"
	localtime = "/etc/localtime"
	named     = "/etc/timezone"
	adjtime   = "/etc/adjtime"
)

// A finding is what is not as wanted.
type finding struct {
	link, name, clock bool
	adjtime           []string
}

func (s *System) find(h host.Reader) (finding, error) {
	var f finding
	if i, err := h.Stat(zones + s.Name); err != nil || i.IsDir() || s.Name != path.Clean(s.Name) || strings.HasPrefix(s.Name, "..") {
		if _, coming := h.Fact(host.FactPackage, "tzdata"); !coming {
			return f, fmt.Errorf("there is no time zone %s: %s%s does not exist", s.Name, zones, s.Name)
		}
	}
	to, err := h.Readlink(localtime)
	f.link = err != nil || path.Join("/etc", to) != zones+s.Name && to != zones+s.Name
	data, err := h.ReadFile(named)
	switch {
	case err == nil:
		f.name = strings.TrimSpace(string(data)) != s.Name
	case !errors.Is(err, fs.ErrNotExist):
		return f, fmt.Errorf("read %s: %w", named, err)
	default:
		_, debian := h.Lstat("/etc/debian_version")
		f.name = debian == nil
	}
	text, err := h.ReadFile(adjtime)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("read %s: %w", adjtime, err)
	}
	f.adjtime = []string{"0.0 0 0.0", "0", "UTC"}
	copy(f.adjtime, strings.Split(strings.TrimSpace(string(text)), "\n"))
	if f.adjtime[0] == "" {
		f.adjtime[0] = "0.0 0 0.0"
	}
	f.clock = (f.adjtime[2] == "LOCAL") == s.UTC
	return f, nil
}

// Check says whether the zone or the clock would be set.
func (s *System) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	f, err := s.find(h)
	if err != nil {
		return state.Forecast{}, err
	}
	changes := value.NewDict(2)
	var todo []string
	if f.link || f.name {
		changes.SetStr("timezone", value.Str(s.Name))
		todo = append(todo, fmt.Sprintf("Timezone %s needs to be set", s.Name))
	}
	if f.clock {
		changes.SetStr("utc", value.Bool(s.UTC))
		todo = append(todo, fmt.Sprintf("UTC needs to be set to %s", value.Repr(value.Bool(s.UTC))))
	}
	if len(todo) == 0 {
		return state.Forecast{Comment: fmt.Sprintf("Timezone %s already set, UTC already set to %s", s.Name, value.Repr(value.Bool(s.UTC)))}, nil
	}
	return state.Forecast{Pending: true, Changes: changes, Comment: strings.Join(todo, ", ")}, nil
}

// Apply sets the zone and the clock's mode; the running clock is left alone.
func (s *System) Apply(_ context.Context, _ *modules.Env, h host.Host, fc state.Forecast) (state.Applied, error) {
	f, err := s.find(h)
	if err != nil {
		return state.Applied{}, err
	}
	if f.link {
		if err := h.Symlink(zones+s.Name, localtime); err != nil {
			return state.Applied{}, fmt.Errorf("link %s: %w", localtime, err)
		}
	}
	attr := host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
	if f.name {
		if err := h.WriteFile(named, strings.NewReader(s.Name+"\n"), attr); err != nil {
			return state.Applied{}, fmt.Errorf("write %s: %w", named, err)
		}
	}
	if f.clock {
		f.adjtime[2] = "LOCAL"
		if s.UTC {
			f.adjtime[2] = "UTC"
		}
		if err := h.WriteFile(adjtime, strings.NewReader(strings.Join(f.adjtime, "\n")+"\n"), attr); err != nil {
			return state.Applied{}, fmt.Errorf("write %s: %w", adjtime, err)
		}
	}
	return state.Applied{Changes: fc.Changes, Comment: fmt.Sprintf("Set timezone %s", s.Name)}, nil
}
