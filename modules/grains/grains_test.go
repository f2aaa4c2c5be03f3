package grains

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/value"
)

const data = `{"os": "Debian", "os_family": "Debian", "osfinger": "Debian-12", "roles": ["db", "web"], "shared": "grains", "tree": {"g": 1, "x": "grains"},
	"dns": {"nameservers": ["192.0.2.1"]}, "zero": 0}`

func functions(t *testing.T) modtest.Execs {
	return modtest.Execs{Family: Family(), Env: &modules.Env{Grains: modtest.Dict(t, data)}}
}

func TestGrains(t *testing.T) {
	functions(t).Table(t, [][4]string{
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
	table := modtest.JSON(t, `{"Debian": {"a": 1}}`)
	if _, err := functions(t).Value(t, "grains.filter_by", []value.Value{table},
		value.DictOf("merge", modtest.JSON(t, `{"b": 2}`))); err != nil {
		t.Fatal(err)
	}
	if got, want := value.Repr(table), "{'Debian': {'a': 1, 'b': 2}}"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}
