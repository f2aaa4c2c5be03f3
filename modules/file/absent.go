package file

import (
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.absent",
		Doc: `Ensures that there is no file, link or directory at the path.

A directory is removed with all that is in it; links in it are not followed.`,
		Example: `
/etc/cron.d/old-job:
  file.absent: []
`,
		New:     func() modules.StateFunc { return &Absent{} },
		AnyArgs: true,
	}
}

// Absent is file.absent.
type Absent struct {
	Name Path `arg:"name,required,path" doc:"What is removed."`
}

// Validate refuses the root.
func (a *Absent) Validate() []modules.Fault {
	if path.Clean(a.Name.String()) == "/" {
		return []modules.Fault{{Arg: "name", Msg: `refusing to make "/" absent`}}
	}
	return nil
}

// Act removes it.
func (a *Absent) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	kind, err := a.kind(h)
	if err != nil || kind == "" {
		return state.Settled(fmt.Sprintf("File %s is not present", a.Name)), err
	}
	word := strings.ToLower(kind)
	if err := h.RemoveAll(a.Name.String()); err != nil {
		return state.Effect{}, fmt.Errorf("Failed to remove %s %s: %w", word, a.Name, errors.Unwrap(err))
	}
	return state.Effect{Changes: value.DictOf("removed", value.Str(a.Name)),
		Comment: fmt.Sprintf("Removed %s %s", word, a.Name),
		Preview: fmt.Sprintf("%s %s is set for removal", kind, a.Name)}, nil
}

// kind is "File" or "Directory", "" when there is nothing.
func (a *Absent) kind(h host.Reader) (string, error) {
	i, err := h.Lstat(a.Name.String())
	switch {
	case isMissing(err):
		return "", nil
	case err != nil:
		return "", err
	case i.IsDir():
		return "Directory", nil
	}
	return "File", nil
}
