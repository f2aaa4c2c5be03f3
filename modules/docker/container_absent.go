package docker

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ContainerAbsent keeps a container away.
type ContainerAbsent struct {
	Name  string `arg:"name,required,word" doc:"The container."`
	Force bool   `arg:"force" doc:"Also one that runs."`
}

func containerAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_container.absent", Doc: "Keeps a container away.",
		Example: "web:\n  docker_container.absent:\n    - force: true",
		New:     func() modules.StateFunc { return &ContainerAbsent{} },
	}
}

// Act removes it.
func (a *ContainerAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	was, err := c.does(ctx, a.Name)
	switch {
	case err != nil:
		return state.Effect{}, err
	case was == "absent":
		return state.Settled(fmt.Sprintf("Container '%s' does not exist", a.Name)), nil
	case was != "stopped" && !a.Force:
		return state.Effect{}, errors.New("Container is running, set force to True to forcibly remove it") //nolint:staticcheck // Salt's words
	}
	method := "Successfully"
	if was != "stopped" {
		method = "Forcibly"
	}
	e := state.Effect{Changes: value.NewDict(1), Foretold: value.NewDict(0), Pending: true,
		Comment: fmt.Sprintf("%s removed container '%s'", method, a.Name),
		Preview: fmt.Sprintf("Container '%s' will be removed", a.Name)}
	return done(&e, deed(ctx, h, "remove", "container "+a.Name, "absent", func(ctx context.Context) error {
		d, err := c.container(ctx, a.Name)
		if err != nil {
			return err
		}
		if err := c.remove(ctx, text(d, "Id"), a.Force); err != nil {
			return fmt.Errorf("Failed to remove container '%s': %w", a.Name, err) //nolint:staticcheck // Salt's words
		}
		e.Changes.SetStr("removed", value.NewList(value.Str(text(d, "Id"))))
		return nil
	}))
}
