package slsutil

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

type files map[string]string

func (f files) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if t, ok := f[source]; ok {
		return []byte(t), nil
	}
	return nil, fmt.Errorf("%s is not there", source)
}
func (f files) Exists(source, _ string) (file, dir bool) {
	_, file = f[source]
	for k := range f {
		dir = dir || strings.HasPrefix(k, source+"/")
	}
	return file, dir
}
func (f files) List(string, string) ([]modules.SourceFile, error)    { return nil, nil }
func (f files) Hash(context.Context, string, string) (string, error) { return "", nil }
func (f files) Mode(string, string) (uint32, error)                  { return 0o644, nil }

type templates struct{}

func (templates) Render(_ context.Context, engine, _ string, text []byte, _, _ string,
	vars *value.Dict) ([]byte, error) {
	return []byte(strings.ReplaceAll(string(text), "{{ x }}", value.String(first(vars.GetStr("x"))))), nil
}

func first(v value.Value, _ bool) value.Value { return v }

func TestSlsutil(t *testing.T) {
	env := &modules.Env{
		Files:     files{"salt://a/b/f.jinja": "x", "salt://top.txt": "y", "salt://map": `{"v": "{{ x }}"}`},
		Templates: templates{}, SaltEnv: "base",
		Serialize: func(f string, v value.Value, o *value.Dict) (string, error) {
			return f + ":" + value.Repr(v) + value.Repr(o), nil
		},
		Deserialize: func(f, text string) (value.Value, error) { return value.ParseJSON(text) },
	}
	modtest.Execs{Family: Family(), Env: env}.Table(t, [][4]string{
		{"slsutil.merge", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, "", "{'a': {'x': 1, 'y': 2}}"},
		{"slsutil.merge", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, `{"strategy": "overwrite"}`, "{'a': {'y': 2}}"},
		{"slsutil.merge", `[{"a": [1]}, {"a": [2]}]`, `{"merge_lists": true}`, "{'a': [1, 2]}"},
		{"slsutil.merge_all", `[[{"a": 1}, {"b": 2}]]`, "", "{'a': 1, 'b': 2}"},
		{"slsutil.update", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, "", "{'a': {'x': 1, 'y': 2}}"},
		{"slsutil.update", `[{"a": {"x": 1}}, {"a": {"y": 2}}, false]`, "", "{'a': {'y': 2}}"},
		{"slsutil.serialize", `["yaml", {"a": 1}]`, `{"default_flow_style": false}`,
			`"yaml:{'a': 1}{'default_flow_style': False}"`},
		{"slsutil.deserialize", `["json", "{\"a\": 1}"]`, "", "{'a': 1}"},
		{"slsutil.renderer", `["salt://map"]`, `{"x": 4}`, "{'v': '4'}"},
		{"slsutil.renderer", `[]`, `{"string": "a {{ x }}", "default_renderer": "jinja", "x": 1}`, "'a 1'"},
		{"slsutil.renderer", `[]`, `{"string": "#!json\n{\"a\": 1}"}`, "{'a': 1}"},
		{"slsutil.renderer", `["salt://none"]`, ``, "{}"},
		{"slsutil.renderer", `["https://none/x"]`, ``, "error: https://none/x is not there"},
		{"slsutil.renderer", `[]`, ``, "error: Must pass either path or string"},
		{"slsutil.boolstr", `["yes", "on", "off"]`, "", "'on'"},
		{"slsutil.banner", `[]`, `{"title": "T", "text": "aa bb", "width": 12, "commentchar": "//", "borderchar": "=-", "blockstart": "a", "blockend": "z", "newline": true}`,
			`'a\n//========//\n//        //\n//   T    //\n//        //\n// aa bb  //\n//========//\nz\n'`},
		{"slsutil.banner", `[]`, `{"width": 4}`, "error: Width is too small to render banner"},
		{"slsutil.boolstr", `[false]`, "", "'false'"},
		{"slsutil.findup", `["a/b", "f.jinja"]`, "", "'a/b/f.jinja'"},
		{"slsutil.findup", `["a/b", ["nope", "top.txt"]]`, "", "'top.txt'"},
		{"slsutil.findup", `["a/b", "nope"]`, "", "error: File pattern(s) not found in path ancestry"},
		{"slsutil.dir_exists", `["a/b"]`, "", "True"},
		{"slsutil.file_exists", `["a/b"]`, "", "False"},
	})
}
