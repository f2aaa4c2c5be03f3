package pkg

import (
	"context"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// TestExecs: what the execution functions give and do, and that they take no argument that they do not know.
func TestExecs(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	type args map[string]any
	for _, tt := range []struct {
		name string
		rest []string
		args args
		want string
	}{
		{"version", []string{"hello"}, nil, "1.0"},
		{"version", []string{"hello", "x"}, nil, "{'hello': '1.0', 'x': ''}"},
		{"latest_version", []string{"hello"}, args{"refresh": false}, "2.0"},
		{"list_pkgs", nil, nil, "{'dpkg': '1.21', 'gone': '1.0', 'hello': '1.0'}"},
		{"list_pkgs", nil, args{"removed": true}, "{'left': '1.0'}"},
		{"list_pkgs", nil, args{"purge_desired": true, "versions_as_list": true}, "{'gone': ['1.0']}"},
		{"get_selections", nil, args{"pattern": "h*"}, "{'install': ['hello']}"},
		{"info_installed", []string{"hello"}, args{"attr": "version,arch"}, "{'hello': {'version': '1.0', 'arch': 'amd64'}}"},
		{"info_installed", []string{"x"}, nil, "no packages found matching x"},
		{"install", nil, args{"name": "vim"}, "{'vim': {'old': '', 'new': '2:9.1'}}"},
		{"install", nil, args{"pkgs": []any{map[string]any{"hello": "<2"}, "app"}}, "{'app': {'old': '', 'new': '1.0'}}"},
		{"install", nil, args{"name": "hello", "version": "3"}, "no version of hello is 3: the sources have 2.0, 1.0"},
		{"install", nil, args{"sources": []any{map[string]any{"hello": "salt://hello.deb"}}},
			"{'hello': {'old': '1.0', 'new': '2.0'}}"},
		{"remove", nil, args{"name": "hello"}, "{'hello': {'old': '1.0', 'new': ''}}"},
		{"purge", nil, args{"pkgs": []any{"hello", "left", "x"}},
			"{'installed': {'hello': {'old': '1.0', 'new': ''}}, 'removed': {'left': {'old': '1.0', 'new': ''}}}"},
		{"remove", nil, args{"name": "x"}, "{}"},
		{"upgrade", nil, args{"refresh": false}, "{'hello': {'old': '1.0', 'new': '2.0'}}"},
		{"hold", nil, args{"name": "hello"}, "{'hello': {'name': 'hello', 'changes': {'old': 'install', 'new': 'hold'}, " +
			"'result': True, 'comment': 'Package hello is now being held.'}}"},
		{"unhold", nil, args{"name": "hello"}, "{'hello': {'name': 'hello', 'changes': {}, 'result': True, 'comment': " +
			"'Package hello is already set not to be held.'}}"},
		{"refresh_db", nil, args{"cache_valid_time": 3600}, "{}"},
		{"install", nil, args{"name": "hello", "packages": "x"}, "install() got an unexpected keyword argument 'packages'"},
	} {
		m, env := newBench(hello(), "hello 1.0", "gone 1.0 purge", "left 1.0 config-files")
		m.MustMkdir("/var/cache")
		env.Files = files{}
		kwargs, rest := value.NewDict(0), []value.Value{}
		for k, v := range tt.args {
			kwargs.SetStr(k, value.From(v))
		}
		for _, r := range tt.rest {
			rest = append(rest, value.Str(r))
		}
		v, err := reg.Call(context.Background(), env, m, "pkg."+tt.name, rest, kwargs)
		got := value.String(v)
		if err != nil {
			got = err.Error()
		}
		if got != tt.want {
			t.Errorf("pkg.%s %v %v: %s, want %s", tt.name, tt.rest, tt.args, got, tt.want)
		}
	}
}
