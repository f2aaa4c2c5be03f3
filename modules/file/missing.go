package file

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

func missingSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.missing",
		Doc:  `Fails where there is something at the path. It removes nothing.`,
		Example: `
/etc/nologin:
  file.missing: []
`,
		New:     func() modules.StateFunc { return &Missing{} },
		AnyArgs: true,
	}
}

// Missing is file.missing.
type Missing struct {
	Name Path `arg:"name,required,path" doc:"The path."`
}

// Act looks.
func (x *Missing) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if exists(h, x.Name.String()) {
		return state.Effect{}, fmt.Errorf("Specified path %s exists", x.Name)
	}
	return state.Settled(fmt.Sprintf("Path %s is missing", x.Name)), nil
}
