package user

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// setGroups makes the user a member of these groups, and of no others.
func setGroups(o host.Host, user string, groups []string) {
	all, _ := o.Groups()
	for _, g := range all {
		if in := slices.Contains(g.Members, user); in == slices.Contains(groups, g.Name) {
			continue
		} else if in {
			g.Members = slices.DeleteFunc(slices.Clone(g.Members), func(m string) bool { return m == user })
		} else {
			g.Members = append(slices.Clone(g.Members), user)
		}
		o.Promise(g.Fact())
	}
}

// editShadow changes the user's line of /etc/shadow, nil when there is none; what cannot be read is left alone.
func editShadow(o host.Host, user string, edit func(fields []string) []string) error {
	lines, err := modules.ReadLines(o, shadowFile)
	if errors.Is(err, fs.ErrPermission) || lines == nil && err == nil {
		return nil
	}
	if err != nil {
		return err
	}
	i := slices.IndexFunc(lines, func(l string) bool { return strings.HasPrefix(l, user+":") })
	var now []string
	if i >= 0 {
		now = strings.Split(lines[i], ":")
		lines = slices.Delete(lines, i, i+1)
	}
	if line := edit(now); line != nil {
		lines = append(lines, strings.Join(line, ":"))
	}
	return modules.WriteLines(o, shadowFile, lines)
}

// makeHome makes a home directory that is missing, with what /etc/skel has.
func makeHome(h host.Host, u host.User) error {
	if _, err := h.Lstat(u.Home); !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	mode, login := uint32(0o755), host.Defaults(h, "/etc/login.defs")
	if mask, err := strconv.ParseUint(login["UMASK"], 8, 12); err == nil {
		mode = 0o777 &^ uint32(mask)
	}
	if given, err := strconv.ParseUint(login["HOME_MODE"], 8, 12); err == nil {
		mode = uint32(given)
	}
	root := host.Attr{Mode: 0o755, HasMode: true}
	if err := modules.MakeDirs(h, path.Dir(u.Home), root); err != nil {
		return err
	}
	if err := h.Mkdir(u.Home, host.Attr{Mode: mode, HasMode: true, UID: u.UID, GID: u.GID}); err != nil {
		return fmt.Errorf("make the home directory of %s: %w", u.Name, err)
	}
	return copyBelow(h, cmp.Or(host.Defaults(h, "/etc/default/useradd")["SKEL"], "/etc/skel"), u.Home, u)
}

// copyBelow copies what is in a directory for the user.
func copyBelow(h host.Host, from, to string, u host.User) error {
	files, err := h.ReadDir(from)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, f := range files {
		src, dst := path.Join(from, f.Path), path.Join(to, f.Path)
		a := host.Attr{Mode: f.Perm(), HasMode: true, UID: u.UID, GID: u.GID}
		switch {
		case f.IsDir():
			if err = h.Mkdir(dst, a); err == nil {
				err = copyBelow(h, src, dst, u)
			}
		case f.IsSymlink():
			var target string
			if target, err = h.Readlink(src); err == nil {
				err = errors.Join(h.Symlink(target, dst), h.Chown(dst, u.UID, u.GID))
			}
		case f.IsRegular():
			err = copyFile(h, src, dst, a)
		}
		if err != nil {
			return fmt.Errorf("copy %s: %w", src, err)
		}
	}
	return nil
}

func copyFile(h host.Host, src, dst string, a host.Attr) error {
	r, err := h.Open(src)
	if err != nil {
		return err
	}
	defer r.Close()
	return h.WriteFile(dst, r, a)
}

// chownBelow gives what is the old account's in a directory to the new one, as usermod does.
func chownBelow(o host.Host, dir string, old, now host.User) error {
	i, err := o.Lstat(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	uid, gid := -1, -1
	if i.UID == old.UID && old.UID != now.UID {
		uid = now.UID
	}
	if i.GID == old.GID && old.GID != now.GID {
		gid = now.GID
	}
	if uid >= 0 || gid >= 0 {
		if err := o.Chown(dir, uid, gid); err != nil {
			return err
		}
	}
	if !i.IsDir() {
		return nil
	}
	files, err := o.ReadDir(dir)
	for _, f := range files {
		err = errors.Join(err, chownBelow(o, path.Join(dir, f.Path), old, now))
	}
	return err
}
