package environ

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestEnviron(t *testing.T) {
	env := &modules.Env{Environ: []string{"GOSTATE_X=0", "GOSTATE_X=1"}}
	modtest.Execs{Family: Family(), Env: env, Host: hosttest.NewMemory()}.Table(t, [][4]string{
		{"environ.get", `["GOSTATE_X"]`, "", "'1'"},
		{"environ.get", `["GOSTATE_NOPE", "d"]`, "", "'d'"},
		{"environ.has_value", `["GOSTATE_X"]`, "", "True"},
		{"environ.has_value", `["GOSTATE_X", "2"]`, "", "False"},
		{"environ.item", `[["GOSTATE_X", "GOSTATE_NOPE"]]`, "", "{'GOSTATE_X': '1', 'GOSTATE_NOPE': ''}"},
	})
}
