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
	Name Path `arg:"name,required" doc:"The path."`
}

// Check looks.
func (x *Missing) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	if exists(h, x.Name.String()) {
		return state.Forecast{}, fmt.Errorf("Specified path %s exists", x.Name)
	}
	return state.Forecast{Comment: fmt.Sprintf("Path %s is missing", x.Name)}, nil
}

// Apply has nothing to do.
func (*Missing) Apply(context.Context, *modules.Env, host.Host, state.Forecast) (state.Applied, error) {
	return state.Applied{}, nil
}
