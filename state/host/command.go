package host

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"time"
)

const (
	// grace is how long a command may take to end after SIGTERM before it is killed.
	grace = 5 * time.Second
	// drain is how long the output of a command that ended is waited for, when a child of its still holds the pipe.
	drain = 5 * time.Second
	// keepOutput is how much of each stream is kept unless the command says otherwise.
	keepOutput = 64 << 20
)

// standardPath are the directories that a search always includes.
var standardPath = [...]string{"/usr/local/sbin", "/usr/local/bin", "/usr/sbin", "/usr/bin", "/sbin", "/bin"}

func (o *OS) searchPath() []string {
	var dirs []string
	if o.root == "/" {
		dirs = filepath.SplitList(os.Getenv("PATH"))
	}
	for _, d := range standardPath {
		if !slices.Contains(dirs, d) {
			dirs = append(dirs, d)
		}
	}
	return dirs
}

// LookPath finds a command of the machine; what it found is kept until Invalidate.
func (o *OS) LookPath(name string) (string, error) {
	o.mu.Lock()
	found, ok := o.paths[name]
	o.mu.Unlock()
	if ok {
		return found, nil
	}
	found, err := search(name, o.searchPath(), func(c string) bool {
		i, err := o.Stat(c)
		return err == nil && i.IsRegular() && i.Perm()&0o111 != 0
	})
	if err == nil {
		o.mu.Lock()
		o.paths[name] = found
		o.mu.Unlock()
	}
	return found, err
}

// search looks for a command in directories, unless its name is a path.
func search(name string, dirs []string, executable func(path string) bool) (string, error) {
	if strings.Contains(name, "/") {
		dirs = []string{""}
	}
	for _, d := range dirs {
		if p := filepath.Join(d, name); executable(p) {
			return p, nil
		}
	}
	return "", notFound(name)
}

func notFound(name string) error { return noCommand{name} }

// Query runs a command that only looks.
func (o *OS) Query(ctx context.Context, c Cmd) (*Output, error) {
	c.Reads = true
	return o.run(ctx, c)
}

// Run runs a command; see Host.
func (o *OS) Run(ctx context.Context, c Cmd) (*Output, error) {
	defer o.distrust()
	return o.run(ctx, c)
}

func (o *OS) run(ctx context.Context, c Cmd) (*Output, error) {
	cmd, err := o.command(c)
	if err != nil {
		return nil, err
	}
	if c.Background {
		return background(cmd)
	}
	stdout, stderr := &limited{max: c.MaxOutput}, &limited{max: c.MaxOutput}
	if tell := toldBy(ctx); tell != nil {
		stdout.told, stderr.told = &lines{tell: tell}, &lines{tell: tell}
	}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	if c.Combine {
		cmd.Stderr = stdout
	}
	if c.Stdin != nil {
		cmd.Stdin = bytes.NewReader(c.Stdin)
	}
	if c.From != nil {
		cmd.Stdin = c.From
	}
	if c.To != nil {
		cmd.Stdout, cmd.WaitDelay = c.To, 0 // who reads it takes as long as that takes
	}
	out := &Output{}
	start := time.Now()
	if o.keeps && c.Users && c.Timeout > 0 {
		err = o.runKept(ctx, cmd, c, out)
	} else {
		err = o.runGroup(ctx, cmd, c, out)
	}
	out.Duration = time.Since(start)
	out.Stdout, out.Stderr = stdout.buf.Bytes(), stderr.buf.Bytes()
	if o.tell != nil {
		o.tell(c, out, err)
	}
	return out, err
}

// command builds the process: shell, umask, user, directory, environment, chroot.
func (o *OS) command(c Cmd) (*exec.Cmd, error) {
	extra := o.standIn(c)
	path, args, err := o.argv(c, extra)
	if err != nil {
		return nil, err
	}
	cmd := &exec.Cmd{Args: args, Path: path, Dir: c.Dir, WaitDelay: drain,
		SysProcAttr: &syscall.SysProcAttr{Setpgid: true}}
	var user *User
	if c.RunAs != "" || c.Group != "" {
		if user, cmd.SysProcAttr.Credential, err = o.credential(c.RunAs, c.Group); err != nil {
			return nil, fmt.Errorf("run %s: %w", args[0], err)
		}
	}
	cmd.Env = environment(c, user)
	if extra != "" {
		cmd.Env = append(cmd.Env, "PATH="+searched(cmd.Env)+":"+extra)
	}
	if o.root != "/" {
		if os.Geteuid() != 0 {
			return nil, fmt.Errorf("run %s: a command in the tree at %s needs root, for chroot", args[0], o.root)
		}
		cmd.SysProcAttr.Chroot = o.root
		if cmd.Dir == "" {
			cmd.Dir = "/"
		}
	}
	return cmd, nil
}

// argv is the program's full path and the argument vector, where the program has the name that it was called by. It is
// looked for in the directory extra at last, "" for none.
func (o *OS) argv(c Cmd, extra string) (path string, args []string, err error) {
	args = slices.Clone(c.Args)
	if c.Shell != "" {
		args = []string{c.Shell, "-c", strings.Join(c.Args, " ")}
	}
	if len(args) == 0 || args[0] == "" {
		return "", nil, errors.New("run: there is no command")
	}
	if c.Umask != "" {
		args = append([]string{"/bin/sh", "-c", `umask "$0" && exec "$@"`, c.Umask}, args...)
	}
	if path, err = o.LookPath(args[0]); err != nil && args[0] == saltCall && extra != "" {
		return filepath.Join(extra, saltCall), args, nil
	} else if err != nil {
		return "", nil, fmt.Errorf("run: %w", err)
	}
	return path, args, nil
}

// credential is the identity to run as. It is nil when the process has it already.
func (o *OS) credential(name, group string) (*User, *syscall.Credential, error) {
	cred := &syscall.Credential{Uid: uint32(os.Geteuid()), Gid: uint32(os.Getegid())}
	var user *User
	if name != "" {
		u, err := o.User(name)
		if err != nil {
			return nil, nil, fmt.Errorf("no such user %q", name)
		}
		user = &u
		cred.Uid, cred.Gid = uint32(u.UID), uint32(u.GID)
		for _, g := range o.groupsOf(name) {
			cred.Groups = append(cred.Groups, uint32(g))
		}
	}
	if group != "" {
		g, err := o.Group(group)
		if err != nil {
			return nil, nil, fmt.Errorf("no such group %q", group)
		}
		cred.Gid = uint32(g.GID)
	}
	if int(cred.Uid) == os.Geteuid() && int(cred.Gid) == os.Getegid() {
		return user, nil, nil
	}
	if os.Geteuid() != 0 {
		return nil, nil, fmt.Errorf("running as user %q, group %q needs root", name, group)
	}
	return user, cred, nil
}

func environment(c Cmd, user *User) []string {
	var env []string
	if !c.ClearEnv {
		env = os.Environ()
	}
	if user != nil {
		shell := user.Shell
		if shell == "" {
			shell = "/bin/sh"
		}
		env = append(env, "HOME="+user.Home, "USER="+user.Name, "LOGNAME="+user.Name, "SHELL="+shell)
	}
	env = append(env, c.Env...)
	if c.PrependPath != "" {
		env = append(env, "PATH="+c.PrependPath+":"+searched(c.Env))
	}
	return env
}

// searched is the PATH that an environment gives, or that of this process.
func searched(env []string) string {
	for _, kv := range slices.Backward(env) {
		if path, ok := strings.CutPrefix(kv, "PATH="); ok {
			return path
		}
	}
	return os.Getenv("PATH")
}

// runGroup runs the command in a process group of its own. When the context or the time is over, the group gets
// SIGTERM, and SIGKILL after a grace.
func (o *OS) runGroup(ctx context.Context, cmd *exec.Cmd, c Cmd, out *Output) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if err := start(cmd); err != nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	out.PID = cmd.Process.Pid
	defer o.note(c, out.PID)()
	done := make(chan error, 1)
	go func() { done <- cmd.Wait() }()
	var expired <-chan time.Time
	if c.Timeout > 0 {
		t := time.NewTimer(c.Timeout)
		defer t.Stop()
		expired = t.C
	}
	var err error
	var cause error
	select {
	case err = <-done:
	case <-ctx.Done():
		cause = context.Cause(ctx)
		err = endGroup(ctx, out.PID, done)
	case <-expired:
		out.TimedOut = true
		err = endGroup(ctx, out.PID, done)
	}
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) && !errors.Is(err, exec.ErrWaitDelay) && cause == nil {
		return fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	out.Code = exitCode(cmd.ProcessState)
	return cause
}

// note notes in the run's lock that a command is at work, until the returned function is called. The next run may begin
// beside one that only looks.
func (o *OS) note(c Cmd, pid int) (ended func()) {
	if c.Reads {
		return func() {}
	}
	return o.lock.Note(pid)
}

// hurry is the key of the context whose end spares ended commands no grace.
type hurry struct{}

// WithKill is ctx for commands that are killed at once when both it and kill have ended.
func WithKill(ctx, kill context.Context) context.Context {
	return context.WithValue(ctx, hurry{}, kill)
}

// hurried is closed when there is no more time for a grace.
func hurried(ctx context.Context) <-chan struct{} {
	if k, ok := ctx.Value(hurry{}).(context.Context); ok {
		return k.Done()
	}
	return nil
}

func endGroup(ctx context.Context, pid int, done <-chan error) error {
	_ = syscall.Kill(-pid, syscall.SIGTERM)
	kill := time.NewTimer(grace)
	defer kill.Stop()
	select {
	case err := <-done:
		_ = syscall.Kill(-pid, syscall.SIGKILL) // what is left of the group
		return err
	case <-kill.C:
	case <-hurried(ctx):
	}
	_ = syscall.Kill(-pid, syscall.SIGKILL)
	return <-done
}

func exitCode(ps *os.ProcessState) int {
	if ps == nil {
		return -1
	}
	return codeOf(ps.Sys().(syscall.WaitStatus))
}

func codeOf(ws syscall.WaitStatus) int {
	if ws.Signaled() {
		return 128 + int(ws.Signal())
	}
	return ws.ExitStatus()
}

// background starts the command in a session of its own and does not wait for it.
func background(cmd *exec.Cmd) (*Output, error) {
	cmd.SysProcAttr.Setpgid = false
	cmd.SysProcAttr.Setsid = true
	if err := start(cmd); err != nil {
		return nil, fmt.Errorf("run %s: %w", cmd.Path, err)
	}
	go func() { _ = cmd.Wait() }() // reaps it; it may outlive the run
	return &Output{PID: cmd.Process.Pid}, nil
}

// limited keeps the first bytes of a stream and swallows the rest.
type limited struct {
	buf  bytes.Buffer
	max  int64
	told *lines // nil tells nobody
}

func (l *limited) Write(p []byte) (int, error) {
	limit := l.max
	if limit <= 0 {
		limit = keepOutput
	}
	if l.told != nil {
		l.told.write(p)
	}
	if room := limit - int64(l.buf.Len()); room > 0 {
		l.buf.Write(p[:min(int64(len(p)), room)])
	}
	return len(p), nil
}
