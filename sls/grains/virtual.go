package grains

import (
	"context"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// virtual says what kind of machine this is: "physical", a hypervisor, or "container" with its kind as the subtype.
func virtual(ctx context.Context, c *core, d *value.Dict) {
	kind := c.hypervisor(ctx)
	sub := ""
	if k, s := c.xen(ctx); s != "" {
		kind, sub = k, s
	}
	switch k, s := c.container(); {
	case s != "":
		kind, sub = "container", s
	case k != "":
		kind = k
	}
	if kind == "Nitro" && sub == "" {
		sub = "Amazon EC2"
	}
	setAll(d, "virtual", kind, "virtual_subtype", sub)
}

// hypervisor goes by what the firmware says of the machine.
func (c *core) hypervisor(ctx context.Context) string {
	vendor, product, bios := c.str(ctx, "manufacturer"), c.str(ctx, "productname"), c.line("/sys/class/dmi/id/bios_vendor")
	switch {
	case strings.Contains(product, "VirtualBox"), strings.Contains(vendor, "innotek"):
		return "VirtualBox"
	case strings.Contains(vendor, "VMware"):
		return "VMware"
	case vendor == "Microsoft Corporation" && strings.Contains(product, "Virtual Machine"):
		return "VirtualPC"
	case strings.Contains(vendor, "Parallels"):
		return "Parallels"
	case strings.Contains(product, "Google"):
		return "gce"
	case vendor == "Amazon EC2" || bios == "Amazon EC2":
		return "Nitro"
	case strings.Contains(product, "BHYVE"):
		return "bhyve"
	case vendor == "QEMU", vendor == "Bochs", bios == "SeaBIOS", bios == "QEMU", strings.Contains(product, "KVM"),
		strings.Contains(product, "OpenStack"), strings.Contains(product, "RHEV Hypervisor"),
		strings.Contains(product, "oVirt Node"):
		return "kvm"
	}
	info := c.read("/proc/cpuinfo")
	if strings.Contains(info, "QEMU Virtual CPU") {
		return "kvm"
	}
	if strings.Contains(info, " hypervisor") {
		return c.detected(ctx)
	}
	return "physical"
}

// detected asks systemd, for a hypervisor without firmware tables.
func (c *core) detected(ctx context.Context) string {
	if !c.has("systemd-detect-virt") {
		return "kvm"
	}
	switch out, _ := c.run(ctx, "systemd-detect-virt", "--vm"); out {
	case "", "none":
		return "physical"
	case "vmware":
		return "VMware"
	case "microsoft":
		return "VirtualPC"
	case "oracle":
		return "VirtualBox"
	case "amazon":
		return "Nitro"
	default:
		return out
	}
}

func (c *core) xen(ctx context.Context) (kind, sub string) {
	switch {
	case c.exists("/proc/xen/xsd_kva"):
		return "xen", "Xen Dom0"
	case c.str(ctx, "productname") == "HVM domU":
		return "xen", "Xen HVM DomU"
	case c.exists("/proc/xen/capabilities"):
		if strings.Contains(c.read("/proc/xen/capabilities"), "control_d") {
			return "xen", "Xen Dom0"
		}
		return "xen", "Xen PV DomU"
	case c.isDir("/sys/bus/xen/drivers/xenconsole") && c.line("/sys/hypervisor/type") == "xen":
		return "xen", "Xen PV DomU"
	}
	return "", ""
}

// container says whether this machine is one, and of which kind where Salt has a subtype for it. Salt differs:
// /.dockerenv and the notes of systemd say that it is one, too, because newer kernels hide the names of cgroups.
func (c *core) container() (kind, sub string) {
	cgroup, env := c.read("/proc/1/cgroup"), c.read("/proc/1/environ")
	manager := c.line("/run/systemd/container")
	for v := range strings.SplitSeq(env, "\x00") {
		if m, ok := strings.CutPrefix(v, "container="); ok && manager == "" {
			manager = m
		}
	}
	switch {
	case strings.Contains(cgroup, ":/lxc/"), strings.HasPrefix(manager, "lxc"):
		return "container", "LXC"
	case strings.Contains(cgroup, ":/kubepods/"):
		return "container", "kubernetes"
	case strings.Contains(cgroup, ":/libpod_parent/"):
		return "container", "libpod"
	case strings.Contains(cgroup, ":/docker"), strings.Contains(cgroup, ":/system.slice/docker"):
		return "container", "Docker"
	case c.exists("/.dockerenv"), manager == "docker", manager == "podman":
		return "container", ""
	case manager == "systemd-nspawn":
		return manager, ""
	}
	return "", ""
}
