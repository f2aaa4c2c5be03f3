package pillar

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

const data = `{"a": {"b": {"c": 1}, "l": [1, {"k": "v"}]}, "shared": "pillar", "tree": {"p": 1, "x": "pillar"}, "none": null, "env": "prod", "only": "p"}`

func TestPillar(t *testing.T) {
	env := &modules.Env{Pillar: modtest.Dict(t, data), Opts: modtest.Dict(t, "{}")}
	env.InPillar = func(env, path string) bool { return path == "x.sls" && (env == "" || env == "base") }
	modtest.Execs{Family: Family(), Env: env}.Table(t, [][4]string{
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
		{"pillar.obfuscate", `[]`, "", "{'a': {'b': {'c': '<int>'}, 'l': ['<int>', {'k': '<str>'}]}, 'shared': '<str>', " +
			"'tree': {'p': '<int>', 'x': '<str>'}, 'none': '<NoneType>', 'env': '<str>', 'only': '<str>'}"},
		{"pillar.items", `["env"]`, "", "{'env': 'prod'}"},
		{"pillar.items", `[]`, `{"pillar": {"a": {"b": {"c": 2}}, "new": 1}}`,
			"{'a': {'b': {'c': 2}, 'l': [1, {'k': 'v'}]}, 'shared': 'pillar', " +
				"'tree': {'p': 1, 'x': 'pillar'}, 'none': None, 'env': 'prod', 'only': 'p', 'new': 1}"},
		{"pillar.items", `[]`, `{"pilar": {}}`, "error: items() got an unexpected keyword argument 'pilar'"},
		{"pillar.raw", `["env"]`, "", "'prod'"},
		{"pillar.filter_by", `[{"prod": 1, "default": 2}, "env"]`, "", "1"},
		{"pillar.file_exists", `["x.sls"]`, "", "True"},
		{"pillar.file_exists", `["y.sls"]`, "", "False"},
		{"pillar.file_exists", `["x.sls", "dev"]`, "", "False"},
	})
}
