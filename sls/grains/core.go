package grains

import (
	"bufio"
	"bytes"
	"context"
	"iter"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A group is grains that one look at the machine gives. fill sets those that there are.
type group struct {
	names []string
	fill  func(ctx context.Context, c *core, d *value.Dict)
}

// groupsOfLinux are all grains of the machine, in the order in which they are listed.
func groupsOfLinux() []group {
	return []group{
		{[]string{"cwd", "pid", "uid", "gid", "username", "groupname", "shell"}, process},
		{[]string{"dns"}, resolver},
		{[]string{"disks", "ssds"}, disks},
		{[]string{"lvm"}, lvm}, {[]string{"mdadm"}, mdadm},
		{[]string{"efi", "efi-secure-boot"}, efi},
		{[]string{"fqdns"}, fqdns},
		{[]string{"machine_id"}, machineID},
		{[]string{"master"}, master},
		{[]string{"id", "server_id"}, identity},
		{[]string{"localhost", "fqdn", "host", "domain"}, hostname},
		{[]string{"ip_interfaces", "ip4_interfaces", "ip6_interfaces", "hwaddr_interfaces", "ipv4", "ipv6"}, interfaces},
		{[]string{"ip4_gw", "ip6_gw", "ip_gw"}, gateways},
		{[]string{"fqdn_ip4", "fqdn_ip6"}, fqdnAddresses},
		{[]string{"kernelparams"}, kernelParams},
		{[]string{"locale_info"}, localeInfo},
		{[]string{"kernel", "nodename", "kernelrelease", "kernelversion", "cpuarch"}, uname},
		{[]string{"selinux"}, selinux}, {[]string{"systemd"}, systemd}, {[]string{"init"}, initSystem},
		{[]string{"os", "os_family", "osfullname", "osrelease", "oscodename", "osrelease_info", "osmajorrelease", "osfinger",
			"lsb_distrib_id", "lsb_distrib_release", "lsb_distrib_codename", "lsb_distrib_description"}, distribution},
		{[]string{"osarch"}, osArch},
		{[]string{"num_cpus", "cpu_model", "cpu_flags"}, cpu},
		{[]string{"num_gpus", "gpus"}, gpus},
		{[]string{"mem_total", "swap_total"}, memory},
		{[]string{"biosversion", "biosvendor", "boardname", "biosreleasedate", "manufacturer", "productname", "serialnumber",
			"uuid"}, hardware},
		{[]string{"virtual", "virtual_subtype"}, virtual},
		{[]string{"ps"}, fixed("ps", value.Str("ps -efHww"))},
		{[]string{"path", "systempath"}, searchPath},
		{[]string{"pythonversion", "pythonexecutable", "pythonpath"}, python},
		{[]string{"saltversion", "saltversioninfo", "saltpath"}, salt},
		{[]string{"transactional"}, fixed("transactional", value.Bool(false))},
		{[]string{"zfs_support", "zfs_feature_flags"}, zfs},
	}
}

func fixed(name string, v value.Value) func(context.Context, *core, *value.Dict) {
	return func(_ context.Context, _ *core, d *value.Dict) { d.SetStr(name, v) }
}

// core computes the machine's grains and remembers them.
type core struct {
	h      host.Reader
	o      Options
	groups []group
	of     map[string]int // grain -> its group
	done   map[int]*value.Dict
}

func newCore(h host.Reader, o Options) *core {
	c := &core{h: h, o: o, groups: groupsOfLinux(), of: map[string]int{}, done: map[int]*value.Dict{}}
	if c.o.Getenv == nil {
		c.o.Getenv = os.Getenv
	}
	if c.o.Network == nil {
		c.o.Network = kernel{running: h.Root() == "/"}
	}
	for i, g := range c.groups {
		for _, n := range g.names {
			c.of[n] = i
		}
	}
	return c
}

// commandTime bounds each command that a grain needs.
const commandTime = 10 * time.Second

func (c *core) get(ctx context.Context, name string) (value.Value, bool) {
	i, ok := c.of[name]
	if !ok {
		return nil, false
	}
	d, ok := c.done[i]
	if !ok {
		d = value.NewDict(len(c.groups[i].names))
		c.done[i] = d
		c.groups[i].fill(ctx, c, d)
	}
	return d.GetStr(name)
}

// str is another grain as text, "" when there is none.
func (c *core) str(ctx context.Context, name string) string {
	v, _ := c.get(ctx, name)
	s, _ := v.(value.Str)
	return string(s)
}

// read is the text of a file, "" when it cannot be read.
func (c *core) read(path string) string {
	b, err := c.h.ReadFile(path)
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(string(b), "\ufffd")
}

// line is the text of a file without blanks around it.
func (c *core) line(path string) string { return strings.TrimSpace(strings.Trim(c.read(path), "\x00")) }

func (c *core) exists(path string) bool { _, err := c.h.Stat(path); return err == nil }

func (c *core) isDir(path string) bool { i, err := c.h.Stat(path); return err == nil && i.IsDir() }

func (c *core) has(command string) bool { _, err := c.h.LookPath(command); return err == nil }

// run is what a command that only looks prints, ok when it ended well.
func (c *core) run(ctx context.Context, args ...string) (string, bool) {
	out, err := c.h.Query(ctx, host.Cmd{Args: args, Timeout: commandTime, Env: []string{"LC_ALL=C"}})
	if err != nil || out.Code != 0 {
		return "", false
	}
	return strings.TrimSpace(string(out.Stdout)), true
}

// lines walks the lines of a file.
func (c *core) lines(path string) iter.Seq[string] {
	return func(yield func(string) bool) {
		b, err := c.h.ReadFile(path)
		if err != nil {
			return
		}
		s := bufio.NewScanner(bytes.NewReader(b))
		s.Buffer(nil, 1<<20)
		for s.Scan() {
			if !yield(s.Text()) {
				return
			}
		}
	}
}

// set puts text in, when there is any.
func set(d *value.Dict, name, text string) {
	if text != "" {
		d.SetStr(name, value.Str(text))
	}
}

func strs(items ...string) *value.List {
	l := &value.List{Items: make([]value.Value, 0, len(items))}
	for _, s := range items {
		l.Items = append(l.Items, value.Str(s))
	}
	return l
}

// number is text as an Int where it is digits, else as text.
func number(s string) value.Value {
	if n, err := strconv.Atoi(s); err == nil && s[0] != '-' && s[0] != '+' {
		return value.Int(n)
	}
	return value.Str(s)
}
