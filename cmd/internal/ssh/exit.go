package ssh

import "os/exec"

// exitCode is that of a command that ran, -1 of one that did not.
func exitCode(cmd *exec.Cmd) int {
	if cmd.ProcessState == nil {
		return -1
	}
	return cmd.ProcessState.ExitCode()
}
