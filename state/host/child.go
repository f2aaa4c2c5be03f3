package host

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"sync"
	"syscall"
	"time"
)

// A Child is a command that runs on beside this program and answers lines: it prints one for each that it is sent.
type Child interface {
	// Ask sends a line and gives the answer, both without their newline. When the context ends first, so does the child.
	Ask(ctx context.Context, line []byte) ([]byte, error)
	// Close ends the child and waits for it.
	Close() error
}

// A Starter is a machine that starts children.
type Starter interface {
	Start(ctx context.Context, c Cmd) (Child, error)
}

// A ChildRunner is a Runner that starts children, too.
type ChildRunner interface {
	StartIn(ctx context.Context, o *Overlay, c Cmd) (Child, error)
}

// Starting is the machine that starts children for h. For an overlay of a preview it is the one with a runner, which
// starts them where they can harm nothing; nil where there is none. For the forecast of a run, whose templates ask
// children as they run commands, it is the machine itself.
func Starting(h Reader) Starter {
	for {
		if m, ok := h.(masked); ok {
			h = m.Host
		}
		o, ok := h.(*Overlay)
		if !ok {
			s, _ := h.(Starter)
			return s
		}
		if _, ok := o.runner.(ChildRunner); ok {
			return o
		}
		switch {
		case o.under != nil:
			h = o.under
		case o.preview:
			return nil
		default:
			h = o.base
		}
	}
}

// Start starts a command that runs on beside this program. The end of what it says on standard error is told when it
// ends by itself.
func (o *OS) Start(_ context.Context, c Cmd) (Child, error) {
	cmd, err := o.command(c)
	if err != nil {
		return nil, err
	}
	in, err := cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	said := &tail{max: 8 << 10}
	cmd.Stderr = said
	if err := start(cmd); err != nil {
		return nil, fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	return &child{cmd: cmd, in: in, out: bufio.NewReaderSize(out, 64<<10), said: said}, nil
}

// Start starts a command in the place that the overlay's runner has for it.
func (o *Overlay) Start(ctx context.Context, c Cmd) (Child, error) {
	o.tracker.Load().query()
	if r, ok := o.runner.(ChildRunner); ok {
		return r.StartIn(ctx, o, c)
	}
	return nil, ErrPreview
}

// A child is a process of this machine. One question is asked at a time.
type child struct {
	cmd  *exec.Cmd
	in   io.WriteCloser
	out  *bufio.Reader
	said *tail

	mu    sync.Mutex // guards all below, and the pipes
	ended bool
}

func (c *child) Ask(ctx context.Context, line []byte) ([]byte, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	stop := context.AfterFunc(ctx, c.kill)
	defer stop()
	_, err := c.in.Write(append(bytes.Clone(line), '\n'))
	var answer []byte
	if err == nil {
		answer, err = c.out.ReadBytes('\n')
	}
	if err == nil {
		return bytes.TrimSuffix(answer, []byte("\n")), nil
	}
	c.end()
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	return nil, c.why()
}

// why says how the process ended, with what it last said.
func (c *child) why() error {
	text := "it closed its output"
	if c.cmd.ProcessState != nil {
		text = c.cmd.ProcessState.String()
	}
	if said := c.said.text(); said != "" {
		text += ": " + said
	}
	return fmt.Errorf("%s ended: %s", c.cmd.Path, text)
}

func (c *child) kill() { _ = syscall.Kill(-c.cmd.Process.Pid, syscall.SIGKILL) }

func (c *child) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.end()
	return nil
}

// farewell is how long a process has to end by itself once its input has ended.
const farewell = 2 * time.Second

// end ends the process with all that it started. It may put its things in order first.
func (c *child) end() {
	if c.ended {
		return
	}
	c.ended = true
	_ = c.in.Close()
	late := time.AfterFunc(farewell, c.kill)
	_, _ = io.Copy(io.Discard, c.out)
	late.Stop()
	c.kill() // what it leaves behind
	var exit *exec.ExitError
	if err := c.cmd.Wait(); err != nil && !errors.As(err, &exit) {
		c.said.Write([]byte(err.Error()))
	}
}

// A tail keeps the last bytes that were written to it.
type tail struct {
	max int
	mu  sync.Mutex
	buf []byte // guarded by mu
}

func (t *tail) Write(p []byte) (int, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.buf = append(t.buf, p...)
	if over := len(t.buf) - t.max; over > 0 {
		t.buf = t.buf[over:]
	}
	return len(p), nil
}

func (t *tail) text() string {
	t.mu.Lock()
	defer t.mu.Unlock()
	return string(bytes.TrimSpace(t.buf))
}
