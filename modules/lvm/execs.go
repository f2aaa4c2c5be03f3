package lvm

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	e := func(name, doc string, f modules.ExecFunc, params ...string) modules.ExecSpec {
		return modules.NewExec("lvm."+name, doc, f, params...)
	}
	looks := []modules.ExecSpec{
		e("version", "The version of LVM.", version),
		e("fullversion", "The versions of LVM, its library and its driver.", fullVersion),
		e("pvdisplay", "What is known of physical volumes, by their devices.", display("pvdisplay", "pvname"), "pvname=",
			"real=false", "quiet=false"),
		e("vgdisplay", "What is known of volume groups, by their names.", display("vgdisplay", "vgname"), "vgname=",
			"quiet=false"),
		e("lvdisplay", "What is known of logical volumes, by their paths.", display("lvdisplay", "lvname"), "lvname=",
			"quiet=false"),
	}
	return append(looks, modules.Writing(
		e("pvcreate", "Makes devices physical volumes; True, or what went wrong.", pvcreate, "devices:list", "override=true",
			"force=true", "**kwargs"),
		e("pvremove", "Makes devices physical volumes no more; True, or what went wrong.", pvs("pvremove"), "devices:list",
			"override=true", "force=true"),
		e("pvresize", "Fits physical volumes to their devices; True, or what went wrong.", pvs("pvresize"), "devices:list",
			"override=true", "force=true"),
		e("vgcreate", "Makes a volume group.", vgcreate, "vgname", "devices:list", "force=false", "**kwargs"),
		e("vgextend", "Adds devices to a volume group.", vgextend, "vgname", "devices:list", "force=false"),
		e("vgremove", "Removes a volume group.", func(ctx context.Context, c *modules.Call) (value.Value, error) {
			return say(ctx, c, fmt.Sprintf("Volume group \"%s\" successfully removed", c.Str("vgname")), "vgremove",
				c.Str("vgname"), quiet(c.Bool("force")))
		}, "vgname", "force=true"),
		e("lvcreate", "Makes a logical volume.", create, "lvname", "vgname", "size=None", "extents=None", "snapshot=None",
			"pv=None", "thinvolume=false", "thinpool=false", "force=false", "**kwargs"),
		e("lvremove", "Removes a logical volume.", func(ctx context.Context, c *modules.Call) (value.Value, error) {
			return say(ctx, c, fmt.Sprintf("Logical volume \"%s\" successfully removed", c.Str("lvname")), "lvremove",
				c.Str("vgname")+"/"+c.Str("lvname"), quiet(c.Bool("force")))
		}, "lvname", "vgname", "force=true"),
		e("lvresize", "Gives a logical volume a size.", resize("lvresize", "resized", "--force"), "size=None", "lvpath=None",
			"extents=None", "force=false", "resizefs=false"),
		e("lvextend", "Makes a logical volume larger.", resize("lvextend", "extended", "--yes"), "size=None", "lvpath=None",
			"extents=None", "force=false", "resizefs=false"),
	)...)
}

func versions(ctx context.Context, c *modules.Call) (*value.Dict, error) {
	out, err := c.Ask(ctx, "lvm", "version")
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	d := value.NewDict(4)
	for line := range strings.Lines(string(out.Stdout)) {
		if k, v, ok := strings.Cut(line, ":"); ok {
			v, _, _ = strings.Cut(v, ":")
			d.SetStr(strings.TrimSpace(k), value.Str(strings.TrimSpace(v)))
		}
	}
	return d, nil
}

func fullVersion(ctx context.Context, c *modules.Call) (value.Value, error) { return versions(ctx, c) }

func version(ctx context.Context, c *modules.Call) (value.Value, error) {
	d, err := versions(ctx, c)
	if err != nil {
		return nil, err
	}
	v, ok := d.GetStr("LVM version")
	return modules.OrElse(v, ok, value.Value(value.Str(""))), nil
}

// columns are Salt's names for what pvdisplay, vgdisplay and lvdisplay print.
func columns(program string) []string {
	switch program {
	case "pvdisplay":
		return []string{"Physical Volume Device", "Volume Group Name", "Physical Volume Size (kB)",
			"Internal Physical Volume Number", "Physical Volume Status", "Physical Volume (not) Allocatable",
			"Current Logical Volumes Here", "Physical Extent Size (kB)", "Total Physical Extents", "Free Physical Extents",
			"Allocated Physical Extents"}
	case "vgdisplay":
		return []string{"Volume Group Name", "Volume Group Access", "Volume Group Status", "Internal Volume Group Number",
			"Maximum Logical Volumes", "Current Logical Volumes", "Open Logical Volumes", "Maximum Logical Volume Size",
			"Maximum Physical Volumes", "Current Physical Volumes", "Actual Physical Volumes", "Volume Group Size (kB)",
			"Physical Extent Size (kB)", "Total Physical Extents", "Allocated Physical Extents", "Free Physical Extents",
			"UUID"}
	}
	return []string{"Logical Volume Name", "Volume Group Name", "Logical Volume Access", "Logical Volume Status",
		"Internal Logical Volume Number", "Open Logical Volumes", "Logical Volume Size",
		"Current Logical Extents Associated", "Allocated Logical Extents", "Allocation Policy", "Read Ahead Sectors",
		"Major Device Number", "Minor Device Number"}
}

// shown is what a program says of a name, in Salt's shape. It is empty in a preview that would make it.
func shown(ctx context.Context, h host.Reader, program, name string) (*value.Dict, error) {
	all, err := rows(ctx, h, program, name)
	out := value.NewDict(len(all))
	for _, r := range all {
		d := value.NewDict(len(r))
		for i, column := range columns(program) {
			if i < len(r) {
				d.SetStr(column, value.Str(r[i]))
			}
		}
		out.SetStr(r[0], d)
	}
	return out, err
}

func display(program, arg string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		out, err := shown(ctx, c.Host, program, c.Str(arg))
		if err != nil || !c.Bool("real") {
			return out, err
		}
		real := value.NewDict(out.Len())
		for k, v := range out.All() {
			device, err := c.Host.Follow(value.String(k)) // such as /dev/disk/by-id/...
			if err != nil {
				return nil, err
			}
			device = path.Clean(device)
			v.(*value.Dict).SetStr("Real Physical Volume Device", value.Str(device))
			real.SetStr(device, v)
		}
		return real, nil
	}
}

// say runs a program: its answer is said, or the program's complaint.
func say(ctx context.Context, c *modules.Call, said string, args ...string) (value.Value, error) {
	out, err := c.Outright(ctx, args...)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return value.Str(strings.TrimSpace(string(out.Stderr))), nil
	}
	return value.Str(said), nil
}

// split are devices as a list, or parted by commas.
func split(c *modules.Call) []string {
	return strings.FieldsFunc(strings.Join(c.Strs("devices"), ","), func(r rune) bool { return r == ',' })
}

// known are the extra keywords of a call that a program takes, as options. Salt leaves out the others.
func known(c *modules.Call, names string, flags ...string) ([]string, error) {
	var out []string
	for k, v := range c.Extra().All() {
		switch name := value.String(k); {
		case slices.Contains(flags, name):
			out = append(out, "--"+name)
		case !slices.Contains(strings.Fields(names), name):
			return nil, value.Raise("TypeError", "got an unexpected keyword argument '%s'", name)
		case value.Truth(v):
			out = append(out, "--"+name, value.String(v))
		}
	}
	return out, nil
}

func pvcreate(ctx context.Context, c *modules.Call) (value.Value, error) {
	more, err := known(c, "metadatasize dataalignment dataalignmentoffset pvmetadatacopies metadatacopies metadataignore "+
		"restorefile labelsector setphysicalvolumesize", "norestorefile")
	if err != nil {
		return nil, err
	}
	var take []string
	for _, d := range split(c) {
		if there(c.Host, d) != nil {
			return value.Str(d + " does not exist"), nil
		}
		is, err := rows(ctx, c.Host, "pvdisplay", d)
		switch {
		case err != nil:
			return nil, err
		case len(is) == 0:
			take = append(take, d)
		case !c.Bool("override"):
			return value.Str(fmt.Sprintf("Device \"%s\" is already an LVM physical volume.", d)), nil
		}
	}
	return tried(ctx, c, append([]string{"pvcreate", quiet(c.Bool("force"))}, take...), len(take), more)
}

// tried runs a program on devices, where there are some: True, or its complaint.
func tried(ctx context.Context, c *modules.Call, args []string, n int, more []string) (value.Value, error) {
	if n == 0 {
		return value.Bool(true), nil
	}
	v, err := say(ctx, c, "", append(args, more...)...)
	if v == value.Str("") {
		return value.Bool(true), err
	}
	return v, err
}

// pvs runs a program on those of the devices that are physical volumes.
func pvs(program string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		var take []string
		for _, d := range split(c) {
			is, err := rows(ctx, c.Host, "pvdisplay", d)
			switch {
			case err != nil:
				return nil, err
			case len(is) > 0:
				take = append(take, d)
			case !c.Bool("override"):
				return value.Str(d + " is not a physical volume"), nil
			}
		}
		return tried(ctx, c, append([]string{program, quiet(c.Bool("force"))}, take...), len(take), nil)
	}
}

func vgcreate(ctx context.Context, c *modules.Call) (value.Value, error) {
	more, err := known(c, "addtag alloc autobackup clustered maxlogicalvolumes maxphysicalvolumes metadatatype "+
		"vgmetadatacopies metadatacopies physicalextentsize zero")
	if err != nil {
		return nil, err
	}
	args := append(append([]string{"vgcreate", c.Str("vgname")}, split(c)...), quiet(c.Bool("force")))
	said, err := say(ctx, c, fmt.Sprintf("Volume group \"%s\" successfully created", c.Str("vgname")),
		append(args, more...)...)
	if err != nil {
		return nil, err
	}
	out, err := shown(ctx, c.Host, "vgdisplay", c.Str("vgname"))
	out.SetStr("Output from vgcreate", said)
	return out, err
}

func vgextend(ctx context.Context, c *modules.Call) (value.Value, error) {
	args := append([]string{"vgextend", c.Str("vgname"), quiet(c.Bool("force"))}, split(c)...)
	said, err := say(ctx, c, fmt.Sprintf("Volume group \"%s\" successfully extended", c.Str("vgname")), args...)
	return value.DictOf("Output from vgextend", modules.OrElse(said, said != nil, value.Value(value.None))), err
}

func create(ctx context.Context, c *modules.Call) (value.Value, error) {
	size, extents := c.Str("size"), c.Str("extents")
	switch {
	case size != "" && extents != "":
		return value.Str("Error: Please specify only one of size or extents"), nil
	case c.Bool("thinvolume") && c.Bool("thinpool"):
		return value.Str("Error: Please set only one of thinvolume or thinpool to True"), nil
	case extents != "" && c.Bool("thinvolume"):
		return value.Str("Error: Thin volume size cannot be specified as extents"), nil
	}
	more, err := known(c, "activate chunksize contiguous discards stripes stripesize minor persistent mirrors monitor "+
		"permission poolmetadatasize readahead regionsize type virtualsize zero", "nosync", "noudevsync", "ignoremonitoring",
		"thin")
	if err != nil {
		return nil, err
	}
	said, err := say(ctx, c, fmt.Sprintf("Logical volume \"%s\" created.", c.Str("lvname")), lvcreate(c.Str("lvname"),
		c.Str("vgname"), size, extents, c.Str("snapshot"), c.Str("pv"), c.Bool("thinvolume"), c.Bool("thinpool"),
		c.Bool("force"), more)...)
	if err != nil {
		return nil, err
	}
	out, err := shown(ctx, c.Host, "lvdisplay", "/dev/"+c.Str("vgname")+"/"+c.Str("lvname"))
	out.SetStr("Output from lvcreate", said)
	return out, err
}

func resize(program, done, force string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		if c.Bool("size") == c.Bool("extents") {
			c.Log("error", "Error: Please specify one of size or extents")
			return value.NewDict(0), nil
		}
		args := []string{program, "-qq"}
		if c.Bool("force") {
			args[1] = force
		}
		if c.Bool("resizefs") {
			args = append(args, "--resizefs")
		}
		if c.Bool("size") {
			args = append(args, "-L", c.Str("size"))
		} else {
			args = append(args, "-l", c.Str("extents"))
		}
		said, err := say(ctx, c, fmt.Sprintf("Logical volume \"%s\" successfully %s.", c.Str("lvpath"), done),
			append(args, c.Str("lvpath"))...)
		return value.DictOf("Output from "+program, modules.OrElse(said, said != nil, value.Value(value.None))), err
	}
}
