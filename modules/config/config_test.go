package config

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

const (
	options = `{"id": "web1", "shared": "opts", "tree": {"o": 1, "x": "opts"}, "ext.a": 1, "file_client": "local", "empty": []}`
	grains  = `{"shared": "grains", "tree": {"g": 1, "x": "grains"}}`
	pillar  = `{"a": {"b": {"c": 1}}, "shared": "pillar", "tree": {"p": 1, "x": "pillar"}, "only": "p", "ext.b": 2}`
)

func TestConfig(t *testing.T) {
	env := &modules.Env{Opts: modtest.Dict(t, options), Grains: modtest.Dict(t, grains), Pillar: modtest.Dict(t, pillar)}
	modtest.Execs{Family: Family(), Env: env}.Table(t, [][4]string{
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
		{"config.option", `["ext.*"]`, `{"wildcard": true}`, "{'ext.b': 2, 'ext.a': 1}"},
		{"config.option", `["shared"]`, `{"omit_all": true}`, "''"},
		{"config.option", `["test.foo"]`, `{"omit_all": true}`, "'unconfigured'"},
		{"config.option", `["redis.*"]`, `{"wildcard": true}`, "{'redis.db': '0', 'redis.host': 'salt', 'redis.port': 6379}"},
		{"config.get", `["virt:tunnel"]`, "", "False"},
		{"config.get", `["aliases.file"]`, `{"merge": "recurse"}`, "'/etc/aliases'"},
		{"config.merge", `["solr.num_backups"]`, "", "1"},
		{"config.merge", `["empty", "d"]`, "", "[]"},
		{"config.backup_mode", `["minion"]`, "", "'minion'"},
		{"config.manage_mode", `["\"0o644\""]`, "", "'0644'"},
		{"config.manage_mode", `[0]`, "", "'0000'"},
		{"config.manage_mode", `[null]`, "", "None"},
		{"config.dot_vals", `["ext"]`, "", "{'ext.a': 1}"},
		{"config.merge", `["tree"]`, "", "{'p': 1, 'x': 'opts', 'o': 1}"},
		{"config.manage_mode", `["644"]`, "", "'0644'"},
		{"config.valid_fileproto", `["salt://x"]`, "", "True"},
	})
}
