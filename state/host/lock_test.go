package host_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

// holderChild takes the lock and keeps it until it is killed.
func holderChild() int {
	if _, err := host.Acquire(context.Background(), os.Getenv("HOST_TEST_LOCK"), "gostate highstate", 0); err != nil {
		return 1
	}
	fmt.Println("held")
	time.Sleep(10 * time.Minute)
	return 0
}

func TestLockNamesItsHolderAndGoesWithIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "lock")
	cmd := child(t, "holder", "HOST_TEST_LOCK="+path)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the child says %q", line)
	}
	_, err = host.Acquire(t.Context(), path, "gostate sls a", 0)
	var held *host.Held
	want := fmt.Sprintf("gostate is already running: pid %d: gostate highstate", cmd.Process.Pid)
	if !errors.As(err, &held) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	l, err := host.Acquire(t.Context(), path, "gostate sls a", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	if raw, _ := os.ReadFile(path); !strings.HasSuffix(string(raw), "\ngostate sls a\n") {
		t.Errorf("the lock file holds %q", raw)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
}

func TestOnlyItsUserMayOpenTheLock(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "gostate")
	path := filepath.Join(dir, "run.lock")
	for _, err := range []error{os.Mkdir(dir, 0o755), os.Chmod(dir, 0o755), os.WriteFile(path, nil, 0o644),
		os.Chmod(path, 0o644)} {
		if err != nil {
			t.Fatal(err)
		}
	}
	for range 2 { // what an older version has left, and what is as it should be
		l, err := host.Acquire(t.Context(), path, "gostate sls a", 0)
		if err != nil {
			t.Fatal(err)
		}
		if err := l.Release(); err != nil {
			t.Fatal(err)
		}
		for p, want := range map[string]os.FileMode{dir: 0o700, path: 0o600} {
			if info, err := os.Stat(p); err != nil || info.Mode().Perm() != want {
				t.Errorf("%s: %v, %v, want %v", p, info.Mode(), err, want)
			}
		}
	}
}

// TestADirectoryOfOthersKeepsItsMode: /tmp may be named, too.
func TestADirectoryOfOthersKeepsItsMode(t *testing.T) {
	dir := t.TempDir()
	if err := errors.Join(os.WriteFile(filepath.Join(dir, "mine"), nil, 0o600), os.Chmod(dir, 0o755)); err != nil {
		t.Fatal(err)
	}
	for range 2 {
		l, err := host.Acquire(t.Context(), filepath.Join(dir, "run.lock"), "gostate sls a", 0)
		if err != nil {
			t.Fatal(err)
		}
		l.Release()
	}
	if info, _ := os.Stat(dir); info.Mode().Perm() != 0o755 {
		t.Errorf("the directory has the mode %v", info.Mode())
	}
}

func TestALockThatOthersMadeIsRefused(t *testing.T) {
	asNobody := func(path string) error { return os.Lchown(path, 65534, 65534) }
	for name, c := range map[string]struct {
		make func(dir string) error
		want string
		root bool
	}{
		"a link":   {func(dir string) error { return os.Symlink(dir+"/x", dir+"/run.lock") }, "symbolic link", false},
		"a fifo":   {func(dir string) error { return unix.Mkfifo(dir+"/run.lock", 0o600) }, "no plain file", false},
		"a folder": {func(dir string) error { return os.Mkdir(dir+"/run.lock", 0o700) }, "is a directory", false},
		"of another": {func(dir string) error {
			return errors.Join(os.WriteFile(dir+"/run.lock", nil, 0o666), asNobody(dir+"/run.lock"))
		}, "belongs to user 65534", true},
		"the folder": {asNobody, "belongs to user 65534", true},
		"its link": {func(dir string) error {
			return errors.Join(os.Rename(dir, dir+".real"), os.Symlink(dir+".real", dir), asNobody(dir))
		}, "symbolic link of user 65534", true},
	} {
		t.Run(name, func(t *testing.T) {
			if c.root && os.Geteuid() != 0 {
				t.Skip("only root can give files to others")
			}
			dir := filepath.Join(t.TempDir(), "gostate")
			if err := errors.Join(os.Mkdir(dir, 0o700), c.make(dir)); err != nil {
				t.Fatal(err)
			}
			l, err := host.Acquire(t.Context(), filepath.Join(dir, "run.lock"), "gostate sls a", 0)
			if err == nil {
				l.Release()
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("got %v, want %s", err, c.want)
			}
		})
	}
}

// TestAStrangerIsTold: the file names a run that is long gone, and a process holds the lock that is none.
func TestAStrangerIsTold(t *testing.T) {
	flock, err := exec.LookPath("flock")
	if err != nil {
		t.Skip("there is no flock here")
	}
	path := filepath.Join(t.TempDir(), "run.lock")
	if err := os.WriteFile(path, []byte("999999\ngostate highstate\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(flock, path, "sh", "-c", "echo held; sleep 60 & wait")
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true}
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL); _ = cmd.Wait() }()
	_, _ = bufio.NewReader(out).ReadString('\n')
	_, err = host.Acquire(t.Context(), path, "gostate sls a", 0)
	want := fmt.Sprintf("the lock is held by a process that is no run: pid %d: %s %s", cmd.Process.Pid, flock, path)
	if err == nil || !strings.HasPrefix(err.Error(), want) {
		t.Errorf("got %v, want %s", err, want)
	}
}

// killedChild runs a command under a lock, until it is killed.
func killedChild() int {
	l, err := host.Acquire(context.Background(), os.Getenv("HOST_TEST_LOCK"), "gostate highstate", 0)
	if err != nil {
		return 1
	}
	o, err := host.NewOS("/")
	if err != nil {
		return 1
	}
	o.Hold(l)
	_, _ = o.Run(context.Background(), host.Cmd{Args: []string{"true"}})
	_, _ = o.Run(context.Background(), host.Cmd{Args: []string{"touch " + os.Getenv("HOST_TEST_LOCK") +
		".begun; sleep 61"},
		Shell: "/bin/sh"})
	return 0
}

func TestACommandThatAKilledRunLeftIsWaitedFor(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "run.lock")
	cmd := child(t, "killed", "HOST_TEST_LOCK="+path)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	for range 6000 {
		if _, err := os.Stat(path + ".begun"); err == nil {
			break
		}
		time.Sleep(10 * time.Millisecond)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	var held *host.Held
	_, err := host.Acquire(t.Context(), path, "gostate sls a", 0)
	if !errors.As(err, &held) || !held.Left || !strings.Contains(err.Error(), "sleep 61") ||
		!strings.HasPrefix(err.Error(), "a command of a run that was killed is still at work: pid ") {
		t.Fatalf("got %v", err)
	}
	if err := syscall.Kill(-held.PID, syscall.SIGKILL); err != nil {
		t.Fatal(err)
	}
	l, err := host.Acquire(t.Context(), path, "gostate sls a", time.Minute)
	if err != nil {
		t.Fatal(err)
	}
	l.Release()
	if raw, _ := os.ReadFile(path); len(raw) > 0 {
		t.Errorf("a run that ended leaves %q", raw)
	}
}
