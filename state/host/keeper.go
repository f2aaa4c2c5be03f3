package host

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"syscall"
	"time"
)

// A command with a time limit runs below a keeper: a process, this program again, that takes in what the command starts
// and leaves behind in sessions of its own. When the time is over it ends them all. What other programs start on the
// command's behalf, systemd above all, is not below it.

// keeperName is what a keeper is called by.
const keeperName = "gostate: keeper of a command"

// The descriptors of a keeper, and what more it answers to than SIGTERM, which gives the command a grace.
const (
	orderFD  = 3
	answerFD = 4
	killNow  = syscall.SIGUSR1
)

// An order is the command that a keeper runs, with its own standard streams.
type order struct {
	Path, Dir  string
	Args, Env  []string
	Chroot     string
	Credential *syscall.Credential
	Timeout    time.Duration
}

// An answer is what a keeper says: first with the process, or why there is none, then with how it ended.
type answer struct {
	PID      int
	Error    string
	Errno    syscall.Errno
	Status   syscall.WaitStatus
	TimedOut bool
}

// Begin is called first thing in main: it takes over when this process is a keeper, and returns at once when not.
func Begin() {
	if os.Args[0] == keeperName {
		os.Exit(keep())
	}
}

// Keep says that this program calls Begin: the users' commands with a time limit run below keepers.
func (o *OS) Keep() { o.keeps = true }

// runKept runs the command below a keeper.
func (o *OS) runKept(ctx context.Context, cmd *exec.Cmd, c Cmd, out *Output) error {
	orders, order1, err := os.Pipe()
	if err != nil {
		return err
	}
	answers, answers1, err := os.Pipe()
	if err != nil {
		return errors.Join(err, orders.Close(), order1.Close())
	}
	defer answers.Close()
	k := &exec.Cmd{Path: "/proc/self/exe", Args: []string{keeperName}, Env: []string{}, WaitDelay: drain,
		Stdin: cmd.Stdin, Stdout: cmd.Stdout, Stderr: cmd.Stderr, ExtraFiles: []*os.File{orders, answers1},
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
	err = k.Start()
	orders.Close()
	answers1.Close()
	if err == nil {
		err = json.NewEncoder(order1).Encode(order{Path: cmd.Path, Dir: cmd.Dir, Args: cmd.Args, Env: cmd.Env,
			Chroot: cmd.SysProcAttr.Chroot, Credential: cmd.SysProcAttr.Credential, Timeout: c.Timeout})
	}
	order1.Close()
	if err != nil {
		return fmt.Errorf("run %s: start its keeper: %w", cmd.Path, err)
	}
	return o.await(ctx, k, c, json.NewDecoder(answers), out)
}

// await waits for the keeper, and has it end the command when the context is over.
func (o *OS) await(ctx context.Context, k *exec.Cmd, c Cmd, answers *json.Decoder, out *Output) error {
	done := make(chan error, 1)
	var begun, ended answer
	err := answers.Decode(&begun)
	go func() { done <- k.Wait() }()
	switch {
	case err != nil:
		return errors.Join(fmt.Errorf("run: the keeper of the command ended: %w", err), <-done)
	case begun.Errno != 0:
		return fmt.Errorf("run %s: %w", begun.Error, begun.Errno)
	case begun.Error != "":
		return fmt.Errorf("run %s", begun.Error)
	}
	out.PID = begun.PID
	defer o.note(c, out.PID)()
	var cause error
	select {
	case <-done:
	case <-ctx.Done():
		cause = context.Cause(ctx)
		_ = k.Process.Signal(syscall.SIGTERM)
		select {
		case <-done:
		case <-hurried(ctx):
			_ = k.Process.Signal(killNow)
			<-done
		}
	}
	if err := answers.Decode(&ended); err != nil && cause == nil {
		return fmt.Errorf("run: the keeper of the command ended: %w", err)
	}
	out.Code, out.TimedOut = codeOf(ended.Status), ended.TimedOut
	return cause
}
