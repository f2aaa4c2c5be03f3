package status

import (
	"context"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// counterSpecs are the functions that read the kernel's counters. A file that the machine has not gives an empty map.
func counterSpecs() []modules.ExecSpec {
	table := func(name, doc, file string, line func(out *value.Dict, text string)) modules.ExecSpec {
		return modules.NewExec("status."+name, name+"(): "+doc+".",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				b, _ := c.Host.ReadFile(file)
				out := value.NewDict(64)
				for text := range strings.Lines(string(b)) {
					if strings.TrimSpace(text) != "" {
						line(out, strings.TrimSuffix(text, "\n"))
					}
				}
				return out, nil
			})
	}
	return []modules.ExecSpec{
		table("cpuinfo", "what /proc/cpuinfo says of the last processor", "/proc/cpuinfo", cpuinfo),
		table("cpustats", "what /proc/stat counts", "/proc/stat", cpustats),
		table("vmstats", "what /proc/vmstat counts", "/proc/vmstat", func(out *value.Dict, text string) {
			if f := strings.Fields(text); len(f) > 1 {
				out.SetStr(f[0], number(f[1]))
			}
		}),
		table("diskstats", "what /proc/diskstats counts for each disk", "/proc/diskstats",
			func(out *value.Dict, text string) {
				if f := strings.Fields(text); len(f) >= len(diskFields) {
					out.SetStr(f[2], numbers(diskFields, f))
				}
			}),
		table("netdev", "what /proc/net/dev counts for each interface", "/proc/net/dev", netdev),
		modules.NewExec("status.netstats", "netstats(): what /proc/net/netstat counts for each protocol.", netstats),
	}
}

// number is text as Salt counts it: a whole number, another number, or the text.
func number(text string) value.Value {
	if i, err := strconv.ParseInt(text, 10, 64); err == nil {
		return value.Int(i)
	}
	if v, err := value.ToFloat(value.Str(text)); err == nil {
		return v
	}
	return value.Str(text)
}

// numbers are words under their names; those without a name are left out.
func numbers(names, words []string) *value.Dict {
	d := value.NewDict(len(names))
	for i, n := range names {
		if i < len(words) {
			d.SetStr(n, number(words[i]))
		}
	}
	return d
}

func numberList(words []string) *value.List {
	l := value.NewList()
	for _, w := range words {
		l.Items = append(l.Items, number(w))
	}
	return l
}

func cpuinfo(out *value.Dict, text string) {
	k, v, _ := strings.Cut(text, ":")
	k, v = strings.TrimSpace(k), strings.TrimSpace(v)
	if k == "flags" {
		out.SetStr(k, modules.TextList(strings.Fields(v)))
		return
	}
	out.SetStr(k, value.Str(v))
}

func cpustats(out *value.Dict, text string) {
	f := strings.Fields(text)
	switch {
	case len(f) < 2:
	case f[0] == "cpu":
		out.SetStr("cpu", numbers([]string{"user", "nice", "system", "idle", "iowait", "irq", "softirq", "steal"}, f[1:]))
	case f[0] == "intr":
		out.SetStr("intr", value.DictOf("total", number(f[1]), "irqs", numberList(f[2:])))
	case f[0] == "softirq":
		out.SetStr("softirq", value.DictOf("total", number(f[1]), "softirqs", numberList(f[2:])))
	default:
		out.SetStr(f[0], number(f[1]))
	}
}

// netstats reads pairs of lines: a protocol with names, and with their numbers.
func netstats(_ context.Context, c *modules.Call) (value.Value, error) {
	b, _ := c.Host.ReadFile("/proc/net/netstat")
	out, names := value.NewDict(4), []string{""}
	for text := range strings.Lines(string(b)) {
		f := strings.Fields(text)
		switch {
		case len(f) == 0:
		case f[0] == names[0]:
			out.SetStr(strings.ReplaceAll(f[0], ":", ""), numbers(names[1:], f[1:]))
		default:
			names = f
		}
	}
	return out, nil
}

var diskFields = []string{"major", "minor", "device", "reads_issued", "reads_merged", "sectors_read",
	"ms_spent_reading", "writes_completed",
	"writes_merged", "sectors_written", "ms_spent_writing", "io_in_progress", "ms_spent_in_io", "weighted_ms_spent_in_io"}

var netFields = []string{"rx_bytes", "rx_packets", "rx_errs", "rx_drop", "rx_fifo", "rx_frame", "rx_compressed",
	"rx_multicast",
	"tx_bytes", "tx_packets", "tx_errs", "tx_drop", "tx_fifo", "tx_colls", "tx_carrier", "tx_compressed"}

func netdev(out *value.Dict, text string) {
	if name, counts, ok := strings.Cut(text, ":"); ok {
		name = strings.TrimSpace(name)
		d := value.DictOf("iface", value.Str(name))
		d.Update(numbers(netFields, strings.Fields(counts)))
		out.SetStr(name, d)
	}
}
