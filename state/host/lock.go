package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"time"

	"golang.org/x/sys/unix"
)

// A Lock lets one run at a time work on a machine. The kernel releases it when its process dies. Its file says whose it
// is, and which commands the run has started that have not ended yet:
//
//	4711
//	gostate highstate
//	4720 8154623@5f1c9a0e
//
// A run that ends empties it. What is in it when a lock is taken was left by a run that was killed.
type Lock struct {
	file *os.File
	head string

	mu      sync.Mutex     // guards all below, and the file's text
	running map[int]string // the commands' processes: when they started
}

// lockPoll is how often a held lock is tried again.
const lockPoll = 100 * time.Millisecond

// Acquire takes the lock at path for a command, whose text others are shown. With a wait it tries for so long; a
// negative wait has no end. The error of a lock that stays held is a *Held. So is that of a free one while a command of
// a run that was killed is still at work.
func Acquire(ctx context.Context, path, command string, wait time.Duration) (*Lock, error) {
	f, err := openLock(path)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := take(ctx, f, wait); err != nil {
		f.Close()
		return nil, err
	}
	l := &Lock{file: f, head: fmt.Sprintf("%d\n%s\n", os.Getpid(), strings.ReplaceAll(command, "\n", " ")),
		running: map[int]string{}}
	l.write()
	return l, nil
}

// openLock opens the lock's file, which nobody else may open: who can, can hold it for ever. It stays when the lock is
// released: removing it would let two processes hold locks on different files.
func openLock(path string) (*os.File, error) {
	dir, err := OpenState(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	defer dir.Close()
	fd, err := unix.Openat(int(dir.Fd()), filepath.Base(path),
		unix.O_RDWR|unix.O_CREAT|unix.O_NOFOLLOW|unix.O_NONBLOCK|unix.O_CLOEXEC, 0o600)
	if errors.Is(err, unix.ELOOP) {
		return nil, fmt.Errorf("%s is a symbolic link", path)
	} else if err != nil {
		return nil, &os.PathError{Op: "open", Path: path, Err: err}
	}
	f := os.NewFile(uintptr(fd), path)
	if err := ownFile(f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// ownFile refuses what is no plain file of this user's or root's, and takes it from all others.
func ownFile(f *os.File) error {
	var st unix.Stat_t
	switch err := unix.Fstat(int(f.Fd()), &st); {
	case err != nil:
		return err
	case st.Mode&unix.S_IFMT != unix.S_IFREG:
		return fmt.Errorf("%s is no plain file", f.Name())
	case !ownedHere(st.Uid):
		return fmt.Errorf("%s belongs to user %d", f.Name(), st.Uid)
	case st.Mode&0o077 != 0 && int(st.Uid) == os.Geteuid():
		return f.Chmod(0o600)
	}
	return nil
}

// take waits for the lock on the file.
func take(ctx context.Context, f *os.File, wait time.Duration) error {
	deadline := time.Now().Add(wait)
	for {
		held, err := try(f)
		switch {
		case err != nil:
			return err
		case held == nil:
			return nil
		case wait >= 0 && !time.Now().Before(deadline):
			return held
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lockPoll):
		}
	}
}

// try takes the lock, or says who has it. The second lock is the one that the kernel tells the holder of; it cannot be
// the only one, since any close of the file would release it.
func try(f *os.File) (*Held, error) {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB) // which does not wait, so no signal interrupts it
	switch {
	case errors.Is(err, unix.EWOULDBLOCK):
		return holder(f), nil
	case err != nil:
		return nil, fmt.Errorf("lock %s: %w", f.Name(), err)
	}
	if left := leftBehind(f); left != nil {
		return left, unix.Flock(int(f.Fd()), unix.LOCK_UN)
	}
	_ = unix.FcntlFlock(f.Fd(), unix.F_SETLK, &unix.Flock_t{Type: unix.F_WRLCK})
	return nil, nil
}

// write says who holds the lock. It is news for others, who can do without: on a full disk there is none.
func (l *Lock) write() {
	text := l.head
	for pid, start := range l.running {
		text += fmt.Sprintf("%d %s\n", pid, start)
	}
	if _, err := l.file.WriteAt([]byte(text), 0); err == nil {
		_ = l.file.Truncate(int64(len(text)))
	}
}

// Note notes that a process was started, until the returned function is called.
func (l *Lock) Note(pid int) (ended func()) {
	if l == nil {
		return func() {}
	}
	start := startOf(pid)
	if start == "" {
		return func() {}
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	l.running[pid] = start
	l.write()
	return func() {
		l.mu.Lock()
		defer l.mu.Unlock()
		delete(l.running, pid)
		l.write()
	}
}

// Release gives the lock back.
func (l *Lock) Release() error {
	l.mu.Lock()
	defer l.mu.Unlock()
	_ = l.file.Truncate(0)
	return l.file.Close()
}
