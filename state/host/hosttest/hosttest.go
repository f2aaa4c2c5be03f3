// Package hosttest is the suite that every host.Host passes: what a module may rely on, whatever machine it works on.
package hosttest

import (
	"errors"
	"flag"
	"fmt"
	"io/fs"
	"os"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

// Run checks a host made by the function: an empty machine with a directory /d that the test may write in, and an
// /etc/passwd with root.
func Run(t *testing.T, make func(t *testing.T) host.Host) {
	for _, c := range []struct {
		name string
		fn   func(t *testing.T, h host.Host)
	}{
		{"write and read", writeAndRead}, {"rewriting keeps the mode", rewriteKeeps}, {"errors", faults},
		{"directories", directories},
		{"links", links}, {"link loops", loops}, {"a relative link up and out", escapes}, {"rename", renames},
		{"remove", removes},
		{"a failing reader", failingReader}, {"modes", modes}, {"times", times}, {"accounts", accounts}, {"facts", facts},
		{"a fifo", fifos}, {"hard links", hardLinks}, {"a setgid directory", setgid},
		{"writing through a linked directory", throughLink}, {"replacing a link", replaceLink},
		{"relative paths", relativePaths},
	} {
		t.Run(c.name, func(t *testing.T) { c.fn(t, make(t)) })
	}
}

func write(t *testing.T, h host.Host, path, text string) {
	t.Helper()
	if err := h.WriteFile(path, strings.NewReader(text), host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
}

func wantText(t *testing.T, h host.Host, path, want string) {
	t.Helper()
	got, err := h.ReadFile(path)
	if err != nil || string(got) != want {
		t.Errorf("%s holds %q, %v; want %q", path, got, err, want)
	}
}

func wantErr(t *testing.T, what string, err error, want error) {
	t.Helper()
	var pe *fs.PathError
	switch {
	case !errors.Is(err, want):
		t.Errorf("%s: got %v, want %v", what, err, want)
	case errors.As(err, &pe) && !strings.HasPrefix(pe.Path, "/d"):
		t.Errorf("%s: the error names %s, which is not the machine's path", what, pe.Path)
	}
}

func names(t *testing.T, h host.Host, dir string) []string {
	t.Helper()
	infos, err := h.ReadDir(dir)
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, i := range infos {
		out = append(out, i.Path)
	}
	return out
}

func writeAndRead(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "one\n")
	wantText(t, h, "/d/f", "one\n")
	write(t, h, "/d/f", "")
	wantText(t, h, "/d/f", "")
	if diff := cmp.Diff([]string{"f"}, names(t, h, "/d")); diff != "" {
		t.Errorf("left in the directory (-want +got):\n%s", diff)
	}
	if i, err := h.Lstat("/d/f"); err != nil || !i.IsRegular() || i.Path != "/d/f" || i.Nlink != 1 {
		t.Errorf("lstat: %+v, %v", i, err)
	}
}

func rewriteKeeps(t *testing.T, h host.Host) {
	a := host.KeepAttr()
	a.Mode, a.HasMode = 0o640, true
	if err := h.WriteFile("/d/f", strings.NewReader("1"), a); err != nil {
		t.Fatal(err)
	}
	write(t, h, "/d/f", "2")
	if i, _ := h.Stat("/d/f"); i.Perm() != 0o640 || i.Size != 1 {
		t.Errorf("got %o, size %d", i.Perm(), i.Size)
	}
}

func faults(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "x")
	_, err := h.ReadFile("/d/none")
	wantErr(t, "read of nothing", err, fs.ErrNotExist)
	_, err = h.Lstat("/d/f/below")
	wantErr(t, "below a file", err, syscall.ENOTDIR)
	wantErr(t, "write below a file", h.WriteFile("/d/f/below", strings.NewReader(""), host.KeepAttr()), syscall.ENOTDIR)
	wantErr(t, "write below nothing", h.WriteFile("/d/no/f", strings.NewReader(""), host.KeepAttr()), fs.ErrNotExist)
	wantErr(t, "write to a directory", h.WriteFile("/d", strings.NewReader(""), host.KeepAttr()), syscall.EISDIR)
	wantErr(t, "mkdir of a file", h.Mkdir("/d/f", host.KeepAttr()), fs.ErrExist)
	wantErr(t, "chmod of nothing", h.Chmod("/d/none", 0o600), fs.ErrNotExist)
	wantErr(t, "remove of nothing", h.Remove("/d/none"), fs.ErrNotExist)
	_, err = h.Readlink("/d/f")
	wantErr(t, "readlink of a file", err, syscall.EINVAL)
	if err := h.WriteFile("relative", strings.NewReader(""), host.KeepAttr()); err == nil {
		t.Error("a relative path was written")
	}
}

// Calls are all calls that take a path.
func Calls(h host.Host, p string) map[string]func() error {
	now := time.Now()
	return map[string]func() error{
		"lstat":       func() error { _, err := h.Lstat(p); return err },
		"stat":        func() error { _, err := h.Stat(p); return err },
		"read":        func() error { _, err := h.ReadFile(p); return err },
		"open":        func() error { _, err := h.Open(p); return err },
		"readdir":     func() error { _, err := h.ReadDir(p); return err },
		"readlink":    func() error { _, err := h.Readlink(p); return err },
		"xattrs":      func() error { _, err := h.Xattrs(p); return err },
		"write":       func() error { return h.WriteFile(p, strings.NewReader(""), host.KeepAttr()) },
		"mkdir":       func() error { return h.Mkdir(p, host.KeepAttr()) },
		"symlink":     func() error { return h.Symlink("/d", p) },
		"link":        func() error { return h.Link(p, "/d/new") },
		"link to":     func() error { return h.Link("/d/f", p) },
		"rename":      func() error { return h.Rename(p, "/d/new") },
		"rename to":   func() error { return h.Rename("/d/f", p) },
		"remove":      func() error { return h.Remove(p) },
		"removeall":   func() error { return h.RemoveAll(p) },
		"chmod":       func() error { return h.Chmod(p, 0o600) },
		"chown":       func() error { return h.Chown(p, 0, 0) },
		"chtimes":     func() error { return h.Chtimes(p, now, now) },
		"setxattr":    func() error { return h.SetXattr(p, "user.a", nil) },
		"removexattr": func() error { return h.RemoveXattr(p, "user.a") },
		"mknod":       func() error { return h.Mknod(p, fs.ModeNamedPipe, 0, 0, host.KeepAttr()) },
	}
}

// relativePaths are no paths of the machine, whatever is asked, before and after the first write.
func relativePaths(t *testing.T, h host.Host) {
	for range 2 {
		for _, p := range []string{"", "f", "./f", "d/f", "../d"} {
			for op, fn := range Calls(h, p) {
				if err := fn(); err == nil || !strings.Contains(err.Error(), fmt.Sprintf("the path %q is not absolute", p)) {
					t.Errorf("%s of %q: %v", op, p, err)
				}
			}
		}
		write(t, h, "/d/f", "")
	}
}

func directories(t *testing.T, h host.Host) {
	if err := h.Mkdir("/d/sub", host.Attr{Mode: 0o750, HasMode: true, UID: -1, GID: -1}); err != nil {
		t.Fatal(err)
	}
	write(t, h, "/d/sub/b", "")
	write(t, h, "/d/sub/a", "")
	if diff := cmp.Diff([]string{"a", "b"}, names(t, h, "/d/sub")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if i, _ := h.Stat("/d/sub"); i.Perm() != 0o750 || !i.IsDir() {
		t.Errorf("got %v", i.Mode)
	}
}

func links(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "text")
	for _, l := range [][2]string{{"/d/rel", "f"}, {"/d/abs", "/d/f"}, {"/d/two", "rel"}} {
		link, target := l[0], l[1]
		if err := h.Symlink(target, link); err != nil {
			t.Fatal(err)
		}
		wantText(t, h, link, "text")
		if got, err := h.Readlink(link); err != nil || got != target {
			t.Errorf("readlink %s: %q, %v", link, got, err)
		}
		if i, err := h.Lstat(link); err != nil || !i.IsSymlink() {
			t.Errorf("lstat %s: %v, %v", link, i.Mode, err)
		}
		if i, err := h.Stat(link); err != nil || !i.IsRegular() {
			t.Errorf("stat %s: %v, %v", link, i.Mode, err)
		}
	}
	if err := h.Link("/d/f", "/d/hard"); err != nil {
		t.Fatal(err)
	}
	a, _ := h.Lstat("/d/f")
	b, _ := h.Lstat("/d/hard")
	if a.Inode != b.Inode || b.Nlink != 2 {
		t.Errorf("hard link: inodes %d, %d, links %d", a.Inode, b.Inode, b.Nlink)
	}
}

func loops(t *testing.T, h host.Host) {
	if err := errors.Join(h.Symlink("b", "/d/a"), h.Symlink("a", "/d/b")); err != nil {
		t.Fatal(err)
	}
	_, err := h.Stat("/d/a")
	wantErr(t, "stat of a loop", err, syscall.ELOOP)
	_, err = h.ReadFile("/d/a/x")
	wantErr(t, "read through a loop", err, syscall.ELOOP)
}

func escapes(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "inside")
	if err := h.Symlink("../../../../../../../../d/f", "/d/up"); err != nil {
		t.Fatal(err)
	}
	wantText(t, h, "/d/up", "inside")
	wantText(t, h, "/../../d/f", "inside")
}

func throughLink(t *testing.T, h host.Host) {
	if err := errors.Join(h.Mkdir("/d/real", host.KeepAttr()), h.Symlink("/d/real", "/d/via")); err != nil {
		t.Fatal(err)
	}
	write(t, h, "/d/via/f", "x")
	wantText(t, h, "/d/real/f", "x")
	if diff := cmp.Diff([]string{"f"}, names(t, h, "/d/via")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func replaceLink(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "kept")
	if err := errors.Join(h.Symlink("f", "/d/l"), h.Symlink("other", "/d/l")); err != nil {
		t.Fatal(err)
	}
	write(t, h, "/d/l", "own")
	wantText(t, h, "/d/f", "kept")
	wantText(t, h, "/d/l", "own")
}

func renames(t *testing.T, h host.Host) {
	if err := errors.Join(h.Mkdir("/d/a", host.KeepAttr()), h.Mkdir("/d/a/sub", host.KeepAttr())); err != nil {
		t.Fatal(err)
	}
	write(t, h, "/d/a/sub/f", "x")
	if err := h.Rename("/d/a", "/d/b"); err != nil {
		t.Fatal(err)
	}
	wantText(t, h, "/d/b/sub/f", "x")
	_, err := h.Lstat("/d/a")
	wantErr(t, "the old name", err, fs.ErrNotExist)
	_, err = h.Lstat("/d/a/sub/f")
	wantErr(t, "below the old name", err, fs.ErrNotExist)
	write(t, h, "/d/f", "y")
	wantErr(t, "a file over a directory", h.Rename("/d/f", "/d/b"), fs.ErrExist)
	wantErr(t, "a directory into itself", h.Rename("/d/b", "/d/b/sub/b"), syscall.EINVAL)
}

// fifos: nobody waits for what may never come.
func fifos(t *testing.T, h host.Host) {
	if err := h.Mknod("/d/fifo", fs.ModeNamedPipe, 0, 0, host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	if _, err := h.ReadFile("/d/fifo"); err == nil || !strings.Contains(err.Error(), "is a fifo") {
		t.Errorf("read: %v", err)
	}
	if _, err := h.Open("/d/fifo"); err == nil || !strings.Contains(err.Error(), "is a fifo") {
		t.Errorf("open: %v", err)
	}
}

func hardLinks(t *testing.T, h host.Host) {
	write(t, h, "/d/a", "x")
	if err := errors.Join(h.Link("/d/a", "/d/b"), h.Chmod("/d/b", 0o600)); err != nil {
		t.Fatal(err)
	}
	a, _ := h.Lstat("/d/a")
	if b, _ := h.Lstat("/d/b"); a.Perm() != 0o600 || a.Nlink != 2 || b.Inode != a.Inode {
		t.Errorf("got %+v and %+v", a, b)
	}
}

// setgid: a new directory inherits it from the one above, unless it has a mode of its own.
func setgid(t *testing.T, h host.Host) {
	err := errors.Join(h.Mkdir("/d/up", host.KeepAttr()), h.Chmod("/d/up", 0o2755), h.Mkdir("/d/up/a", host.KeepAttr()),
		h.Mkdir("/d/up/b", host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}))
	if err != nil {
		t.Fatal(err)
	}
	a, _ := h.Lstat("/d/up/a")
	b, _ := h.Lstat("/d/up/b")
	if a.Perm()&0o2000 == 0 || b.Perm()&0o2000 != 0 {
		t.Errorf("got %o and %o", a.Perm(), b.Perm())
	}
}

func removes(t *testing.T, h host.Host) {
	if err := h.Mkdir("/d/a", host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	write(t, h, "/d/a/f", "x")
	write(t, h, "/d/keep", "kept")
	if err := h.Symlink("/d/keep", "/d/a/l"); err != nil {
		t.Fatal(err)
	}
	wantErr(t, "a full directory", h.Remove("/d/a"), syscall.ENOTEMPTY)
	if err := errors.Join(h.RemoveAll("/d/a"), h.RemoveAll("/d/a")); err != nil {
		t.Fatal(err)
	}
	wantText(t, h, "/d/keep", "kept")
	if err := h.Mkdir("/d/a", host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
	if got := names(t, h, "/d/a"); len(got) > 0 {
		t.Errorf("a directory that came again holds %v", got)
	}
	if err := h.RemoveAll("/"); err == nil {
		t.Error("the root was removed")
	}
}

// broken fails after some text.
type broken struct{ sent bool }

var errBroken = errors.New("the source broke")

func (b *broken) Read(p []byte) (int, error) {
	if b.sent {
		return 0, errBroken
	}
	b.sent = true
	return copy(p, "half of it"), nil
}

func failingReader(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "old")
	wantErr(t, "a failing source", h.WriteFile("/d/f", &broken{}, host.KeepAttr()), errBroken)
	wantText(t, h, "/d/f", "old")
	if diff := cmp.Diff([]string{"f"}, names(t, h, "/d")); diff != "" {
		t.Errorf("left in the directory (-want +got):\n%s", diff)
	}
}

func modes(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "")
	for _, m := range []uint32{0o600, 0o4755, 0o2640, 0o1777, 0} {
		if err := h.Chmod("/d/f", m); err != nil {
			t.Fatal(err)
		}
		if i, _ := h.Lstat("/d/f"); i.Perm() != m {
			t.Errorf("got %o, want %o", i.Perm(), m)
		}
	}
}

func times(t *testing.T, h host.Host) {
	write(t, h, "/d/f", "")
	at := time.Unix(1_000_000, 0)
	if err := h.Chtimes("/d/f", at, at); err != nil {
		t.Fatal(err)
	}
	if i, _ := h.Stat("/d/f"); !i.MTime.Equal(at) {
		t.Errorf("got %v", i.MTime)
	}
}

func accounts(t *testing.T, h host.Host) {
	if u, err := h.User("root"); err != nil || u.UID != 0 || u.Home != "/root" {
		t.Errorf("root: %+v, %v", u, err)
	}
	if _, err := h.User("nosuchuser"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unknown user: %v", err)
	}
	if _, err := h.Group("nosuchgroup"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("unknown group: %v", err)
	}
	if u, err := h.UserByID(0); err != nil || u.Name != "root" {
		t.Errorf("by number: %+v, %v", u, err)
	}
	if us, err := h.Users(); err != nil || len(us) == 0 {
		t.Errorf("users: %v, %v", us, err)
	}
}

func facts(t *testing.T, h host.Host) {
	if _, ok := h.Fact(host.FactPackage, "nginx"); ok {
		t.Error("a fact that nobody promised")
	}
	h.Promise(host.Fact{Kind: host.FactPackage, Name: "nginx", Value: "present"},
		host.Fact{Kind: host.FactPackage, Name: "nginx", Value: "absent"})
	if f, ok := h.Fact(host.FactPackage, "nginx"); !ok || f.Value != "absent" {
		t.Errorf("got %v, %v", f, ok)
	}
	h.Promise(host.Fact{Kind: host.FactPackage, Name: "vim", Value: "9.1"},
		host.Fact{Kind: host.FactHold, Name: "vim", Value: "hold"})
	if all := h.Facts(host.FactPackage); len(all) != 2 || all[0].Value != "absent" || all[1].Value != "9.1" {
		t.Errorf("got %v", all)
	}
}

// CPU is for how long this process has worked. Unlike the clock it does not go on while others have the machine.
func CPU() time.Duration {
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		panic(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// SameTrees has property tests draw the same trees every time, so that a change fails for what it does and not by
// chance; `make properties` draws others, and many more. What fails is made smaller for a few seconds only.
func SameTrees() {
	for name, v := range map[string]string{"seed": "1", "shrinktime": "5s"} {
		if _, given := os.LookupEnv("RAPID_" + strings.ToUpper(name)); !given {
			if err := flag.Set("rapid."+name, v); err != nil {
				panic(err)
			}
		}
	}
}
