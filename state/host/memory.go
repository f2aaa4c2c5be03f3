package host

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"path"
	"strings"
	"syscall"
)

// Memory is a whole machine in memory, for tests: an Overlay on nothing, with an account database in its own /etc/passwd
// and /etc/group, and commands that a script answers.
type Memory struct {
	*Overlay
	accounts *accounts
	// Script answers commands; nil refuses them all.
	Script func(Cmd) (*Output, error)
	// Ran are the commands that were run, queries included.
	Ran []Cmd
	// Previewing makes Preview true.
	Previewing bool
	// Dialer answers Dial; nil refuses.
	Dialer func(ctx context.Context, network, address string) (net.Conn, error)
}

var _ Host = (*Memory)(nil)

// NewMemory makes a machine with /etc, /tmp, /root, /home, /usr/bin and the users root and nobody. Its journal is empty.
func NewMemory() *Memory {
	m := &Memory{Overlay: NewOverlay(nothing{})}
	root, _ := m.fresh("/", fs.ModeDir|0o755, KeepAttr(), Info{})
	root.opaque = true
	m.put("/", root)
	for _, d := range []string{"/etc", "/home", "/root", "/tmp", "/usr", "/usr/bin", "/var"} {
		m.MustMkdir(d)
	}
	m.MustWrite("/etc/passwd", "root:x:0:0:root:/root:/bin/bash\nnobody:x:65534:65534:nobody:/nonexistent:/usr/sbin/nologin\n", 0o644)
	m.MustWrite("/etc/group", "root:x:0:\nnogroup:x:65534:\n", 0o644)
	m.journal = nil
	m.accounts = newAccounts(m)
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
	if err := m.Mkdir(p, Attr{Mode: 0o755, HasMode: true}); err != nil {
		panic(err)
	}
}

// MustWrite writes a file, and its parents, owned by root.
func (m *Memory) MustWrite(p, text string, mode uint32) {
	m.MustMkdir(path.Dir(p))
	if err := m.WriteFile(p, strings.NewReader(text), Attr{Mode: mode, HasMode: true}); err != nil {
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

// ClearJournal forgets the writes so far.
func (m *Memory) ClearJournal() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.journal = nil
}

// Preview says what Previewing says.
func (m *Memory) Preview() bool { return m.Previewing }

// Run gives the command to the script.
func (m *Memory) Run(_ context.Context, c Cmd) (*Output, error) {
	m.mu.Lock()
	m.Ran = append(m.Ran, c)
	m.mu.Unlock()
	if m.Script == nil {
		return nil, fmt.Errorf("run %s: %w", strings.Join(c.Args, " "), errors.New("this machine in memory has no commands"))
	}
	return m.Script(c)
}

// Do does it.
func (m *Memory) Do(ctx context.Context, d Deed) error { return d.Do(ctx) }

// Query gives the command to the script.
func (m *Memory) Query(ctx context.Context, c Cmd) (*Output, error) {
	c.Reads = true
	return m.Run(ctx, c)
}

// Invalidate drops the accounts.
func (m *Memory) Invalidate(string) { m.accounts.invalidate() }

// Dial asks the Dialer.
func (m *Memory) Dial(ctx context.Context, network, address string) (net.Conn, error) {
	if m.Dialer == nil {
		return nil, pathError("dial", address, syscall.ECONNREFUSED)
	}
	return m.Dialer(ctx, network, address)
}

// User looks up a user by name.
func (m *Memory) User(name string) (User, error) {
	if name == "" {
		return User{}, fs.ErrNotExist
	}
	return m.accounts.user(name, 0)
}

// Group looks up a group by name.
func (m *Memory) Group(name string) (Group, error) {
	if name == "" {
		return Group{}, fs.ErrNotExist
	}
	return m.accounts.group(name, 0)
}

// UserByID looks up a user by number.
func (m *Memory) UserByID(uid int) (User, error) { return m.accounts.user("", uid) }

// GroupByID looks up a group by number.
func (m *Memory) GroupByID(gid int) (Group, error) { return m.accounts.group("", gid) }

// Users are the users of /etc/passwd.
func (m *Memory) Users() ([]User, error) { us, _ := m.accounts.all(); return us, nil }

// Groups are the groups of /etc/group.
func (m *Memory) Groups() ([]Group, error) { _, gs := m.accounts.all(); return gs, nil }

// nothing is a machine without anything.
type nothing struct{}

func (nothing) Lstat(p string) (Info, error)               { return Info{}, gone("lstat", p) }
func (nothing) Stat(p string) (Info, error)                { return Info{}, gone("stat", p) }
func (nothing) ReadFile(p string) ([]byte, error)          { return nil, gone("read", p) }
func (nothing) Open(p string) (io.ReadCloser, error)       { return nil, gone("open", p) }
func (nothing) ReadDir(p string) ([]Info, error)           { return nil, gone("readdir", p) }
func (nothing) Readlink(p string) (string, error)          { return "", gone("readlink", p) }
func (nothing) Xattrs(p string) (map[string][]byte, error) { return nil, gone("xattrs", p) }
func (nothing) User(n string) (User, error)                { return User{}, gone("look up user", n) }
func (nothing) Group(n string) (Group, error)              { return Group{}, gone("look up group", n) }
func (nothing) UserByID(int) (User, error)                 { return User{}, fs.ErrNotExist }
func (nothing) GroupByID(int) (Group, error)               { return Group{}, fs.ErrNotExist }
func (nothing) Users() ([]User, error)                     { return nil, nil }
func (nothing) Groups() ([]Group, error)                   { return nil, nil }
func (nothing) LookPath(n string) (string, error)          { return "", gone("look up", n) }
func (nothing) Fact(Kind, string) (Fact, bool)             { return Fact{}, false }
func (nothing) Facts(Kind) []Fact                          { return nil }
func (nothing) Root() string                               { return "/" }
func (nothing) Preview() bool                              { return false }
func (nothing) Query(context.Context, Cmd) (*Output, error) {
	return nil, errors.New("there are no commands")
}
func (nothing) Dial(context.Context, string, string) (net.Conn, error) {
	return nil, syscall.ECONNREFUSED
}

func gone(op, p string) error { return &fs.PathError{Op: op, Path: p, Err: fs.ErrNotExist} }
