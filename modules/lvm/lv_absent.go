package lvm

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// LVAbsent keeps a logical volume away.
type LVAbsent struct {
	root
	Name   string `arg:"name,required,word" doc:"The logical volume."`
	VGName string `arg:"vgname,required,word" doc:"Its volume group."`
}

func lvAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "lvm.lv_absent", Doc: "Keeps a logical volume away, with all that it holds. One in use makes it fail.",
		Example: "old:\n  lvm.lv_absent:\n    - vgname: data", New: func() modules.StateFunc { return &LVAbsent{} },
	}
}

// Act removes the volume.
func (l *LVAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	path := "/dev/" + l.VGName + "/" + l.Name
	now, err := lv(ctx, h, path)
	switch {
	case err != nil:
		return state.Effect{}, err
	case now == nil:
		return state.Settled(fmt.Sprintf("Logical Volume %s already absent", l.Name)), nil
	case now.open:
		err = errors.New("it is in use")
	default:
		err = change(ctx, h, []string{"lvremove", l.VGName + "/" + l.Name, "--yes"}, fact("lv "+path, "absent"))
	}
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to remove Logical Volume %s: %w", l.Name, err) //nolint:staticcheck // Salt's
	}
	return done("Logical Volume", l.Name, "removed",
		value.DictOf("removed", value.Str(fmt.Sprintf("Logical volume \"%s\" successfully removed", l.Name)))), nil
}
