package mount

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Swap keeps a swap area in use.
type Swap struct {
	tool
	Name    string `arg:"name,required" doc:"the device or file"`
	Persist bool   `arg:"persist" default:"true" doc:"note it in fstab"`
	Config  string `arg:"config" default:"/etc/fstab" doc:"the file for the boot"`
}

func swapSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "mount.swap",
		Doc:     "Keeps a swap area in use, now and at boot.",
		Example: "/swapfile:\n  mount.swap: []",
		New:     func() modules.StateFunc { return &Swap{} },
	}
}

func (s *Swap) plan(h host.Reader) (on bool, t *table, place int, err error) {
	data, err := h.ReadFile("/proc/swaps")
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return false, nil, -1, fmt.Errorf("read what is swapped to: %w", err)
	}
	for line := range strings.Lines(string(data)) {
		if f := strings.Fields(line); len(f) > 0 && sameDevice(h, s.Name, f[0]) {
			on = true
		}
	}
	if t, err = readTable(h, s.Config); err != nil {
		return on, nil, -1, err
	}
	_, place = t.find(func(r row) bool { return r.device == s.Name && r.fstype == "swap" })
	return on, t, place, nil
}

// Check says whether it would be swapped to.
func (s *Swap) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	on, _, place, err := s.plan(h)
	if err != nil {
		return state.Forecast{}, err
	}
	f := state.Forecast{Changes: value.NewDict(2), Comment: fmt.Sprintf("Swap %s already active", s.Name)}
	if !on {
		f.Pending, f.Comment = true, fmt.Sprintf("Swap %s is set to be activated", s.Name)
		f.Changes.SetStr(s.Name, value.Str("swapon"))
	}
	if place < 0 && s.Persist {
		f.Pending = true
		f.Changes.SetStr("persist", value.Str("new"))
		if on {
			f.Comment = fmt.Sprintf("Swap %s is set to be added to the fstab and to be activated", s.Name)
		}
	}
	return f, nil
}

// Apply swaps to it and notes it.
func (s *Swap) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	on, t, place, err := s.plan(h)
	if err != nil {
		return state.Applied{}, err
	}
	if !on {
		if err := run(ctx, h, "swapon", s.Name); err != nil {
			return state.Applied{}, fmt.Errorf("swap to %s: %w", s.Name, err)
		}
	}
	if place < 0 && s.Persist {
		t.put(-1, row{s.Name, "none", "swap", "defaults", "0", "0"})
		if err := t.write(h); err != nil {
			return state.Applied{}, err
		}
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Swap %s activated", s.Name)}, nil
}
