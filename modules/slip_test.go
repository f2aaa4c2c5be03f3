package modules

import (
	"testing"

	"github.com/gostate/gostate/state/value"
)

// TestSlipOf: what is a slip of what every state takes, and what may well be meant.
func TestSlipOf(t *testing.T) {
	for name, want := range map[string]string{
		"unles": "unless", "onlyf": "onlyif", "onchange": "onchanges", "requre": "require", "chek_cmd": "check_cmd",
		"reqiure": "require", "requires": "require", "watch_inn": "watch_in", "wacth": "watch", "require_any_": "require_any",
		"onfial": "onfail", "prerequisite": "",
		"match": "", "create": "", "user": "", "user_in": "", "uses": "", "port": "", "batch": "", "patch": "",
		"scheduler": "",
		"listener":  "", "context_name": "", "tag": "", "aliases": "", "status": "", "states": "", "hosts": "",
		"UNLESS": "unless", "Onlyif": "onlyif", "WATCH": "watch", "watc": "", "wathh": "", "NAMES": "names",
	} {
		if got := slipOf(name, value.Str("x")); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

// TestSlipOfRequisite: what refers to states, under a name near to that of a requisite, is one.
func TestSlipOfRequisite(t *testing.T) {
	refers := value.NewList(value.DictOf("file", value.Str("/x")))
	for name, want := range map[string]string{
		"watc": "watch", "wath": "watch", "wach": "watch", "wathh": "watch", "requre": "require", "Watch": "watch",
		"batch": "", "patch": "", "tag": "", "port": "", "ports": "", "match": "", "catc": "", "path": "", "hosts": "",
	} {
		if got := slipOf(name, refers); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
