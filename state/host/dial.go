package host

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"runtime"
	"syscall"
	"time"
	"unsafe"

	"golang.org/x/sys/unix"
)

// dialUser is the key of the context for the user who connects.
type dialUser struct{}

// DialAs is ctx for a Dial of a socket of the machine as a user: the server at the other end sees that one.
func DialAs(ctx context.Context, user string) context.Context {
	return context.WithValue(ctx, dialUser{}, user)
}

func dialler(ctx context.Context) string {
	name, _ := ctx.Value(dialUser{}).(string)
	return name
}

// connectTime bounds how long the connection to a socket waits for a place in the queue of its server.
const connectTime = 10 * time.Second

// dialAs connects to a socket as a user. What the server sees are the effective identities of the thread that connects.
func (o *OS) dialAs(ctx context.Context, name, address string) (net.Conn, error) {
	_, cred, err := o.credential(name, "")
	if err != nil {
		return nil, fmt.Errorf("dial %s: %w", address, err)
	}
	if cred == nil {
		return (&net.Dialer{}).DialContext(ctx, "unix", address)
	}
	type answer struct {
		fd  int
		err error
	}
	done := make(chan answer)
	go func() {
		fd, err := onThreadAs(cred, func() (int, error) { return connect(address) })
		done <- answer{fd, err}
	}()
	a := <-done
	if a.err != nil {
		return nil, &net.OpError{Op: "dial", Net: "unix", Addr: &net.UnixAddr{Name: address, Net: "unix"}, Err: a.err}
	}
	f := os.NewFile(uintptr(a.fd), address)
	defer f.Close()
	return net.FileConn(f)
}

// onThreadAs does something on a thread that has other effective identities meanwhile. Real and saved ones stay root's,
// so that the user may send the thread no signal, and it can come back; where it cannot, it ends with its goroutine:
// Go makes no thread from one that is locked. No other thread sees any of it: these are raw calls, which Go's own
// wrappers would make on all of them.
func onThreadAs(cred *syscall.Credential, do func() (int, error)) (int, error) {
	runtime.LockOSThread()
	own, err := syscall.Getgroups()
	if err != nil {
		runtime.UnlockOSThread()
		return -1, err
	}
	mine := make([]uint32, len(own))
	for i, g := range own {
		mine[i] = uint32(g)
	}
	err = become(cred.Groups, cred.Gid, cred.Uid)
	fd := -1
	if err == nil {
		fd, err = do()
	}
	// back in the other order: only root may take groups
	if effective(unix.SYS_SETRESUID, uint32(os.Getuid())) == nil &&
		become(mine, uint32(os.Getgid()), uint32(os.Getuid())) == nil {
		runtime.UnlockOSThread()
	}
	return fd, err
}

// become sets groups and effective identities of this thread.
func become(groups []uint32, gid, uid uint32) error {
	return errors.Join(setgroups(groups), effective(unix.SYS_SETRESGID, gid), effective(unix.SYS_SETRESUID, uid))
}

func setgroups(groups []uint32) error {
	var first unsafe.Pointer
	if len(groups) > 0 {
		first = unsafe.Pointer(&groups[0])
	}
	if _, _, errno := syscall.RawSyscall(unix.SYS_SETGROUPS, uintptr(len(groups)), uintptr(first), 0); errno != 0 {
		return errno
	}
	return nil
}

// effective sets the effective user or group of this thread, and leaves the real and the saved one.
func effective(call uintptr, id uint32) error {
	const keep = ^uintptr(0)
	if _, _, errno := syscall.RawSyscall(call, keep, uintptr(id), keep); errno != 0 {
		return errno
	}
	return nil
}

// connect connects to a socket, and gives up when its server takes nobody for long.
func connect(address string) (int, error) {
	fd, err := unix.Socket(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return -1, os.NewSyscallError("socket", err)
	}
	limit := unix.NsecToTimeval(int64(connectTime))
	err = unix.SetsockoptTimeval(fd, unix.SOL_SOCKET, unix.SO_SNDTIMEO, &limit)
	if err == nil {
		err = unix.Connect(fd, &unix.SockaddrUnix{Name: address})
	}
	if err == nil {
		err = unix.SetNonblock(fd, true)
	}
	if err != nil {
		_ = unix.Close(fd)
		return -1, os.NewSyscallError("connect", err)
	}
	return fd, nil
}
