package host_test

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

// A field is where two users meet: root's vault, and a home in which a user swaps things as fast as possible: a
// directory and a link to the vault, a file and a link to a file in it.
type field struct {
	base string
	dir  *os.Root // the directory, wherever it is
}

func newField(t *testing.T, base string) field {
	t.Helper()
	f := field{base: base}
	for _, dir := range []string{"vault", "home", "home/dir", "spare"} {
		must(t, os.Mkdir(f.at(dir), 0o755))
	}
	must(t, os.WriteFile(f.at("vault/victim"), []byte("secret"), 0o600))
	must(t, os.WriteFile(f.at("home/dir/victim"), []byte("mine"), 0o644))
	must(t, os.WriteFile(f.at("home/file"), []byte("mine"), 0o644))
	must(t, os.Symlink("../vault", f.at("home/link")))
	must(t, os.Symlink("../vault/victim", f.at("home/filelink")))
	must(t, os.Chtimes(f.at("vault/victim"), past, past))
	for _, name := range []string{"home", "home/dir", "home/dir/victim", "home/file", "home/link", "home/filelink"} {
		must(t, os.Lchown(f.at(name), nobody, nobody))
	}
	var err error
	f.dir, err = os.OpenRoot(f.at("home/dir"))
	must(t, err)
	t.Cleanup(func() { f.dir.Close() })
	return f
}

var past = time.Unix(1_000_000_000, 0)

func must(t *testing.T, errs ...error) {
	t.Helper()
	if err := errors.Join(errs...); err != nil {
		t.Fatal(err)
	}
}

func (f field) at(name string) string { return filepath.Join(f.base, name) }

// attack swaps until it is stopped, and gives how to stop it.
func (f field) attack() (stop func()) {
	var over atomic.Bool
	done := make(chan struct{})
	swap := func(a, b string) {
		_ = unix.Renameat2(unix.AT_FDCWD, f.at(a), unix.AT_FDCWD, f.at(b), unix.RENAME_EXCHANGE)
	}
	go func() {
		defer close(done)
		for !over.Load() {
			swap("home/dir", "home/link")
			swap("home/file", "home/filelink")
		}
	}()
	return func() { over.Store(true); <-done }
}

// escaped says what happened to the vault, and puts it in order.
func (f field) escaped() string {
	entries, _ := os.ReadDir(f.at("vault"))
	var names []string
	for _, e := range entries {
		names = append(names, e.Name())
		if e.Name() != "victim" {
			os.RemoveAll(f.at("vault/" + e.Name()))
		}
	}
	fi, err := os.Lstat(f.at("vault/victim"))
	dir, _ := os.Lstat(f.at("vault"))
	said := fmt.Sprint(names)
	if err == nil {
		st := fi.Sys().(*syscall.Stat_t)
		n, _ := unix.Llistxattr(f.at("vault/victim"), nil)
		said += fmt.Sprint(" ", fi.Mode(), st.Uid, fi.ModTime().Unix(), n, st.Nlink, dir.Mode(),
			dir.Sys().(*syscall.Stat_t).Uid)
	}
	if said == "[victim] -rw------- 0 1000000000 0 1 drwxr-xr-x 0" {
		return ""
	}
	os.RemoveAll(f.at("vault"))
	os.Mkdir(f.at("vault"), 0o755)
	os.WriteFile(f.at("vault/victim"), []byte("secret"), 0o600)
	os.Chtimes(f.at("vault/victim"), past, past)
	return said
}

// deedsIn are what a run does in a home, each by its name. They may fail: the attacker is as fast.
func deedsIn(h host.Host, home string) map[string]func() error {
	text := func() *strings.Reader { return strings.NewReader("theirs") }
	read := func(name string) error {
		raw, _ := h.ReadFile(home + name)
		if string(raw) == "secret" {
			return errors.New("secret")
		}
		return nil
	}
	return map[string]func() error{
		"write":        func() error { return h.WriteFile(home+"/dir/new", text(), host.KeepAttr()) },
		"rewrite":      func() error { return h.WriteFile(home+"/dir/victim", text(), host.KeepAttr()) },
		"mkdir":        func() error { return h.Mkdir(home+"/dir/sub", host.Attr{UID: nobody, GID: nobody}) },
		"symlink":      func() error { return h.Symlink("x", home+"/dir/sym") },
		"link":         func() error { return h.Link(home+"/dir/victim", home+"/dir/hard") },
		"rename":       func() error { return h.Rename(home+"/dir/victim", home+"/dir/other") },
		"remove":       func() error { return h.Remove(home + "/dir/victim") },
		"remove all":   func() error { return h.RemoveAll(home + "/dir/victim") },
		"chmod":        func() error { return h.Chmod(home+"/dir/victim", 0o666) },
		"chmod a file": func() error { return h.Chmod(home+"/file", 0o666) },
		"chmod a dir":  func() error { return h.Chmod(home+"/dir", 0o777) },
		"chown":        func() error { return h.Chown(home+"/dir/victim", nobody, nobody) },
		"times":        func() error { return h.Chtimes(home+"/file", time.Now(), time.Now()) },
		"xattr":        func() error { return h.SetXattr(home+"/dir/victim", "user.x", []byte("1")) },
		"fifo":         func() error { return h.Mknod(home+"/dir/pipe", fs.ModeNamedPipe, 0, 0, host.KeepAttr()) },
		"read":         func() error { return read("/file") },
		"read below":   func() error { return read("/dir/victim") },
		"follow and write": func() error {
			name, err := h.Follow(home + "/file")
			if err == nil {
				err = h.WriteFile(name, text(), host.KeepAttr())
			}
			return err
		},
	}
}

// TestNoRaceLeadsOut: whatever a user does in a directory of theirs, nothing that root does there happens elsewhere.
// RACES is the number of rounds, each of them all deeds.
func TestNoRaceLeadsOut(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("takes two users")
	}
	rounds, err := strconv.Atoi(os.Getenv("RACES"))
	if err != nil {
		rounds = 40
	}
	for _, place := range []string{os.TempDir(), "/dev/shm"} {
		for _, rooted := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s root %t", place, rooted), func(t *testing.T) {
				base, err := os.MkdirTemp(place, "race")
				must(t, err)
				defer os.RemoveAll(base)
				must(t, os.Chmod(base, 0o755))
				race(t, newField(t, base), rounds, rooted)
			})
		}
	}
}

func race(t *testing.T, f field, rounds int, rooted bool) {
	t.Helper()
	root, home := "/", f.at("home")
	if rooted {
		root, home = f.base, "/home"
	}
	machine, err := host.NewOS(root)
	must(t, err)
	stop := f.attack()
	defer stop()
	escapes := map[string]int{}
	for range rounds {
		for name, deed := range deedsIn(machine, home) {
			err := deed()
			if f.escaped() != "" || err != nil && err.Error() == "secret" {
				escapes[name]++
			}
			f.restore()
		}
	}
	for name, n := range escapes {
		t.Errorf("%s: %d of %d went elsewhere", name, n, rounds)
	}
}

// restore makes what the deeds and the attack need, wherever the swapping left it.
func (f field) restore() {
	for _, name := range []string{"new", "sub", "sym", "hard", "other", "pipe"} {
		f.dir.RemoveAll(name)
	}
	if _, err := f.dir.Lstat("victim"); err != nil {
		f.dir.WriteFile("victim", []byte("mine"), 0o644)
		f.dir.Chown("victim", nobody, nobody)
	}
	isLink := func(name string) bool {
		_, err := os.Readlink(f.at(name))
		return err == nil
	}
	if a, b := isLink("home/file"), isLink("home/filelink"); !a && !b && !isLink("home/file") {
		os.Symlink("../vault/victim", f.at("spare/link")) // root's, which would be followed
		os.Lchown(f.at("spare/link"), nobody, nobody)
		os.Rename(f.at("spare/link"), f.at("home/filelink"))
	}
}
