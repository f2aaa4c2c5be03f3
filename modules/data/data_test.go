package data

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
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

func (templates) Render(_ context.Context, engine, _ string, text []byte, _, _ string, vars *value.Dict) ([]byte, error) {
	return []byte(strings.ReplaceAll(string(text), "{{ x }}", value.String(first(vars.GetStr("x"))))), nil
}

func first(v value.Value, _ bool) value.Value { return v }

func parse(t *testing.T, s string) *value.Dict {
	t.Helper()
	v, err := value.ParseJSON(s)
	if err != nil {
		t.Fatalf("%s: %v", s, err)
	}
	return v.(*value.Dict)
}

type tester struct {
	*testing.T
	world *modules.World
	reg   *modules.Registry
	logs  []string
}

func newTester(t *testing.T) *tester {
	t.Helper()
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	opts := parse(t, `{"id": "web1", "shared": "opts", "tree": {"o": 1, "x": "opts"}, "ext.a": 1, "file_client": "local"}`)
	grains := parse(t, `{"os": "Debian", "os_family": "Debian", "osfinger": "Debian-12", "roles": ["db", "web"], "shared": "grains", "tree": {"g": 1, "x": "grains"}, "dns": {"nameservers": ["192.0.2.1"]}, "zero": 0}`)
	pillar := parse(t, `{"a": {"b": {"c": 1}, "l": [1, {"k": "v"}]}, "shared": "pillar", "tree": {"p": 1, "x": "pillar"}, "none": null, "env": "prod", "only": "p"}`)
	out := &tester{T: t, reg: reg}
	out.world = &modules.World{
		Opts: func() *value.Dict { return opts }, Grains: func() *value.Dict { return grains }, Pillar: func() *value.Dict { return pillar },
		Files:     files{"salt://form/defaults.yaml": `{"k": {"x": 5}}`, "salt://a/b/f.jinja": "x", "salt://top.txt": "y", "salt://map": `{"v": "{{ x }}"}`},
		Templates: templates{}, SaltEnv: "base",
		Log: func(level, msg string) { out.logs = append(out.logs, level+": "+msg) },
		Serialize: func(f string, v value.Value, o *value.Dict) (string, error) {
			return f + ":" + value.Repr(v) + value.Repr(o), nil
		},
		Deserialize: func(f, text string) (value.Value, error) { return value.ParseJSON(text) },
		Match: func(kind, target, delim, id string) (bool, error) {
			return kind+"/"+target == "compound/web*" || target == "own" || id == "other", nil
		},
	}
	return out
}

// call calls a function with positional arguments in JSON and keywords in JSON, and gives the repr of the result.
func (t *tester) call(name, args, kwargs string) string {
	t.Helper()
	a, err := value.ParseJSON(args)
	if err != nil {
		t.Fatalf("%s: %v", args, err)
	}
	kw := value.NewDict(0)
	if kwargs != "" {
		kw = parse(t.T, kwargs)
	}
	v, err := t.reg.Call(context.Background(), t.world, name, a.(*value.List).Items, kw)
	if err != nil {
		return "error: " + err.Error()
	}
	return value.Repr(v)
}

type row struct{ fn, args, kwargs, want string }

func (t *tester) table(rows []row) {
	t.Helper()
	for _, r := range rows {
		if diff := cmp.Diff(r.want, t.call(r.fn, r.args, r.kwargs)); diff != "" {
			t.Errorf("%s %s %s (-want +got)\n%s", r.fn, r.args, r.kwargs, diff)
		}
	}
}

func TestPillar(t *testing.T) {
	newTester(t).table([]row{
		{"pillar.get", `["a:b:c"]`, "", "1"},
		{"pillar.get", `["a:l:1:k"]`, "", "'v'"},
		{"pillar.get", `["a:l:k"]`, "", "'v'"},
		{"pillar.get", `["nope"]`, "", "''"},
		{"pillar.get", `["nope", {"d": 1}]`, "", "{'d': 1}"},
		{"pillar.get", `["none", 5]`, "", "None"},
		{"pillar.get", `["a/b/c"]`, `{"delimiter": "/"}`, "1"},
		{"pillar.get", `["a:b", {"c": 0, "d": 2}]`, `{"merge": true}`, "{'c': 1, 'd': 2}"},
		{"pillar.get", `["nope", {"d": 2}]`, `{"merge": true}`, "{'d': 2}"},
		{"pillar.get", `["a:l", [1, 2]]`, `{"merge": true}`, "[1, 2, {'k': 'v'}]"},
		{"pillar.get", `["env", {"d": 2}]`, `{"merge": true}`, "'prod'"},
		{"pillar.item", `["env", "a:b:c", "nope"]`, "", "{'env': 'prod', 'a:b:c': 1, 'nope': ''}"},
		{"pillar.item", `["nope"]`, `{"default": 3}`, "{'nope': 3}"},
		{"pillar.keys", `["a"]`, "", "['b', 'l']"},
		{"pillar.keys", `["env"]`, "", "error: Pillar value in key env is not a dict"},
		{"pillar.ls", `[]`, "", "['a', 'shared', 'tree', 'none', 'env', 'only']"},
		{"pillar.raw", `["env"]`, "", "'prod'"},
		{"pillar.filter_by", `[{"prod": 1, "default": 2}, "env"]`, "", "1"},
	})
}

func TestPillarFileExists(t *testing.T) {
	tt := newTester(t)
	tt.world.InPillar = func(env, path string) bool { return path == "x.sls" && (env == "" || env == "base") }
	tt.table([]row{
		{"pillar.file_exists", `["x.sls"]`, "", "True"},
		{"pillar.file_exists", `["y.sls"]`, "", "False"},
		{"pillar.file_exists", `["x.sls", "dev"]`, "", "False"},
	})
}

func TestGrains(t *testing.T) {
	newTester(t).table([]row{
		{"grains.get", `["dns:nameservers:0"]`, "", "'192.0.2.1'"},
		{"grains.get", `["nope"]`, "", "''"},
		{"grains.get", `["nope", "d"]`, "", "'d'"},
		{"grains.has_value", `["zero"]`, "", "True"},
		{"grains.has_value", `["nope"]`, "", "False"},
		{"grains.equals", `["zero", "0"]`, "", "True"},
		{"grains.item", `["os", "nope"]`, "", "{'os': 'Debian', 'nope': ''}"},
		{"grains.filter_by", `[{"Debian": {"a": 1}, "default": {"b": 1}}]`, "", "{'a': 1}"},
		{"grains.filter_by", `[{"RedHat": {"a": 1}, "default": {"b": 1}}]`, "", "{'b': 1}"},
		{"grains.filter_by", `[{"RedHat": {"a": 1}}]`, "", "None"},
		{"grains.filter_by", `[{"Debian-1*": {"a": 1}}, "osfinger"]`, "", "{'a': 1}"},
		{"grains.filter_by", `[{"web": 1, "db": 2}]`, `{"grain": "roles"}`, "2"},
		{"grains.filter_by", `[{"Debian": null, "default": 7}]`, "", "7"},
		{"grains.filter_by", `[{"192.0.2.*": 1}, "dns:nameservers"]`, "", "1"},
		{"grains.filter_by", `[{"Debian": {"a": {"x": 1}}}]`, `{"merge": {"a": {"y": 2}}}`, "{'a': {'x': 1, 'y': 2}}"},
		{"grains.filter_by", `[{"common": {"a": 0, "z": 9}, "Debian": {"a": 1}}]`, `{"base": "common"}`, "{'a': 1, 'z': 9}"},
		{"grains.filter_by", `[{"x": 1}]`, `{"default": "x"}`, "1"},
		{"grains.filter_by", `[{}]`, `{"merge": {"m": 1}}`, "{'m': 1}"},
		{"grains.filter_by", `[{"Debian": 1}]`, `{"merge": 2}`, "error: filter_by merge argument must be a dictionary."},
	})
}

// TestFilterByChangesItsTable: formulas rely on merge showing in the table that they passed.
func TestFilterByChangesItsTable(t *testing.T) {
	tt := newTester(t)
	table := parse(t, `{"Debian": {"a": 1}}`)
	if _, err := tt.reg.Call(context.Background(), tt.world, "grains.filter_by", []value.Value{table}, value.DictOf("merge", parse(t, `{"b": 2}`))); err != nil {
		t.Fatal(err)
	}
	if got, want := value.Repr(table), "{'Debian': {'a': 1, 'b': 2}}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestConfig(t *testing.T) {
	newTester(t).table([]row{
		{"config.get", `["shared"]`, "", "'opts'"},
		{"config.get", `["shared"]`, `{"omit_opts": true}`, "'grains'"},
		{"config.get", `["shared"]`, `{"omit_opts": true, "omit_grains": true}`, "'pillar'"},
		{"config.get", `["a:b"]`, "", "{'c': 1}"},
		{"config.get", `["nope"]`, "", "''"},
		{"config.get", `["nope", {"x": 1}]`, "", "{'x': 1}"},
		{"config.get", `["tree"]`, `{"merge": "recurse"}`, "{'p': 1, 'x': 'opts', 'g': 1, 'o': 1}"},
		{"config.get", `["tree"]`, `{"merge": "overwrite"}`, "{'o': 1, 'x': 'opts'}"},
		{"config.get", `["tree:x"]`, `{"merge": "recurse"}`, "'opts'"},
		{"config.get", `["nope", 1]`, `{"merge": "recurse"}`, "1"},
		{"config.option", `["only"]`, "", "'p'"},
		{"config.option", `["nope"]`, "", "''"},
		{"config.option", `["ext.*"]`, `{"wildcard": true}`, "{'ext.a': 1}"},
		{"config.dot_vals", `["ext"]`, "", "{'ext.a': 1}"},
		{"config.merge", `["tree"]`, "", "{'p': 1, 'x': 'opts', 'o': 1}"},
		{"config.manage_mode", `["644"]`, "", "'0644'"},
		{"config.valid_fileproto", `["salt://x"]`, "", "True"},
	})
}

func TestSlsutil(t *testing.T) {
	newTester(t).table([]row{
		{"slsutil.merge", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, "", "{'a': {'x': 1, 'y': 2}}"},
		{"slsutil.merge", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, `{"strategy": "overwrite"}`, "{'a': {'y': 2}}"},
		{"slsutil.merge", `[{"a": [1]}, {"a": [2]}]`, `{"merge_lists": true}`, "{'a': [1, 2]}"},
		{"slsutil.merge_all", `[[{"a": 1}, {"b": 2}]]`, "", "{'a': 1, 'b': 2}"},
		{"slsutil.update", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, "", "{'a': {'x': 1, 'y': 2}}"},
		{"slsutil.update", `[{"a": {"x": 1}}, {"a": {"y": 2}}, false]`, "", "{'a': {'y': 2}}"},
		{"slsutil.serialize", `["yaml", {"a": 1}]`, `{"default_flow_style": false}`, `"yaml:{'a': 1}{'default_flow_style': False}"`},
		{"slsutil.deserialize", `["json", "{\"a\": 1}"]`, "", "{'a': 1}"},
		{"slsutil.renderer", `["salt://map"]`, `{"x": 4}`, "{'v': '4'}"},
		{"slsutil.renderer", `[]`, `{"string": "a {{ x }}", "default_renderer": "jinja", "x": 1}`, "'a 1'"},
		{"slsutil.renderer", `[]`, `{"string": "#!json\n{\"a\": 1}"}`, "{'a': 1}"},
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

func TestDefaults(t *testing.T) {
	newTester(t).table([]row{
		{"defaults.get", `["form:k:x"]`, "", "5"},
		{"defaults.get", `["form"]`, "", "{'k': {'x': 5}}"},
		{"defaults.get", `["nope:k", 1]`, "", "1"},
		{"defaults.merge", `[{"a": {"x": 1}}, {"a": {"y": 2}}]`, "", "{'a': {'x': 1, 'y': 2}}"},
		{"defaults.merge", `[{"a": 1}, null]`, "", "{'a': 1}"},
		{"defaults.merge", `[{"a": 1}, 5]`, "", "error: Cannot update using non-dict types in dictupdate.update()"},
		{"defaults.update", `[{"n": {"x": 1}}, {"x": 0, "y": 2}]`, "", "{'n': {'x': 1, 'y': 2}}"},
		{"defaults.deepcopy", `[{"a": [1]}]`, "", "{'a': [1]}"},
	})
}

func TestDefaultsMergeInPlace(t *testing.T) {
	tt := newTester(t)
	for _, inPlace := range []bool{true, false} {
		dest := parse(t, `{"a": 1}`)
		kw := value.DictOf("in_place", value.Bool(inPlace))
		if _, err := tt.reg.Call(context.Background(), tt.world, "defaults.merge", []value.Value{dest, parse(t, `{"b": 2}`)}, kw); err != nil {
			t.Fatal(err)
		}
		if changed := dest.Len() == 2; changed != inPlace {
			t.Errorf("in_place %v: dest is %s", inPlace, value.Repr(dest))
		}
	}
}

func TestMatchAndMine(t *testing.T) {
	newTester(t).table([]row{
		{"match.compound", `["web*"]`, "", "True"},
		{"match.glob", `["db*"]`, "", "False"},
		{"match.glob", `["x", "other"]`, "", "True"},
		{"match.search_by", `[{"a": ["no", "own"], "b": ["no"]}]`, "", "['a']"},
		{"match.search_by", `[{"b": ["no"]}]`, "", "None"},
		{"match.filter_by", `[{"no": 1, "own": 2}]`, "", "2"},
		{"match.filter_by", `[{"no": 1, "default": 3}]`, "", "3"},
		{"match.filter_by", `[{"own": {"a": 1}}]`, `{"merge": {"b": 2}}`, "{'a': 1, 'b': 2}"},
		{"mine.get", `["*", "network.ip_addrs"]`, "", "{}"},
		{"mine.get", `["*", "x", "compound"]`, "", "{}"},
	})
}

func TestEnviron(t *testing.T) {
	tt := newTester(t)
	tt.world.Environ = []string{"GOSTATE_X=0", "GOSTATE_X=1"}
	tt.table([]row{
		{"environ.get", `["GOSTATE_X"]`, "", "'1'"},
		{"environ.get", `["GOSTATE_NOPE", "d"]`, "", "'d'"},
		{"environ.has_value", `["GOSTATE_X"]`, "", "True"},
		{"environ.has_value", `["GOSTATE_X", "2"]`, "", "False"},
		{"environ.item", `[["GOSTATE_X", "GOSTATE_NOPE"]]`, "", "{'GOSTATE_X': '1', 'GOSTATE_NOPE': ''}"},
	})
}
