package hub

import (
	"fmt"
	"io"
	"os"
)

// A Log writes what the server has to tell, a line each, without the time, which the journal adds.
type Log struct{ W io.Writer }

func (l Log) say(level, format string, args []any) {
	fmt.Fprintf(l.W, level+format+"\n", args...)
}

// Noticef is how the server begins and ends, in a hundred lines.
func (Log) Noticef(string, ...any) {}

// Warnf is what may go wrong.
func (l Log) Warnf(format string, args ...any) { l.say("warning: ", format, args) }

// Errorf is what went wrong.
func (l Log) Errorf(format string, args ...any) { l.say("error: ", format, args) }

// Fatalf ends the server, as NATS wants it.
func (l Log) Fatalf(format string, args ...any) {
	l.say("error: ", format, args)
	os.Exit(1)
}

// Debugf is for those who mend the server.
func (Log) Debugf(string, ...any) {}

// Tracef is every message.
func (Log) Tracef(string, ...any) {}
