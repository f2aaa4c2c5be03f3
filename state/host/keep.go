package host

import (
	"bytes"
	"encoding/json"
	"errors"
	"os"
	"os/exec"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"

	"golang.org/x/sys/unix"
)

// keep is the main function of a keeper. It ends with the command, and what that has left behind lives on, unless the
// command was to end: by its time limit, or by a signal.
func keep() int {
	unix.CloseOnExec(orderFD)
	unix.CloseOnExec(answerFD)
	signals := make(chan os.Signal, 4)
	signal.Notify(signals, syscall.SIGTERM, killNow)
	signal.Notify(make(chan os.Signal, 1), syscall.SIGINT, syscall.SIGHUP) // they are its parent's business
	_ = unix.Prctl(unix.PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
	answers := json.NewEncoder(os.NewFile(answerFD, "answers"))
	var o order
	if err := json.NewDecoder(os.NewFile(orderFD, "orders")).Decode(&o); err != nil {
		return 1
	}
	pid, err := o.start()
	if err != nil {
		a := answer{Error: o.Path + ": " + err.Error()}
		if errors.As(err, &a.Errno) {
			a.Error = o.Path
		}
		_ = answers.Encode(a)
		return 0
	}
	_ = answers.Encode(answer{PID: pid})
	ended := answer{PID: pid}
	ended.Status, ended.TimedOut = o.watch(pid, signals)
	_ = answers.Encode(ended)
	return 0
}

// start starts the command, and leaves it the standard streams alone.
func (o *order) start() (int, error) {
	cmd := &exec.Cmd{Path: o.Path, Args: o.Args, Env: o.Env, Dir: o.Dir, Stdin: os.Stdin, Stdout: os.Stdout,
		Stderr:      os.Stderr,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true, Chroot: o.Chroot, Credential: o.Credential}}
	if err := start(cmd); err != nil {
		return 0, err
	}
	for _, f := range []*os.File{os.Stdin, os.Stdout, os.Stderr} {
		f.Close()
	}
	return cmd.Process.Pid, nil
}

// watch waits for the command, and ends it with all that it started when it is time.
func (o *order) watch(pid int, signals <-chan os.Signal) (status syscall.WaitStatus, timedOut bool) {
	done := make(chan syscall.WaitStatus, 1)
	go reap(pid, done)
	var signalled os.Signal
	select {
	case status = <-done:
		return status, false
	case <-time.After(o.Timeout):
		timedOut = true
	case signalled = <-signals:
	}
	if signalled != killNow {
		signalBelow(pid, syscall.SIGTERM)
		select {
		case status = <-done:
			done <- status
		case <-time.After(grace):
		case <-signals:
		}
	}
	for range 500 { // what is killed may have started something in between
		if !signalBelow(pid, syscall.SIGKILL) {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	return <-done, timedOut
}

// reap takes in what ends below this process, until nothing is there.
func reap(pid int, done chan<- syscall.WaitStatus) {
	for {
		var status syscall.WaitStatus
		switch got, err := syscall.Wait4(-1, &status, 0, nil); {
		case errors.Is(err, syscall.EINTR):
		case err != nil:
			return
		case got == pid:
			done <- status
		}
	}
}

// signalBelow sends a signal to all processes below this one, and says whether there were any. Where there is no /proc
// these are those of the command's group.
func signalBelow(group int, s syscall.Signal) bool {
	children := childrenOf()
	if children == nil {
		return syscall.Kill(-group, s) == nil
	}
	below := children[os.Getpid()]
	for i := 0; i < len(below); i++ {
		below = append(below, children[below[i]]...)
		_ = syscall.Kill(below[i], s)
	}
	return len(below) > 0
}

// childrenOf are the processes that have not ended, by their parents; nil where there is no /proc.
func childrenOf() map[int][]int {
	proc, err := os.Open("/proc")
	if err != nil {
		return nil
	}
	defer proc.Close()
	names, _ := proc.Readdirnames(-1)
	var out map[int][]int
	for _, name := range names {
		pid, err := strconv.Atoi(name)
		stat, readErr := os.ReadFile("/proc/" + name + "/stat")
		if err != nil || readErr != nil {
			continue
		}
		if out == nil {
			out = map[int][]int{}
		}
		w := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:])) // its state, its parent, ...
		if parent, err := strconv.Atoi(w[1]); err == nil && w[0] != "Z" && w[0] != "X" {
			out[parent] = append(out[parent], pid)
		}
	}
	return out
}
