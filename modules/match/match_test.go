package match

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
)

func TestMatch(t *testing.T) {
	env := &modules.Env{Match: func(kind, target, delim, id string) (bool, error) {
		return kind+"/"+target == "compound/web*" || target == "own" || id == "other", nil
	}}
	modtest.Execs{Family: Family(), Env: env}.Table(t, [][4]string{
		{"match.compound", `["web*"]`, "", "True"},
		{"match.glob", `["db*"]`, "", "False"},
		{"match.glob", `["x", "other"]`, "", "True"},
		{"match.search_by", `[{"a": ["no", "own"], "b": ["no"]}]`, "", "['a']"},
		{"match.search_by", `[{"b": ["no"]}]`, "", "None"},
		{"match.filter_by", `[{"no": 1, "own": 2}]`, "", "2"},
		{"match.filter_by", `[{"no": 1, "default": 3}]`, "", "3"},
		{"match.filter_by", `[{"own": 0, "default": 3}]`, "", "0"},
		{"match.filter_by", `[{"no": 1, "default": {"a": 1}}]`, `{"merge": {"b": 2}}`, "{'a': 1}"},
		{"match.ifelse", `["no", 1, "own", 2, 3]`, "", "2"},
		{"match.ifelse", `[false, 1, true, 2, 3]`, "", "3"},
		{"match.ifelse", `["no", 1, "no", 2, 3]`, "", "3"},
		{"match.ifelse", `[7]`, "", "7"},
		{"match.ifelse", `["own", 1]`, "", "error: The ifelse function must have an odd number of arguments!"},
		{"match.filter_by", `[{"own": {"a": 1}}]`, `{"merge": {"b": 2}}`, "{'a': 1, 'b': 2}"},
	})
}
