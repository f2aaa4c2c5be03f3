package ssh

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"strings"
	"sync"
	"time"
)

// A stream is the run on a machine, as seen from here.
type stream struct {
	cmd    *exec.Cmd
	in     io.WriteCloser
	out    *bufio.Reader
	to     *sender
	heard  *listener
	noise  string // what a shell printed before
	mark   string
	closed sync.Once
}

// A listener takes what ssh and the far side say on standard error, and calls when they say the prompt of sudo.
type listener struct {
	prompt string
	asked  func(times int)

	mu    sync.Mutex // guards all below
	text  bytes.Buffer
	times int
}

// maxHeard bounds what is kept of standard error.
const maxHeard = 1 << 20

// Write takes a part of it. The prompt has no line end behind it.
func (l *listener) Write(p []byte) (int, error) {
	l.mu.Lock()
	if l.text.Len() < maxHeard {
		l.text.Write(p)
	}
	n := 0
	if l.prompt != "" {
		n = strings.Count(l.text.String(), l.prompt)
	}
	more := n > l.times
	l.times = max(l.times, n)
	l.mu.Unlock()
	if more {
		l.asked(n)
	}
	return len(p), nil
}

// String is what was heard, without prompts.
func (l *listener) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.prompt == "" {
		return l.text.String()
	}
	return strings.ReplaceAll(l.text.String(), l.prompt, "")
}

// Sudo is how root is asked for.
type Sudo struct {
	// Never says that nobody asks sudo.
	Never bool
	// Password is what sudo is given when it asks; nil where there is none.
	Password func() (string, error)
}

// open starts the program over there, and gives the stream when it has said that it is there.
func (c *conn) open(ctx context.Context, m *machine, program string, s *Sudo) (*stream, error) {
	if m.uid == 0 || s.Never || c.host.Sudo != nil && !*c.host.Sudo {
		return c.start(ctx, program, "", nil)
	}
	st, err := c.start(ctx, program, "sudo -n -- ", nil)
	var f *Fault
	if err == nil || !errors.As(err, &f) || !wantsPassword(f.Heard) {
		return st, sudoFault(err)
	}
	if s.Password == nil {
		return nil, &Fault{Msg: "sudo wants a password there", Heard: lastLine(f.Heard),
			Hint: "--ask-sudo-password asks you for it; --no-sudo runs as the user"}
	}
	word, err := s.Password()
	if err != nil {
		return nil, err
	}
	prompt := newMark()
	st, err = c.start(ctx, program, "sudo -S -p "+prompt+" -- ", &prompted{prompt, word})
	return st, sudoFault(err)
}

// A prompted is a password with the prompt that asks for it.
type prompted struct{ prompt, word string }

func wantsPassword(heard string) bool {
	return strings.Contains(heard, "password is required") || strings.Contains(heard, "a terminal is required") ||
		strings.Contains(heard, "askpass")
}

// sudoFault is what is wrong with sudo, where that is what is wrong.
func sudoFault(err error) error {
	var f *Fault
	if !errors.As(err, &f) {
		return err
	}
	for _, s := range []struct{ says, msg, hint string }{
		{"incorrect password", "the password is not the one that sudo wants", ""},
		{"not in the sudoers", "the user may not use sudo there", "log in as another user, or --no-sudo"},
		{"may not run sudo", "the user may not use sudo there", "log in as another user, or --no-sudo"},
		{"not allowed to execute", "the user may not run gostate by sudo there", "let sudoers allow it, or --no-sudo"},
		{"must have a tty", "sudo wants a terminal there", "take requiretty out of its sudoers"},
		{"sudo: not found", "there is no sudo there", "log in as root, or --no-sudo runs as the user"},
		{"sudo: command not found", "there is no sudo there", "log in as root, or --no-sudo runs as the user"},
	} {
		if strings.Contains(f.Heard, s.says) {
			return &Fault{Msg: s.msg, Heard: lastLine(f.Heard), Hint: s.hint}
		}
	}
	return err
}

// start starts it, by sudo or not, and waits until it says its mark.
func (c *conn) start(ctx context.Context, program, sudo string, pw *prompted) (*stream, error) {
	s := &stream{mark: newMark(), heard: &listener{}}
	s.cmd = c.command(context.WithoutCancel(ctx), sudo+quoted(program)+" ssh-serve "+s.mark)
	var err error
	if s.in, err = s.cmd.StdinPipe(); err != nil {
		return nil, err
	}
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	wrong := false
	if pw != nil {
		s.heard.prompt = pw.prompt
		s.heard.asked = func(times int) {
			if times > 1 { // it was wrong
				wrong = true
				s.close()
				return
			}
			_, _ = io.WriteString(s.in, pw.word+"\n") // sudo says what is wrong
		}
	}
	s.cmd.Stderr = s.heard
	if err := s.cmd.Start(); err != nil {
		return nil, &Fault{Msg: "ssh cannot be started", Heard: err.Error()}
	}
	stop := context.AfterFunc(ctx, s.close)
	defer stop()
	s.out, s.to = bufio.NewReaderSize(out, 64<<10), newSender(s.in)
	if err := s.greeted(); err == nil {
		return s, nil
	}
	s.close()
	_ = s.cmd.Wait()
	heard := s.heard.String()
	switch {
	case ctx.Err() != nil:
		return nil, context.Cause(ctx)
	case wrong:
		return nil, &Fault{Msg: "the password is not the one that sudo wants"}
	case exitCode(s.cmd) == 255:
		return nil, c.unreached(heard)
	}
	return nil, &Fault{Msg: "the program does not start there", Heard: lastLine(firstOf(heard, s.noise))}
}

// greeted reads up to the mark.
func (s *stream) greeted() error {
	for len(s.noise) < maxHeard {
		line, err := readLine(s.out)
		if err != nil {
			return err
		}
		if string(line) == s.mark {
			return nil
		}
		s.noise += string(line) + "\n"
	}
	return fmt.Errorf("nothing but noise")
}

// close ends standard input of the far side, which ends its run.
func (s *stream) close() { s.closed.Do(func() { _ = s.in.Close() }) }

// settle is how long the far side may take to leave when all is said.
const settle = 10 * time.Second

// end waits until ssh has ended.
func (s *stream) end() {
	s.close()
	t := time.AfterFunc(settle, func() { _ = s.cmd.Process.Kill() })
	defer t.Stop()
	_, _ = io.Copy(io.Discard, s.out)
	_ = s.cmd.Wait()
}
