package host_test

import (
	"errors"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
)

// Where /proc is not mounted, as in the chroot of who builds an image, root works in root's own directories, through
// their links, too; in those of others that is refused with what is missing.
func TestWithoutProc(t *testing.T) {
	if os.Getenv("NO_PROC") == "" {
		if err := exec.Command("unshare", "--mount", "true").Run(); err != nil || os.Geteuid() != 0 {
			t.Skip("only root can hide /proc, in a mount namespace")
		}
		cmd := exec.Command("unshare", "--mount", "sh", "-c",
			`mount -t tmpfs none /proc && mount -t tmpfs -o mode=755 none /mnt && exec "$0" -test.run '^TestWithoutProc$'`, os.Args[0])
		cmd.Env = append(os.Environ(), "NO_PROC=1")
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return
	}
	h, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := h.LookPath("sh"); err != nil {
		t.Error(err)
	}
	if err := h.WriteFile("/mnt/a", strings.NewReader("x"), host.KeepAttr()); err != nil {
		t.Error(err)
	}
	if err := h.Symlink("a", "/mnt/b"); err != nil {
		t.Error(err)
	}
	if text, err := h.ReadFile("/mnt/b"); err != nil || string(text) != "x" {
		t.Errorf("%q %v", text, err)
	}
	if err := h.Chmod("/mnt/b", 0o600); err != nil {
		t.Error(err)
	}
	if err := errors.Join(os.Mkdir("/mnt/theirs", 0o777), os.Chmod("/mnt/theirs", 0o777)); err != nil {
		t.Fatal(err)
	}
	if err := h.WriteFile("/mnt/theirs/x", strings.NewReader("x"), host.KeepAttr()); err == nil ||
		!strings.Contains(err.Error(), "mount -t proc") {
		t.Errorf("in a directory of all: %v", err)
	}
}
