package host_test

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// nobody is who the tests below are run as where the process is root's.
const nobody = 65534

func nobodyChild(m *testing.M) int {
	if err := errors.Join(syscall.Setgroups(nil), syscall.Setgid(nobody), syscall.Setuid(nobody)); err != nil {
		fmt.Println(err)
		return 3
	}
	return m.Run()
}

// The kernel is the judge: what it refuses one who is not root, an overlay refuses too, by the same errors.
func TestAPreviewRefusesWhatTheRunIsRefused(t *testing.T) {
	if os.Geteuid() == 0 {
		dir := t.TempDir()
		for d := dir; d != os.TempDir(); d = filepath.Dir(d) {
			if err := os.Chmod(d, 0o755); err != nil {
				t.Fatal(err)
			}
		}
		cmd := child(t, "nobody", "HOST_TEST_ROOT="+dir)
		cmd.Args = append(cmd.Args, "-test.run", t.Name(), "-test.v")
		guarded(t, dir)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Errorf("%v\n%s", err, out)
		}
		return
	}
	root := os.Getenv("HOST_TEST_ROOT")
	if root == "" {
		t.Skip("takes root, for files of others")
	}
	for name, change := range changes() {
		machine, err := host.NewOS("/")
		if err != nil {
			t.Fatal(err)
		}
		below := host.NewOverlay(machine)
		want := "" // the overlays go first: the run is for good
		for what, h := range map[string]host.Host{"asking the kernel": host.NewOverlay(machine),
			"by the bits":   host.NewOverlay(plain{machine}),
			"on an overlay": host.Forecast(below), "on a written one": written(t, below, root)} {
			got := said(change(h, root))
			if want == "" {
				want = got
			}
			if got != want {
				t.Errorf("%s: %s: %s; others: %s", name, what, got, want)
			}
		}
		if got := said(change(machine, root)); got != want {
			t.Errorf("%s: the run: %s, the preview: %s", name, got, want)
		}
	}
}

// plain hides what kind of machine it is.
type plain struct{ *host.OS }

func written(t *testing.T, base host.Reader, root string) host.Host {
	t.Helper()
	o := host.Forecast(base)
	mustWrite(t, o, root+"/mine/written", "")
	return o
}

func said(err error) string {
	var no syscall.Errno
	switch {
	case err == nil:
		return "done"
	case errors.As(err, &no):
		return no.Error()
	}
	return err.Error()
}

// guarded makes a directory of nobody's, one of root's, one of root's that everybody may write, and a sticky one.
func guarded(t *testing.T, root string) {
	t.Helper()
	for dir, mode := range map[string]os.FileMode{"mine": 0o755, "roots": 0o755, "open": 0o777,
		"sticky": 0o777 | os.ModeSticky, "closed": 0o711} {
		d := filepath.Join(root, dir)
		err := errors.Join(os.Mkdir(d, 0o755), os.Chmod(d, mode), os.WriteFile(d+"/f", []byte("x"), 0o644),
			os.WriteFile(d+"/own", nil, 0o600),
			os.Chown(d+"/own", nobody, nobody), os.Mkdir(d+"/sub", 0o755), os.WriteFile(d+"/sub/f", nil, 0o644),
			os.Mkdir(d+"/empty", 0o755))
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Chown(filepath.Join(root, "mine"), nobody, nobody); err != nil {
		t.Fatal(err)
	}
}

// changes are those that the kernel may refuse, by a description. Each works on paths of its own, or is refused.
func changes() map[string]func(h host.Host, root string) error {
	out := map[string]func(h host.Host, root string) error{}
	at := time.Unix(1, 0)
	for _, dir := range []string{"mine", "roots", "open", "sticky", "closed"} {
		add := func(name string, fn func(h host.Host, d string) error) {
			out[dir+": "+name] = func(h host.Host, root string) error { return fn(h, filepath.Join(root, dir)) }
		}
		write := func(h host.Host, p string, a host.Attr) error { return h.WriteFile(p, strings.NewReader(""), a) }
		theirs := host.Attr{UID: 0, GID: -1}
		add("write new", func(h host.Host, d string) error { return write(h, d+"/n1", host.KeepAttr()) })
		add("write new for another", func(h host.Host, d string) error { return write(h, d+"/n2", theirs) })
		add("write new for another group", func(h host.Host,
			d string) error {
			return write(h, d+"/n3", host.Attr{UID: -1, GID: 0})
		})
		add("rewrite another's", func(h host.Host, d string) error { return write(h, d+"/f", host.KeepAttr()) })
		add("rewrite another's as own", func(h host.Host, d string) error {
			return write(h, d+"/sub/f",
				host.Attr{UID: nobody, GID: nobody})
		})
		add("mkdir", func(h host.Host, d string) error { return h.Mkdir(d+"/n4", host.KeepAttr()) })
		add("mkdir for another", func(h host.Host, d string) error { return h.Mkdir(d+"/n5", theirs) })
		add("mkdir of what is there", func(h host.Host, d string) error { return h.Mkdir(d+"/sub", host.KeepAttr()) })
		add("symlink", func(h host.Host, d string) error { return h.Symlink("f", d+"/n6") })
		add("link", func(h host.Host, d string) error { return h.Link(d+"/own", d+"/n7") })
		add("fifo", func(h host.Host, d string) error { return h.Mknod(d+"/n8", os.ModeNamedPipe, 0, 0, host.KeepAttr()) })
		add("device", func(h host.Host, d string) error {
			return h.Mknod(d+"/n9", os.ModeDevice|os.ModeCharDevice, 1, 3, host.KeepAttr())
		})
		add("chmod another's", func(h host.Host, d string) error { return h.Chmod(d+"/sub", 0o700) })
		add("chown another's", func(h host.Host, d string) error { return h.Chown(d+"/sub", nobody, -1) })
		add("chown own", func(h host.Host, d string) error { return h.Chown(d+"/own", 0, -1) })
		add("chown own to itself", func(h host.Host, d string) error { return h.Chown(d+"/own", nobody, nobody) })
		add("touch another's", func(h host.Host, d string) error { return h.Chtimes(d+"/sub", at, at) })
		add("touch own", func(h host.Host, d string) error { return h.Chtimes(d+"/own", at, at) })
		add("remove nothing", func(h host.Host, d string) error { return h.Remove(d + "/none") })
		add("remove a full directory", func(h host.Host, d string) error { return h.RemoveAll(d + "/sub") })
		add("remove an empty directory", func(h host.Host, d string) error { return h.Remove(d + "/empty") })
		add("rename into another directory", func(h host.Host, d string) error {
			return h.Rename(d+"/sub", filepath.Dir(d)+"/mine/moved-"+filepath.Base(d))
		})
		add("rename", func(h host.Host, d string) error { return h.Rename(d+"/f", d+"/n10") })
		add("remove own", func(h host.Host, d string) error { return h.Remove(d + "/own") })
	}
	return out
}

// anyone is a machine as one sees it who is not root.
type anyone struct{ host.Reader }

func (anyone) Identity() host.Identity { return host.Identity{UID: nobody, GID: nobody, Umask: 0o022} }

// A deed takes who may do it: what it leaves is foretold to everybody.
func TestADeedIsForetoldToEverybody(t *testing.T) {
	o := host.NewOverlay(anyone{hosttest.NewMemory()})
	write := func(h host.Host) error { return h.WriteFile("/etc/x", strings.NewReader("x"), host.KeepAttr()) }
	if err := write(o); !errors.Is(err, syscall.EACCES) {
		t.Errorf("a file in /etc: %v", err)
	}
	if err := o.Do(t.Context(), host.Deed{On: host.FactUser, Foretell: write}); err != nil {
		t.Errorf("a file of a deed: %v", err)
	}
	if i, err := o.Lstat("/etc/x"); err != nil || i.UID != 0 {
		t.Errorf("what the deed leaves: %+v, %v", i, err)
	}
	if err := write(o); !errors.Is(err, syscall.EACCES) {
		t.Errorf("after the deed: %v", err)
	}
}
