//go:build linux

package view

import (
	"fmt"
	"os"

	"golang.org/x/sys/unix"
)

// ownNetwork gives this thread, and what it starts, a network with nothing but lo; in a container that may set no
// network up, lo stays down.
func ownNetwork() error {
	if err := unix.Unshare(unix.CLONE_NEWNET); err != nil {
		return &Unavailable{Step: "make a network namespace (unshare)", Err: err.Error(),
			Hint: "it takes CAP_SYS_ADMIN, and a kernel with CONFIG_NET_NS"}
	}
	fd, err := unix.Socket(unix.AF_INET, unix.SOCK_DGRAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return fmt.Errorf("set lo up: %w", err)
	}
	defer unix.Close(fd)
	req, err := unix.NewIfreq("lo")
	if err != nil {
		return err
	}
	req.SetUint16(unix.IFF_UP | unix.IFF_RUNNING)
	if err := unix.IoctlIfreq(fd, unix.SIOCSIFFLAGS, req); err != nil && err != unix.EPERM {
		return fmt.Errorf("set lo up: %w", err)
	}
	return nil
}

// kept are the capabilities that commands in a view have: what package scripts need for files, owners and programs.
// Without the others they cannot mount anything writable, look into processes outside, load modules or set the clock.
var kept = [...]int{
	unix.CAP_CHOWN, unix.CAP_DAC_OVERRIDE, unix.CAP_DAC_READ_SEARCH, unix.CAP_FOWNER, unix.CAP_FSETID, unix.CAP_KILL,
	unix.CAP_SETGID,
	unix.CAP_SETUID, unix.CAP_SETPCAP, unix.CAP_SETFCAP, unix.CAP_SYS_CHROOT, unix.CAP_MKNOD, unix.CAP_LINUX_IMMUTABLE,
	unix.CAP_SYS_NICE,
	unix.CAP_NET_BIND_SERVICE, unix.CAP_NET_ADMIN, unix.CAP_NET_RAW, unix.CAP_AUDIT_WRITE, unix.CAP_IPC_LOCK,
	unix.CAP_IPC_OWNER, unix.CAP_LEASE,
}

// dropCapabilities takes all others from what this thread starts.
func dropCapabilities() error {
	keep := map[int]bool{}
	for _, c := range kept {
		keep[c] = true
	}
	for c := 0; c <= unix.CAP_LAST_CAP; c++ {
		if keep[c] {
			continue
		}
		if err := unix.Prctl(unix.PR_CAPBSET_DROP, uintptr(c), 0, 0, 0); err != nil && err != unix.EINVAL {
			return fmt.Errorf("drop capability %d: %w", c, err)
		}
	}
	if os.Geteuid() == 0 {
		return nil
	}
	return unix.Prctl(unix.PR_CAP_AMBIENT, unix.PR_CAP_AMBIENT_CLEAR_ALL, 0, 0, 0)
}
