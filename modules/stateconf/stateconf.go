// Package stateconf is the state that the renderer of that name reads the configuration of an SLS from.
package stateconf

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family {
	return modules.Family{Name: "stateconf", States: []modules.StateSpec{setSpec()}}
}

func setSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "stateconf.set", Aliases: []string{"stateconf.context"},
		Doc: "Does nothing, and succeeds. What it is given are variables of the templates of its SLS, where that is one of " +
			"`#!stateconf`.",
		Example: `
.params:
  stateconf.set:
    - port: 80
`,
		New: func() modules.StateFunc { return &Set{} },
	}
}

// Set is stateconf.set.
type Set struct {
	Name   string      `arg:"name,text" doc:"A unique text."`
	Values *value.Dict `arg:"**,text"`
}

// Act does nothing.
func (*Set) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Settled(""), nil
}
