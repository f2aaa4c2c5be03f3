package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strconv"
	"strings"
	"syscall"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// perms are the owner, the mode and the attributes that a path should have. What is not given stays.
type perms struct {
	user, group Owner
	uid, gid    int // -1 where not given
	mode        modules.Mode
	attrs       *string
	selinux     *value.Dict
}

// resolvePerms looks the owners up.
func resolvePerms(h host.Reader, user, group Owner, mode modules.Mode) (perms, error) {
	p := perms{user: user, group: group, mode: mode}
	var err error
	p.uid, p.gid, err = owners(h, user, group)
	return p, err
}

// attr is what a new file or directory gets.
func (p perms) attr() host.Attr {
	return host.Attr{UID: p.uid, GID: p.gid, Mode: p.mode.Bits, HasMode: p.mode.Given && !p.mode.Keep}
}

// differ adds to changes what of the perms the path has not, in Salt's shape. The mode of a link is never looked at.
// Salt differs: it gives what the link leads to the link's mode, 0777.
func (p perms) differ(i host.Info, changes *value.Dict) {
	if p.uid >= 0 && p.uid != i.UID {
		changes.SetStr("user", p.user.val)
	}
	if p.gid >= 0 && p.gid != i.GID {
		changes.SetStr("group", p.group.val)
	}
	if p.mode.Given && !p.mode.Keep && !i.IsSymlink() && p.mode.Bits != i.Perm() {
		changes.SetStr("mode", value.Str(p.mode.String()))
	}
}

// enforce gives the path its owner and mode, where they differ, and adds to changes what it gave it: that it cannot
// give it one of them does not keep it from the others.
func (p perms) enforce(h host.Host, name string, i host.Info, changes *value.Dict) error {
	todo := value.NewDict(0)
	p.differ(i, todo)
	user, group, mode := todo.Has(value.Str("user")), todo.Has(value.Str("group")), todo.Has(value.Str("mode"))
	var failed []error
	lost := func(what string, err error) {
		todo.Delete(value.Str(what))
		failed = append(failed, &state.PropertyError{Name: what, Err: err})
	}
	if err := p.chown(h, name, user, group); err != nil {
		if user {
			lost("user", err)
		}
		if group && (!user || h.Chown(name, -1, p.gid) != nil) {
			lost("group", err)
		}
	}
	// chown clears setuid and setgid, so the mode is set again after it.
	bits := i.Perm()
	if mode {
		bits = p.mode.Bits
	}
	if mode || (user || group) && bits&0o6000 != 0 && !i.IsSymlink() {
		if err := h.Chmod(name, bits); err != nil {
			lost("mode", err)
		}
	}
	for k, v := range todo.All() {
		_ = changes.Set(k, v)
	}
	return errors.Join(failed...)
}

func (p perms) chown(h host.Host, name string, user, group bool) error {
	if !user && !group {
		return nil
	}
	return h.Chown(name, p.uid, p.gid)
}

// was gives owner and mode of what changed with what they were.
func was(h host.Reader, i host.Info, changes *value.Dict) []state.Property {
	var out []state.Property
	add := func(name string, before func() string) {
		if after, ok := changes.GetStr(name); ok { // else nobody is asked for a name
			out = append(out, state.Property{Name: name, Before: value.Str(before()), After: after})
		}
	}
	add("user", func() string { return userName(h, i.UID) })
	add("group", func() string { return groupName(h, i.GID) })
	add("mode", func() string { return fmt.Sprintf("%04o", i.Perm()) })
	return out
}

// dirAttr is what directories above a file get: the dir_mode, else the file's mode with x wherever it has r or w.
func dirAttr(p perms, dirMode modules.Mode) host.Attr {
	a := host.Attr{UID: p.uid, GID: p.gid}
	switch {
	case dirMode.Given && !dirMode.Keep:
		a.Mode, a.HasMode = dirMode.Bits, true
	case p.mode.Given && !p.mode.Keep:
		a.HasMode = true
		for shift := 0; shift <= 6; shift += 3 {
			if digit := p.mode.Bits >> shift & 7; digit != 0 {
				a.Mode |= (digit | 1) << shift
			}
		}
	}
	return a
}

// isDir says whether the path leads to a directory.
func isDir(h host.Reader, name string) bool {
	i, err := h.Stat(name)
	return err == nil && i.IsDir()
}

// isFile says whether the path leads to a regular file.
func isFile(h host.Reader, name string) bool {
	i, err := h.Stat(name)
	return err == nil && i.IsRegular()
}

// exists says whether the path leads anywhere.
func exists(h host.Reader, name string) bool {
	_, err := h.Stat(name)
	return err == nil
}

// lexists says whether there is anything at the path, be it a link to nowhere.
func lexists(h host.Reader, name string) bool {
	_, err := h.Lstat(name)
	return err == nil
}

// followed gives the path that a chain of links ends at, and what is there.
func followed(h host.Reader, name string) (string, host.Info, error) {
	i, err := h.Lstat(name)
	if err != nil || !i.IsSymlink() {
		return name, i, err
	}
	if name, err = h.Follow(name); err == nil {
		i, err = h.Lstat(name)
	}
	return name, i, err
}

// lsattr are the attributes of ext4 and its like that a file has, "" where the tool or the file system knows none.
func lsattr(ctx context.Context, h host.Reader, name string) (string, bool) {
	if _, err := h.LookPath("lsattr"); err != nil {
		return "", false
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"lsattr", "-d", "--", name}})
	if err != nil || out.Code != 0 {
		return "", false
	}
	attrs, _, _ := strings.Cut(string(out.Stdout), " ")
	return strings.ReplaceAll(attrs, "-", ""), true
}

// isMissing says whether an error means that there is nothing at the path: no entry, or a file where a directory should
// be.
func isMissing(err error) bool {
	return errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR)
}

// userName is the name of a user, the number where it has none.
func userName(h host.Reader, uid int) string {
	if u, err := h.UserByID(uid); err == nil {
		return u.Name
	}
	return strconv.Itoa(uid)
}

// groupName is the name of a group, the number where it has none.
func groupName(h host.Reader, gid int) string {
	if g, err := h.GroupByID(gid); err == nil {
		return g.Name
	}
	return strconv.Itoa(gid)
}
