package pkg

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"strings"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// lockPatience is how long another package manager is waited for.
const lockPatience = 10 * time.Minute

// awaitLock waits until nobody else holds dpkg's lock. That apt-get itself waits a little (see Run) covers the moment
// between this look and its own.
func (a *apt) awaitLock(ctx context.Context, env *modules.Env, h host.Reader) error {
	return await(ctx, env, func() string { return a.lockHolder(h) })
}

// await waits until nobody else holds the package database, and shows who does.
func await(ctx context.Context, env *modules.Env, holds func() string) error {
	for start := time.Now(); ; {
		who := holds()
		if who == "" {
			return nil
		}
		if time.Since(start) > lockPatience {
			return fmt.Errorf("the package database is locked by %s", who)
		}
		env.Progress("waiting for " + who + ", which holds the package database")
		t := time.NewTimer(500 * time.Millisecond)
		select {
		case <-t.C:
		case <-ctx.Done():
			t.Stop()
			return fmt.Errorf("waiting for %s, which holds the package database: %w", who, ctx.Err())
		}
	}
}

// lockHolder names the process that holds one of dpkg's locks, "" when none does: /proc/locks tells it without taking
// the lock. The last is debconf's: the script of a package outlives a dpkg that was killed, and with debconf in its
// hands no other package can be configured.
func (a *apt) lockHolder(h host.Reader) string {
	locks, err := h.ReadFile("/proc/locks")
	if err != nil {
		return ""
	}
	for _, l := range []struct{ file, kind string }{{a.admindir + "/lock-frontend", "POSIX"},
		{a.admindir + "/lock", "POSIX"}, {"/var/cache/apt/archives/lock", "POSIX"},
		{"/var/cache/debconf/config.dat", "FLOCK"}} {
		info, err := h.Stat(l.file)
		if err != nil {
			continue
		}
		if pid := lockOwner(string(locks), l.kind, info.Inode); pid > 0 && hasOpen(h, pid, l.file) {
			return describe(h, pid)
		}
	}
	return ""
}

// lockOwner reads lines such as "1: POSIX ADVISORY WRITE 1234 08:01:5678 0 EOF". Waiting processes have "->" before the
// kind.
func lockOwner(locks, kind string, inode uint64) int {
	for line := range strings.Lines(locks) {
		f := strings.Fields(line)
		if len(f) < 6 || f[1] != kind || f[3] != "WRITE" {
			continue
		}
		if i := strings.LastIndexByte(f[5], ':'); f[5][i+1:] == strconv.FormatUint(inode, 10) {
			pid, _ := strconv.Atoi(f[4])
			return pid
		}
	}
	return 0
}

// openedBy names the process that has a file open, "" where the file is not there or nobody has.
func openedBy(h host.Reader, file string) string {
	if _, err := h.Stat(file); err != nil {
		return ""
	}
	all, _ := h.ReadDir("/proc")
	for _, p := range all {
		if pid, err := strconv.Atoi(p.Path); err == nil && hasOpen(h, pid, file) {
			return describe(h, pid)
		}
	}
	return ""
}

// hasOpen says whether the process has the file open: an inode number alone may be that of a file elsewhere.
func hasOpen(h host.Reader, pid int, file string) bool {
	dir := fmt.Sprintf("/proc/%d/fd/", pid)
	fds, _ := h.ReadDir(dir)
	for _, fd := range fds {
		if target, err := h.Readlink(dir + fd.Path); err == nil && target == file {
			return true
		}
	}
	return false
}

func describe(h host.Reader, pid int) string {
	line, err := h.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	if err != nil || len(line) == 0 {
		return ""
	}
	words := strings.TrimSpace(string(bytes.ReplaceAll(line, []byte{0}, []byte{' '})))
	if len(words) > 60 {
		words = words[:60] + "..."
	}
	return fmt.Sprintf("%s (pid %d)", words, pid)
}
