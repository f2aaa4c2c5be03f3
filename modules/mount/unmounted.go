package mount

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Unmounted keeps a filesystem unmounted.
type Unmounted struct {
	tool
	Name    string `arg:"name,required" doc:"the folder"`
	Device  string `arg:"device" doc:"only what is this device"`
	Config  string `arg:"config" default:"/etc/fstab" doc:"the file for the boot"`
	Persist bool   `arg:"persist" doc:"take it from fstab too"`
	User    string `arg:"user" doc:"no effect"`
}

func unmountedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "mount.unmounted",
		Doc:     "Keeps a filesystem unmounted, and with persist out of fstab.",
		Example: "/mnt/old:\n  mount.unmounted:\n    - persist: true",
		New:     func() modules.StateFunc { return &Unmounted{} },
		AnyArgs: true,
	}
}

func (u *Unmounted) plan(h host.Reader) (umount bool, t *table, place int, err error) {
	ms, err := mounts(h)
	if err != nil {
		return false, nil, -1, err
	}
	now := at(ms, u.Name)
	umount = now != nil && (u.Device == "" || sameDevice(h, u.Device, now.device))
	if f, ok := h.Fact("mount", u.Name); ok {
		umount = f.Value != "absent"
	}
	if t, err = readTable(h, u.Config); err != nil {
		return false, nil, -1, err
	}
	place = -1
	if u.Persist {
		_, place = t.find(func(r row) bool { return r.dir == u.Name && (u.Device == "" || r.device == u.Device) })
	}
	return umount, t, place, nil
}

// Check says what would be unmounted.
func (u *Unmounted) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	umount, _, place, err := u.plan(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if !umount && place < 0 {
		return state.Forecast{Comment: "Target was already unmounted"}, nil
	}
	f := state.Forecast{Pending: true, Changes: value.NewDict(2), Comment: fmt.Sprintf("Mount point %s would be unmounted", u.Name),
		Effects: []host.Fact{{Kind: "mount", Name: u.Name, Value: "absent"}}}
	if umount {
		f.Changes.SetStr("umount", value.Bool(true))
	}
	if place >= 0 {
		f.Changes.SetStr("persist", value.Str("purged"))
	}
	return f, nil
}

// Apply unmounts, then forgets.
func (u *Unmounted) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	umount, t, place, err := u.plan(h)
	if err != nil {
		return state.Applied{}, err
	}
	if umount {
		if err := run(ctx, h, "umount", u.Name); err != nil {
			return state.Applied{}, fmt.Errorf("unmount %s: %w", u.Name, err)
		}
	}
	if place >= 0 {
		t.drop(place)
		if err := t.write(h); err != nil {
			return state.Applied{}, err
		}
	}
	return state.Applied{Changes: f.Changes, Comment: "Target was successfully unmounted"}, nil
}

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

// Fstab are the arguments of a line of fstab.
type Fstab struct {
	tool
	Name   string      `arg:"name,required" doc:"the device"`
	File   string      `arg:"fs_file,required" doc:"the folder"`
	Type   string      `arg:"fs_vfstype" default:"auto" doc:"the type of the filesystem"`
	Opts   Options     `arg:"fs_mntops" default:"[defaults]" doc:"the options"`
	Freq   string      `arg:"fs_freq" default:"'0'" doc:"the field for dump"`
	Pass   string      `arg:"fs_passno" default:"'0'" doc:"the field for fsck"`
	By     string      `arg:"mount_by" doc:"no effect: the device is written as it is given"`
	Config string      `arg:"config" default:"/etc/fstab" doc:"the file"`
	Mount  value.Value `arg:"mount" alias:"match_on" doc:"no effect: fstab alone is kept"`
	Keep   bool        `arg:"not_change" doc:"leave a line that is there as it is"`
}

// OnlyFiles: fstab is a file.
func (*Fstab) OnlyFiles() {}

func (f *Fstab) row() row {
	return row{f.Name, f.File, f.Type, strings.Join(f.Opts, ","), f.Freq, f.Pass}
}

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
