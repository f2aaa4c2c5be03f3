//go:build linux

package view

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os"
	"runtime"
	"unsafe"

	"golang.org/x/sys/unix"
)

// A command that asks a service or the network gets no answer in a view. So that nobody takes "no answer" for "no", the
// kernel stops it at socket(2) and connect(2), the first process notes what was wanted, and lets it go on.

// Offsets into struct seccomp_data and the numbers of its programs.
const (
	dataNr   = 0
	dataArg0 = 16 // its lower half, on the little-endian machines that there are
	loadWord = unix.BPF_LD | unix.BPF_W | unix.BPF_ABS
	jumpEq   = unix.BPF_JMP | unix.BPF_JEQ | unix.BPF_K
	giveBack = unix.BPF_RET | unix.BPF_K
)

// socketFilter stops connect, and socket but for AF_UNIX.
func socketFilter() []unix.SockFilter {
	return []unix.SockFilter{
		{Code: loadWord, K: dataNr},
		{Code: jumpEq, K: unix.SYS_CONNECT, Jt: 3},
		{Code: jumpEq, K: unix.SYS_SOCKET, Jf: 3},
		{Code: loadWord, K: dataArg0},
		{Code: jumpEq, K: unix.AF_UNIX, Jt: 1},
		{Code: giveBack, K: unix.SECCOMP_RET_USER_NOTIF},
		{Code: giveBack, K: unix.SECCOMP_RET_ALLOW},
	}
}

// notif is struct seccomp_notif, reply struct seccomp_notif_resp.
type notif struct {
	id         uint64
	pid, flags uint32
	nr         int32
	arch       uint32
	ip         uint64
	args       [6]uint64
}

type reply struct {
	id    uint64
	val   int64
	error int32
	flags uint32
}

const letGoOn = 1 // SECCOMP_USER_NOTIF_FLAG_CONTINUE

// watchSockets watches what this thread starts. The file gives a line for each thing that was wanted outside.
func watchSockets() (*os.File, error) {
	filter := socketFilter()
	prog := unix.SockFprog{Len: uint16(len(filter)), Filter: &filter[0]}
	fd, _, errno := unix.RawSyscall(unix.SYS_SECCOMP, unix.SECCOMP_SET_MODE_FILTER, unix.SECCOMP_FILTER_FLAG_NEW_LISTENER,
		uintptr(unsafe.Pointer(&prog)))
	runtime.KeepAlive(filter)
	if errno != 0 {
		return nil, &Unavailable{Step: "watch sockets (seccomp)", Err: errno.Error(),
			Hint: "it takes Linux 5.5 or later with CONFIG_SECCOMP_FILTER"}
	}
	unix.CloseOnExec(int(fd))
	r, w, err := os.Pipe()
	if err != nil {
		return nil, err
	}
	_ = unix.SetNonblock(int(w.Fd()), true)
	go noteSockets(int(fd), w)
	return r, nil
}

// noteSockets answers the kernel until nobody is left to watch.
func noteSockets(fd int, w *os.File) {
	for {
		n := notif{}
		if _, _, errno := unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SECCOMP_IOCTL_NOTIF_RECV,
			uintptr(unsafe.Pointer(&n))); errno != 0 {
			if errno == unix.EINTR || errno == unix.ENOENT {
				continue
			}
			return
		}
		if what := n.wanted(); what != "" {
			_, _ = w.WriteString(what + "\n") // one that is full says enough
		}
		r := reply{id: n.id, flags: letGoOn}
		_, _, _ = unix.Syscall(unix.SYS_IOCTL, uintptr(fd), unix.SECCOMP_IOCTL_NOTIF_SEND, uintptr(unsafe.Pointer(&r)))
	}
}

// wanted is what the call asks for outside of the view, "" when it asks for nothing that is there.
func (n *notif) wanted() string {
	if n.nr == unix.SYS_SOCKET {
		switch {
		case n.args[0] != unix.AF_NETLINK:
			return "the network"
		case n.args[2] == unix.NETLINK_AUDIT || n.args[2] == unix.NETLINK_SELINUX || n.args[2] == unix.NETLINK_KOBJECT_UEVENT:
			return "" // useradd and its like tell; nobody asks
		}
		return "the kernel's network settings"
	}
	buf := make([]byte, min(n.args[2], 128))
	local := []unix.Iovec{{Base: unsafe.SliceData(buf)}}
	local[0].SetLen(len(buf))
	if _, err := unix.ProcessVMReadv(int(n.pid), local, []unix.RemoteIovec{{Base: uintptr(n.args[1]), Len: len(buf)}},
		0); err != nil || len(buf) < 3 {
		return "a socket"
	}
	if binary.NativeEndian.Uint16(buf) != unix.AF_UNIX {
		return "" // it was noted when the socket was made
	}
	path := buf[2:]
	if path[0] == 0 {
		return fmt.Sprintf("the socket @%s", path[1:])
	}
	path, _, _ = bytes.Cut(path, []byte{0})
	if string(path) == "/dev/log" || bytes.HasPrefix(path, []byte("/run/systemd/journal/")) {
		return "" // what is told the log is no question
	}
	if i, err := os.Stat(string(path)); err != nil || i.Mode()&os.ModeSocket == 0 {
		return ""
	}
	return "the socket " + string(path)
}
