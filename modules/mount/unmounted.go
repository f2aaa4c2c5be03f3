package mount

import (
	"context"
	"fmt"

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
	if f, ok := h.Fact(host.FactMount, u.Name); ok {
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
		Effects: []host.Fact{{Kind: host.FactMount, Name: u.Name, Value: "absent"}}}
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
