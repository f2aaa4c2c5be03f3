package sys

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

func TestSys(t *testing.T) {
	reg, err := modules.New(Family(), modules.Family{Name: "test", Execs: []modules.ExecSpec{
		modules.NewExec("test.ping", "ping(): True.", nil), modules.NewExec("test.pong", "pong(): True.", nil),
	}})
	if err != nil {
		t.Fatal(err)
	}
	modtest.Execs{Family: Family(), Env: &modules.Env{Registry: reg}}.Table(t, [][4]string{
		{"sys.list_modules", `[]`, "", "['sys', 'test']"},
		{"sys.list_functions", `["test.po*"]`, "", "['test.pong']"},
		{"sys.doc", `["test.ping"]`, "", "{'test.ping': 'ping(): True.'}"},
		{"sys.argspec", `["sys.argspec"]`, "", `{'sys.argspec': {'args': ['name'], 'varargs': None, 'kwargs': None, 'defaults': ["''"]}}`},
	})
}
