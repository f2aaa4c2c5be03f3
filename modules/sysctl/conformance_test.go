package sysctl

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestConformance(t *testing.T) {
	const forward = "/proc/sys/net/ipv4/ip_forward"
	tools := func(m *hosttest.Memory, c host.Cmd) (*host.Output, error) { // sysctl -w name=value
		name, v, _ := strings.Cut(c.Args[2], "=")
		m.MustWrite(proc(name), v+"\n", 0o644)
		return &host.Output{}, nil
	}
	with := func(now, conf string) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			m.MustMkdir("/run/systemd/system")
			m.MustWrite("/usr/sbin/sysctl", "", 0o755)
			m.MustWrite(forward, now, 0o644)
			m.MustWrite("/proc/sys/net/ipv4/tcp_rmem", "4096\t87380\t6291456\n", 0o644)
			if conf != "" {
				m.MustWrite("/etc/sysctl.d/99-salt.conf", conf, 0o600)
			}
		})
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"not set":  with("0\n", ""),
			"set":      with("1\n", "net.ipv4.ip_forward = 1\n"),
			"now only": with("1\n", "# a comment\nnet.ipv4.ip_forward = 0\nvm.x = 1"),
			"at boot":  with("0\n", "-net.ipv4.ip_forward=1\nnet.ipv4.tcp_rmem = 4096 87380  6291456\n"),
		},
		Deeds: []modtest.Deed{
			modtest.State("sysctl.present", "net.ipv4.ip_forward", "value", 1),
			modtest.State("sysctl.present", "net.ipv4.ip_forward", "value", 0, "config", "/etc/sysctl.conf"),
			modtest.State("sysctl.present", "net/ipv4/ip_forward", "value", 1),
			modtest.State("sysctl.present", "net.ipv4.tcp_rmem", "value", "4096 87380 6291456"),
			modtest.State("sysctl.present", "net.nope", "value", 1),
			modtest.State("sysctl.present", "net.nope", "value", 1, "ignore", true),
		},
	}.Run(t)
}
