package host

import (
	"bytes"
	"context"
	"strings"
)

// outputKey is the key of the context that says who is told what a command prints.
type outputKey struct{}

// WithOutput is ctx for commands whose output is told line by line while they run, from several goroutines maybe.
func WithOutput(ctx context.Context, line func(string)) context.Context {
	return context.WithValue(ctx, outputKey{}, line)
}

// toldBy is who is told, nil for nobody.
func toldBy(ctx context.Context) func(string) {
	line, _ := ctx.Value(outputKey{}).(func(string))
	return line
}

// longestTold is how much of a line is kept until it ends.
const longestTold = 4 << 10

// lines tells each line of what is written. A carriage return ends one, too: so programs draw their progress.
type lines struct {
	tell func(string)
	rest []byte
}

func (l *lines) write(p []byte) {
	for len(p) > 0 {
		i := bytes.IndexAny(p, "\r\n")
		if i < 0 {
			l.rest = append(l.rest, p[:min(len(p), max(0, longestTold-len(l.rest)))]...)
			return
		}
		if text := strings.TrimSpace(string(l.rest) + string(p[:i])); text != "" {
			l.tell(text)
		}
		l.rest, p = l.rest[:0], p[i+1:]
	}
}

// Tell has fn told of every command that ran: what it was, and how it ended. It is set before the first.
func (o *OS) Tell(fn func(c Cmd, out *Output, err error)) { o.tell = fn }

// Words is a command as people read it.
func (c Cmd) Words() string { return strings.Join(c.Args, " ") }
