package host_test

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

// fileFlag sets the flags of a file as chattr(1) does: statx(2) and the ioctl give them the same numbers.
func fileFlag(t *testing.T, path string, flag int) {
	t.Helper()
	f, err := os.Open(path)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	const all = unix.STATX_ATTR_IMMUTABLE | unix.STATX_ATTR_APPEND
	flags, err := unix.IoctlGetInt(int(f.Fd()), unix.FS_IOC_GETFLAGS)
	if err == nil {
		err = unix.IoctlSetPointerInt(int(f.Fd()), unix.FS_IOC_SETFLAGS, flags&^all|flag)
	}
	if err != nil {
		t.Skipf("no file flags for this user on this file system: %v", err)
	}
}

// The kernel is the judge here, too: it refuses root what is immutable, append-only or on a read-only file system.
func TestAPreviewRefusesWhatRootIsRefused(t *testing.T) {
	root := t.TempDir()
	paths := []string{"plain", "fixed", "grows", "fixed.d", "grows.d", "deep"}
	for _, p := range paths {
		d := filepath.Join(root, p)
		if !strings.Contains(p, ".") && p != "deep" {
			mustWriteReal(t, d)
			continue
		}
		mustWriteReal(t, d+"/f")
		mustWriteReal(t, d+"/sub/f")
	}
	for p, flag := range map[string]int{"fixed": unix.STATX_ATTR_IMMUTABLE, "grows": unix.STATX_ATTR_APPEND,
		"fixed.d": unix.STATX_ATTR_IMMUTABLE, "grows.d": unix.STATX_ATTR_APPEND, "deep/sub/f": unix.STATX_ATTR_IMMUTABLE} {
		d := filepath.Join(root, p)
		fileFlag(t, d, flag)
	}
	t.Cleanup(func() {
		_ = filepath.WalkDir(root, func(p string, d os.DirEntry, _ error) error {
			if d.Type()&os.ModeSymlink == 0 {
				fileFlag(t, p, 0)
			}
			return nil
		})
	})
	sameAsTheKernel(t, root, paths, rootChanges())
}

func TestAPreviewKnowsOfReadOnlyFileSystems(t *testing.T) {
	root := os.Getenv("HOST_TEST_ROOT")
	if root == "" {
		root = t.TempDir()
		for _, p := range []string{"plain", "deep/f", "deep/sub/f"} {
			mustWriteReal(t, filepath.Join(root, p))
		}
		cmd := child(t, "tests", "HOST_TEST_ROOT="+root)
		cmd.Args = append(cmd.Args, "-test.run", "^"+t.Name()+"$", "-test.v")
		cmd.SysProcAttr = &syscall.SysProcAttr{Cloneflags: syscall.CLONE_NEWNS}
		out, err := cmd.CombinedOutput()
		if errors.Is(err, syscall.EPERM) {
			t.Skip("takes root, for mounts")
		}
		if err != nil || !strings.Contains(string(out), "--- PASS") {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	err := errors.Join(unix.Mount("", "/", "", unix.MS_REC|unix.MS_PRIVATE, ""),
		unix.Mount(root, root, "", unix.MS_BIND, ""),
		unix.Mount("", root, "", unix.MS_BIND|unix.MS_REMOUNT|unix.MS_RDONLY, ""))
	if err != nil {
		t.Fatal(err)
	}
	sameAsTheKernel(t, root, []string{"plain", "deep"}, slices.DeleteFunc(rootChanges(), func(c change) bool {
		return c.name == "link" || strings.Contains(c.name, "moved") // where there are two reasons
	}))
}

func mustWriteReal(t *testing.T, p string) {
	t.Helper()
	if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o755), os.WriteFile(p, []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
}

// sameAsTheKernel changes each path in every way: overlays first, since the run is for good.
func sameAsTheKernel(t *testing.T, root string, paths []string, changes []change) {
	t.Helper()
	machine, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	refused := 0
	for _, c := range changes {
		for _, p := range paths {
			change := func(h host.Host) string { return said(c.do(h, filepath.Join(root, p))) }
			want := change(host.NewOverlay(machine))
			if got := change(host.Forecast(host.NewOverlay(machine))); got != want {
				t.Errorf("%s of %s on two overlays: %s; on one: %s", c.name, p, got, want)
			}
			if got := change(machine); got != want {
				t.Errorf("%s of %s: the run: %s; the preview: %s", c.name, p, got, want)
			} else if got != "done" {
				refused++
			}
		}
	}
	if refused < len(changes) {
		t.Errorf("only %d changes were refused", refused)
	}
}

type change struct {
	name string
	do   func(h host.Host, p string) error
}

// rootChanges are of a file or a directory; the last ones are for good.
func rootChanges() []change {
	at := time.Unix(1, 0)
	return []change{
		{"chmod", func(h host.Host, p string) error { return h.Chmod(p, 0o755) }},
		{"chown", func(h host.Host, p string) error { return h.Chown(p, 0, 0) }},
		{"touch", func(h host.Host, p string) error { return h.Chtimes(p, at, at) }},
		{"xattr", func(h host.Host, p string) error { return h.SetXattr(p, "trusted.x", []byte("y")) }},
		{"mkdir within", func(h host.Host, p string) error { return h.Mkdir(p+"/new", host.KeepAttr()) }},
		{"write within", func(h host.Host, p string) error {
			return h.WriteFile(p+"/file", strings.NewReader("x"), host.KeepAttr())
		}},
		{"symlink within", func(h host.Host, p string) error { return h.Symlink("x", p+"/link") }},
		{"replace within", func(h host.Host, p string) error { return h.Symlink("x", p+"/f") }},
		{"link", func(h host.Host, p string) error { return h.Link(p, p+".link") }},
		{"rename within", func(h host.Host, p string) error { return h.Rename(p+"/sub", p+"/moved") }},
		{"write", func(h host.Host, p string) error {
			return h.WriteFile(p, strings.NewReader("y"), host.KeepAttr())
		}},
		{"rename", func(h host.Host, p string) error { return h.Rename(p, p+".moved") }},
		{"remove what moved", func(h host.Host, p string) error { return h.Remove(p + ".moved") }},
		{"remove all", func(h host.Host, p string) error { return h.RemoveAll(p) }},
		{"remove all that moved", func(h host.Host, p string) error { return h.RemoveAll(p + ".moved") }},
	}
}
