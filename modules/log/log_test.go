package log

import (
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

func TestLog(t *testing.T) {
	var logs []string
	x := modtest.Execs{Family: Family(), Env: &modules.Env{Log: func(level,
		msg string) {
		logs = append(logs, level+" "+msg)
	}}}
	x.Table(t, [][4]string{
		{"log.warning", `["careful"]`, "", "True"},
		{"log.critical", `["worse"]`, "", "True"},
	})
	if diff := cmp.Diff([]string{"warning careful", "error worse"}, logs); diff != "" {
		t.Error(diff)
	}
}
