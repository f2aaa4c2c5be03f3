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

// Act removes it.
func (f *FstabAbsent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := readTable(h, f.Config)
	if err != nil {
		return state.Effect{}, err
	}
	n := len(t.lines)
	t.lines = slices.DeleteFunc(t.lines, func(l string) bool {
		r, ok := parseRow(l)
		return ok &&
			r.dir == folder(f.File) && r.device == f.Name
	})
	if len(t.lines) == n {
		return state.Settled(fmt.Sprintf("%s entry is already missing in %s.", f.File, f.Config)), nil
	}
	return state.Effect{Changes: value.DictOf("persist", value.Str("removed")),
		Comment: fmt.Sprintf("%s entry removed from %s.", f.File, f.Config),
		Preview: fmt.Sprintf("%s entry will be removed from %s.", f.File, f.Config)}, t.write(h)
}
