package ssh

import (
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/gostate/gostate/cmd/internal/roster"
)

// linger is how long a connection is kept for the next command, and grace how long ssh may take to let go of it.
const (
	linger = 60 * time.Second
	grace  = 2 * time.Second
)

// Settings are how ssh is called.
type Settings struct {
	// Batch says that ssh asks nobody: several machines are asked for at once, or nobody sits there.
	Batch bool
	// Timeout bounds how long a machine may take to answer.
	Timeout time.Duration
	// Dir is where the sockets of connections are.
	Dir string
}

// Sockets is a directory of this user's alone for the sockets of connections. Its name is short: the address of a
// socket has 108 bytes.
func Sockets() (string, error) {
	name := fmt.Sprintf("gostate-ssh-%d", os.Getuid())
	if dir := os.Getenv("XDG_RUNTIME_DIR"); dir != "" && len(dir) < 30 {
		if at := filepath.Join(dir, name); private(at) == nil {
			return at, nil
		}
	}
	at := filepath.Join("/tmp", "."+name)
	return at, private(at)
}

// A conn is the way to one machine.
type conn struct {
	host *roster.Host
	set  *Settings
}

// command is ssh with a command line for over there, which a shell reads that may be any: it holds no more than one
// text in single quotes, without single quotes and line ends in it.
func (c *conn) command(ctx context.Context, words string) *exec.Cmd {
	cmd := exec.CommandContext(ctx, "ssh", append(c.options(), "--", c.host.Destination(), words)...)
	cmd.WaitDelay = grace // an older ssh that keeps the connection keeps standard error, too
	if c.set.Batch {
		cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // ^C is for this program, which tells the other side
	}
	return cmd
}

func (c *conn) options() []string {
	opts := []string{"-T", "-o", "ControlMaster=auto", "-o", "ControlPath=" + c.set.Dir + "/%C",
		"-o", "ControlPersist=" + strconv.Itoa(int(linger.Seconds())),
		"-o", "ConnectTimeout=" + strconv.Itoa(max(1, int(c.set.Timeout.Seconds()))),
		"-o", "ServerAliveInterval=15", "-o", "ServerAliveCountMax=4", "-o", "ForwardX11=no"}
	if c.set.Batch {
		opts = append(opts, "-o", "BatchMode=yes")
	}
	h := c.host
	if h.User != "" {
		opts = append(opts, "-l", h.User)
	}
	if h.Port != 0 {
		opts = append(opts, "-p", strconv.Itoa(h.Port))
	}
	if h.Key != "" {
		opts = append(opts, "-i", h.Key, "-o", "IdentitiesOnly=yes")
	}
	return append(opts, h.Options...)
}

// A Fault is why nothing could be done on a machine: what went wrong, what was heard of it, and what to do.
type Fault struct{ Msg, Heard, Hint string }

func (f *Fault) Error() string {
	text := f.Msg
	if f.Heard != "" {
		text += ": " + f.Heard
	}
	return text
}

// unreached is the fault of an ssh that ended, by what it said.
func (c *conn) unreached(heard string) *Fault {
	f := &Fault{Msg: "ssh does not reach it", Heard: lastLine(heard)}
	dest := c.host.Destination()
	for _, s := range []struct{ says, msg, hint string }{
		{"REMOTE HOST IDENTIFICATION HAS CHANGED", "its host key is not the one that is known",
			"find out why before you trust it; then ssh-keygen -R " + dest},
		{"Host key verification failed", "its host key is not known", "look at it and accept it once: ssh " + dest},
		{"Permission denied", "it lets nobody in with the keys that there are", "try: ssh " + dest + "; ssh-add, or User " +
			"and IdentityFile in ~/.ssh/config"},
		{"Could not resolve hostname", "nobody knows its address", "name it in ~/.ssh/config, or in a roster"},
		{"timed out", "it does not answer", "is it up, and does a firewall let port 22 through? ssh -v " + dest},
		{"refused", "nothing listens there", "is sshd running, and on that port?"},
		{"No route to host", "there is no way to it", "is it up? ssh -v " + dest},
		{"Bad configuration option", "ssh does not understand its configuration", "ssh -G " + dest + " shows the line"},
	} {
		if strings.Contains(heard, s.says) {
			f.Msg, f.Hint = s.msg, s.hint
			break
		}
	}
	return f
}

// lastLine is the last line that says something.
func lastLine(text string) string {
	lines := strings.Split(strings.TrimSpace(text), "\n")
	return strings.TrimSpace(lines[len(lines)-1])
}
