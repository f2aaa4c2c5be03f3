package file

import (
	"fmt"
	"os"
	"path"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A Path is an absolute path on the machine. A leading ~ is the home of who runs gostate.
type Path string

// ArgType names the type in documentation.
func (*Path) ArgType() string { return "absolute path" }

// BindValue reads the path and refuses one that is not absolute.
func (p *Path) BindValue(v value.Value) error {
	text, err := modules.Text(v)
	if err != nil {
		return fmt.Errorf("takes an absolute path, not %s", modules.Describe(v))
	}
	text = expandHome(text)
	if !strings.HasPrefix(text, "/") {
		return fmt.Errorf("takes an absolute path, not %s", modules.Describe(v))
	}
	if strings.IndexByte(text, 0) >= 0 {
		return fmt.Errorf("takes a path, which cannot hold a zero byte")
	}
	*p = Path(text)
	return nil
}

// A Location is a source: a URL (salt:// is one), or an absolute path on the machine.
type Location string

// ArgType names the type in documentation.
func (*Location) ArgType() string { return "URL or absolute path" }

// BindValue reads it.
func (l *Location) BindValue(v value.Value) error {
	if text, err := modules.Text(v); err == nil && strings.Contains(text, "://") {
		*l = Location(text)
		return nil
	}
	var p Path
	err := p.BindValue(v)
	*l = Location(p)
	return err
}

func (l Location) String() string { return string(l) }

// expandHome is a path with ~ as the home of who runs gostate.
func expandHome(p string) string {
	if p == "~" || strings.HasPrefix(p, "~/") {
		if home, err := os.UserHomeDir(); err == nil {
			return home + p[1:]
		}
	}
	return p
}

func (p Path) String() string { return string(p) }

// dir is the directory that holds the path.
func (p Path) dir() string { return path.Dir(string(p)) }

// A CheckCmd is a command line.
type CheckCmd string

// BindValue reads the command. The compiler, which takes check_cmd for a condition, hands it on as a list; of several,
// Salt makes no command.
func (c *CheckCmd) BindValue(v value.Value) error {
	if l, ok := v.(*value.List); ok && len(l.Items) == 1 {
		v = l.Items[0]
	}
	text, ok := v.(value.Str)
	if !ok {
		return fmt.Errorf("takes a command, not %s", modules.Describe(v))
	}
	*c = CheckCmd(text)
	return nil
}

// Variables are those of a template: a map and nothing that others read as one.
type Variables struct{ *value.Dict }

// ArgType names the type in documentation.
func (*Variables) ArgType() string { return "map" }

// BindValue reads a map. A list of maps is none: Salt refuses it, too.
func (v *Variables) BindValue(val value.Value) error {
	d, ok := val.(*value.Dict)
	if !ok {
		return fmt.Errorf("takes a map, not %s", modules.Describe(val))
	}
	v.Dict = d
	return nil
}

// noID is the first number that is no user's or group's: the system calls take it for none, and cut larger ones.
const noID = 1<<32 - 1

// An Owner is a user or a group, by name or by number.
type Owner struct{ val value.Value }

// ArgType names the type in documentation.
func (*Owner) ArgType() string { return "name or number" }

// BindValue reads a name or a number.
func (o *Owner) BindValue(v value.Value) error {
	switch t := v.(type) {
	case value.Int:
		if t < 0 || t >= noID {
			return fmt.Errorf("takes a name or a number, not %s", modules.Describe(v))
		}
		o.val = t
	case value.Str:
		if t != "" {
			o.val = t
		}
	default:
		return fmt.Errorf("takes a name or a number, not %s", modules.Describe(v))
	}
	return nil
}

func (o Owner) given() bool { return o.val != nil }

// text is the owner as it is written.
func (o Owner) text() string {
	if !o.given() {
		return ""
	}
	return value.String(o.val)
}

// uid is the number of a user, -1 when none is given.
func (o Owner) uid(h host.Reader) (int, bool) {
	return o.number(func(name string) (int, error) { u, err := h.User(name); return u.UID, err })
}

// gid is the number of a group, -1 when none is given.
func (o Owner) gid(h host.Reader) (int, bool) {
	return o.number(func(name string) (int, error) { g, err := h.Group(name); return g.GID, err })
}

func (o Owner) number(look func(name string) (int, error)) (int, bool) {
	switch v := o.val.(type) {
	case value.Int:
		return int(v), true
	case value.Str:
		if id, err := look(string(v)); err == nil {
			return id, true
		}
		// Salt differs: a number in quotes is a number where no account has that name.
		if id, err := strconv.ParseInt(string(v), 10, 64); err == nil && id >= 0 && id < noID {
			return int(id), true
		}
		return -1, false
	}
	return -1, true
}

// owners gives the numbers of a user and a group. The error says, in Salt's words, which of them is missing.
func owners(h host.Reader, user, group Owner) (uid, gid int, err error) {
	uid, uok := user.uid(h)
	gid, gok := group.gid(h)
	var missing []string
	if !uok {
		missing = append(missing, fmt.Sprintf("User %s is not available", user.text()))
	}
	if !gok {
		missing = append(missing, fmt.Sprintf("Group %s is not available", group.text()))
	}
	if len(missing) > 0 {
		err = fmt.Errorf("%s", strings.Join(missing, " "))
	}
	return uid, gid, err
}

// windowsArgs are the arguments that mean something on Windows only.
type windowsArgs struct {
	WinOwner       ignored `arg:"win_owner,text" doc:"Ignored."`
	WinPerms       ignored `arg:"win_perms,text" doc:"Ignored."`
	WinDenyPerms   ignored `arg:"win_deny_perms,text" doc:"Ignored."`
	WinInheritance ignored `arg:"win_inheritance,text" doc:"Ignored."`
}

// ignored is an argument that is taken, whatever it is, and not kept.
type ignored struct{}

// ArgType names the type in documentation.
func (ignored) ArgType() string { return "any" }

// BindValue takes the value.
func (ignored) BindValue(value.Value) error { return nil }
