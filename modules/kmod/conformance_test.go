package kmod

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestConformance(t *testing.T) {
	tools := func(m *hosttest.Memory, c host.Cmd) (*host.Output, error) { // modprobe [-r] [-n] name
		name := plain(c.Args[len(c.Args)-1])
		switch {
		case name == "nope":
			return &host.Output{Code: 1, Stderr: []byte("modprobe: FATAL: Module nope not found\n")}, nil
		case slices.Contains(c.Args, "-n"):
		case slices.Contains(c.Args, "-r"):
			raw, _ := m.ReadFile("/proc/modules")
			m.MustWrite("/proc/modules", strings.ReplaceAll(string(raw), name+" 1 0\n", ""), 0o444)
		default:
			raw, _ := m.ReadFile("/proc/modules")
			m.MustWrite("/proc/modules", string(raw)+name+" 1 0\n", 0o444)
		}
		return &host.Output{}, nil
	}
	with := func(now, boot string) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			m.MustWrite("/proc/modules", now, 0o444)
			if boot != "" {
				m.MustWrite("/etc/modules", boot, 0o644)
			}
		})
	}
	var deeds []modtest.Deed
	for _, fun := range []string{"kmod.present", "kmod.absent"} {
		deeds = append(deeds, modtest.State(fun, "br_netfilter"), modtest.State(fun, "br-netfilter", "persist", true),
			modtest.State(fun, "nope"),
			modtest.State(fun, "all", "mods", []string{"loop", "br_netfilter"}, "persist", true))
	}
	deeds = append(deeds, modtest.State("kmod.absent", "loop", "persist", true, "comment", false))
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"none":    with("", ""),
			"loaded":  with("br_netfilter 1 0\n", ""),
			"at boot": with("loop 1 0\n", "# at boot\nloop\nbr-netfilter max=1\n"),
			"both":    with("loop 1 0\nbr_netfilter 1 0\n", "loop\nbr_netfilter\n"),
		},
		Deeds:  deeds,
		Beyond: []string{"/proc/modules"},
	}.Run(t)
}
