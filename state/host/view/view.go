//go:build linux

// Package view makes a throwaway view of this machine: a process tree in a mount, PID, IPC and network namespace of its
// own, where every file system is an overlay whose upper layer is in memory. Commands see there what a preview's
// host.Overlay holds, and what they write is gone with the view.
//
// It promises that nothing stays behind: mounts, processes and files live in namespaces that end with their first
// process, which ends with the process that opened the view, however that ends. It is no prison for those who want to
// break out as root: see docs/rehearsal.md for what holds.
//
// A program that opens views calls Begin first thing in main: a view's processes are the same program, called by
// another name.
package view

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"syscall"

	"golang.org/x/sys/unix"
)

// An Unavailable error says why this machine gives no view.
type Unavailable struct {
	Step string // what was tried: "mount an overlay on /"
	Err  string
	Hint string
}

func (u *Unavailable) Error() string { return fmt.Sprintf("cannot %s: %s", u.Step, u.Err) }

// A View is a running view. One command runs in it at a time.
type View struct {
	client
	cmd  *exec.Cmd
	life *os.File // the view ends when this closes
	done chan struct{}
}

// A setup says what a view is to be; it is the first line on the life pipe.
type setup struct {
	Dir string // where what runs in it starts
	// Program are the name and the words of this program as it is to run in the view; nil serves commands to who opened
	// it.
	Program []string
}

// Open makes a view of the machine whose commands Run gives it. The error is an *Unavailable where the kernel, or who
// runs this one, does not let it.
func Open(ctx context.Context) (*View, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return nil, err
	}
	defer theirs.Close()
	v := &View{done: make(chan struct{}), client: client{wire: newWire(ours)}}
	v.stop = v.kill
	if err := v.start(setup{}, theirs); err != nil {
		ours.Close()
		return nil, err
	}
	stop := context.AfterFunc(ctx, func() { v.cmd.Process.Kill() })
	defer stop()
	if err := v.wire.ready(); err != nil {
		v.Close()
		return nil, err
	}
	return v, nil
}

// start starts the view's first process. It is started by a thread that lives as long as the view, since the kernel
// ends the view with that thread.
func (v *View) start(s setup, control *os.File) error {
	r, w, err := os.Pipe()
	if err != nil {
		return err
	}
	defer r.Close()
	v.life = w
	v.cmd = &exec.Cmd{Path: "/proc/self/exe", Args: []string{firstName}, Env: os.Environ(),
		ExtraFiles: []*os.File{r, control}, SysProcAttr: attributes()}
	v.cmd.Stderr = os.Stderr
	if s.Dir, _ = os.Getwd(); s.Program != nil {
		v.cmd.Stdin, v.cmd.Stdout = os.Stdin, os.Stdout
	}
	started := make(chan error)
	go func() {
		runtime.LockOSThread() // never unlocked: the thread ends with this function
		err := v.cmd.Start()
		started <- err
		if err == nil {
			_ = v.cmd.Wait()
			close(v.done)
		}
	}()
	if err := <-started; err != nil {
		w.Close()
		return namespaceError(err)
	}
	return json.NewEncoder(w).Encode(s)
}

// attributes are the namespaces of the first process. Who is not root gets a user namespace, in which the user stays
// who it is.
func attributes() *syscall.SysProcAttr {
	a := &syscall.SysProcAttr{Cloneflags: unix.CLONE_NEWNS | unix.CLONE_NEWPID | unix.CLONE_NEWIPC,
		Pdeathsig: syscall.SIGKILL}
	if uid, gid := os.Geteuid(), os.Getegid(); uid != 0 {
		a.Cloneflags |= unix.CLONE_NEWUSER
		a.UidMappings = []syscall.SysProcIDMap{{ContainerID: uid, HostID: uid, Size: 1}}
		a.GidMappings = []syscall.SysProcIDMap{{ContainerID: gid, HostID: gid, Size: 1}}
		a.AmbientCaps = []uintptr{unix.CAP_SYS_ADMIN, unix.CAP_NET_ADMIN, unix.CAP_SYS_PTRACE, unix.CAP_SYS_CHROOT,
			unix.CAP_SETPCAP, unix.CAP_DAC_OVERRIDE}
	}
	return a
}

func namespaceError(err error) error {
	hint := "it takes root with CAP_SYS_ADMIN: in a container, run that one with --privileged"
	if os.Geteuid() != 0 {
		hint = "run it as root, or let users make namespaces: sysctl kernel.unprivileged_userns_clone=1, " +
			"user.max_user_namespaces, kernel.apparmor_restrict_unprivileged_userns=0"
	}
	return &Unavailable{Step: "make namespaces (clone)",
		Err: strings.TrimPrefix(err.Error(), "fork/exec /proc/self/exe: "), Hint: hint}
}

func (v *View) kill() { _ = v.cmd.Process.Kill() }

// Close ends the view and everything in it, and waits until it is gone.
func (v *View) Close() error {
	v.life.Close()
	v.kill()
	<-v.done
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.err == nil {
		v.err = errors.New("the view is closed")
	}
	return v.wire.file.Close()
}

func socketPair() (ours, theirs *os.File, err error) {
	fds, err := unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0)
	if err != nil {
		return nil, nil, fmt.Errorf("make a socket: %w", err)
	}
	return os.NewFile(uintptr(fds[0]), "view"), os.NewFile(uintptr(fds[1]), "view"), nil
}
