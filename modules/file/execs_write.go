package file

import (
	"context"
	"fmt"
	"path"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func writeExecs() []modules.ExecSpec {
	return modules.Writing(
		spec("touch", "name atime=None mtime=None", "Makes a file, or sets its times.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.Bool(true), wrong(touchFile(c.Host, pathArg(c, "name"), c.Arg("atime"), c.Arg("mtime"), c.Time()))
			}),
		spec("find", "path *args **kwargs", "Finds paths: name, iname, regex, iregex, type, owner, group, size, mtime, "+
			"grep, maxdepth, mindepth, print, delete, exec, test.", find),
		spec("remove", "path", "Removes a file or a tree.", remove),
		spec("rmdir", "path recurse=false verbose=false older_than=None",
			"Removes an empty directory, and with recurse the empty ones in it.", rmdir),
		spec("write", "path:path *args:text args:text=None", "Writes lines to a file.",
			writeLines("Wrote %d lines to \"%s\"", func(_, lines string) string { return lines })),
		spec("append", "path:path *args:text args:text=None", "Adds lines at the end of a file.",
			writeLines("Wrote %d lines to \"%s\"", func(old, lines string) string {
				if old != "" && !strings.HasSuffix(old, "\n") {
					old += "\n"
				}
				return old + lines
			})),
		spec("prepend", "path:path *args:text args:text=None", "Adds lines at the beginning of a file.",
			writeLines("Prepended %d lines to \"%s\"", func(old, lines string) string { return lines + old })),
		spec("truncate", "path length:int", "Cuts a file.", truncate),
		spec("copy", "src dst recurse=false remove_existing=false", "Copies a file, or a tree with recurse.", copyExec),
		spec("rename", "src dst", "Renames a file or directory.", move(false)),
		spec("move", "src dst disallow_copy_and_unlink=false", "Moves a file or directory.", move(true)),
		spec("link", "src path", "Makes a hard link.", func(_ context.Context, c *modules.Call) (value.Value, error) {
			return value.Bool(true), wrong(c.Host.Link(pathArg(c, "src"), pathArg(c, "path")))
		}),
		spec("symlink", "src path force=false atomic=false", "Makes a symbolic link.", symlinkExec),
		spec("mkdir", "dir_path user=None group=None mode=None", "Makes a directory and those above it.",
			mkdirExec("dir_path", func(p string) string { return p })),
		spec("makedirs", "path user=None group=None mode=None",
			"Makes the directories above a path; a path that ends in a slash is one of them.", mkdirExec("path", dirname)),
		spec("makedirs_perms", "name user=None group=None mode=0755", "Makes a directory and those above it.",
			mkdirExec("name", func(p string) string { return p })),
		spec("set_mode", "path mode", "Sets the permissions.", setMode),
		spec("chown", "path user group", "Sets the owner.", chown(true)),
		spec("lchown", "path user group", "Sets the owner of a link itself.", chown(false)),
		spec("chgrp", "path group", "Sets the group.", chown(true)),
	)
}

// attrArgs are the owner and mode that a call names.
func attrArgs(c *modules.Call) (host.Attr, error) {
	var user, group Owner
	var mode modules.Mode
	for _, b := range []struct {
		name string
		to   modules.Binder
	}{{"user", &user}, {"group", &group}, {"mode", &mode}} {
		v := c.Arg(b.name)
		if s, ok := v.(value.Str); v == value.Value(value.None) || ok && s == "" {
			continue
		}
		if err := b.to.BindValue(v); err != nil {
			return host.Attr{}, invalid("%s %v", b.name, err)
		}
	}
	p, err := resolvePerms(c.Host, user, group, mode)
	return p.attr(), wrong(err)
}

// touchFile makes the file or sets its times, in seconds since 1970; None is now.
func touchFile(h host.Host, name string, atime, mtime value.Value, now time.Time) error {
	if !exists(h, name) {
		if err := h.WriteFile(name, strings.NewReader(""), host.KeepAttr()); err != nil {
			return err
		}
	}

	at, err1 := timeOf(atime, now)
	mt, err2 := timeOf(mtime, now)
	if err1 != nil || err2 != nil {
		return fmt.Errorf("atime and mtime must be integers")
	}
	return h.Chtimes(name, at, mt)
}

func timeOf(v value.Value, now time.Time) (time.Time, error) {
	if v == nil || v == value.Value(value.None) {
		return now, nil
	}
	f, err := modules.Number(v)
	return time.Unix(0, int64(f*1e9)), err
}

func remove(_ context.Context, c *modules.Call) (value.Value, error) {
	h, name := c.Host, pathArg(c, "path")
	switch {
	case !strings.HasPrefix(name, "/"):
		return nil, invalid("File path must be absolute: %s", name)
	case !lexists(h, name):
		return value.Bool(false), nil
	}
	return value.Bool(true), wrong(h.RemoveAll(name))
}

func writeLines(said string, merge func(old, lines string) string) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		name, args := pathArg(c, "path"), c.Rest()
		if v := c.Arg("args"); c.Has("args") {
			args = []value.Value{v}
			if l, ok := v.(*value.List); ok {
				args = l.Items
			}
		}
		var b strings.Builder
		for _, a := range args {
			b.WriteString(value.String(a) + "\n")
		}
		real, err := c.Host.Follow(name)
		if err != nil {
			return nil, wrong(err)
		}
		old, err := c.Host.ReadFile(real)
		if err != nil && !isMissing(err) {
			return nil, wrong(err)
		}
		err = c.Host.WriteFile(real, strings.NewReader(merge(string(old), b.String())), host.KeepAttr())
		return value.Str(fmt.Sprintf(said, len(args), name)), wrong(err)
	}
}

func truncate(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := readArg(c, "path")
	if err != nil {
		return nil, err
	}
	n := c.Int("length", 0)
	if n < 0 || n-len(text) > 1<<30 { // what is added is made in memory
		return nil, invalid("length must not be negative, nor a GiB beyond the file: %d", n)
	}
	if n > len(text) {
		text += strings.Repeat("\x00", n-len(text))
	}
	return value.None, wrong(c.Host.WriteFile(pathArg(c, "path"), strings.NewReader(text[:n]), host.KeepAttr()))
}

func copyExec(_ context.Context, c *modules.Call) (value.Value, error) {
	h, src, dst := c.Host, pathArg(c, "src"), pathArg(c, "dst")
	switch {
	case !strings.HasPrefix(src, "/"):
		return nil, invalid("File path must be absolute.")
	case !exists(h, src):
		return nil, failed("No such file or directory '%s'", src)
	case !isDir(h, src) && !isDir(h, dst):
		return value.Bool(true), wrong(copyKeeping(h, src, dst))
	case !c.Bool("recurse"):
		return nil, invalid("Cannot copy overwriting a directory without recurse flag set to true!")
	}
	if c.Bool("remove_existing") {
		if err := h.RemoveAll(dst); err != nil {
			return nil, wrong(err)
		}
	}
	return value.Bool(true), wrong(copyTree(h, src, dst))
}

// copyKeeping copies a file with its owner and mode.
func copyKeeping(h host.Host, src, dst string) error {
	i, err := h.Stat(src)
	if err != nil {
		return err
	}
	return copyFile(h, src, dst, host.Attr{Mode: i.Perm(), HasMode: true, UID: i.UID, GID: i.GID})
}

// copyTree copies a directory into one that may be there already; links stay links.
func copyTree(h host.Host, src, dst string) error {
	if err := notInto(h, src, dst); err != nil {
		return err
	}
	return copyBelow(h, src, dst)
}

// notInto refuses to copy or move a path to itself or to a place below itself, whatever links lead there.
func notInto(h host.Reader, src, dst string) error {
	from, err := h.Stat(src)
	switch {
	case path.Clean(src) == path.Clean(dst):
		return fmt.Errorf("%s is %s", dst, src)
	case err != nil:
		return nil
	}
	for p := path.Clean(dst); ; p = path.Dir(p) {
		if i, err := h.Stat(p); err == nil && i.Dev == from.Dev && i.Inode == from.Inode &&
			(from.IsDir() || p == path.Clean(dst)) {
			return fmt.Errorf("%s is %s or below it", dst, src)
		}
		if p == "/" || p == "." {
			return nil
		}
	}
}

func copyBelow(h host.Host, src, dst string) error {
	i, err := h.Stat(src)
	if err != nil {
		return err
	}
	if err := modules.MakeDirs(h, dst, host.Attr{Mode: i.Perm(), HasMode: true, UID: i.UID, GID: i.GID}); err != nil {
		return err
	}
	infos, err := h.ReadDir(src)
	if err != nil {
		return err
	}
	for _, i := range infos {
		from, to := path.Join(src, i.Path), path.Join(dst, i.Path)
		switch {
		case i.IsDir():
			err = copyBelow(h, from, to)
		case i.IsSymlink():
			var target string
			if target, err = h.Readlink(from); err == nil {
				err = h.Symlink(target, to)
			}
		case i.IsRegular():
			err = copyKeeping(h, from, to)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// move renames; into a directory that is there, where that is meant.
func move(into bool) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		src, dst := pathArg(c, "src"), pathArg(c, "dst")
		if !strings.HasPrefix(src, "/") {
			return nil, invalid("Source path must be absolute.")
		}
		if into && c.Bool("disallow_copy_and_unlink") {
			return value.Bool(true), wrong(c.Host.Rename(src, dst))
		}
		if into && isDir(c.Host, dst) {
			dst = path.Join(dst, path.Base(src))
		}
		return value.Bool(true), wrong(moveTree(c.Host, src, dst))
	}
}

func symlinkExec(_ context.Context, c *modules.Call) (value.Value, error) {
	h, src, dst := c.Host, c.Str("src"), pathArg(c, "path")
	if !strings.HasPrefix(dst, "/") {
		return nil, invalid("Link path must be absolute: %s", dst)
	}
	replace := c.Bool("force") || c.Bool("atomic")
	if i, err := h.Lstat(dst); err == nil {
		target, _ := h.Readlink(dst)
		switch {
		case i.IsSymlink() && path.Clean(target) == path.Clean(src):
			return value.Bool(true), nil
		case i.IsSymlink() && !replace:
			return nil, failed("Found existing symlink: %s", dst)
		case !replace:
			return nil, failed("Existing path is not a symlink: %s", dst)
		}
	}
	return value.Bool(true), wrong(h.Symlink(src, dst))
}

func mkdirExec(param string, dir func(string) string) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		a, err := attrArgs(c)
		if err != nil {
			return nil, err
		}
		return value.Bool(true), wrong(modules.MakeDirs(c.Host, path.Clean(dir(pathArg(c, param))), a))
	}
}

func setMode(_ context.Context, c *modules.Call) (value.Value, error) {
	h, name := c.Host, pathArg(c, "path")
	var mode modules.Mode
	if err := mode.BindValue(c.Arg("mode")); err != nil || mode.Keep || !mode.Given {
		return value.Str("Invalid Mode " + c.Str("mode")), nil
	}
	if !exists(h, name) {
		return nil, failed("%s: File not found", name)
	}
	return value.Str(mode.String()), wrong(h.Chmod(name, mode.Bits))
}

// chown gives None, or says what is missing, as Salt does.
func chown(through bool) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		h, name := c.Host, pathArg(c, "path")
		var user, group Owner
		_ = user.BindValue(c.Arg("user"))
		_ = group.BindValue(c.Arg("group"))
		uid, uok := user.uid(h)
		gid, gok := group.gid(h)
		missing := ""
		if !uok {
			missing += "User does not exist\n"
		}
		if !gok {
			missing += "Group does not exist\n"
		}
		if !lexists(h, name) {
			missing += "File not found"
		}
		if missing != "" {
			return value.Str(missing), nil
		}
		if through {
			if real, err := h.Follow(name); err == nil {
				name = real
			}
		}
		return value.None, wrong(h.Chown(name, uid, gid))
	}
}
