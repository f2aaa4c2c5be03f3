// Package timezone keeps the machine's time zone: the link /etc/localtime, and what else names the zone.
package timezone

import (
	"github.com/gostate/gostate/modules"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "timezone", States: []modules.StateSpec{systemSpec()}, Execs: execs(),
		Describers: []modules.Describer{describer()}}
}
