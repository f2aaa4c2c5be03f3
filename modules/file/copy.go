package file

import (
	"context"
	"fmt"
	"path"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func copySpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.copy",
		Doc: `Copies a file or directory of the machine to another place, where nothing is there yet.

With force, what is there is replaced, and copied again in every run, as in Salt only when it differs is not looked at.`,
		Example: `
/etc/example.conf:
  file.copy:
    - source: /usr/share/example/example.conf
`,
		New:     func() modules.StateFunc { return &Copy{} },
		AnyArgs: true,
	}
}

// Copy is file.copy.
type Copy struct {
	Name     Path         `arg:"name,required,path" doc:"Where the copy goes."`
	Source   Path         `arg:"source,required,path" doc:"What is copied."`
	Force    bool         `arg:"force" doc:"Replaces what is there."`
	Makedirs bool         `arg:"makedirs" doc:"Makes the directories above it."`
	Preserve bool         `arg:"preserve" doc:"Keeps owner and mode of the source; user, group and mode are ignored."`
	User     Owner        `arg:"user,word" alias:"owner?" doc:"The owner of the copy."`
	Group    Owner        `arg:"group,word" doc:"The group of the copy."`
	Mode     modules.Mode `arg:"mode" doc:"The permissions of the copy; those of the source if not given."`
	DirMode  modules.Mode `arg:"dir_mode" doc:"The permissions of directories that makedirs makes."`
	Subdir   bool         `arg:"subdir" doc:"Copies into the directory that is there."`
}

// Act copies it.
func (c *Copy) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	name, source := c.Name.String(), c.Source.String()
	if !exists(h, source) {
		return state.Effect{}, fmt.Errorf("Source file %q is not present", source)
	}
	p, err := c.perms(h)
	if err != nil {
		return state.Effect{}, err
	}
	if c.Subdir && isDir(h, name) {
		name = path.Join(name, path.Base(source))
	}
	e := state.NewEffect()
	e.Once = true
	e.Comment = fmt.Sprintf("Copied %q to %q", source, name)
	e.Preview = fmt.Sprintf("File %q is set to be copied to %q", source, name)
	if lexists(h, name) {
		if !c.Force {
			return state.Settled(fmt.Sprintf("The target file %q exists and will not be overwritten", name)), nil
		}
		if err := c.clear(h, source, name); err != nil {
			return e, err
		}
		if sameContent(h, name, source) {
			e.Comment += " - files are identical but force flag is set"
		}
	}
	if dir := path.Dir(name); !isDir(h, dir) {
		if !c.Makedirs {
			return e, fmt.Errorf("The target directory %s is not present", dir)
		}
		if err := modules.MakeDirs(h, dir, dirAttr(p, c.DirMode)); err != nil {
			return e, err
		}
	}
	if err := c.copy(h, source, name, p); err != nil {
		return e, fmt.Errorf("Failed to copy %q to %q: %w", source, name, err)
	}
	e.Changes.SetStr(name, value.Str(source))
	if i, err := h.Stat(source); err == nil && !c.Preserve {
		id := host.IdentityOf(h)
		p.differ(host.Info{UID: id.UID, GID: id.GID, Mode: host.ModeOf(i.Perm())}, e.Changes)
	}
	return e, nil
}

// clear makes way for the copy. A file that is to be another file stays until that takes its place at once.
func (c *Copy) clear(h host.Host, source, name string) error {
	err := notInto(h, source, name)
	if err == nil && isDir(h, name) {
		err = notInto(h, name, source)
	}
	if err != nil {
		return fmt.Errorf("Failed to copy %q to %q: %w", source, name, err)
	}
	i, err := h.Lstat(name)
	if err == nil && !i.IsDir() && !isDir(h, source) {
		return nil
	}
	if err := h.RemoveAll(name); err != nil {
		return fmt.Errorf("Failed to delete %q in preparation for forced move: %w", name, err)
	}
	return nil
}

// perms are what the copy gets.
func (c *Copy) perms(h host.Reader) (perms, error) {
	if c.Preserve {
		// Salt differs: it keeps the mode, and not the owner that its documentation promises.
		return perms{uid: -1, gid: -1}, nil
	}
	p, err := resolvePerms(h, c.User, c.Group, c.Mode)
	if err == nil && c.User.given() && !c.Group.given() {
		if u, err := h.UserByID(p.uid); err == nil { // Salt's default: the user's own group
			p.gid, p.group = u.GID, Owner{value.Str(groupName(h, u.GID))}
		}
	}
	return p, err
}

func sameContent(h host.Reader, a, b string) bool {
	if !isFile(h, a) || !isFile(h, b) {
		return false
	}
	x, err1 := hashFile(h, a, "sha256")
	y, err2 := hashFile(h, b, "sha256")
	return err1 == nil && err2 == nil && x == y
}

func (c *Copy) copy(h host.Host, source, name string, p perms) error {
	i, err := h.Stat(source)
	if err != nil {
		return err
	}
	if !i.IsDir() {
		a := p.attr()
		if !a.HasMode {
			a.Mode, a.HasMode = i.Perm(), true
		}
		if c.Preserve {
			a.UID, a.GID = i.UID, i.GID
		}
		return copyFile(h, source, name, a)
	}
	if err := copyTree(h, source, name); err != nil || c.Preserve {
		return err
	}
	id := host.IdentityOf(h)
	uid, gid := p.uid, p.gid
	if uid < 0 {
		uid = id.UID
	}
	if gid < 0 {
		gid = id.GID
	}
	if err := h.Chown(name, uid, gid); err != nil {
		return err
	}
	if p.mode.Given && !p.mode.Keep {
		if err := h.Chmod(name, p.mode.Bits); err != nil {
			return err
		}
	}
	return walk(h, name, nil, func(below string, _ bool) error { return h.Chown(below, uid, gid) })
}
