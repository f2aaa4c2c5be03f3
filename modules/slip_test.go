package modules

import "testing"

// TestSlipOf: what is a slip of what every state takes, and what may well be meant.
func TestSlipOf(t *testing.T) {
	for name, want := range map[string]string{
		"unles": "unless", "onlyf": "onlyif", "onchange": "onchanges", "requre": "require", "chek_cmd": "check_cmd",
		"reqiure": "require", "requires": "require", "watch_inn": "watch_in", "wacth": "watch", "require_any_": "require_any",
		"onfial": "onfail", "prerequisite": "",
		"match": "", "create": "", "user": "", "user_in": "", "uses": "", "port": "", "batch": "", "patch": "", "scheduler": "",
		"listener": "", "context_name": "", "tag": "", "aliases": "", "status": "", "states": "", "hosts": "",
	} {
		if got := slipOf(name); got != want {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}
