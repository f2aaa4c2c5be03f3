package lvm

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// VGAbsent keeps a volume group away.
type VGAbsent struct {
	root
	Name string `arg:"name,required,word" doc:"The volume group."`
}

func vgAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "lvm.vg_absent",
		Doc: "Keeps a volume group away. Its logical volumes, with all that they hold, are removed with it; one that is in " +
			"use makes it fail.",
		Example: "data:\n  lvm.vg_absent: []", New: func() modules.StateFunc { return &VGAbsent{} },
	}
}

// Act removes the group with its logical volumes.
func (v *VGAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	is, err := vg(ctx, h, v.Name)
	switch {
	case err != nil:
		return state.Effect{}, err
	case !is:
		return state.Settled(fmt.Sprintf("Volume Group %s already absent", v.Name)), nil
	}
	leaves, err := v.leaves(ctx, h)
	if err == nil {
		err = change(ctx, h, []string{"vgremove", v.Name, "--yes"}, leaves...)
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to remove Volume Group %s: %w", v.Name, err) //nolint:staticcheck // Salt's
	}
	return done("Volume Group", v.Name, "removed",
		value.DictOf("removed", value.Str(fmt.Sprintf("Volume group \"%s\" successfully removed", v.Name)))), nil
}

// leaves is what is left without the group: its physical volumes are of none, its logical volumes are gone. A logical
// volume in use is an error.
func (v *VGAbsent) leaves(ctx context.Context, h host.Reader) ([]host.Fact, error) {
	out := []host.Fact{fact("vg "+v.Name, "absent")}
	pvs, err := rows(ctx, h, "pvdisplay", "")
	for _, r := range pvs {
		if r[1] == v.Name {
			out = append(out, fact("pv "+r[0], "present"))
		}
	}
	for _, f := range h.Facts(host.FactVolume) {
		switch {
		case f.Attrs["vg"] != v.Name:
		case f.Name[:3] == "pv ":
			out = append(out, fact(f.Name, "present"))
		case f.Name[:3] == "lv ":
			out = append(out, fact(f.Name, "absent"))
		}
	}
	lvs, lvErr := rows(ctx, h, "lvdisplay", "")
	for _, r := range lvs {
		if r[1] != v.Name {
			continue
		}
		if r[5] != "0" {
			return nil, fmt.Errorf("the logical volume %s is in use", r[0])
		}
		out = append(out, fact("lv "+r[0], "absent"))
	}
	if err == nil {
		err = lvErr
	}
	return out, err
}
