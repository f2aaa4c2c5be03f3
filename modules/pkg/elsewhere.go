package pkg

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Elsewhere is a state of other package managers. It fails here, as in Salt.
type Elsewhere struct {
	Selection
	IDs  value.Value `arg:"advisory_ids" doc:"The advisories."`
	Load value.Value `arg:"downloadonly" doc:"Only download."`

	says string
}

func elsewhereSpec(name, doc, says string) modules.StateSpec {
	return modules.StateSpec{
		Name:    name,
		Doc:     doc + " apt has no such thing: there the state fails.",
		Example: "tools:\n  " + name + ": []",
		New:     func() modules.StateFunc { return &Elsewhere{says: says} },
		AnyArgs: true,
	}
}

// Act fails.
func (e *Elsewhere) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Effect{}, errors.New(e.says)
}
