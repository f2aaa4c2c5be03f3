// Package locale keeps locales generated, and the machine's own locale.
package locale

import (
	"strings"

	"github.com/gostate/gostate/modules"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "locale", States: []modules.StateSpec{presentSpec(), systemSpec()},
		Describers: []modules.Describer{describer()}}
}

// normal spells a locale as `locale -a` does: en_US.UTF-8 is en_US.utf8.
func normal(name string) string {
	name, _, _ = strings.Cut(name, " ")
	lang, charset, ok := strings.Cut(name, ".")
	if !ok {
		return name
	}
	charset, mod, has := strings.Cut(charset, "@")
	charset = strings.ToLower(strings.ReplaceAll(charset, "-", ""))
	if has {
		return lang + "." + charset + "@" + mod
	}
	return lang + "." + charset
}
