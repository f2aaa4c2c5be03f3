package file

import (
	"context"
	"fmt"
	"io/fs"
	"path"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func mknodSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "file.mknod",
		Doc:  `Ensures that the path is a device or a fifo. What is there and something else is left, and a failure.`,
		Example: `
/var/run/app.fifo:
  file.mknod:
    - ntype: p
    - mode: '0660'
`,
		New: func() modules.StateFunc { return &Mknod{} },
	}
}

// Mknod is file.mknod.
type Mknod struct {
	Name  Path         `arg:"name,required,path" doc:"The path."`
	Ntype string       `arg:"ntype,required" choices:"c|b|p" doc:"A character device, a block device, or a fifo."`
	Major int          `arg:"major" default:"0" doc:"The major number of a device."`
	Minor int          `arg:"minor" default:"0" doc:"The minor number of a device."`
	User  Owner        `arg:"user,word" alias:"owner?" doc:"The owner."`
	Group Owner        `arg:"group,word" doc:"The group."`
	Mode  modules.Mode `arg:"mode" default:"'0600'" doc:"The permissions."`
}

// Act makes the node.
func (m *Mknod) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	name := m.Name.String()
	word := map[string]string{"c": "Character device", "b": "Block device", "p": "Fifo pipe"}[m.Ntype]
	p, err := resolvePerms(h, m.User, m.Group, m.Mode)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.NewEffect()
	i, err := h.Stat(name)
	switch {
	case isMissing(err):
		return e, m.make(h, p, word, &e)
	case err != nil:
		return e, err
	case typeLetter(i.Mode) != m.Ntype:
		return e, fmt.Errorf("%s exists and is not a %s. Refusing to continue", name, word)
	case m.Ntype != "p" && i.Rdev != host.Rdev(uint32(m.Major), uint32(m.Minor)):
		return e, fmt.Errorf("%s %s exists and has a different major/minor. Refusing to continue", word, name)
	}
	if err := p.enforce(h, name, i, e.Changes); err != nil {
		return e, err
	}
	if e.Changes.Len() == 0 {
		e.Comment = fmt.Sprintf("%s %s is in the correct state", word, name)
	}
	return e, nil
}

func (m *Mknod) make(h host.Host, p perms, word string, e *state.Effect) error {
	name := m.Name.String()
	if err := modules.MakeDirs(h, path.Dir(name), host.Attr{UID: p.uid, GID: p.gid}); err != nil {
		return err
	}
	mode := map[string]fs.FileMode{"c": fs.ModeDevice | fs.ModeCharDevice, "b": fs.ModeDevice,
		"p": fs.ModeNamedPipe}[m.Ntype]
	if err := h.Mknod(name, mode, uint32(m.Major), uint32(m.Minor), p.attr()); err != nil {
		return err
	}
	e.Changes.SetStr("new", value.Str(fmt.Sprintf("%s %s created.", word, name)))
	e.Preview = fmt.Sprintf("%s %s is set to be created", word, name)
	return nil
}
