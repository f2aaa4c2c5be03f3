package host

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// A Held error says who holds the lock: a run, a command that a killed run has left, or some other process.
type Held struct {
	PID     int // 0 where it cannot be known
	Command string
	// Left says that it is a command of a run that was killed, Stranger that it is no run.
	Left, Stranger bool
}

func (h *Held) Error() string {
	who := fmt.Sprintf("pid %d: %s", h.PID, h.Command)
	switch {
	case h.Left:
		return "a command of a run that was killed is still at work: " + who
	case h.PID == 0:
		return "gostate is already running"
	case h.Stranger:
		return "the lock is held by a process that is no run: " + who
	}
	return "gostate is already running: " + who
}

// Holder says who works on the machine whose lock is at path, nil for nobody. It takes and changes nothing.
func Holder(path string) (*Held, error) {
	f, err := os.OpenFile(path, os.O_RDONLY|unix.O_NOFOLLOW|unix.O_NONBLOCK, 0)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	}
	defer f.Close()
	if writer(f) != 0 {
		return holder(f), nil
	}
	return leftBehind(f), nil
}

// holder asks the kernel who holds the lock. What the file says of it counts only where it is of that process.
func holder(f *os.File) *Held {
	h := &Held{PID: writer(f)}
	if h.PID == 0 {
		h.PID = flocker(f)
	}
	pid, rest, _ := strings.Cut(lockText(f), "\n")
	if h.Stranger = pid != strconv.Itoa(h.PID); h.Stranger {
		h.Command = commandOf(h.PID)
	} else {
		h.Command, _, _ = strings.Cut(rest, "\n")
	}
	return h
}

// writer is the process that has the file's record lock, which each run takes beside its own.
func writer(f *os.File) int {
	l := unix.Flock_t{Type: unix.F_WRLCK}
	if err := unix.FcntlFlock(f.Fd(), unix.F_GETLK, &l); err != nil || l.Type == unix.F_UNLCK || l.Pid < 0 {
		return 0
	}
	return int(l.Pid)
}

// flocker finds the process that has the file open and holds a lock on it, in a line such as
//
//	3: FLOCK  ADVISORY  WRITE 4711 00:2d:1234 0 EOF
func flocker(f *os.File) int {
	mine, err := f.Stat()
	if err != nil {
		return 0
	}
	table, _ := os.ReadFile("/proc/locks")
	for line := range strings.Lines(string(table)) {
		w := strings.Fields(line)
		if len(w) < 6 || w[1] != "FLOCK" {
			continue
		}
		open, _ := filepath.Glob("/proc/" + w[4] + "/fd/*")
		for _, fd := range open {
			if info, err := os.Stat(fd); err == nil && os.SameFile(info, mine) {
				pid, _ := strconv.Atoi(w[4])
				return pid
			}
		}
	}
	return 0
}

// leftBehind is a command of a run that was killed, which runs on; nil when there is none.
func leftBehind(f *os.File) *Held {
	for i, line := range strings.Split(lockText(f), "\n") {
		word, start, ok := strings.Cut(line, " ")
		pid, err := strconv.Atoi(word)
		if i >= 2 && ok && err == nil && start == startOf(pid) {
			return &Held{PID: pid, Command: commandOf(pid), Left: true}
		}
	}
	return nil
}

func lockText(f *os.File) string {
	buf := make([]byte, 64<<10)
	n, _ := f.ReadAt(buf, 0)
	return string(buf[:n])
}

// commandOf is the command line of a process.
func commandOf(pid int) string {
	line, _ := os.ReadFile(fmt.Sprintf("/proc/%d/cmdline", pid))
	return string(bytes.ReplaceAll(bytes.TrimRight(line, "\x00"), []byte{0}, []byte{' '}))
}

// startOf tells a process from a later one of the same number: the time of its start and the boot that it is of. It is
// empty for one that is gone or has ended, and where there is no /proc.
func startOf(pid int) string {
	stat, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", pid))
	if err != nil {
		return ""
	}
	const state, start = 0, 19 // among the words behind the name
	w := strings.Fields(string(stat[bytes.LastIndexByte(stat, ')')+1:]))
	if len(w) <= start || w[state] == "Z" || w[state] == "X" {
		return ""
	}
	boot, _ := os.ReadFile("/proc/sys/kernel/random/boot_id")
	return w[start] + "@" + string(boot[:min(8, len(boot))])
}
