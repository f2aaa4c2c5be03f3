package file

import (
	"context"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func symlinkSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.symlink",
		Doc: `Ensures that the path is a symbolic link to the target.

A link that leads elsewhere is replaced. A file or directory in its place is a failure, unless force removes it or
backupname moves it away.`,
		Example: `
/etc/nginx/sites-enabled/site.conf:
  file.symlink:
    - target: /etc/nginx/sites-available/site.conf
    - makedirs: true
`,
		New:     func() modules.StateFunc { return &Symlink{} },
		AnyArgs: true,
	}
}

// Symlink is file.symlink.
type Symlink struct {
	Name       Path         `arg:"name,required,path" doc:"The link."`
	Target     string       `arg:"target,required,path" doc:"What it leads to; need not be there."`
	Force      bool         `arg:"force" doc:"Removes what is in the way."`
	Atomic     bool         `arg:"atomic" doc:"Puts the link in place of a file or another link at once."`
	Backupname string       `arg:"backupname,path" doc:"Moves what is in the way to this path, or to this name beside the link."`
	Makedirs   bool         `arg:"makedirs" doc:"Makes the directories above the link."`
	User       Owner        `arg:"user,word" alias:"owner?" doc:"The owner of the link and of the directories that are made."`
	Group      Owner        `arg:"group,word" doc:"The group of the link and of the directories that are made."`
	Mode       modules.Mode `arg:"mode" doc:"The permissions of the directories that are made; a link has none."`
	windowsArgs
}

// Validate refuses an empty target and a backup name that is neither a name nor a path.
func (s *Symlink) Validate() []modules.Fault {
	var faults []modules.Fault
	if s.Target == "" {
		faults = append(faults, modules.Fault{Arg: "target", Msg: "the target of a link cannot be empty"})
	}
	if s.Backupname != "" && !strings.HasPrefix(s.Backupname, "/") && strings.Contains(s.Backupname, "/") {
		faults = append(faults, modules.Fault{Arg: "backupname",
			Msg: fmt.Sprintf("backupname must be an absolute path or a file name: %s", s.Backupname)})
	}
	return faults
}

// Act makes the link.
func (s *Symlink) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	p, err := resolvePerms(h, s.User, s.Group, modules.Mode{})
	if err != nil {
		return state.Effect{}, err
	}
	if err := s.parent(h, p); err != nil {
		return state.Effect{}, err
	}
	e := state.NewEffect()
	i, err := h.Lstat(s.Name.String())
	switch {
	case isMissing(err):
		e.Preview = fmt.Sprintf("Symlink %s to %s is set for creation", s.Name, s.Target)
		e.Foretold = value.DictOf("new", value.Str(s.Name))
	case err != nil:
		return e, err
	case i.IsSymlink():
		target, err := h.Readlink(s.Name.String())
		if err != nil {
			return e, err
		}
		if path.Clean(target) == path.Clean(s.Target) {
			return s.own(h, i, p)
		}
		// Salt differs: without force it fails.
		e.Preview = fmt.Sprintf("Link %s target is set to be changed to %s", s.Name, s.Target)
		e.Foretold = value.DictOf("change", value.Str(s.Name))
	default:
		if err := s.clear(h, i); err != nil {
			return e, err
		}
		e.Preview = fmt.Sprintf("The file or directory %s is set for removal to make way for a new symlink targeting %s",
			s.Name, s.Target)
	}
	return e, s.link(h, p, &e)
}

// parent makes sure of the directory that holds the link.
func (s *Symlink) parent(h host.Host, p perms) error {
	dir := s.Name.dir()
	switch {
	case isDir(h, dir):
		return nil
	case !s.Makedirs:
		return fmt.Errorf("Directory %s for symlink is not present", dir)
	}
	return modules.MakeDirs(h, dir, host.Attr{UID: p.uid, GID: p.gid, Mode: s.Mode.Bits, HasMode: s.Mode.Given &&
		!s.Mode.Keep})
}

// own keeps the owner of a link that leads where it should. Salt differs: Salt gives every link to the user that it
// runs as; here only a user or group that is given is kept.
func (s *Symlink) own(h host.Host, i host.Info, p perms) (state.Effect, error) {
	diff := value.NewDict(2)
	p.differ(i, diff)
	if diff.Len() == 0 {
		return state.Settled(fmt.Sprintf("Symlink %s is present and owned by %s:%s", s.Name, userName(h, i.UID),
			groupName(h, i.GID))), nil
	}
	done := value.NewDict(2)
	if err := p.enforce(h, s.Name.String(), i, done); err != nil {
		return state.Effect{Changes: done, Once: len(state.Unkept(err)) > 0},
			fmt.Errorf("Failed to set ownership of symlink %s: %w", s.Name, err)
	}
	i, err := h.Lstat(s.Name.String())
	owner := userName(h, i.UID) + ":" + groupName(h, i.GID)
	e := state.NewEffect()
	e.Changes.SetStr("ownership", value.Str(owner))
	e.Comment = fmt.Sprintf("Set ownership of symlink %s to %s", s.Name, owner)
	return e, err
}

// clear makes way for the link.
func (s *Symlink) clear(h host.Host, i host.Info) error {
	name := s.Name.String()
	switch {
	case s.Backupname != "":
		to := s.Backupname
		if !strings.HasPrefix(to, "/") {
			to = path.Join(path.Dir(path.Clean(name)), to)
		}
		if lexists(h, to) {
			if !s.Force {
				return fmt.Errorf("Symlink & backup dest exists and Force not set. %s -> %s - backup: %s", name, s.Target, to)
			}
			if err := h.RemoveAll(to); err != nil {
				return err
			}
		}
		return h.Rename(name, to)
	case s.Atomic && !i.IsDir():
		return nil
	case !s.Force:
		return fmt.Errorf("%s exists where the symlink %s should be", entryType(i), name)
	case i.IsDir():
		return h.RemoveAll(name) // Salt differs: it fails where a directory is
	}
	return nil // the link replaces a file at once
}

func entryType(i host.Info) string {
	switch {
	case i.IsRegular():
		return "File"
	case i.IsDir():
		return "Directory"
	}
	return "File system entry"
}

func (s *Symlink) link(h host.Host, p perms, e *state.Effect) error {
	name := s.Name.String()
	if err := h.Symlink(s.Target, name); err != nil {
		return fmt.Errorf("Unable to create new symlink %s -> %s: %w", name, s.Target, err)
	}
	e.Comment = fmt.Sprintf("Created new symlink %s -> %s", name, s.Target)
	e.Changes.SetStr("new", value.Str(name))
	i, err := h.Lstat(name)
	if err == nil {
		err = p.enforce(h, name, i, value.NewDict(2))
	}
	if err != nil {
		return fmt.Errorf("%s, but was unable to set ownership: %w", e.Comment, err)
	}
	return nil
}
