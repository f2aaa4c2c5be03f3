package mount

import (
	"context"
	"errors"
	"fmt"
	"io"
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
	Name    string `arg:"name,required,path" doc:"The device or file."`
	Persist bool   `arg:"persist" default:"true" doc:"Note it in fstab."`
	Config  string `arg:"config,path" default:"/etc/fstab" doc:"The file for the boot."`
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
	on := slices.ContainsFunc(lines, func(l string) bool {
		f := strings.Fields(l)
		return len(f) > 0 &&
			sameDevice(h, s.Name, f[0])
	})
	e := state.Effect{Changes: value.NewDict(2), Comment: fmt.Sprintf("Swap %s activated", s.Name),
		Preview: fmt.Sprintf("Swap %s is set to be added to the fstab and to be activated", s.Name)}
	if !on {
		if err := s.swapOn(ctx, h, lines); err != nil {
			return state.Effect{}, err
		}
		e.Preview = fmt.Sprintf("Swap %s is set to be activated", s.Name)
		if e.Changes, err = s.active(h); err != nil {
			return state.Effect{}, err
		}
	}
	if s.Persist {
		switch done, _ := t.put(row{s.Name, "none", "swap", "defaults", "0", "0"}, []string{"device"}, false); done {
		case "new":
			e.Changes.SetStr("persist", value.Str("new"))
			err = t.write(h)
		case "change":
			e.Changes.SetStr("persist", value.Str("update"))
			err = t.write(h)
		}
	}
	if e.Changes.Len() == 0 {
		return state.Settled(fmt.Sprintf("Swap %s already active", s.Name)), nil
	}
	return e, err
}

// active is what the kernel says of it. Salt differs: it leaves the line in fstab of what it could not swap to.
func (s *Swap) active(h host.Reader) (*value.Dict, error) {
	lines, err := modules.ReadLines(h, swaps)
	for _, l := range lines {
		if f := strings.Fields(l); len(f) > 4 && sameDevice(h, s.Name, f[0]) {
			return value.DictOf("type", value.Str(f[1]), "size", value.Str(f[2]), "used", value.Str(f[3]), "priority",
				value.Str(f[4])), nil
		}
	}
	return nil, errors.Join(fmt.Errorf("Swap %s failed to activate", s.Name), err) //nolint:staticcheck // Salt's words
}

// swapOn swaps to it; an overlay has the kernel's list with it, and finds what swapon would refuse.
func (s *Swap) swapOn(ctx context.Context, h host.Host, lines []string) error {
	return run(ctx, h, func(o host.Host) error {
		i, err := o.Stat(s.Name)
		if errors.Is(err, fs.ErrNotExist) && path.IsAbs(s.Name) {
			return host.Missing("swapon: cannot open %s: No such file or directory", s.Name)
		}
		if err != nil || !i.IsRegular() {
			return modules.WriteLines(o, swaps, append(lines, s.Name+" partition 0 0 -2"))
		}
		if err := signature(o, s.Name); err != nil {
			return err
		}
		return modules.WriteLines(o, swaps, append(lines, fmt.Sprintf("%s file %d 0 -2", s.Name, max(0, i.Size/1024-4))))
	}, "swapon", s.Name)
}

const page = 4096

// signature is the error for a file that mkswap has not seen.
func signature(h host.Reader, name string) error {
	r, err := h.Open(name)
	if err != nil {
		return err
	}
	defer r.Close()
	head := make([]byte, page)
	if _, err := io.ReadFull(r, head); err != nil || string(head[page-10:]) != "SWAPSPACE2" {
		return fmt.Errorf("swapon: %s: read swap header failed", name)
	}
	return nil
}
