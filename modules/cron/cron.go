// Package cron keeps jobs and variables in users' crontabs.
//
// The lines that it manages stand below a marker, each job below a comment with its identifier, in the layout that Salt
// and crontab(1) write: a crontab that Salt managed is taken over as it is, and one that is edited with crontab(1)
// stays right.
// What stands above the marker is never touched. Crontabs are files here, so previews see what earlier states would
// write.
package cron

import "github.com/gostate/gostate/modules"

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{
		Name:   "cron",
		States: []modules.StateSpec{presentSpec(), absentSpec(), envPresentSpec(), envAbsentSpec(), fileSpec()},
		Execs:  execSpecs(), Describers: []modules.Describer{describer()},
	}
}
