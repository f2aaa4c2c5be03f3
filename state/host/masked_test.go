package host_test

import (
	"io/fs"
	"strings"
	"testing"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// TestMasked: on a machine and on an overlay, what has no mode of its own gets that of the mask.
func TestMasked(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/old", "x", 0o644)
	for _, h := range []host.Host{host.Forecast(m), m} {
		masked := host.Masked(h, 0o027)
		for _, err := range []error{
			masked.WriteFile("/new", strings.NewReader("x"), host.KeepAttr()),
			masked.WriteFile("/old", strings.NewReader("y"), host.KeepAttr()),
			masked.WriteFile("/asked", strings.NewReader("x"), host.Attr{Mode: 0o666, HasMode: true, UID: -1, GID: -1}),
			masked.Mkdir("/dir", host.KeepAttr()),
			masked.Mknod("/pipe", fs.ModeNamedPipe, 0, 0, host.KeepAttr()),
		} {
			if err != nil {
				t.Error(err)
			}
		}
		for path, want := range map[string]uint32{"/new": 0o640, "/old": 0o644, "/asked": 0o666, "/dir": 0o750,
			"/pipe": 0o640} {
			if i, err := h.Lstat(path); err != nil || i.Perm() != want {
				t.Errorf("%T: %s has %o, want %o (%v)", h, path, i.Perm(), want, err)
			}
		}
	}
	if got := host.IdentityOf(host.Masked(m, 0o077)).Umask; got != 0o077 {
		t.Errorf("its identity has the mask %o", got)
	}
	if host.Told(host.Masked(host.Forecast(m), 0)) != 0 {
		t.Error("nothing was told")
	}
}
