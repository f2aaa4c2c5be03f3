package service

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// TestExecs: what the execution functions give, what they do, and that they take no argument that they do not know.
func TestExecs(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		call      string
		args      []any
		want, did string
	}{
		{"available", []any{"name", "web"}, "True", ""},
		{"missing", []any{"name", "web"}, "False", ""},
		{"enabled", []any{"name", "web"}, "True", ""},
		{"disabled", []any{"name", "off"}, "True", ""},
		{"masked", []any{"name", "off"}, "True", ""},
		{"masked", []any{"name", "off", "runtime", true}, "False", ""},
		{"status", []any{"name", "web"}, "True", ""},
		{"status", []any{"name", "w*"}, "{'web': True, 'web.socket': False}", ""},
		{"get_all", nil, "['off', 'web', 'web.socket']", ""},
		{"get_enabled", nil, "['web']", ""},
		{"get_running", nil, "['web']", ""},
		{"offline", nil, "False", ""},
		{"show", []any{"name", "web"}, "{'Id': 'web.service', 'After': ['a', 'b'], 'ExecStart': {'path': '/bin/web', " +
			"'pid': '1'}}", ""},
		{"execs", nil, "{'web': '/bin/web'}", ""},
		{"start", []any{"name", "off", "unmask", true}, "True", "unmask off.service, start off.service"},
		{"unmask", []any{"name", "web"}, "True", ""},
		{"disable", []any{"name", "web"}, "True", "disable web.service"},
		{"enable", []any{"name", "web", "now", true}, "'enable() got an unexpected keyword argument 'now''", ""},
		{"get_all", []any{"root", "/mnt"}, "'a call works where its run does: give --root to gostate'", ""},
	} {
		f, h, env := newBench(Unit{ID: "web.service", Active: "active", Sub: "running", FileState: "enabled"},
			Unit{ID: "web.socket", FileState: "disabled"},
			Unit{ID: "off.service", Active: "inactive", Load: "masked", FileState: "masked"},
			Unit{ID: "dev-sda.device", Active: "active", Sub: "plugged"},
			Unit{ID: "user.slice", Active: "active", FileState: "static"})
		h.Script = func(host.Cmd) (*host.Output, error) {
			return &host.Output{Stdout: []byte("Id=web.service\nAfter=a b\nExecStart={ path=/bin/web ; pid=1 }\n")}, nil
		}
		got, err := reg.Call(context.Background(), &modules.Env{Cache: env.Cache}, h, "service."+tt.call, nil, dict(tt.args))
		said := "'" + errText(err) + "'"
		if err == nil {
			said = value.Repr(got)
		}
		if d := cmp.Diff([]string{tt.want, tt.did}, []string{said, strings.Join(f.did, ", ")}); d != "" {
			t.Errorf("service.%s %v (-want +got):\n%s", tt.call, tt.args, d)
		}
	}
}

func errText(err error) string {
	if err == nil {
		return ""
	}
	return err.Error()
}

func dict(args []any) *value.Dict {
	out := value.NewDict(len(args) / 2)
	for i := 0; i < len(args); i += 2 {
		out.SetStr(args[i].(string), value.From(args[i+1]))
	}
	return out
}
