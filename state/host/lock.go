package host

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"

	"golang.org/x/sys/unix"
)

// A Lock lets one run at a time work on a machine. The kernel releases it when its process dies.
type Lock struct{ file *os.File }

// A Held error says who holds the lock.
type Held struct {
	PID     string
	Command string
}

func (h *Held) Error() string {
	if h.PID == "" {
		return "gostate is already running"
	}
	return fmt.Sprintf("gostate is already running: pid %s: %s", h.PID, h.Command)
}

// lockPoll is how often a held lock is tried again.
const lockPoll = 100 * time.Millisecond

// Acquire takes the lock at path for a command, whose text others are shown. With a wait it tries for so long; a
// negative wait has no end. The error of a lock that stays held is a *Held.
func Acquire(ctx context.Context, path, command string, wait time.Duration) (*Lock, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	// The file stays when the lock is released: removing it would let two processes hold locks on different files.
	f, err := os.OpenFile(path, os.O_RDWR|os.O_CREATE|unix.O_NOFOLLOW|unix.O_CLOEXEC, 0o644)
	if err != nil {
		return nil, fmt.Errorf("lock: %w", err)
	}
	if err := flock(ctx, f, wait); err != nil {
		if errors.Is(err, unix.EWOULDBLOCK) {
			err = holder(f)
		}
		f.Close()
		return nil, err
	}
	text := fmt.Sprintf("%d\n%s\n", os.Getpid(), strings.ReplaceAll(command, "\n", " "))
	err = f.Truncate(0)
	if err == nil {
		_, err = f.WriteAt([]byte(text), 0)
	}
	if err != nil {
		f.Close()
		return nil, fmt.Errorf("lock %s: %w", path, err)
	}
	return &Lock{file: f}, nil
}

func flock(ctx context.Context, f *os.File, wait time.Duration) error {
	deadline := time.Now().Add(wait)
	for {
		err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case !errors.Is(err, unix.EWOULDBLOCK):
			return err
		case wait >= 0 && !time.Now().Before(deadline):
			return err
		}
		select {
		case <-ctx.Done():
			return context.Cause(ctx)
		case <-time.After(lockPoll):
		}
	}
}

// holder reads who wrote the lock file. The line may be missing in the moment between lock and write.
func holder(f *os.File) *Held {
	buf := make([]byte, 4096)
	n, _ := f.ReadAt(buf, 0)
	pid, command, _ := strings.Cut(strings.TrimSpace(string(buf[:n])), "\n")
	return &Held{PID: pid, Command: command}
}

// Release gives the lock back.
func (l *Lock) Release() error {
	_ = l.file.Truncate(0)
	return l.file.Close()
}
