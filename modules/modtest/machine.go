package modtest

import (
	"os"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// Tools answer the commands of a machine in memory, and change it as they would.
type Tools func(m *hosttest.Memory, c host.Cmd) (*host.Output, error)

// Memory makes machines in memory: with these tools, and with what set puts there; both may be nil.
func Memory(tools Tools, set func(m *hosttest.Memory)) func(*testing.T) host.Host {
	return func(*testing.T) host.Host {
		m := hosttest.NewMemory()
		if set != nil {
			set(m)
		}
		if tools != nil {
			m.Script = func(c host.Cmd) (*host.Output, error) { return tools(m, c) }
		}
		m.Invalidate("")
		return m
	}
}

// Tree makes machines of real files, below a directory of their own in which set finds /etc, /var and /tmp.
func Tree(set func(t *testing.T, root string)) func(*testing.T) host.Host {
	return func(t *testing.T) host.Host {
		t.Helper()
		root := quickDir(t)
		for _, d := range []string{"/etc", "/var", "/tmp"} {
			if err := os.Mkdir(root+d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		set(t, root)
		h, err := host.NewOS(root)
		if err != nil {
			t.Fatal(err)
		}
		return h
	}
}

// quickDir is a directory in memory where there is one: hundreds of machines need not reach a disk.
func quickDir(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "gostate-test-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	return dir
}
