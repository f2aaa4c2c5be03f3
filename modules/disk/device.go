package disk

import (
	"context"
	"fmt"
	"regexp"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func deviceSpecs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("disk.tune", "tune(device, **kwargs): sets read-ahead, filesystem-read-ahead, read-only or "+
			"read-write of a device, and gives them.", tune, "device", "**kwargs"),
		modules.NewExec("disk.wipe", "wipe(device): removes the signatures of file systems from a device; whether that "+
			"went well.", wipe, "device"),
		modules.NewExec("disk.resize2fs", "resize2fs(device): makes a file system as large as its device; True, or None "+
			"where that failed.", resize, "device"),
		modules.NewExec("disk.format", "format(device, fs_type='ext4', inode_size=None, lazy_itable_init=None, fat=None, "+
			"force=False): makes a file system; whether that went well.",
			format, "device", "fs_type=ext4", "inode_size=None", "lazy_itable_init=None", "fat:int=None", "force=false"),
	),
		modules.NewExec("disk.blkid", "blkid(device=None, token=None): the attributes of block devices, such as UUID and "+
			"TYPE.", blkid, "device=None", "token=None"),
		modules.NewExec("disk.dump", "dump(device, args=None): what blockdev says of a device; False where it is none.", dump,
			"device", "args:list=None"),
		modules.NewExec("disk.fstype", "fstype(device): the kind of the file system on a device.", fstype, "device"),
		modules.NewExec("disk.get_fstype_from_path", "get_fstype_from_path(path): the kind of the file system that a path "+
			"is on.", func(ctx context.Context, c *modules.Call) (value.Value, error) {
			return kind(ctx, c, c.Str("path"))
		}, "path"))
}

func blkid(ctx context.Context, c *modules.Call) (value.Value, error) {
	args := []string{"blkid"}
	if c.Bool("device") {
		args = append(args, c.Str("device"))
	} else if c.Bool("token") {
		args = append(args, "-t", c.Str("token"))
	}
	answer, err := c.Ask(ctx, args...)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	out := value.NewDict(0)
	if answer.Code > 0 {
		return out, nil
	}
	attribute := regexp.MustCompile(`([^\s=]+)="([^"]*)"`)
	for l := range strings.Lines(string(answer.Stdout)) {
		device, rest, ok := strings.Cut(l, ": ")
		if !ok {
			continue
		}
		d := value.NewDict(4)
		for _, m := range attribute.FindAllStringSubmatch(rest, -1) {
			d.SetStr(m[1], value.Str(m[2]))
		}
		out.SetStr(device, d)
	}
	return out, nil
}

var asked = []string{"getro", "getsz", "getss", "getpbsz", "getiomin", "getioopt", "getalignoff", "getmaxsect",
	"getsize", "getsize64", "getra", "getfra"}

func dump(ctx context.Context, c *modules.Call) (value.Value, error) {
	return attributes(ctx, c, c.Strs("args"))
}

// questions is the command that asks blockdev for everything.
func questions(device string) []string {
	args := []string{"blockdev"}
	for _, a := range asked {
		args = append(args, "--"+a)
	}
	return append(args, device)
}

// told is what blockdev said, by the names of what it was asked for.
func told(answer *host.Output) *value.Dict {
	all := value.NewDict(len(asked))
	for i, l := range strings.Fields(said(answer)) {
		if i < len(asked) {
			all.SetStr(asked[i], value.Str(l))
		}
	}
	return all
}

// attributes are what blockdev tells of the device: all of it, or the named.
func attributes(ctx context.Context, c *modules.Call, only []string) (value.Value, error) {
	answer, err := c.Ask(ctx, questions(c.Str("device"))...)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	if answer.Code != 0 {
		return value.Bool(false), nil
	}
	all := told(answer)
	if len(only) == 0 {
		return all, nil
	}
	out := value.NewDict(len(only))
	for _, a := range only {
		v, ok := all.GetStr(a)
		if !ok {
			return nil, value.KeyError(value.Str(a))
		}
		out.SetStr(a, v)
	}
	return out, nil
}

// tune gives blockdev a switch for each keyword: with its value, or alone where that is true.
//
// Salt differs: it gives blockdev --read-only, which blockdev does not know.
func tune(ctx context.Context, c *modules.Call) (value.Value, error) {
	args, get := []string{"blockdev"}, []string{}
	for _, k := range []struct{ name, set, get string }{
		{"read-ahead", "--setra", "getra"}, {"filesystem-read-ahead", "--setfra", "getfra"},
		{"read-only", "--setro", "getro"}, {"read-write", "--setrw", "getro"},
	} {
		v, ok := c.Extra().GetStr(k.name)
		if !ok || !value.Truth(v) {
			continue
		}
		args, get = append(args, k.set), append(get, k.get)
		if strings.HasSuffix(k.name, "-ahead") {
			args = append(args, value.String(v))
		}
	}
	for k := range c.Extra().All() {
		switch value.String(k) {
		case "read-ahead", "filesystem-read-ahead", "read-only", "read-write":
		default:
			return nil, value.Raise("TypeError", "tune() got an unexpected keyword argument '%s'", value.String(k))
		}
	}
	if len(get) > 0 {
		if _, err := c.Outright(ctx, append(args, c.Str("device"))...); err != nil {
			return nil, err
		}
	}
	return attributes(ctx, c, get)
}

// wellDone runs a program and says whether it ended well; what it said otherwise is logged.
func wellDone(ctx context.Context, c *modules.Call, args ...string) (bool, error) {
	out, err := c.Outright(ctx, args...)
	if err != nil {
		return false, err
	}
	if out.Code != 0 {
		c.Log("error", fmt.Sprintf("%s: %s", strings.Join(args, " "), strings.TrimSpace(string(out.Stderr))))
	}
	return out.Code == 0, nil
}

func wipe(ctx context.Context, c *modules.Call) (value.Value, error) {
	ok, err := wellDone(ctx, c, "wipefs", "-a", c.Str("device"))
	return value.Bool(ok), err
}

func resize(ctx context.Context, c *modules.Call) (value.Value, error) {
	if ok, err := wellDone(ctx, c, "resize2fs", c.Str("device")); err != nil || !ok {
		return value.None, err
	}
	return value.Bool(true), nil
}

func format(ctx context.Context, c *modules.Call) (value.Value, error) {
	f := filesystem{c.Str("fs_type"), c.Str("inode_size"), c.Str("lazy_itable_init"), c.Str("fat"), c.Bool("force")}
	ok, err := wellDone(ctx, c, f.mkfs(c.Str("device"))...)
	if err != nil {
		return nil, err
	}
	synced, err := wellDone(ctx, c, "sync")
	return value.Bool(ok && synced), err
}

// A filesystem is what is asked for when one is made. Options that its kind does not have are left out.
type filesystem struct {
	kind, inodeSize, lazy, fat string
	force                      bool
}

// mkfs is the command that makes it.
func (f filesystem) mkfs(device string) []string {
	ext, xfs := strings.HasPrefix(f.kind, "ext"), f.kind == "xfs"
	args := []string{"mkfs", "-t", f.kind}
	if f.inodeSize != "" && ext {
		args = append(args, "-i", f.inodeSize)
	} else if f.inodeSize != "" && xfs {
		args = append(args, "-i", "size="+f.inodeSize)
	}
	if f.lazy != "" && ext {
		args = append(args, "-E", "lazy_itable_init="+f.lazy)
	}
	if (f.fat == "12" || f.fat == "16" || f.fat == "32") && strings.HasSuffix(f.kind, "fat") {
		args = append(args, "-F", f.fat)
	}
	switch {
	case f.force && ext:
		args = append(args, "-F")
	case f.force && xfs:
		args = append(args, "-f")
	}
	return append(args, device)
}

// fstype asks what is written on the device, then what is mounted from it.
func fstype(ctx context.Context, c *modules.Call) (value.Value, error) {
	if out, err := c.Ask(ctx, "lsblk", "-o", "fstype", c.Str("device")); err == nil {
		if _, rest, ok := strings.Cut(string(out.Stdout), "\n"); ok {
			first, _, _ := strings.Cut(rest, "\n")
			if first = strings.TrimSpace(first); first != "" {
				return value.Str(first), nil
			}
		}
	}
	return kind(ctx, c, c.Str("device"))
}

// kind is that of the file system that a path is on, "" where there is no such path.
//
// Salt differs: where only df knows it, fstype gives a whole line of df.
func kind(ctx context.Context, c *modules.Call, path string) (value.Value, error) {
	out, err := c.Ask(ctx, "df", "--output=fstype", path)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	_, rest, _ := strings.Cut(said(out), "\n")
	return value.Str(strings.TrimSpace(rest)), nil
}
