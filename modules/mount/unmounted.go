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
	Name    string `arg:"name,required,path" doc:"The folder."`
	Device  string `arg:"device,path" doc:"Only what is this device."`
	Config  string `arg:"config,path" default:"/etc/fstab" doc:"The file for the boot."`
	Persist bool   `arg:"persist" doc:"Take it from fstab too."`
	User    string `arg:"user,word" doc:"No effect."`
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

// Act unmounts, then forgets.
func (u *Unmounted) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	ms, err := mounts(h)
	if err != nil {
		return state.Effect{}, err
	}
	t, err := readTable(h, u.Config)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.NewDict(2), Comment: "Target was successfully unmounted",
		Preview: fmt.Sprintf("Mount point %s would be unmounted", u.Name)}
	if now := at(ms, folder(u.Name)); now != nil && (u.Device == "" || sameDevice(h, u.Device, now.device)) {
		if err := umount(ctx, h, u.Name); err != nil {
			return state.Effect{}, err
		}
		e.Changes.SetStr("umount", value.Bool(true))
	}
	_, place := t.find(func(r row) bool { return r.dir == folder(u.Name) && (u.Device == "" || r.device == u.Device) })
	if u.Persist && place >= 0 {
		t.drop(place)
		err = t.write(h)
		e.Changes.SetStr("persist", value.Str("purged"))
	}
	if e.Changes.Len() == 0 {
		return state.Settled("Target was already unmounted"), nil
	}
	return e, err
}
