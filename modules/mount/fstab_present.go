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

// Act writes it.
func (f *FstabPresent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := readTable(h, f.Config)
	if err != nil {
		return state.Effect{}, err
	}
	word := "new"
	now, i := t.find(func(r row) bool { return r.dir == f.File })
	switch {
	case i >= 0 && (now == f.row() || f.Keep):
		return state.Settled(fmt.Sprintf("%s entry was already in %s.", f.File, f.Config)), nil
	case i >= 0:
		word = "change"
	}
	t.put(i, f.row())
	return state.Effect{Changes: value.DictOf("persist", value.Str(word)), Comment: fmt.Sprintf("%s entry added in %s.", f.File, f.Config),
		Preview: fmt.Sprintf("%s entry will be written in %s.", f.File, f.Config)}, t.write(h)
}
