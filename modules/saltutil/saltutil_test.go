package saltutil

import (
	"testing"

	"github.com/gostate/gostate/modules/modtest"
)

func TestSaltutil(t *testing.T) {
	modtest.Execs{Family: Family()}.Table(t, [][4]string{
		{"saltutil.is_running", `["state.highstate"]`, "", "[]"},
		{"saltutil.find_job", `[1]`, "", "{}"},
		{"saltutil.kill_job", `[1]`, "", "''"},
		{"saltutil.sync_states", `[]`, `{"refresh": false}`, "[]"},
		{"saltutil.sync_sdb", `[]`, `{"refresh": false}`, "error: sync_sdb() got an unexpected keyword argument 'refresh'"},
		{"saltutil.refresh_pillar", `[]`, `{"wait": true}`, "True"},
		{"saltutil.refresh_grains", `[]`, "", "True"},
		{"saltutil.runner", `["mine.get"]`, `{"tgt": "*"}`, "error: saltutil.runner needs a master, and there is none here"},
	})
}
