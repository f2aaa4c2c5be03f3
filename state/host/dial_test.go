package host

import (
	"net"
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// TestDialAs: the server sees the user whom the caller names, and nobody else is that user afterwards.
func TestDialAs(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	h, err := NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	nobody, err := h.User("nobody")
	if err != nil {
		t.Skip("there is no user nobody")
	}
	dir, err := os.MkdirTemp("/tmp", "gostate-dial-")
	if err != nil {
		t.Fatal(err)
	}
	defer os.RemoveAll(dir)
	socket := filepath.Join(dir, "s")
	l, err := net.Listen("unix", socket)
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	if err := os.Chmod(dir, 0o755); err != nil {
		t.Fatal(err)
	}
	if _, err := h.Dial(DialAs(t.Context(), "nobody"), "unix", socket); err == nil {
		t.Error("a socket that nobody but root may write to was opened as nobody")
	}
	if err := os.Chmod(socket, 0o666); err != nil {
		t.Fatal(err)
	}
	for range 20 {
		c, err := h.Dial(DialAs(t.Context(), "nobody"), "unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		if uid := peer(t, l); uid != uint32(nobody.UID) {
			t.Errorf("the server sees %d", uid)
		}
		_ = c.Close()
		own, err := h.Dial(t.Context(), "unix", socket)
		if err != nil {
			t.Fatal(err)
		}
		if uid := peer(t, l); uid != 0 {
			t.Errorf("then the server sees %d", uid)
		}
		_ = own.Close()
	}
	if _, err := h.Dial(DialAs(t.Context(), "no-such-user"), "unix", socket); err == nil {
		t.Error("a user who does not exist connected")
	}
	threads, _ := filepath.Glob("/proc/self/task/*")
	for _, task := range threads {
		if i, err := os.Stat(task); err == nil && i.Sys().(*syscall.Stat_t).Uid != 0 {
			t.Errorf("%s belongs to another user", task)
		}
	}
}

// peer accepts a connection and tells whose it is.
func peer(t *testing.T, l net.Listener) uint32 {
	t.Helper()
	c, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	raw, err := c.(*net.UnixConn).SyscallConn()
	if err != nil {
		t.Fatal(err)
	}
	var cred *unix.Ucred
	if err := raw.Control(func(fd uintptr) {
		cred, err = unix.GetsockoptUcred(int(fd), unix.SOL_SOCKET,
			unix.SO_PEERCRED)
	}); err != nil {
		t.Fatal(err)
	}
	return cred.Uid
}
