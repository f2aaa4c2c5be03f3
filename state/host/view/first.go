//go:build linux

package view

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"runtime"
	"syscall"

	"golang.org/x/sys/unix"
)

// The names that a view's processes are called by.
const (
	firstName  = "gostate: view"
	serverName = "gostate: commands of a view"
)

// The descriptors of a view's processes.
const (
	lifeFD    = 3 // of the first process: its setup, then the end of the one who opened the view
	notedFD   = 3 // of the server: what commands wanted outside
	serverFD  = 3 // of the program of a rehearsal: the server of its commands
	controlFD = 4 // of the first process, then of the server: questions and answers
)

// Begin is called first thing in main: it takes over when this process belongs to a view, and returns at once when not.
func Begin() {
	switch os.Args[0] {
	case firstName:
		os.Exit(first())
	case serverName:
		os.Exit(serve())
	}
}

// hide keeps other processes from looking into this one, and at its descriptors.
func hide() { _ = unix.Prctl(unix.PR_SET_DUMPABLE, 0, 0, 0, 0) }

// first is the view's first process: it makes the view, starts what runs in it, and takes in the orphans. All else ends
// with it.
func first() int {
	runtime.LockOSThread()                 // capabilities, filter and network are this thread's, for what it starts
	signal.Notify(make(chan os.Signal, 1)) // whoever tells process 1 to end shall not end the view
	unix.CloseOnExec(lifeFD)
	unix.CloseOnExec(controlFD)
	life := os.NewFile(lifeFD, "life")
	in := json.NewDecoder(life)
	var s setup
	if err := in.Decode(&s); err != nil {
		return 1
	}
	go func() {
		_, _ = io.Copy(io.Discard, life)
		os.Exit(1)
	}()
	pid, err := s.begin()
	if err != nil {
		var u *Unavailable
		if !errors.As(err, &u) {
			u = &Unavailable{Step: "make a view", Err: err.Error()}
		}
		_ = newWire(os.NewFile(controlFD, "control")).out.Encode(answer{Refused: u})
		return 1
	}
	_ = unix.Close(controlFD)
	return await(pid)
}

// begin makes the view and starts what runs in it. It gives the process whose end is the view's.
func (s *setup) begin() (pid int, err error) {
	t, err := buildTree()
	if err != nil {
		return 0, err
	}
	hide()
	if err := os.Chdir(s.Dir); err != nil {
		_ = os.Chdir("/")
	}
	if err := dropCapabilities(); err != nil {
		return 0, err
	}
	if s.Program == nil {
		return s.runServer(controlFD, nil)
	}
	if err := t.forbidStarts(); err != nil {
		return 0, err
	}
	return s.runProgram(t)
}

// runServer starts the server of commands, in a network of its own and watched.
func (s *setup) runServer(control int, env []string) (int, error) {
	if err := ownNetwork(); err != nil {
		return 0, err
	}
	noted, err := watchSockets()
	if err != nil {
		return 0, err
	}
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	if err != nil {
		return 0, err
	}
	files := []uintptr{null.Fd(), null.Fd(), 2, noted.Fd(), uintptr(control)}
	pid, err := syscall.ForkExec("/proc/self/exe", []string{serverName},
		&syscall.ProcAttr{Env: append(os.Environ(), env...), Files: files})
	if err != nil {
		return 0, fmt.Errorf("start the server of the view: %w", err)
	}
	return pid, errors.Join(noted.Close(), null.Close())
}

// await takes in every process that ends, until the one of the number does, and gives its exit code.
func await(pid int) int {
	for {
		var status unix.WaitStatus
		ended, err := unix.Wait4(-1, &status, 0, nil)
		switch {
		case errors.Is(err, unix.EINTR):
		case err != nil:
			return 1
		case ended == pid:
			return exitCode(syscall.WaitStatus(status))
		}
	}
}
