package file

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

func existsSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.exists",
		Doc:  `Fails where there is nothing at the path. It makes nothing.`,
		Example: `
/etc/passwd:
  file.exists: []
`,
		New:     func() modules.StateFunc { return &Exists{} },
		AnyArgs: true,
	}
}

// Exists is file.exists.
type Exists struct {
	Name Path `arg:"name,required,path" doc:"The path."`
}

// Act looks.
func (x *Exists) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if !exists(h, x.Name.String()) {
		return state.Effect{}, fmt.Errorf("Specified path %s does not exist", x.Name)
	}
	return state.Settled(fmt.Sprintf("Path %s exists", x.Name)), nil
}
