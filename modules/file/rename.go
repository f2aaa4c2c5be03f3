package file

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"syscall"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func renameSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.rename",
		Doc:  `Moves a file or directory of the machine to another place, where nothing is there yet.`,
		Example: `
/etc/new.conf:
  file.rename:
    - source: /etc/old.conf
`,
		New:     func() modules.StateFunc { return &Rename{} },
		AnyArgs: true,
	}
}

// Rename is file.rename.
type Rename struct {
	Name     Path `arg:"name,required,path" doc:"Where it goes."`
	Source   Path `arg:"source,required,path" doc:"What is moved; nothing there means that it was moved already."`
	Force    bool `arg:"force" doc:"Replaces what is there."`
	Makedirs bool `arg:"makedirs" doc:"Makes the directories above it."`
}

// Act moves it.
func (r *Rename) Act(_ context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	name, source := os.Expand(r.Name.String(), env.Getenv), os.Expand(r.Source.String(), env.Getenv)
	if !lexists(h, source) {
		return state.Settled(fmt.Sprintf("Source file %q has already been moved out of place", source)), nil
	}
	e := state.NewEffect()
	if lexists(h, name) && !r.Force {
		return state.Settled(fmt.Sprintf("The target file %q exists and will not be overwritten", name)), nil
	}
	if err := mayMove(h, source, name); err != nil {
		return e, err
	}
	if lexists(h, name) {
		if isDir(h, name) {
			if err := h.RemoveAll(name); err != nil {
				return e, fmt.Errorf("Failed to delete %q in preparation for forced move: %w", name, err)
			}
		}
	}
	if dir := path.Dir(name); !isDir(h, dir) {
		if !r.Makedirs {
			return e, fmt.Errorf("The target directory %s is not present", dir)
		}
		if err := modules.MakeDirs(h, dir, host.KeepAttr()); err != nil {
			return e, err
		}
	}
	if err := moveTree(h, source, name); err != nil {
		return e, fmt.Errorf("Failed to move %q to %q: %w", source, name, err)
	}
	e.Comment = fmt.Sprintf("Moved %q to %q", source, name)
	e.Preview = fmt.Sprintf("File %q is set to be moved to %q", source, name)
	e.Changes.SetStr(name, value.Str(source))
	return e, nil
}

// mayMove refuses a move that would lose what is moved.
func mayMove(h host.Reader, source, name string) error {
	err := notInto(h, source, name)
	if err == nil && isDir(h, name) {
		err = notInto(h, name, source)
	}
	if err != nil {
		err = fmt.Errorf("Failed to move %q to %q: %w", source, name, err)
	}
	return err
}

// moveTree renames, or copies and removes where the places are on different file systems.
func moveTree(h host.Host, source, name string) error {
	err := h.Rename(source, name)
	if !errors.Is(err, syscall.EXDEV) {
		return err
	}
	i, err := h.Lstat(source)
	switch {
	case err != nil:
	case i.IsDir():
		err = copyTree(h, source, name)
	case i.IsSymlink():
		var target string
		if target, err = h.Readlink(source); err == nil {
			err = h.Symlink(target, name)
		}
	default:
		err = copyKeeping(h, source, name)
	}
	if err != nil {
		return err
	}
	return h.RemoveAll(source)
}
