package lvm

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// PVAbsent keeps a device from being a physical volume.
type PVAbsent struct {
	root
	Name string `arg:"name,required,word" doc:"The device."`
}

func pvAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "lvm.pv_absent", Doc: "Keeps a device from being a physical volume. One of a group is not removed.",
		Example: "/dev/sdb:\n  lvm.pv_absent: []", New: func() modules.StateFunc { return &PVAbsent{} },
	}
}

// Act removes the physical volume.
func (p *PVAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	is, group, err := pv(ctx, h, p.Name)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !is:
		return state.Settled(fmt.Sprintf("Physical Volume %s does not exist", p.Name)), nil
	case group != "":
		err = fmt.Errorf("it is used by the volume group %s", group)
	default:
		err = change(ctx, h, []string{"pvremove", "--yes", p.Name}, fact("pv "+p.Name, "absent"))
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to remove Physical Volume %s: %w", p.Name, err) //nolint:staticcheck // Salt's
	}
	return done("Physical Volume", p.Name, "removed", value.DictOf("removed", value.Bool(true))), nil
}
