package hosttest

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path"
	"strings"
	"sync"
	"syscall"

	"github.com/gostate/gostate/state/host"
)

// Memory is a whole machine in memory: an Overlay on nothing, with an account database in its own /etc/passwd and
// /etc/group, and commands that a script answers.
type Memory struct {
	*host.Overlay
	accounts *host.Accounts
	cleared  int // so many entries of the journal are forgotten
	mu       sync.Mutex
	// Script answers commands; nil refuses them all.
	Script func(host.Cmd) (*host.Output, error)
	// Ran are the commands that were run, queries included.
	Ran []host.Cmd // guarded by mu
	// Previewing makes Preview true.
	Previewing bool
	// Dialer answers Dial; nil refuses.
	Dialer func(ctx context.Context, network, address string) (net.Conn, error)
}

var _ host.Host = (*Memory)(nil)

// NewMemory makes a machine with /etc, /tmp, /root, /home, /usr/bin and the users root and nobody. Its journal is
// empty.
func NewMemory() *Memory {
	m := &Memory{Overlay: host.NewOverlay(nothing{})}
	for _, d := range []string{"/etc", "/home", "/root", "/tmp", "/usr", "/usr/bin", "/var"} {
		m.MustMkdir(d)
	}
	m.MustWrite("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n", 0o644)
	m.MustWrite("/etc/group", "root:x:0:\nnogroup:x:65534:\n", 0o644)
	m.ClearJournal()
	m.accounts = host.NewAccounts(m)
	return m
}

// MustMkdir makes a directory and its parents, mode 0755, owned by root.
func (m *Memory) MustMkdir(p string) {
	if _, err := m.Stat(p); err == nil {
		return
	}
	if dir := path.Dir(p); dir != p {
		m.MustMkdir(dir)
	}
	if err := m.Mkdir(p, host.Attr{Mode: 0o755, HasMode: true}); err != nil {
		panic(err)
	}
}

// MustWrite writes a file, and its parents, owned by root.
func (m *Memory) MustWrite(p, text string, mode uint32) {
	m.MustMkdir(path.Dir(p))
	if err := m.WriteFile(p, strings.NewReader(text), host.Attr{Mode: mode, HasMode: true}); err != nil {
		panic(err)
	}
}

// AddUser adds an entry to /etc/passwd and a group of the same name and number.
func (m *Memory) AddUser(name string, id int) {
	m.appendTo("/etc/passwd", fmt.Sprintf("%s:x:%d:%d::/home/%s:/bin/sh\n", name, id, id, name))
	m.appendTo("/etc/group", fmt.Sprintf("%s:x:%d:\n", name, id))
}

func (m *Memory) appendTo(p, line string) {
	old, _ := m.ReadFile(p)
	m.MustWrite(p, string(old)+line, 0o644)
}

// Journal are the writes since the last ClearJournal.
func (m *Memory) Journal() []host.Entry { return m.Overlay.Journal()[m.cleared:] }

// ClearJournal forgets the writes so far.
func (m *Memory) ClearJournal() { m.cleared = len(m.Overlay.Journal()) }

// Preview says what Previewing says.
func (m *Memory) Preview() bool { return m.Previewing }

// Run gives the command to the script.
func (m *Memory) Run(_ context.Context, c host.Cmd) (*host.Output, error) {
	m.mu.Lock()
	m.Ran = append(m.Ran, c)
	m.mu.Unlock()
	if m.Script == nil {
		return nil, fmt.Errorf("run %s: %w", strings.Join(c.Args, " "), errors.New("this machine in memory has no commands"))
	}
	return m.Script(c)
}

// Do does it.
func (m *Memory) Do(ctx context.Context, d host.Deed) error { return d.Do(ctx) }

// Query gives the command to the script.
func (m *Memory) Query(ctx context.Context, c host.Cmd) (*host.Output, error) {
	c.Reads = true
	return m.Run(ctx, c)
}

// Invalidate drops the accounts.
func (m *Memory) Invalidate(string) { m.accounts.Forget() }

// Dial asks the Dialer.
func (m *Memory) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if m.Dialer == nil {
		return nil, &fs.PathError{Op: "dial", Path: address, Err: syscall.ECONNREFUSED}
	}
	return m.Dialer(ctx, network, address)
}

// User looks up a user by name.
func (m *Memory) User(name string) (host.User, error) { return m.accounts.User(name) }

// Group looks up a group by name.
func (m *Memory) Group(name string) (host.Group, error) { return m.accounts.Group(name) }

// UserByID looks up a user by number.
func (m *Memory) UserByID(uid int) (host.User, error) { return m.accounts.UserByID(uid) }

// GroupByID looks up a group by number.
func (m *Memory) GroupByID(gid int) (host.Group, error) { return m.accounts.GroupByID(gid) }

// Users are the users of /etc/passwd.
func (m *Memory) Users() ([]host.User, error) { return m.accounts.Users() }

// Groups are the groups of /etc/group.
func (m *Memory) Groups() ([]host.Group, error) { return m.accounts.Groups() }

// nothing is a machine with an empty directory "/" and nothing else.
type nothing struct{}

func (nothing) Lstat(p string) (host.Info, error) {
	if p != "/" {
		return host.Info{}, gone("lstat", p)
	}
	return host.Info{Path: p, Mode: fs.ModeDir | 0o755, Nlink: 1}, nil
}
func (n nothing) Stat(p string) (host.Info, error)       { return n.Lstat(p) }
func (nothing) ReadFile(p string) ([]byte, error)        { return nil, gone("read", p) }
func (nothing) Open(p string) (io.ReadCloser, error)     { return nil, gone("open", p) }
func (nothing) Readlink(p string) (string, error)        { return "", gone("readlink", p) }
func (nothing) Follow(p string) (string, error)          { return p, nil }
func (nothing) User(n string) (host.User, error)         { return host.User{}, gone("look up user", n) }
func (nothing) Group(n string) (host.Group, error)       { return host.Group{}, gone("look up group", n) }
func (nothing) UserByID(int) (host.User, error)          { return host.User{}, fs.ErrNotExist }
func (nothing) GroupByID(int) (host.Group, error)        { return host.Group{}, fs.ErrNotExist }
func (nothing) Users() ([]host.User, error)              { return nil, nil }
func (nothing) Groups() ([]host.Group, error)            { return nil, nil }
func (nothing) LookPath(n string) (string, error)        { return "", gone("look up", n) }
func (nothing) Fact(host.Kind, string) (host.Fact, bool) { return host.Fact{}, false }
func (nothing) Facts(host.Kind) []host.Fact              { return nil }
func (nothing) Root() string                             { return "/" }
func (nothing) Preview() bool                            { return false }
func (n nothing) ReadDir(p string) ([]host.Info, error) {
	_, err := n.Lstat(p)
	return nil, err
}
func (n nothing) Xattrs(p string) (map[string][]byte, error) {
	_, err := n.Lstat(p)
	return nil, err
}
func (nothing) Query(context.Context, host.Cmd) (*host.Output, error) {
	return nil, errors.New("there are no commands")
}
func (nothing) Dial(context.Context, string, string) (net.Conn, error) {
	return nil, syscall.ECONNREFUSED
}

func gone(op, p string) error { return &fs.PathError{Op: op, Path: p, Err: fs.ErrNotExist} }
