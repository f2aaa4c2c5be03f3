package mine

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
)

func TestMine(t *testing.T) {
	modtest.Execs{Family: Family()}.Table(t, [][4]string{
		{"mine.get", `["*", "network.ip_addrs"]`, "", "{}"},
		{"mine.get", `["*", "x", "compound"]`, "", "{}"},
	})
}
