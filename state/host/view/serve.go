//go:build linux

package view

import (
	"context"
	"os"
	"strings"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

// serve is the process in the view that runs the commands. It gives the exit code.
func serve() int {
	hide()
	w := newWire(os.NewFile(controlFD, "control"))
	noted := os.NewFile(notedFD, "noted")
	for _, fd := range []int{controlFD, notedFD} {
		unix.CloseOnExec(fd)
	}
	_ = unix.SetNonblock(notedFD, true)
	machine, err := host.NewOS("/")
	if err != nil || w.out.Encode(answerOf(err)) != nil {
		return 1
	}
	v := &server{machine: machine}
	for {
		var q question
		if err := w.in.Decode(&q); err != nil {
			return 0
		}
		a := v.respond(q)
		a.Reached = reached(noted)
		if err := w.out.Encode(a); err != nil {
			return 1
		}
	}
}

// A server carries out questions on the machine that the view is.
type server struct {
	machine  *host.OS
	children []host.Child
}

func (v *server) respond(q question) *answer {
	switch {
	case q.Cmd != nil:
		v.machine.Invalidate("")
		out, err := v.machine.Run(context.Background(), *q.Cmd)
		a := answerOf(err)
		a.Out = out
		return a
	case q.Start != nil:
		v.machine.Invalidate("")
		c, err := v.machine.Start(context.Background(), *q.Start)
		if err == nil {
			v.children = append(v.children, c)
		}
		a := answerOf(err)
		a.Child = len(v.children)
		return a
	case q.Child > 0:
		return ask(v.children[q.Child-1], q.Line)
	}
	if err := host.Apply(v.machine, q.Changes); err != nil {
		return answerOf(err)
	}
	return answerOf(q.Accounts.write(v.machine))
}

// ask asks a command that was started, or ends it.
func ask(c host.Child, line []byte) *answer {
	if line == nil {
		return answerOf(c.Close())
	}
	said, err := c.Ask(context.Background(), line)
	a := answerOf(err)
	a.Line = said
	return a
}

// reached is what the first process noted since the last call, "" for nothing.
func reached(noted *os.File) string {
	buf := make([]byte, 512)
	text := ""
	for {
		n, err := unix.Read(int(noted.Fd()), buf)
		if n <= 0 || err != nil {
			return text
		}
		if text == "" {
			text = firstLine(buf[:n])
		}
	}
}

func firstLine(b []byte) string {
	line, _, _ := strings.Cut(string(b), "\n")
	return line
}
