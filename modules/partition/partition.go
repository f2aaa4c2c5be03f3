// Package partition is the execution functions that divide disks, with parted(8). What they do cannot be foretold: a
// preview refuses it.
package partition

import (
	"context"
	"io/fs"
	"regexp"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the module.
func Family() modules.Family { return modules.Family{Name: "partition", Execs: execs()} }

func execs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("partition.mklabel", "mklabel(device, label_type): gives a disk a new, empty table of partitions: "+
			"gpt, msdos, ...", label, "device", "label_type"),
		modules.NewExec("partition.mkpart", "mkpart(device, part_type, fs_type=None, start=None, end=None): makes a "+
			"partition: primary, logical or extended.", part,
			"device", "part_type", "fs_type=None", "start=None", "end=None"),
		modules.NewExec("partition.rm", "rm(device, minor): removes a partition by its number.", remove, "device", "minor"),
		modules.NewExec("partition.probe", "probe(*devices): has the kernel read the tables of disks anew.", probe, "*args"),
	), modules.NewExec("partition.exists", "exists(device=''): whether there is a disk or partition of the name.",
		func(_ context.Context, c *modules.Call) (value.Value, error) {
			return value.Bool(isDisk(c, c.Str("device"))), nil
		}, "device=''"))
}

// isDisk says whether a path is a block device.
func isDisk(c *modules.Call, device string) bool {
	i, err := c.Host.Stat(device)
	return err == nil && i.Mode&fs.ModeDevice != 0 && i.Mode&fs.ModeCharDevice == 0
}

func invalid(what, fun string) error {
	return value.Raise("CommandExecutionError", "Invalid %s passed to %s", what, fun)
}

// lines runs a program and gives what it said.
func lines(ctx context.Context, c *modules.Call, args ...string) (value.Value, error) {
	out, err := c.Outright(ctx, args...)
	if err != nil {
		return nil, err
	}
	text := strings.TrimRight(string(out.Stdout)+string(out.Stderr), "\n")
	if text == "" {
		return value.NewList(), nil
	}
	return modules.TextList(strings.Split(text, "\n")), nil
}

// parted changes a disk, which has to be there.
func parted(ctx context.Context, c *modules.Call, args ...string) (value.Value, error) {
	device := c.Str("device")
	if !isDisk(c, device) {
		return nil, invalid("device", "partition module.")
	}
	return lines(ctx, c, append([]string{"parted", "-m", "-s", "--", device}, args...)...)
}

func label(ctx context.Context, c *modules.Call) (value.Value, error) {
	kind := c.Str("label_type")
	if !slices.Contains([]string{"aix", "amiga", "bsd", "dvh", "gpt", "loop", "mac", "msdos", "pc98", "sun"}, kind) {
		return nil, invalid("label_type", "partition.mklabel")
	}
	return parted(ctx, c, "mklabel", kind)
}

// boundaries are the ends of partitions: a number with or without a unit.
func boundaries() *regexp.Regexp {
	return regexp.MustCompile(`^[\d.]+(s|B|kB|MB|MiB|GB|GiB|TB|TiB|%|cyl|chs|compact)?$`)
}

func fileSystems() []string {
	return []string{"btrfs", "ext2", "ext3", "ext4", "fat", "fat32", "fat16", "linux-swap", "reiserfs", "hfs", "hfs+",
		"hfsx", "NTFS", "ntfs", "ufs", "xfs"}
}

func part(ctx context.Context, c *modules.Call) (value.Value, error) {
	kind, fsType := c.Str("part_type"), c.Str("fs_type")
	args := []string{"mkpart", kind}
	switch {
	case kind != "primary" && kind != "logical" && kind != "extended":
		return nil, invalid("part_type", "partition.mkpart")
	case fsType != "" && !slices.Contains(fileSystems(), fsType):
		return nil, invalid("fs_type", "partition.mkpart")
	case fsType != "":
		args = append(args, fsType)
	}
	boundary := boundaries()
	for _, end := range []string{c.Str("start"), c.Str("end")} {
		if end != "" && !boundary.MatchString(end) {
			return nil, value.Raise("CommandExecutionError", "Invalid partition boundary passed: \"%s\"", end)
		}
		args = append(args, end)
	}
	return parted(ctx, c, args...)
}

func remove(ctx context.Context, c *modules.Call) (value.Value, error) {
	if _, err := value.ToInt(c.Arg("minor"), nil); err != nil {
		return nil, invalid("minor number", "partition.rm")
	}
	return parted(ctx, c, "rm", c.Str("minor"))
}

func probe(ctx context.Context, c *modules.Call) (value.Value, error) {
	args := []string{"partprobe", "--"}
	for _, d := range c.Rest() {
		if !isDisk(c, value.String(d)) {
			return nil, invalid("device", "partition module.")
		}
		args = append(args, value.String(d))
	}
	return lines(ctx, c, args...)
}
