package dig

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
)

func TestDig(t *testing.T) {
	modtest.Execs{Family: Family()}.Table(t, [][4]string{
		{"dig.A", `["localhost"]`, "", "['127.0.0.1']"},
		{"dig.A", `["nobody.answers.example", "127.0.0.1:1"]`, "", "[]"},
		{"dig.AAAA", `["nobody.answers.example", "127.0.0.1:1"]`, "", "[]"},
		{"dig.TXT", `["nobody.answers.example", "127.0.0.1:1"]`, "", "[]"},
		{"dig.MX", `["nobody.answers.example", true, "127.0.0.1:1"]`, "", "[]"},
		{"dig.NS", `["nobody.answers.example", true, "127.0.0.1:1"]`, "", "[]"},
		{"dig.PTR", `["192.0.2.1", "127.0.0.1:1"]`, "", "[]"},
		{"dig.check_ip", `["192.0.2.1"]`, "", "True"},
		{"dig.check_ip", `["192.0.2.0/24"]`, "", "True"},
		{"dig.check_ip", `["192.0.2.0/x"]`, "", "False"},
		{"dig.check_ip", `["x"]`, "", "False"},
	})
}
