package dnsutil

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
)

func TestDnsutil(t *testing.T) {
	modtest.Execs{Family: Family()}.Table(t, [][4]string{
		{"dnsutil.check_ip", `["192.0.2.1"]`, "", "True"},
		{"dnsutil.check_ip", `["x"]`, "", "False"},
		{"dnsutil.parse_hosts", `[]`, `{"hosts": "127.0.0.1 localhost\n# x\n127.0.0.1 me\n"}`,
			"{'127.0.0.1': ['localhost', 'me']}"},
	})
}
