// Package sysctl keeps kernel settings: in the running kernel and in the file that sets them at boot.
package sysctl

import (
	"github.com/gostate/gostate/modules"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "sysctl", States: []modules.StateSpec{presentSpec()}, Execs: execSpecs(),
		Describers: []modules.Describer{describer()}}
}
