// Package service keeps services running, stopped, enabled, disabled and masked.
//
// What a service is, is hidden behind Provider: systemd, asked through D-Bus and, where D-Bus is missing, through
// systemctl; scripts of /etc/init.d; OpenRC. The states compare what the provider says with what is wanted and never
// talk to systemd themselves.
package service

import "github.com/gostate/gostate/modules"

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{
		Name: "service",
		States: []modules.StateSpec{
			runningSpec(), deadSpec(), enabledSpec(), disabledSpec(), maskedSpec(), unmaskedSpec(),
		},
		Execs: execSpecs(), Describers: []modules.Describer{describer()},
	}
}
