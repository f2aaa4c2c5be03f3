package saltutil

import (
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestClearCache(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/var/cache/salt/minion/d/f", "x", 0o644)
	m.MustWrite("/etc/f", "x", 0o644)
	if err := m.Symlink("/etc", "/var/cache/salt/minion/link"); err != nil {
		t.Fatal(err)
	}
	x := modtest.Execs{Family: Family(), Host: m, Env: &modules.Env{}}
	x.Table(t, [][4]string{{"saltutil.clear_cache", `[]`, "", "True"}, {"saltutil.clear_cache", `[]`, "", "True"}})
	for _, gone := range []string{"/var/cache/salt/minion/d/f", "/var/cache/salt/minion/link"} {
		if _, err := m.Lstat(gone); err == nil {
			t.Errorf("%s is still there", gone)
		}
	}
	for _, left := range []string{"/etc/f", "/var/cache/salt/minion/d"} {
		if _, err := m.Lstat(left); err != nil {
			t.Errorf("%s is gone", left)
		}
	}
	x.Env.Opts = modtest.Dict(t, `{"cachedir": "/etc"}`)
	x.Table(t, [][4]string{{"saltutil.clear_cache", `[]`, "", "error: the cachedir /etc holds more than a cache"}})
	if _, err := m.Lstat("/etc/f"); err != nil {
		t.Error("what is no cache is gone")
	}
}
