package alternatives

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestExecs(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustMkdir("/etc/alternatives")
	if err := m.Symlink("/usr/bin/vim.basic", "/etc/alternatives/editor"); err != nil {
		t.Fatal(err)
	}
	m.MustWrite("/var/lib/dpkg/alternatives/editor", "auto\n/usr/bin/editor\n", 0o644)
	m.Script = func(host.Cmd) (*host.Output, error) {
		return &host.Output{Stdout: []byte("editor - auto mode\n/bin/nano - priority 40\n")}, nil
	}
	modtest.Execs{Family: Family(), Host: m}.Table(t, [][4]string{
		{"alternatives.show_current", `["editor"]`, "", "'/usr/bin/vim.basic'"},
		{"alternatives.show_current", `["nope"]`, "", "False"},
		{"alternatives.show_link", `["editor"]`, "", "'/usr/bin/editor'"},
		{"alternatives.check_installed", `["editor", "/usr/bin/vim.basic"]`, "", "True"},
		{"alternatives.check_exists", `["editor", "/bin/nano"]`, "", "True"},
		{"alternatives.check_exists", `["editor", "/bin/ed"]`, "", "False"},
	})
}
