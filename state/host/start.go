package host

import (
	"os/exec"
	"runtime"
	"syscall"
)

// start starts the process. The kernel would look for its directory as the user that it runs as; a directory that only
// root may enter is found nevertheless, as the directory is changed before the identity, in a thread that has it for
// itself and ends here.
func start(cmd *exec.Cmd) error {
	if cmd.Dir == "" || cmd.SysProcAttr.Credential == nil || cmd.SysProcAttr.Chroot != "" {
		return cmd.Start()
	}
	done := make(chan error)
	go func() {
		runtime.LockOSThread() // and never unlocked, so that nothing else runs in this thread
		if syscall.Unshare(syscall.CLONE_FS) == nil && syscall.Chdir(cmd.Dir) == nil {
			cmd.Dir = ""
		}
		done <- cmd.Start() // which tells what is wrong with the directory, if there is something
	}()
	return <-done
}
