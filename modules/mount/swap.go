package mount

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Swap keeps a swap area in use.
type Swap struct {
	tool
	Name    string `arg:"name,required" doc:"The device or file."`
	Persist bool   `arg:"persist" default:"true" doc:"Note it in fstab."`
	Config  string `arg:"config" default:"/etc/fstab" doc:"The file for the boot."`
}

func swapSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "mount.swap",
		Doc:     "Keeps a swap area in use, now and at boot.",
		Example: "/swapfile:\n  mount.swap: []",
		New:     func() modules.StateFunc { return &Swap{} },
	}
}

const swaps = "/proc/swaps"

// Act swaps to it and notes it.
func (s *Swap) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	lines, err := modules.ReadLines(h, swaps)
	if err != nil {
		return state.Effect{}, err
	}
	t, err := readTable(h, s.Config)
	if err != nil {
		return state.Effect{}, err
	}
	on := slices.ContainsFunc(lines, func(l string) bool { f := strings.Fields(l); return len(f) > 0 && sameDevice(h, s.Name, f[0]) })
	e := state.Effect{Changes: value.NewDict(2), Comment: fmt.Sprintf("Swap %s activated", s.Name),
		Preview: fmt.Sprintf("Swap %s is set to be added to the fstab and to be activated", s.Name)}
	if !on {
		if err := s.swapOn(ctx, h, lines); err != nil {
			return state.Effect{}, err
		}
		e.Preview = fmt.Sprintf("Swap %s is set to be activated", s.Name)
		e.Changes.SetStr(s.Name, value.Str("swapon"))
	}
	if _, place := t.find(func(r row) bool { return r.device == s.Name && r.fstype == "swap" }); place < 0 && s.Persist {
		t.put(-1, row{s.Name, "none", "swap", "defaults", "0", "0"})
		err = t.write(h)
		e.Changes.SetStr("persist", value.Str("new"))
	}
	if e.Changes.Len() == 0 {
		return state.Settled(fmt.Sprintf("Swap %s already active", s.Name)), nil
	}
	return e, err
}

// swapOn swaps to it; an overlay has the kernel's list with it.
func (s *Swap) swapOn(ctx context.Context, h host.Host, lines []string) error {
	return run(ctx, h, func(o host.Host) error {
		if _, err := o.Stat(s.Name); errors.Is(err, fs.ErrNotExist) && path.IsAbs(s.Name) {
			return host.Missing("swapon: cannot open %s: No such file or directory", s.Name)
		}
		return modules.WriteLines(o, swaps, append(lines, s.Name+" file 0 0 -2"))
	}, "swapon", s.Name)
}
