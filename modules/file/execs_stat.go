package file

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func statExecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		spec("stats", "path hash_type=None follow_symlinks=true", "Tells everything about a path.", stats),
		spec("lstat", "path", "Gives what lstat(2) tells.", lstat),
		spec("get_user", "path follow_symlinks=true", "Gives the owner's name.", statPart("user", value.Bool(false))),
		spec("get_group", "path follow_symlinks=true", "Gives the group's name.", statPart("group", value.Bool(false))),
		spec("get_uid", "path follow_symlinks=true", "Gives the owner's number.", statPart("uid", value.Int(-1))),
		spec("get_gid", "path follow_symlinks=true", "Gives the group's number.", statPart("gid", value.Int(-1))),
		spec("get_mode", "path follow_symlinks=true", "Gives the permissions.", statPart("mode", value.Str(""))),
		spec("user_to_uid", "user", "Gives the number of a user, '' for none.",
			toNumber(func(h host.Reader, o Owner) (int, bool) { return o.uid(h) })),
		spec("group_to_gid", "group", "Gives the number of a group, '' for none.",
			toNumber(func(h host.Reader, o Owner) (int, bool) { return o.gid(h) })),
		spec("uid_to_user", "uid", "Gives the name of a user.",
			toName(func(h host.Reader, id int) (string, error) { u, err := h.UserByID(id); return u.Name, err })),
		spec("gid_to_group", "gid", "Gives the name of a group.",
			toName(func(h host.Reader, id int) (string, error) { g, err := h.GroupByID(id); return g.Name, err })),
		spec("is_blkdev", "name", "Says whether the path is a block device.", isType("b")),
		spec("is_chrdev", "name", "Says whether the path is a character device.", isType("c")),
		spec("is_fifo", "name", "Says whether the path is a fifo.", isType("p")),
		spec("lsattr", "path", "Gives the attributes of a file.", lsattrExec),
		spec("get_selinux_context", "path", "Gives the SELinux label.", selinuxContext),
		spec("diskusage", "path", "Gives the size of a tree in bytes.", diskusage),
		spec("get_hash", "path form=sha256 chunk_size=65536", "Gives the hash of a file.", getHash),
		spec("get_sum", "path form=sha256", "Gives the hash of a file.", getHash),
		spec("check_hash", "path file_hash", "Says whether a file has the hash, given as kind=hex or hex.", checkHash),
	}
}

// statOf is the dict of file.stats; nil and no error where there is nothing.
func statOf(h host.Reader, name string, followLinks bool) (*value.Dict, error) {
	i, err := h.Lstat(name)
	link := err == nil && i.IsSymlink()
	if link && followLinks {
		i, err = h.Stat(name)
	}
	switch {
	case isMissing(err):
		return nil, nil
	case err != nil:
		return nil, wrong(err)
	}
	target := name
	if real, err := h.Follow(name); err == nil {
		target = real
	}
	kind := map[string]string{"f": "file", "d": "dir", "l": "link", "p": "pipe", "s": "socket", "c": "char",
		"b": "block"}[typeLetter(i.Mode)]
	return value.DictOf("inode", value.Int(i.Inode), "uid", value.Int(i.UID), "gid", value.Int(i.GID),
		"group", value.Str(groupName(h, i.GID)), "user", value.Str(userName(h, i.UID)),
		"atime", seconds(i.ATime), "mtime", seconds(i.MTime), "ctime", seconds(i.CTime), "size", value.Int(i.Size),
		"mode", value.Str(modules.FormatMode(i.Perm())), "type", value.Str(kind), "target", value.Str(target)), nil
}

func seconds(t time.Time) value.Float {
	if t.IsZero() {
		return 0
	}
	return value.Float(float64(t.UnixNano()) / 1e9)
}

func stats(_ context.Context, c *modules.Call) (value.Value, error) {
	h, name := c.Host, pathArg(c, "path")
	d, err := statOf(h, name, c.Bool("follow_symlinks"))
	switch {
	case err != nil:
		return nil, err
	case d == nil:
		return nil, failed("Path not found: %s", name)
	}
	if kind := c.Str("hash_type"); kind != "" {
		sum, err := hashFile(h, name, kind)
		if err != nil {
			return nil, wrong(err)
		}
		d.SetStr("sum", value.Str(sum))
	}
	return d, nil
}

func statPart(key string, none value.Value) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		name := pathArg(c, "path")
		d, err := statOf(c.Host, name, c.Bool("follow_symlinks"))
		switch {
		case err != nil:
			return nil, err
		case d == nil:
			return nil, failed("Path not found: %s", name)
		}
		if v, ok := d.GetStr(key); ok {
			return v, nil
		}
		return none, nil
	}
}

func lstat(_ context.Context, c *modules.Call) (value.Value, error) {
	i, err := c.Host.Lstat(pathArg(c, "path"))
	if err != nil {
		return value.NewDict(0), nil
	}
	return value.DictOf("st_atime", seconds(i.ATime), "st_mtime", seconds(i.MTime), "st_ctime", seconds(i.CTime),
		"st_size", value.Int(i.Size), "st_uid", value.Int(i.UID), "st_gid", value.Int(i.GID), "st_nlink", value.Int(i.Nlink),
		"st_mode", value.Int(statMode(i))), nil
}

// statMode is st_mode: type and permissions as the kernel has them.
func statMode(i host.Info) uint32 {
	kinds := map[string]uint32{"f": 0o100000, "d": 0o040000, "l": 0o120000, "p": 0o010000, "s": 0o140000, "c": 0o020000,
		"b": 0o060000}
	return kinds[typeLetter(i.Mode)] | i.Perm()
}

func toNumber(look func(h host.Reader, o Owner) (int, bool)) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		var o Owner
		arg := value.Value(value.None)
		if len(c.Args) > 0 {
			arg = c.Args[0]
		} else if c.Kwargs.Len() > 0 {
			arg = c.Kwargs.At(0).Val
		}
		if err := o.BindValue(arg); err != nil || !o.given() {
			return value.Str(""), nil
		}
		if id, ok := look(c.Host, o); ok {
			return value.Int(id), nil
		}
		return value.Str(""), nil
	}
}

func toName(look func(h host.Reader, id int) (string, error)) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		arg := c.Arg("uid")
		if c.Has("gid") {
			arg = c.Arg("gid")
		}
		id, err := modules.Integer(arg)
		if err != nil {
			return arg, nil
		}
		if name, err := look(c.Host, int(id)); err == nil {
			return value.Str(name), nil
		}
		return value.Int(id), nil
	}
}

func isType(letter string) execFn {
	return func(_ context.Context, c *modules.Call) (value.Value, error) {
		i, err := c.Host.Stat(pathArg(c, "name"))
		return value.Bool(err == nil && typeLetter(i.Mode) == letter), nil
	}
}

func lsattrExec(ctx context.Context, c *modules.Call) (value.Value, error) {
	name := pathArg(c, "path")
	if _, err := c.Host.LookPath("lsattr"); err != nil {
		return value.None, nil
	}
	if !lexists(c.Host, name) {
		return nil, invalid("File or directory does not exist: %s", name)
	}
	l := value.NewList()
	attrs, _ := lsattr(ctx, c.Host, name)
	for _, r := range attrs {
		l.Items = append(l.Items, value.Str(string(r)))
	}
	return value.DictOf(name, l), nil
}

func selinuxContext(_ context.Context, c *modules.Call) (value.Value, error) {
	attrs, err := c.Host.Xattrs(pathArg(c, "path"))
	label := strings.TrimRight(string(attrs["security.selinux"]), "\x00")
	if err != nil || label == "" {
		return value.Str("No selinux context information is available for " + c.Str("path")), nil
	}
	return value.Str(label), nil
}

func diskusage(_ context.Context, c *modules.Call) (value.Value, error) {
	h, root := c.Host, pathArg(c, "path")
	i, err := h.Stat(root)
	if err != nil {
		return value.Int(0), nil
	}
	if !i.IsDir() {
		return value.Int(i.Size), nil
	}
	var total int64
	seen := map[[2]uint64]bool{}
	err = walk(h, root, nil, func(name string, _ bool) error {
		if i, err := h.Lstat(name); err == nil && i.IsRegular() && !seen[[2]uint64{i.Dev, i.Inode}] {
			seen[[2]uint64{i.Dev, i.Inode}] = true
			total += i.Size
		}
		return nil
	})
	return value.Int(total), wrong(err)
}

func getHash(_ context.Context, c *modules.Call) (value.Value, error) {
	name := pathArg(c, "path")
	sum, err := hashFile(c.Host, name, c.Str("form"))
	var pe *fs.PathError
	if errors.As(err, &pe) {
		return nil, value.Raise("FileNotFoundError", "[Errno 2] No such file or directory: '%s'", name)
	}
	if err != nil {
		return nil, value.Raise("ValueError", "%v", err)
	}
	return value.Str(sum), nil
}

func checkHash(_ context.Context, c *modules.Call) (value.Value, error) {
	name, want := pathArg(c, "path"), c.Str("file_hash")
	kind, sum, ok := strings.Cut(want, "=")
	if !ok {
		if kind, sum, ok = strings.Cut(want, ":"); !ok {
			kind, sum = value.HashByLength(len(want)), want
		}
	}
	if kind == "" {
		return nil, invalid("Incorrect hash format: %s. The hash type could not be determined from its length",
			fmt.Sprintf("%q", want))
	}
	actual, err := hashFile(c.Host, name, kind)
	if err != nil {
		return nil, wrong(err)
	}
	return value.Bool(strings.EqualFold(actual, sum)), nil
}
