package jinja

import (
	"context"
	"errors"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

// answers are what templates come to.
type answers map[string]string

func (a answers) Render(_ context.Context, _, _ string, text []byte, _, _ string, _ *value.Dict) ([]byte, error) {
	if out, ok := a[string(text)]; ok {
		return []byte(out), nil
	}
	return nil, errors.New(string(text))
}

func TestJinja(t *testing.T) {
	modtest.Execs{Family: Family(), Env: &modules.Env{Templates: answers{
		"{% from \"f/map.jinja\" import f with context %}\n{{ f | tojson }}\n":  "\n{\"a\": [1]}\n",
		"{% import_yaml \"f/d.yaml\" as imported %}\n{{ imported | tojson }}\n": "\nnull\n",
		"{% import_json \"f/d.json\" as imported %}\n{{ imported | tojson }}\n": "\n[true]\n",
	}}}.Table(t, [][4]string{
		{"jinja.load_map", `["f/map.jinja", "f"]`, "", "{'a': [1]}"},
		{"jinja.import_yaml", `["f/d.yaml"]`, "", "None"},
		{"jinja.import_json", `["f/d.json"]`, "", "[True]"},
		{"jinja.import_json", `["x"]`, "", "error: {% import_json \"x\" as imported %}\n{{ imported | tojson }}\n"},
	})
}
