package saltutil

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
)

func TestSaltutil(t *testing.T) {
	modtest.Execs{Family: Family()}.Table(t, [][4]string{
		{"saltutil.is_running", `["state.highstate"]`, "", "[]"},
		{"saltutil.sync_states", `[]`, "", "[]"},
	})
}
