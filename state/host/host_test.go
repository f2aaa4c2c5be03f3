package host_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// newTree is a machine in a temp dir, with root in its /etc/passwd and an empty /d.
func newTree(t *testing.T) (*host.OS, string) {
	t.Helper()
	root := t.TempDir()
	for _, d := range []string{"etc", "d"} {
		if err := os.Mkdir(filepath.Join(root, d), 0o755); err != nil {
			t.Fatal(err)
		}
	}
	for name, text := range map[string]string{"passwd": "root:x:0:0:root:/root:/bin/bash\n", "group": "root:x:0:\n"} {
		if err := os.WriteFile(filepath.Join(root, "etc", name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	o, err := host.NewOS(root)
	if err != nil {
		t.Fatal(err)
	}
	return o, root
}

func TestOS(t *testing.T) {
	hosttest.Run(t, func(t *testing.T) host.Host { o, _ := newTree(t); return o })
}

func TestMemory(t *testing.T) {
	hosttest.Run(t, func(t *testing.T) host.Host {
		m := hosttest.NewMemory()
		m.MustMkdir("/d")
		return m
	})
}

func TestOverlay(t *testing.T) {
	hosttest.Run(t, func(t *testing.T) host.Host { o, _ := newTree(t); return host.NewOverlay(o) })
}

func TestOverlayOnMemory(t *testing.T) {
	hosttest.Run(t, func(t *testing.T) host.Host {
		m := hosttest.NewMemory()
		m.MustMkdir("/d")
		m.ClearJournal()
		t.Cleanup(func() {
			if j := m.Journal(); len(j) > 0 {
				t.Errorf("the base was written: %v", j)
			}
		})
		return host.NewOverlay(m)
	})
}

// TestErrorsAreTheSame: what fails on the machine fails on an overlay in the same words, so that a result does not
// depend on which of them a state was judged by.
func TestErrorsAreTheSame(t *testing.T) {
	for _, p := range []string{"/d/circle", "/d/circle/x", "/d/circle/x/y", "/d/one/x", "/d/file/x", "/d/file/x/y",
		"/d/to/x", "/d/none",
		"/d/none/x", "/d/dangling", "/d/dangling/x", "/d/dir", "/d/file", "/d/to", "/d/todir",
		"/d/" + strings.Repeat("x", 256)} {
		machine := hosttest.Calls(withOddities(t), p)
		for op := range machine {
			if strings.HasSuffix(op, "xattr") && p != "/d/to" {
				continue // not every file system has them
			}
			on := func(h host.Host) string { return fmt.Sprint(hosttest.Calls(h, p)[op]()) }
			o := host.NewOverlay(withOddities(t))
			if err := o.WriteFile("/etc/written", strings.NewReader(""), host.KeepAttr()); err != nil {
				t.Fatal(err)
			}
			if want, got := on(withOddities(t)), on(o); got != want {
				t.Errorf("%s of %s:\n machine %s\n overlay %s", op, p, want, got)
			}
		}
	}
}

// withOddities is a machine with links that lead nowhere and in a circle.
func withOddities(t *testing.T) *host.OS {
	o, root := newTree(t)
	err := errors.Join(os.Symlink("circle", root+"/d/circle"), os.Symlink("two", root+"/d/one"),
		os.Symlink("one", root+"/d/two"),
		os.Symlink("nowhere", root+"/d/dangling"), os.Symlink("file", root+"/d/to"), os.Symlink("dir", root+"/d/todir"),
		os.Mkdir(root+"/d/dir", 0o755), os.WriteFile(root+"/d/dir/in", nil, 0o644),
		os.WriteFile(root+"/d/file", []byte("x"), 0o644),
		os.WriteFile(root+"/d/f", nil, 0o644))
	if err != nil {
		t.Fatal(err)
	}
	return o
}
