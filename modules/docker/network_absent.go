package docker

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// NetworkAbsent keeps a network away.
type NetworkAbsent struct {
	Name string `arg:"name,required,word" doc:"The network."`
}

func networkAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_network.absent", Doc: "Keeps a network away; its containers leave it.",
		Example: "back:\n  docker_network.absent: []", New: func() modules.StateFunc { return &NetworkAbsent{} },
	}
}

// Act removes the network.
func (a *NetworkAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	now, err := c.network(ctx, a.Name)
	if err != nil {
		return state.Effect{}, err
	}
	then := promised(h, "network "+a.Name)
	if now == nil && then == "" || then == "absent" {
		return state.Settled(fmt.Sprintf("Network '%s' already absent", a.Name)), nil
	}
	e := state.Effect{Changes: value.NewDict(2), Comment: fmt.Sprintf("Removed network '%s'", a.Name),
		Preview: fmt.Sprintf("Network '%s' will be removed", a.Name)}
	if in, ok := at(now, "Containers").(*value.Dict); ok && in.Len() > 0 {
		var names []string
		for _, v := range in.All() {
			d, _ := v.(*value.Dict)
			names = append(names, text(d, "Name"))
		}
		e.Changes.SetStr("disconnected", modules.TextList(names))
	}
	e.Changes.SetStr("removed", value.Bool(true))
	return e, deed(ctx, h, "remove", "network "+a.Name, "absent", func(ctx context.Context) error {
		return c.dropNetwork(ctx, now)
	})
}
