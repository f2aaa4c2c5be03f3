package host_test

import (
	"os"
	"path/filepath"
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
