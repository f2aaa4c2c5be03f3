package pkg

import (
	"context"
	"crypto/md5"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestDescribePackages(t *testing.T) {
	h := hosttest.NewMemory()
	status(h, "hello 1.0", "app 2.0", "vim 9 hold", "gone 1 config-files")
	h.MustWrite("/var/lib/apt/extended_states", "Package: app\nArchitecture: amd64\nAuto-Installed: 1\n\n"+
		"Package: hello\nArchitecture: amd64\nAuto-Installed: 0\n\n", 0o644)
	for _, tt := range []struct {
		name string
		set  func(*modules.Look)
		want []string
	}{
		{"asked for", nil, []string{"pkg.installed packages pkgs=['dpkg', 'hello', 'vim']", "pkg.held held pkgs=['vim']"}},
		{"all", func(l *modules.Look) { l.System = true }, []string{
			"pkg.installed packages pkgs=['app', 'dpkg', 'hello', 'vim']", "pkg.held held pkgs=['vim']"}},
		{"by name", func(l *modules.Look) { l.Names = []string{"ap*", "gone", "never"} }, []string{
			"# version 2.0", "pkg.installed app", "pkg.removed gone", "pkg.removed never", "missing: gone", "missing: never"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			if d := cmp.Diff(tt.want, modtest.Describe(t, Family(), h, "package", tt.set)); d != "" {
				t.Errorf("-want +got:\n%s", d)
			}
		})
	}
}

// TestDescribeConffiles: what was changed, and what nobody owns, but not what others tell of or the machine makes.
func TestDescribeConffiles(t *testing.T) {
	h := hosttest.NewMemory()
	for name, text := range map[string]string{"/etc/app/same": "same\n", "/etc/app/changed": "by hand\n",
		"/etc/app/script": "x",
		"/etc/hand/new":   "x\n", "/etc/passwd": "", "/etc/machine-id": "1\n", "/etc/ssh/ssh_host_rsa_key": "k",
		"/etc/nsswitch.conf": "n\n", "/usr/share/libc-bin/nsswitch.conf": "n\n", "/etc/ucf": "u\n",
		"/etc/app/changed.dpkg-old": "o",
		"/etc/sysctl.d/mine.conf":   "a=1\n", "/etc/hand/[x]": "x"} {
		h.MustWrite(name, text, 0o644)
	}
	if err := h.Symlink("new", "/etc/hand/link"); err != nil {
		t.Fatal(err)
	}
	h.MustWrite("/var/lib/dpkg/status", fmt.Sprintf("Package: dpkg\nStatus: install ok installed\nArchitecture: "+
		"amd64\nVersion: 1\n"+
		"Conffiles:\n /etc/app/same %x\n /etc/app/changed %[1]x\nDescription: x\n /etc/hand/new %[1]x\n",
		md5.Sum([]byte("same\n"))), 0o644)
	h.MustWrite("/var/lib/dpkg/info/app.list", "/.\n/etc\n/etc/app\n/etc/app/same\n/etc/app/changed\n/etc/app/script\n/etc/ssh\n"+
		"/etc/sysctl.d\n", 0o644)
	h.MustWrite("/var/lib/ucf/hashfile", fmt.Sprintf("%x  /etc/ucf\n", md5.Sum([]byte("u\n"))), 0o644)
	var got []string
	modtest.Describe(t, Family(), h, "conffile", func(l *modules.Look) {
		l.Kinds = func(_ context.Context, kind string, names []string) ([]*modules.Thing, error) {
			got = append(got, names...)
			return nil, nil
		}
	})
	want := []string{"/etc/app/changed", "/etc/hand", "/etc/hand/[x]", "/etc/hand/link", "/etc/hand/new"}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("-want +got:\n%s", d)
	}
}
