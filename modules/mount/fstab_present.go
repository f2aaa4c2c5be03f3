package mount

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"

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
		Doc:     "Keeps a line in fstab, and mounts what is new there.",
		Example: "tmpfs:\n  mount.fstab_present:\n    - fs_file: /tmp\n    - fs_vfstype: tmpfs",
		New:     func() modules.StateFunc { return &FstabPresent{} },
	}
}

// Validate refuses fields that fstab does not have.
func (f *FstabPresent) Validate() []modules.Fault { return badFields(f.On) }

// Act writes it, and mounts what is new. Salt differs: it leaves a line that it could not mount, and calls that right
// in the next run.
func (f *FstabPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	t, err := readTable(h, f.Config)
	if err != nil {
		return state.Effect{}, err
	}
	before, dir := slices.Clone(t.lines), folder(f.File)
	done, _ := t.put(f.row(), f.On, f.Keep)
	if done == "present" {
		return state.Settled(fmt.Sprintf("%s entry was already in %s.", dir, f.Config)), nil
	}
	e := state.Effect{Changes: value.DictOf("persist", value.Str(done)),
		Comment: fmt.Sprintf("%s entry updated in %s.", dir, f.Config),
		Preview: fmt.Sprintf("%s entry will be updated in %s.", dir, f.Config)}
	if err := t.write(h); err != nil || done != "new" {
		return e, err
	}
	e.Comment, e.Preview = fmt.Sprintf("%s entry added in %s.", dir, f.Config),
		fmt.Sprintf("%s entry will be written in %s.", dir, f.Config)
	if !f.Mount {
		return e, nil
	}
	e.Comment += fmt.Sprintf("\nMounted %s on %s", f.Name, dir)
	e.Preview += fmt.Sprintf("\nWill mount %s on %s", f.Name, dir)
	if err := f.mount(ctx, h, dir); err != nil {
		t.lines = before
		return state.Effect{}, errors.Join(err, t.write(h))
	}
	return e, nil
}

// mount mounts what fstab has for the folder, unless it is mounted.
func (f *FstabPresent) mount(ctx context.Context, h host.Host, dir string) error {
	if ms, err := mounts(h); err != nil || at(ms, dir) != nil || f.Type == "swap" {
		return err
	}
	m := &Mounted{Name: dir, Device: f.Name, Fstype: f.Type, Opts: f.Opts}
	return run(ctx, h, func(o host.Host) error {
		if _, err := o.Stat(dir); errors.Is(err, fs.ErrNotExist) {
			return host.Missing("mount: %s: mount point does not exist.", dir)
		}
		return m.foretell(o)
	}, "mount", dir)
}
