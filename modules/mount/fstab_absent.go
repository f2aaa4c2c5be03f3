package mount

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// FstabAbsent keeps a line out of fstab.
type FstabAbsent struct{ Fstab }

func fstabAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "mount.fstab_absent",
		Doc:     "Keeps a line out of fstab. It unmounts nothing.",
		Example: "tmpfs:\n  mount.fstab_absent:\n    - fs_file: /tmp",
		New:     func() modules.StateFunc { return &FstabAbsent{} },
	}
}

func (f *FstabAbsent) drop(h host.Reader) (*table, bool, error) {
	t, err := readTable(h, f.Config)
	if err != nil {
		return nil, false, err
	}
	n := len(t.lines)
	t.lines = slices.DeleteFunc(t.lines, func(l string) bool { r, ok := parseRow(l); return ok && r.dir == f.File && r.device == f.Name })
	return t, len(t.lines) != n, nil
}

// Check says whether the line would go.
func (f *FstabAbsent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	_, changed, err := f.drop(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if !changed {
		return state.Forecast{Comment: fmt.Sprintf("%s entry is already missing in %s.", f.File, f.Config)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("persist", value.Str("removed")), Comment: fmt.Sprintf("%s entry will be removed from %s.", f.File, f.Config)}, nil
}

// Apply removes it.
func (f *FstabAbsent) Apply(_ context.Context, _ *modules.Env, h host.Host, fc state.Forecast) (state.Applied, error) {
	t, _, err := f.drop(h)
	if err != nil {
		return state.Applied{}, err
	}
	return state.Applied{Changes: fc.Changes, Comment: fmt.Sprintf("%s entry removed from %s.", f.File, f.Config)}, t.write(h)
}
