//go:build linux

package view

import (
	"encoding/json"
	"errors"
	"os"
	"syscall"

	"golang.org/x/sys/unix"
)

// Rehearse runs this program with the words in a view, where Entered tells it so, and gives its exit code. What it
// prints is shown as it comes. The error is an *Unavailable where there can be no view: then nothing ran.
func Rehearse(words []string) (int, error) {
	ours, theirs, err := socketPair()
	if err != nil {
		return 0, err
	}
	defer theirs.Close()
	v := &View{done: make(chan struct{}), client: client{wire: newWire(ours)}}
	if err := v.start(setup{Program: append([]string{os.Args[0]}, words...)}, theirs); err != nil {
		ours.Close()
		return 0, err
	}
	theirs.Close()
	if err := v.wire.ready(); err != nil {
		v.Close()
		return 0, err
	}
	<-v.done
	return exitCode(v.cmd.ProcessState.Sys()), v.Close()
}

func exitCode(status any) int {
	ws, _ := status.(syscall.WaitStatus)
	if ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return ws.ExitStatus()
}

// planVariable is the environment variable that tells the program in a rehearsal that it is in one, and what it has.
const planVariable = "GOSTATE_VIEW"

// A stage is what the program in a rehearsal has: layers of files to compare, files that are there by themselves,
// sockets that it may look through.
type stage struct {
	Layers  []layer
	Seeds   []string
	Sockets map[string]int // descriptors
	Bound   []string       // file systems that are read-only here
	Booted  bool           // systemd runs the machine
}

// booted is the directory that says so.
const booted = "/run/systemd/system"

// A layer is a file system of the machine and what the view has over it, as descriptors.
type layer struct {
	Point        string
	Lower, Upper int
}

// runProgram starts the program of a rehearsal, and after it the server for its commands, in a network of its own.
func (s *setup) runProgram(t *tree) (pid int, err error) {
	var pair [2]int
	if pair, err = unix.Socketpair(unix.AF_UNIX, unix.SOCK_STREAM|unix.SOCK_CLOEXEC, 0); err != nil {
		return 0, err
	}
	files := []uintptr{0, 1, 2, uintptr(pair[0])}
	give := func(fd *int) {
		files = append(files, uintptr(*fd))
		*fd = len(files) - 1
	}
	for i := range t.stage.Layers {
		give(&t.stage.Layers[i].Lower)
		give(&t.stage.Layers[i].Upper)
	}
	for path, fd := range t.stage.Sockets {
		give(&fd)
		t.stage.Sockets[path] = fd
	}
	text, err := json.Marshal(t.stage)
	if err != nil {
		return 0, err
	}
	env := append(os.Environ(), planVariable+"="+string(text))
	pid, err = syscall.ForkExec("/proc/self/exe", s.Program, &syscall.ProcAttr{Env: env, Files: files})
	if err == nil {
		_, err = s.runServer(pair[1], []string{"SYSTEMD_OFFLINE=1"}) // systemctl then works on files alone
	}
	if err == nil {
		err = newWire(os.NewFile(controlFD, "control")).out.Encode(answer{})
	}
	return pid, err
}

// forbidStarts keeps the scripts of packages from starting services: they see no systemd and, as Debian provides for, a
// policy against it. That is no state's doing, so it is no change.
func (t *tree) forbidStarts() error {
	if _, err := os.Lstat(booted); err == nil {
		t.stage.Booted = os.RemoveAll(booted) == nil
		t.stage.Seeds = append(t.stage.Seeds, booted)
	}
	const path = "/usr/sbin/policy-rc.d"
	if _, err := os.Lstat("/usr/sbin"); err != nil {
		return nil
	}
	t.stage.Seeds = append(t.stage.Seeds, path)
	_ = os.Remove(path)
	err := os.WriteFile(path, []byte("#!/bin/sh\nexit 101\n"), 0o755)
	if errors.Is(err, os.ErrPermission) && os.Geteuid() != 0 {
		return nil
	}
	return err
}
