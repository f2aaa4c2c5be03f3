// Package cmd runs commands of the user's: the states cmd.run, wait, script and wait_script, and the execution
// functions of the same module. Results have the shapes of Salt's cmd module. What a command does cannot be known
// before, so a preview says only that it would run.
package cmd

import (
	"github.com/gostate/gostate/modules"
)

// Family is all functions of the package.
func Family() modules.Family {
	return modules.Family{Name: "cmd", States: []modules.StateSpec{run(), wait(), script(), waitScript()}, Execs: execs()}
}
