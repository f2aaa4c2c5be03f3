package host_test

import (
	"bytes"
	"context"
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// TestMain lets a test run itself as a child: with a file size limit, or as the holder of a lock.
func TestMain(m *testing.M) {
	host.Begin()
	if filepath.Base(os.Args[0]) == "salt-call" {
		os.Exit(standInChild())
	}
	switch os.Getenv("HOST_TEST_CHILD") {
	case "limited":
		os.Exit(limitedChild())
	case "nobody":
		os.Exit(nobodyChild(m))
	case "holder":
		os.Exit(holderChild())
	case "killed":
		os.Exit(killedChild())
	}
	os.Exit(m.Run())
}

func child(t *testing.T, kind string, env ...string) *exec.Cmd {
	t.Helper()
	cmd := exec.Command(os.Args[0])
	cmd.Env = append(append(os.Environ(), "HOST_TEST_CHILD="+kind), env...)
	return cmd
}

// limitedChild writes more than its limit allows, as on a full disk.
func limitedChild() int {
	limit := unix.Rlimit{Cur: 4096, Max: 4096}
	if err := unix.Setrlimit(unix.RLIMIT_FSIZE, &limit); err != nil {
		return 3
	}
	o, err := host.NewOS(os.Getenv("HOST_TEST_ROOT"))
	if err != nil {
		return 4
	}
	err = o.WriteFile("/d/f", bytes.NewReader(make([]byte, 100_000)), host.KeepAttr())
	if errors.Is(err, syscall.EFBIG) {
		return 0
	}
	return 5
}

func TestAFullDiskLeavesTheOldFile(t *testing.T) {
	o, root := newTree(t)
	mustWrite(t, o, "/d/f", "old")
	// SIGXFSZ would kill the child; Go ignores it.
	if out, err := child(t, "limited", "HOST_TEST_ROOT="+root).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	wantFiles(t, root, "f")
	if raw, _ := o.ReadFile("/d/f"); string(raw) != "old" {
		t.Errorf("the file holds %d bytes", len(raw))
	}
}

func mustWrite(t *testing.T, h host.Host, path, text string) {
	t.Helper()
	if err := h.WriteFile(path, strings.NewReader(text), host.KeepAttr()); err != nil {
		t.Fatal(err)
	}
}

func wantFiles(t *testing.T, root string, want ...string) {
	t.Helper()
	entries, err := os.ReadDir(filepath.Join(root, "d"))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, e := range entries {
		got = append(got, e.Name())
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("files (-want +got):\n%s", diff)
	}
}

func TestWhatAKilledRunLeftIsCleaned(t *testing.T) {
	o, root := newTree(t)
	if err := os.WriteFile(filepath.Join(root, "d", ".gostate-tmp.f"), []byte("half"), 0o600); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, o, "/d/f", "whole")
	wantFiles(t, root, "f")
}

func TestATempFileThatIsALinkIsNotFollowed(t *testing.T) {
	o, root := newTree(t)
	victim := filepath.Join(root, "victim")
	if err := errors.Join(os.WriteFile(victim, []byte("kept"), 0o644),
		os.Symlink(victim, filepath.Join(root, "d", ".gostate-tmp.f"))); err != nil {
		t.Fatal(err)
	}
	mustWrite(t, o, "/d/f", "new")
	if raw, _ := os.ReadFile(victim); string(raw) != "kept" {
		t.Errorf("the victim holds %q", raw)
	}
}

// TestFifosAreNotRead: nobody may ever write to them.
func TestFifosAreNotRead(t *testing.T) {
	o, root := newTree(t)
	if err := syscall.Mkfifo(filepath.Join(root, "d", "pipe"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := o.ReadFile("/d/pipe"); err == nil {
		t.Error("a fifo was read")
	}
	if _, err := o.Open("/d/pipe"); err == nil {
		t.Error("a fifo was opened")
	}
}

func TestNoLinkLeadsOutOfTheRoot(t *testing.T) {
	o, root := newTree(t)
	outside := t.TempDir()
	if err := errors.Join(os.Symlink(outside, filepath.Join(root, "d", "abs")),
		os.Symlink("../../../../../../../../"+outside, filepath.Join(root, "d", "rel"))); err != nil {
		t.Fatal(err)
	}
	for _, dir := range []string{"/d/abs", "/d/rel"} {
		if err := o.WriteFile(dir+"/f", strings.NewReader("x"), host.KeepAttr()); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("%s: %v", dir, err)
		}
	}
	if entries, _ := os.ReadDir(outside); len(entries) > 0 {
		t.Errorf("written outside: %v", entries)
	}
}

func TestPermissionIsDenied(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may write everywhere")
	}
	o, root := newTree(t)
	if err := os.Chmod(filepath.Join(root, "d"), 0o500); err != nil {
		t.Fatal(err)
	}
	defer os.Chmod(filepath.Join(root, "d"), 0o700)
	if err := o.WriteFile("/d/f", strings.NewReader(""), host.KeepAttr()); !errors.Is(err, fs.ErrPermission) {
		t.Errorf("got %v", err)
	}
}

func TestXattrsSurviveARewrite(t *testing.T) {
	o, _ := newTree(t)
	mustWrite(t, o, "/d/f", "1")
	if err := o.SetXattr("/d/f", "user.gostate", []byte("v")); errors.Is(err, unix.ENOTSUP) ||
		errors.Is(err, fs.ErrPermission) {
		t.Skip("no extended attributes here")
	} else if err != nil {
		t.Fatal(err)
	}
	mustWrite(t, o, "/d/f", "2")
	m, err := o.Xattrs("/d/f")
	if err != nil || string(m["user.gostate"]) != "v" {
		t.Errorf("got %v, %v", m, err)
	}
}

func realOS(t *testing.T) *host.OS {
	t.Helper()
	o, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func TestCommands(t *testing.T) {
	o := realOS(t)
	tests := []struct {
		name     string
		cmd      host.Cmd
		out, err string
		code     int
	}{
		{"arguments", host.Cmd{Args: []string{"printf", "%s|", "a b", "c"}}, "a b|c|", "", 0},
		{"own name", host.Cmd{Args: []string{"sh", "-c", "echo $0"}}, "sh\n", "", 0},
		{"shell", host.Cmd{Args: []string{"echo out; echo err >&2; exit 3"}, Shell: "/bin/sh"}, "out\n", "err\n", 3},
		{"combined", host.Cmd{Args: []string{"echo 1; echo 2 >&2; echo 3"}, Shell: "/bin/sh", Combine: true}, "1\n2\n3\n", "",
			0},
		{"stdin", host.Cmd{Args: []string{"cat"}, Stdin: []byte("in")}, "in", "", 0},
		{"directory", host.Cmd{Args: []string{"pwd"}, Dir: "/"}, "/\n", "", 0},
		{"environment", host.Cmd{Args: []string{"echo $X"}, Shell: "/bin/sh", Env: []string{"X=1"}, ClearEnv: true}, "1\n",
			"", 0},
		{"umask", host.Cmd{Args: []string{"umask"}, Shell: "/bin/sh", Umask: "027"}, "0027\n", "", 0},
		{"limit", host.Cmd{Args: []string{"printf", "0123456789"}, MaxOutput: 4}, "0123", "", 0},
		{"signal", host.Cmd{Args: []string{"kill -9 $$"}, Shell: "/bin/sh"}, "", "", 137},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out, err := o.Run(t.Context(), tt.cmd)
			if err != nil {
				t.Fatal(err)
			}
			if string(out.Stdout) != tt.out || string(out.Stderr) != tt.err || out.Code != tt.code {
				t.Errorf("got %q, %q, %d", out.Stdout, out.Stderr, out.Code)
			}
		})
	}
	if _, err := o.Run(t.Context(), host.Cmd{Args: []string{"no-such-command-here"}}); !errors.Is(err, exec.ErrNotFound) {
		t.Errorf("a command that is not there: %v", err)
	}
	empty, _ := newTree(t)
	_, err := empty.LookPath("modprobe")
	if want := `"modprobe" is not installed (it is in the package kmod)`; err == nil || err.Error() != want {
		t.Errorf("a command that is not there: %v, want %s", err, want)
	}
	if _, err := o.Run(t.Context(), host.Cmd{Args: []string{"true"}, RunAs: "no-such-user"}); err == nil ||
		!strings.Contains(err.Error(), `no such user "no-such-user"`) {
		t.Errorf("a user that is not there: %v", err)
	}
}

func TestCommandsEndWithTheirGroup(t *testing.T) {
	o := realOS(t)
	start := time.Now()
	out, err := o.Run(t.Context(), host.Cmd{Args: []string{"sleep 60 & sleep 60"}, Shell: "/bin/sh",
		Timeout: 100 * time.Millisecond})
	if err != nil || !out.TimedOut || time.Since(start) > 50*time.Second {
		t.Errorf("timeout: %+v, %v after %v", out, err, time.Since(start))
	}
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	start = time.Now()
	if _, err = o.Run(ctx, host.Cmd{Args: []string{"sleep", "60"}}); !errors.Is(err, context.DeadlineExceeded) ||
		time.Since(start) > 50*time.Second {
		t.Errorf("cancelled: %v after %v", err, time.Since(start))
	}
}

func TestCommandsOfATreeNeedRoot(t *testing.T) {
	if os.Geteuid() == 0 {
		t.Skip("root may chroot")
	}
	o, root := newTree(t)
	if err := errors.Join(os.MkdirAll(filepath.Join(root, "bin"), 0o755),
		os.WriteFile(filepath.Join(root, "bin/true"), nil, 0o755)); err != nil {
		t.Fatal(err)
	}
	if _, err := o.Run(t.Context(), host.Cmd{Args: []string{"true"}}); err == nil ||
		!strings.Contains(err.Error(), "needs root, for chroot") {
		t.Errorf("got %v", err)
	}
}

func TestAccountsAreReadAgainWhenTheyChange(t *testing.T) {
	o, root := newTree(t)
	if _, err := o.User("joe"); !errors.Is(err, fs.ErrNotExist) {
		t.Fatalf("got %v", err)
	}
	passwd := "root:x:0:0:root:/root:/bin/bash\n# comment\nbroken\njoe:x:1000:1000:Joe,,,:/home/joe:/bin/sh\n"
	if err := os.WriteFile(filepath.Join(root, "etc/passwd"), []byte(passwd), 0o644); err != nil {
		t.Fatal(err)
	}
	want := host.User{Name: "joe", UID: 1000, GID: 1000, Gecos: "Joe,,,", Home: "/home/joe", Shell: "/bin/sh"}
	got, err := o.User("joe")
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestPromisedAccounts(t *testing.T) {
	o, _ := newTree(t)
	v := host.NewOverlay(o)
	v.Promise(host.Fact{Kind: host.FactUser, Name: "a", Value: "present", Attrs: map[string]string{"uid": "7"}},
		host.Fact{Kind: host.FactUser, Name: "b", Value: "present"},
		host.Fact{Kind: host.FactUser, Name: "root", Value: "absent"}, host.Fact{Kind: host.FactCommand, Name: "nginx"})
	a, _ := v.User("a")
	b, _ := v.User("b")
	if a.UID != 7 || b.UID < 1<<30 || !b.Promised {
		t.Errorf("got %+v, %+v", a, b)
	}
	if u, err := v.UserByID(b.UID); err != nil || u.Name != "b" {
		t.Errorf("by its stand-in: %+v, %v", u, err)
	}
	if _, err := v.User("root"); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("a user that will go: %v", err)
	}
	if p, err := v.LookPath("nginx"); err != nil || p != "/usr/bin/nginx" {
		t.Errorf("a promised command: %s, %v", p, err)
	}
	if _, err := v.Run(t.Context(), host.Cmd{Args: []string{"true"}}); !errors.Is(err, host.ErrPreview) {
		t.Errorf("a command in a preview: %v", err)
	}
}

func TestOverlayKeepsAReferenceToWhatItDoesNotWrite(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/etc/big", "content", 0o644)
	m.ClearJournal()
	o := host.NewOverlay(m)
	if err := errors.Join(o.Chmod("/etc/big", 0o600), o.Rename("/etc", "/etc2")); err != nil {
		t.Fatal(err)
	}
	raw, err := o.ReadFile("/etc2/big")
	if i, _ := o.Stat("/etc2/big"); err != nil || string(raw) != "content" || i.Perm() != 0o600 {
		t.Errorf("got %q, %o, %v", raw, i.Perm(), err)
	}
	if raw, err := m.ReadFile("/etc/big"); err != nil || string(raw) != "content" || len(m.Journal()) > 0 {
		t.Errorf("the base: %q, %v, %v", raw, err, m.Journal())
	}
}

// A directory that only root may enter is the working directory of another user's command, as with Salt.
func TestRunAsInAPrivateDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("needs root")
	}
	dir := t.TempDir()
	if err := os.Chmod(dir, 0o700); err != nil {
		t.Fatal(err)
	}
	o, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	before, _ := os.Getwd()
	for range 20 {
		out, err := o.Run(t.Context(), host.Cmd{Args: []string{"/bin/sh", "-c", "id -un"}, RunAs: "nobody", Dir: dir})
		if err != nil || out.Code != 0 || string(out.Stdout) != "nobody\n" {
			t.Fatalf("got %+v, %v", out, err)
		}
	}
	if after, _ := os.Getwd(); after != before {
		t.Errorf("the directory of this process became %s", after)
	}
	if _, err := o.Run(t.Context(), host.Cmd{Args: []string{"/bin/true"}, RunAs: "nobody",
		Dir: dir + "/none"}); err == nil {
		t.Error("a directory that is not there was taken")
	}
}
