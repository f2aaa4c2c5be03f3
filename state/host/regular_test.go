package host_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gostate/gostate/state/host"
)

// TestWhatNeverEndsIsNotRead: fifos, devices and logs of the kernel hold no text, and reading them would never end.
func TestWhatNeverEndsIsNotRead(t *testing.T) {
	dir := t.TempDir()
	fifo := filepath.Join(dir, "fifo")
	must(t, syscall.Mkfifo(fifo, 0o600))
	names := []string{fifo, "/dev/zero", "/dev/tty"}
	if os.Geteuid() == 0 {
		names = append(names, "/proc/kmsg")
	}
	machine := realOS(t)
	for _, name := range names {
		if _, err := os.Lstat(name); err != nil {
			continue
		}
		for what, h := range map[string]host.Reader{"run": machine, "preview": host.NewOverlay(machine)} {
			began := time.Now()
			if raw, err := h.ReadFile(name); err == nil && name != "/proc/kmsg" {
				t.Errorf("%s, %s: read %d bytes", name, what, len(raw))
			}
			if took := time.Since(began); took > time.Minute {
				t.Errorf("%s, %s: took %v", name, what, took)
			}
		}
	}
}

// TestHugeTexts: what is too large to be read whole is refused before it is read.
func TestHugeTexts(t *testing.T) {
	huge := filepath.Join(t.TempDir(), "huge")
	must(t, os.WriteFile(huge, nil, 0o600), os.Truncate(huge, 1<<40))
	machine := realOS(t)
	if _, err := machine.ReadFile(huge); err == nil || !strings.Contains(err.Error(), "has more than the 256 MiB") {
		t.Errorf("got %v", err)
	}
	ctx, cancel := context.WithCancelCause(t.Context())
	machine.Until(ctx)
	r, err := machine.Open(huge)
	must(t, err)
	defer r.Close()
	_, err = r.Read(make([]byte, 10))
	must(t, err)
	over := errors.New("over")
	cancel(over)
	if _, err := r.Read(make([]byte, 10)); !errors.Is(err, over) {
		t.Errorf("a reading after the end of the run: %v", err)
	}
}
