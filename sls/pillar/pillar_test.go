package pillar

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/sls/render"
	"github.com/gostate/gostate/sls/roots"
	"github.com/gostate/gostate/sls/top"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// tree writes files given as a txtar-like text, "-- name --" before each.
func tree(t *testing.T, text string) string {
	t.Helper()
	dir := t.TempDir()
	for _, part := range strings.Split(text, "-- ")[1:] {
		name, body, _ := strings.Cut(part, " --\n")
		p := filepath.Join(dir, name)
		if err := os.MkdirAll(filepath.Dir(p), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(p, []byte(body), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func compile(t *testing.T, text string, change func(*Config)) (string, error) {
	dir := tree(t, text)
	r := roots.New([]roots.EnvDirs{{Env: "base", Dirs: []string{filepath.Join(dir, "base")}},
		{Env: "dev", Dirs: []string{filepath.Join(dir, "dev")}}})
	grains := func() *value.Dict { return value.DictOf("os", value.Str("Debian")) }
	cfg := Config{
		Roots:  r,
		Minion: top.Minion{ID: "web01", Grains: grains},
		NewRenderer: func(r *roots.Roots, pillar func() *value.Dict) *render.Renderer {
			return render.New(render.Config{Roots: r, Grains: grains, Pillar: pillar})
		},
	}
	if change != nil {
		change(&cfg)
	}
	p, err := Compile(context.Background(), cfg)
	if err != nil {
		var list *diag.List
		if !errors.As(err, &list) {
			return "", err
		}
		return strings.ReplaceAll(err.Error(), dir+"/", ""), nil
	}
	return value.Repr(p), nil
}

func TestCompile(t *testing.T) {
	two := "-- base/top.sls --\nbase: {'*': [a, b]}\n-- base/a.sls --\nx: {k: 1, l: [1, 2]}\nonly: a\n-- base/b.sls " +
		"--\nx: {k: 2, m: 3, l: [2, 3]}\n"
	for _, tt := range []struct {
		name, files, want string
		change            func(*Config)
	}{
		{name: "no top file", want: "{}", files: "-- base/a.sls --\na: 1\n"},
		{name: "smart is recurse", files: two, want: "{'x': {'k': 2, 'l': [2, 3], 'm': 3}, 'only': 'a'}"},
		{name: "merge lists", files: two, want: "{'x': {'k': 2, 'l': [1, 2, 3], 'm': 3}, 'only': 'a'}",
			change: func(c *Config) { c.MergeLists = true }},
		{name: "overwrite", files: two, want: "{'x': {'k': 2, 'm': 3, 'l': [2, 3]}, 'only': 'a'}",
			change: func(c *Config) { c.Strategy = "overwrite" }},
		{name: "what two files include is merged twice", files: "-- base/top.sls --\nbase: {'*': [one, two]}\n-- " +
			"base/inc.sls --\n{l: [inc], m: inc}\n" +
			"-- base/one.sls --\n{include: [inc], l: [one], m: one}\n-- base/two.sls --\n{include: [inc], z: 1}\n",
			want: "{'l': ['inc'], 'm': 'inc', 'z': 1}"},
		{name: "an include with a key of what is there already",
			files: "-- base/top.sls --\nbase: {'*': [inc, two]}\n-- base/inc.sls --\nm: inc\n" +
				"-- base/two.sls --\n{include: [{inc: {key: 'a:b'}}], z: 1}\n",
			want: "{'m': 'inc', 'a': {'b': {'m': 'inc'}}, 'z': 1}"},
		{name: "files that include each other", files: "-- base/top.sls --\nbase: {'*': [one]}\n-- base/one.sls " +
			"--\n{include: [two], a: 1}\n" +
			"-- base/two.sls --\n{include: [one], a: 2, b: 2}\n",
			want: "{'a': 1, 'b': 2}"},
		{name: "override wins and is seen", files: two + "-- base/top.sls --\nbase: {'*': [a, c]}\n-- base/c.sls --\nseen: " +
			"{{ pillar.only }}\n",
			want:   "{'only': 'cli', 'x': {'k': 1, 'l': [1, 2]}, 'seen': 'cli'}",
			change: func(c *Config) { c.Override = value.DictOf("only", value.Str("cli")) }},
		{name: "matchers", want: "{'deb': True}",
			files: "-- base/top.sls --\nbase:\n  'os:Debian':\n    - match: grain\n    - deb\n  'db*': [db]\n-- base/deb.sls " +
				"--\ndeb: true\n"},
		{name: "shorthand and order", want: "{'v': 2}",
			files: "-- base/top.sls --\nbase: {'web*': [two, {order: 2}], '*': one}\n-- base/one.sls --\nv: 1\n-- " +
				"base/two.sls --\nv: 2\n"},
		{name: "wildcard", want: "{'v': 2, 'w': 1}",
			files: "-- base/top.sls --\nbase: {'*': ['p.*']}\n-- base/p/one.sls --\nv: 1\nw: 1\n-- base/p/two.sls --\nv: 2\n"},
		{name: "environments", want: "{'v': 'dev'}",
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\nv: base\n-- dev/top.sls --\ndev: {'*': [a]}\n-- " +
				"dev/a.sls --\nv: dev\n"},
		{name: "pillarenv", want: "{'v': 'base'}", change: func(c *Config) { c.Env = "base" },
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\nv: base\n-- dev/top.sls --\ndev: {'*': [a]}\n-- " +
				"dev/a.sls --\nv: dev\n"},
		{name: "strategy none", want: "{'v': 'dev'}", change: func(c *Config) { c.Strategy, c.SaltEnv = "none", "dev" },
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\nv: base\nw: 1\n-- dev/top.sls --\ndev: {'*': " +
				"[a]}\n-- dev/a.sls --\nv: dev\n"},
		{name: "ignore_missing", want: "{'v': 1}",
			files: "-- base/top.sls --\nbase: {'*': [nope, a, {ignore_missing: true}]}\n-- base/a.sls --\nv: 1\n"},
		{name: "include", want: "{'v': 'own', 'w': 1, 'z': 1}",
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a/init.sls --\ninclude: [.b, c]\nv: own\n-- base/a/b.sls " +
				"--\nv: b\nw: 1\n-- base/c.sls --\nv: c\nz: 1\ninclude: [a]\n"},
		{name: "includes override", want: "{'v': 'b'}", change: func(c *Config) { c.IncludesOverride = true },
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\ninclude: [b]\nv: own\n-- base/b.sls --\nv: b\n"},
		{name: "key and defaults", want: "{'users': {'admin': {'name': 'root', 'os': 'Debian'}}, 'v': 1}",
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\ninclude:\n  - b:\n      key: users:admin\n      " +
				"defaults: {who: root}\nv: 1\n-- base/b.sls --\nname: {{ who }}\nos: {{ grains.os }}\n"},
		{name: "empty files", want: "{'v': 1}",
			files: "-- base/top.sls --\nbase: {'*': [a, b]}\n-- base/a.sls --\n\n-- base/b.sls --\nv: 1\n"},
		{name: "all errors at once",
			files: "-- base/top.sls --\nbase: {'*': [bad, missing, list]}\n-- base/bad.sls --\nx: {{ nope.y }}\n-- " +
				"base/list.sls --\n- 1\n",
			want: "base/bad.sls:1:7: 'nope' is undefined\nbase/list.sls:1:1: pillar SLS 'list' must be a mapping, not a list\n" +
				"base/top.sls:1:19: pillar SLS 'missing' not found in environment 'base' (searched base)"},
		{name: "an include of a pattern that names nothing",
			want:  "base/a.sls:1:11: pillar SLS 'n.*' not found in environment 'base' (searched base)",
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\ninclude: ['n.*']\nv: 1\n"},
		{name: "an include with slashes", want: "{'w': 1, 'v': 1}",
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\ninclude: [b/c]\nv: 1\n-- base/b/c.sls --\nw: 1\n"},
		{name: "bad includes", want: "base/a.sls:2:5: pillar SLS 'nope' not found in environment 'base' (searched base)\n" +
			"base/a.sls:3:5: relative include '..x' of pillar SLS 'a' goes beyond the top\nbase/a.sls:6:7: unknown argument " +
			"'kye' of the included 'b'",
			files: "-- base/top.sls --\nbase: {'*': [a]}\n-- base/a.sls --\ninclude:\n  - nope\n  - ..x\n  - b:\n      # a " +
				"typo\n      kye: x\n-- base/b.sls --\nv: 1\n"},
		{name: "malformed top", want: "base/top.sls:1:1: a top file must be a mapping of environments, not a list",
			files: "-- base/top.sls --\n- base\n"},
	} {
		got, err := compile(t, tt.files, tt.change)
		if d := cmp.Diff(tt.want, got); d != "" || err != nil {
			t.Errorf("%s: %v (-want +got)\n%s", tt.name, err, d)
		}
	}
}
