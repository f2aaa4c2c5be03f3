package grains

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// disks are the block devices: those that turn in disks, those that do not in ssds.
func disks(_ context.Context, c *core, d *value.Dict) {
	devices, _ := c.h.ReadDir("/sys/block")
	hdd, ssd := &value.List{}, &value.List{}
	for _, dev := range devices {
		name := dev.Path[strings.LastIndexByte(dev.Path, '/')+1:]
		if name == "" || strings.HasPrefix(name, "ram") || strings.HasPrefix(name, "zram") {
			continue
		}
		switch c.line("/sys/block/" + name + "/queue/rotational") {
		case "0":
			ssd.Items = append(ssd.Items, value.Str(name))
		case "1":
			hdd.Items = append(hdd.Items, value.Str(name))
		}
	}
	d.SetStr("disks", hdd)
	d.SetStr("ssds", ssd)
}

// lvm gives the volume groups with their logical volumes, where LVM's tools are.
func lvm(ctx context.Context, c *core, d *value.Dict) {
	if !c.has("lvm") {
		return
	}
	out, ok := c.run(ctx, "lvm", "lvs", "--noheadings", "-o", "vg_name,lv_name")
	if !ok {
		return
	}
	groups := value.NewDict(0)
	for l := range strings.SplitSeq(out, "\n") {
		f := strings.Fields(l)
		if len(f) != 2 {
			continue
		}
		have, found := groups.GetStr(f[0])
		if !found {
			have = value.NewList()
			groups.SetStr(f[0], have)
		}
		list := have.(*value.List)
		list.Items = append(list.Items, value.Str(f[1]))
	}
	d.SetStr("lvm", groups)
}

// mdadm are the software RAIDs.
func mdadm(_ context.Context, c *core, d *value.Dict) {
	if !c.exists("/proc/mdstat") {
		return
	}
	l := &value.List{}
	for line := range c.lines("/proc/mdstat") {
		if name, _, ok := strings.Cut(line, " : "); ok && strings.HasPrefix(name, "md") {
			l.Items = append(l.Items, value.Str(name))
		}
	}
	d.SetStr("mdadm", l)
}

func zfs(_ context.Context, c *core, d *value.Dict) {
	d.SetStr("zfs_support", value.Bool(c.exists("/sys/module/zfs") && c.has("zpool")))
	d.SetStr("zfs_feature_flags", value.Bool(c.exists("/sys/module/zfs") && c.has("zpool")))
}
