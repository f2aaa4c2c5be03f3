package svn

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Dirty is what Salt never made.
type Dirty struct {
	Name   string `arg:"name,required,line" doc:"The address in the repository."`
	Target string `arg:"target,required,line" doc:"The working copy."`
	Login
	IgnoreUnversioned bool `arg:"ignore_unversioned" doc:"No effect."`
}

func dirtySpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "svn.dirty", Doc: "Fails: Salt declares it and does not implement it.",
		Example: "https://svn.example.com/app/trunk:\n  svn.dirty:\n    - target: /srv/app",
		New:     func() modules.StateFunc { return &Dirty{} },
	}
}

// Act fails.
func (*Dirty) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Effect{}, host.Sure(errors.New("This function is not implemented yet."))
}
