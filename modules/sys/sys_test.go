package sys

import (
	"context"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// nop has two arguments.
type nop struct {
	Name string `arg:"name,required" doc:"The name."`
	N    int    `arg:"n" default:"3" doc:"A number."`
}

func (nop) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Effect{}, nil
}

func TestSys(t *testing.T) {
	reg, err := modules.New(Family(), modules.Family{Name: "test", Execs: []modules.ExecSpec{
		modules.NewExec("test.ping", "ping(): True.", nil), modules.NewExec("test.pong", "pong(): True.", nil),
	}, States: []modules.StateSpec{{Name: "test.nop", Doc: "Does nothing.",
		New: func() modules.StateFunc { return &nop{} }}}})
	if err != nil {
		t.Fatal(err)
	}
	modtest.Execs{Family: Family(), Env: &modules.Env{Registry: reg}}.Table(t, [][4]string{
		{"sys.list_modules", `[]`, "", "['sys', 'test']"},
		{"sys.list_functions", `["test.po*"]`, "", "['test.pong']"},
		{"sys.list_functions", `["test"]`, `{"junk": 1}`, "['test.ping', 'test.pong']"},
		{"sys.list_state_modules", `[]`, "", "['test']"},
		{"sys.list_state_functions", `["t*"]`, "", "['test.nop']"},
		{"sys.list_state_functions", `["file"]`, "", "[]"},
		{"sys.state_doc", `["test"]`, "", "{'test.nop': 'Does nothing.'}"},
		{"sys.state_argspec", `["test.nop"]`, "", "{'test.nop': {'args': ['name', 'n'], 'varargs': None, 'kwargs': True, " +
			"'defaults': ['3']}}"},
		{"sys.list_renderers", `["j*"]`, "", "['jinja', 'json']"},
		{"sys.list_runners", `[]`, "", "[]"},
		{"sys.returner_doc", `[]`, "", "{}"},
		{"sys.reload_modules", `[]`, "", "True"},
		{"sys.doc", `["test.ping"]`, "", "{'test.ping': 'ping(): True.'}"},
		{"sys.argspec", `["sys.argspec"]`, "", `{'sys.argspec': {'args': ['module'], 'varargs': None, 'kwargs': None, 'defaults': ["''"]}}`},
	})
}
