package docker

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// VolumeAbsent keeps a volume away.
type VolumeAbsent struct {
	Name   string `arg:"name,required,word" doc:"The volume."`
	Driver string `arg:"driver,word" doc:"No effect."`
}

func volumeAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_volume.absent", Doc: "Keeps a volume away.", Example: "data:\n  docker_volume.absent: []",
		New: func() modules.StateFunc { return &VolumeAbsent{} },
	}
}

// Act removes the volume.
// Salt differs: in test mode, it removes it.
func (a *VolumeAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	now, err := c.volume(ctx, a.Name)
	if err != nil {
		return state.Effect{}, err
	}
	then := promised(h, "volume "+a.Name)
	if now == nil && then == "" || then == "absent" {
		return state.Settled(fmt.Sprintf("Volume '%s' already absent", a.Name)), nil
	}
	e := state.Effect{Changes: value.DictOf("removed", value.Bool(true)),
		Preview: fmt.Sprintf("The volume '%s' will be removed", a.Name)}
	return e, deed(ctx, h, "remove", "volume "+a.Name, "absent", func(ctx context.Context) error {
		return c.dropVolume(ctx, a.Name)
	})
}
