package mount

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// FstabPresent keeps a line in fstab.
type FstabPresent struct{ Fstab }

func fstabPresentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "mount.fstab_present",
		Doc:     "Keeps a line in fstab. It mounts nothing.",
		Example: "tmpfs:\n  mount.fstab_present:\n    - fs_file: /tmp\n    - fs_vfstype: tmpfs",
		New:     func() modules.StateFunc { return &FstabPresent{} },
	}
}

// Check says whether the line would be written.
func (f *FstabPresent) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	t, err := readTable(h, f.Config)
	if err != nil {
		return state.Forecast{}, err
	}
	now, i := t.find(func(r row) bool { return r.dir == f.File })
	if i >= 0 && (now == f.row() || f.Keep) {
		return state.Forecast{Comment: fmt.Sprintf("%s entry was already in %s.", f.File, f.Config)}, nil
	}
	word := "new"
	if i >= 0 {
		word = "change"
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("persist", value.Str(word)), Comment: fmt.Sprintf("%s entry will be written in %s.", f.File, f.Config)}, nil
}

// Apply writes it.
func (f *FstabPresent) Apply(_ context.Context, _ *modules.Env, h host.Host, fc state.Forecast) (state.Applied, error) {
	t, err := readTable(h, f.Config)
	if err != nil {
		return state.Applied{}, err
	}
	_, i := t.find(func(r row) bool { return r.dir == f.File })
	t.put(i, f.row())
	return state.Applied{Changes: fc.Changes, Comment: fmt.Sprintf("%s entry added in %s.", f.File, f.Config)}, t.write(h)
}
