package file

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func hardlinkSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.hardlink",
		Doc:  `Ensures that the path is another name of a file.`,
		Example: `
/usr/local/bin/vi:
  file.hardlink:
    - target: /usr/local/bin/vim
`,
		New:     func() modules.StateFunc { return &Hardlink{} },
		AnyArgs: true,
	}
}

// Hardlink is file.hardlink.
type Hardlink struct {
	Name     Path         `arg:"name,required,path" doc:"The new name."`
	Target   Path         `arg:"target,required,path" doc:"The file."`
	Force    bool         `arg:"force" doc:"Replaces another file."`
	Makedirs bool         `arg:"makedirs" doc:"Makes the directories above it."`
	User     Owner        `arg:"user,word" alias:"owner?" doc:"The owner of directories that are made."`
	Group    Owner        `arg:"group,word" doc:"The group of directories that are made."`
	DirMode  modules.Mode `arg:"dir_mode" doc:"The permissions of directories that are made."`
}

// Act links it.
func (l *Hardlink) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	name, target := l.Name.String(), l.Target.String()
	p, err := resolvePerms(h, l.User, l.Group, l.DirMode)
	if err != nil {
		return state.Effect{}, err
	}
	t, err := h.Lstat(target)
	switch {
	case isDir(h, name):
		return state.Effect{}, fmt.Errorf("Unable to hard link to directory %s", name)
	case err != nil:
		return state.Effect{}, fmt.Errorf("Target %s for hard link does not exist", target)
	case t.IsDir():
		return state.Effect{}, fmt.Errorf("Unable to hard link from directory %s", target)
	}
	if dir := l.Name.dir(); !isDir(h, dir) {
		if !l.Makedirs {
			return state.Effect{}, fmt.Errorf("Directory %s for hard link is not present", dir)
		}
		if err := modules.MakeDirs(h, dir, p.attr()); err != nil {
			return state.Effect{}, err
		}
	}
	e := state.NewEffect()
	e.Comment = fmt.Sprintf("Created new hard link %s -> %s", name, target)
	e.Preview = fmt.Sprintf("Hard link %s to %s is set for creation", name, target)
	if i, err := h.Lstat(name); err == nil {
		switch {
		case i.Inode == t.Inode && i.Dev == t.Dev:
			return state.Settled(fmt.Sprintf("Target of hard link %s is already pointing to %s", name, target)), nil
		case i.Nlink < 2 && !l.Force:
			return e, fmt.Errorf("File exists where the hard link %s should be", name)
		case i.Nlink < 2:
			e.Changes.SetStr("forced", value.Str("File for hard link was forcibly replaced"))
		default:
			e.Comment = fmt.Sprintf("Set target of hard link %s -> %s", name, target)
			e.Preview = fmt.Sprintf("Link %s target is set to be changed to %s", name, target)
		}
		if err := h.Remove(name); err != nil {
			return e, err
		}
	}
	if err := h.Link(target, name); err != nil {
		return e, fmt.Errorf("Unable to create new hard link %s -> %s: %w", name, target, err)
	}
	e.Changes.SetStr("new", value.Str(name))
	return e, nil
}
