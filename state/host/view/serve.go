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
	for {
		var q question
		if err := w.in.Decode(&q); err != nil {
			return 0
		}
		a := respond(machine, q)
		a.Reached = reached(noted)
		if err := w.out.Encode(a); err != nil {
			return 1
		}
	}
}

func respond(machine *host.OS, q question) *answer {
	if q.Cmd != nil {
		machine.Invalidate("")
		out, err := machine.Run(context.Background(), *q.Cmd)
		a := answerOf(err)
		a.Out = out
		return a
	}
	if err := host.Apply(machine, q.Changes); err != nil {
		return answerOf(err)
	}
	return answerOf(q.Accounts.write(machine))
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
