package grains

import (
	"context"
	"strconv"
	"strings"

	"github.com/gostate/gostate/state/value"
)

// cpu reads /proc/cpuinfo, of whatever processor.
func cpu(_ context.Context, c *core, d *value.Dict) {
	n, model := 0, "Unknown"
	var flags []string
	for l := range c.lines("/proc/cpuinfo") {
		k, v, ok := strings.Cut(l, ":")
		if !ok {
			continue
		}
		v, _, _ = strings.Cut(v, ":")
		v = strings.TrimSpace(v)
		switch strings.TrimSpace(k) {
		case "processor":
			n++
		case "# processors":
			n, _ = strconv.Atoi(v)
		case "vendor_id", "model name", "cpu":
			model = v
		case "flags", "Features":
			flags = strings.Fields(v)
		case "Processor":
			model, _, _ = strings.Cut(v, "-")
			n = 1
		}
	}
	d.SetStr("num_cpus", value.Int(n))
	set(d, "cpu_model", model)
	d.SetStr("cpu_flags", strs(flags...))
}

// memory is in MiB.
func memory(_ context.Context, c *core, d *value.Dict) {
	for l := range c.lines("/proc/meminfo") {
		f := strings.Fields(l)
		if len(f) < 2 {
			continue
		}
		kib, _ := strconv.Atoi(f[1])
		switch f[0] {
		case "MemTotal:":
			d.SetStr("mem_total", value.Int(kib/1024))
		case "SwapTotal:":
			d.SetStr("swap_total", value.Int(kib/1024))
		}
	}
}

// hardware reads what the firmware says of the machine. Some of it only root may read.
func hardware(_ context.Context, c *core, d *value.Dict) {
	const dir = "/sys/class/dmi/id/"
	for _, p := range [][2]string{{"biosversion", "bios_version"}, {"biosvendor", "bios_vendor"},
		{"boardname", "board_name"},
		{"productname", "product_name"}, {"manufacturer", "sys_vendor"}, {"biosreleasedate", "bios_date"},
		{"uuid", "product_uuid"}, {"serialnumber", "product_serial"}} {
		text := c.line(dir + p[1])
		if p[0] == "uuid" {
			text = strings.ToLower(text)
		}
		set(d, p[0], text)
	}
	if c.isDir("/proc/device-tree") {
		c.deviceTree(d)
	}
}

func (c *core) deviceTree(d *value.Dict) {
	const dir = "/proc/device-tree/"
	if model := c.line(dir + "model"); model != "" {
		maker, product, ok := strings.Cut(model, ",")
		if !ok {
			maker, product = "", model
		}
		setAll(d, "manufacturer", maker, "productname", product)
	}
	setAll(d, "serialnumber", c.line(dir+"system-id"), "serialnumber", c.line(dir+"serial-number"))
}

func efi(_ context.Context, c *core, d *value.Dict) {
	on := c.isDir("/sys/firmware/efi")
	secure := false
	if on {
		raw, err := c.h.ReadFile("/sys/firmware/efi/efivars/SecureBoot-8be4df61-93ca-11d2-aa0d-00e098032b8c")
		secure = err == nil && len(raw) > 0 && raw[len(raw)-1] == 1
	}
	d.SetStr("efi", value.Bool(on))
	d.SetStr("efi-secure-boot", value.Bool(secure))
}

// gpus are the display controllers on the PCI bus. Salt differs: it asks lspci; what the kernel shows needs no command.
func gpus(_ context.Context, c *core, d *value.Dict) {
	const dir = "/sys/bus/pci/devices"
	devices, _ := c.h.ReadDir(dir)
	l := &value.List{}
	for _, dev := range devices {
		at := dir + "/" + dev.Path[strings.LastIndexByte(dev.Path, '/')+1:]
		if !strings.HasPrefix(c.line(at+"/class"), "0x03") {
			continue
		}
		vendor, device := strings.TrimPrefix(c.line(at+"/vendor"), "0x"), strings.TrimPrefix(c.line(at+"/device"), "0x")
		l.Items = append(l.Items, value.DictOf("vendor", value.Str(gpuVendor(vendor)), "model",
			value.Str(c.pciModel(vendor, device))))
	}
	d.SetStr("num_gpus", value.Int(len(l.Items)))
	d.SetStr("gpus", l)
}

func gpuVendor(id string) string {
	switch id {
	case "10de":
		return "nvidia"
	case "1002":
		return "amd"
	case "8086":
		return "intel"
	case "15ad":
		return "vmware"
	case "102b":
		return "matrox"
	case "1a03":
		return "aspeed"
	case "1013":
		return "cirrus logic"
	}
	return "unknown"
}

// pciModel is a device's name in the database of PCI, else its number.
func (c *core) pciModel(vendor, device string) string {
	inside := false
	for l := range c.lines("/usr/share/misc/pci.ids") {
		switch {
		case strings.HasPrefix(l, vendor+" "):
			inside = true
		case inside && strings.HasPrefix(l, "\t"+device+" "):
			return strings.TrimSpace(l[len(device)+1:])
		case inside && l != "" && l[0] != '\t' && l[0] != '#':
			return "Device " + device
		}
	}
	return "Device " + device
}
