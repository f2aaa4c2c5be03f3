//go:build linux

package view_test

import (
	"context"
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/view"
)

func TestMain(m *testing.M) {
	view.Begin()
	if path := os.Getenv("VIEW_TEST_DIAL"); path != "" {
		_, err := net.Dial("unix", path)
		fmt.Println(err)
		return
	}
	os.Exit(m.Run())
}

// open opens a view, or says why there is none.
func open(t *testing.T) *view.View {
	t.Helper()
	v, err := view.Open(t.Context())
	var u *view.Unavailable
	if errors.As(err, &u) && os.Geteuid() != 0 {
		t.Skipf("no view for this user: %v (%s)", err, u.Hint)
	}
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { v.Close() })
	return v
}

// sh runs a script in the view and gives what it printed.
func sh(t *testing.T, v *view.View, script string) (string, int) {
	t.Helper()
	out, _, err := v.Run(t.Context(), host.Cmd{Args: []string{script}, Shell: "/bin/sh", Combine: true})
	if err != nil {
		t.Fatalf("%s: %v", script, err)
	}
	return strings.TrimSpace(string(out.Stdout)), out.Code
}

// TestNothingGetsOut: what commands do in a view stays in it.
func TestNothingGetsOut(t *testing.T) {
	dir := t.TempDir()
	keep := filepath.Join(dir, "keep")
	if err := os.WriteFile(keep, []byte("kept"), 0o644); err != nil {
		t.Fatal(err)
	}
	listener, err := net.Listen("unix", filepath.Join(dir, "socket"))
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	swappiness, _ := os.ReadFile("/proc/sys/vm/swappiness")
	v := open(t)
	for _, script := range []string{
		"touch /etc/gostate-view-test", "echo lost > " + keep, "rm -rf --no-preserve-root " + dir + " /usr/share/doc",
		"echo 1 > /proc/sys/vm/swappiness",
		"kill -9 1; kill -TERM 1; kill -HUP 1", "mount -t tmpfs none /mnt", "mount -o remount,rw /proc",
		"ip link set lo down", "reboot -f",
		"ls /proc/1/root/etc && touch /proc/1/root/etc/gostate-view-test", "hostname gostate-view-test",
	} {
		out, code := sh(t, v, script)
		t.Logf("%s: %d %.200s", script, code, out)
	}
	if out, code := sh(t, v, "true"); code != 0 {
		t.Errorf("the view did not live through it: %d %s", code, out)
	}
	if _, _, err := v.Run(t.Context(), host.Cmd{Args: []string{"sh", "-c", "kill -9 -1"}}); err == nil {
		t.Error("a view whose processes were all killed goes on")
	}
	if raw, err := os.ReadFile(keep); err != nil || string(raw) != "kept" {
		t.Errorf("%s holds %q, %v", keep, raw, err)
	}
	if now, _ := os.ReadFile("/proc/sys/vm/swappiness"); string(now) != string(swappiness) {
		t.Errorf("vm.swappiness was %s and is %s", swappiness, now)
	}
	if _, err := os.Stat("/etc/gostate-view-test"); err == nil {
		t.Error("a file came out of the view")
	}
	if _, err := os.Stat("/usr/share/doc"); err != nil {
		t.Error(err)
	}
	if name, _ := os.Hostname(); name == "gostate-view-test" {
		t.Error("the view named the machine")
	}
}

// TestSeesOverlay: commands see what an overlay holds, as it grows.
func TestSeesOverlay(t *testing.T) {
	v := open(t)
	machine, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	if err := os.WriteFile(dir+"/gone", nil, 0o644); err != nil {
		t.Fatal(err)
	}
	over := host.NewOverlay(machine)
	feed := func(err error) {
		t.Helper()
		changes, fault := over.Changes(false)
		if err = errors.Join(err, fault); err == nil {
			err = v.Apply(t.Context(), changes, view.Promised(over))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	a := host.KeepAttr()
	a.Mode, a.HasMode = 0o750, true
	feed(over.WriteFile(dir+"/script", strings.NewReader("#!/bin/sh\necho made by nobody\n"), a))
	if out, code := sh(t, v, dir+"/script"); out != "made by nobody" {
		t.Errorf("the script says %d %q", code, out)
	}
	feed(over.RemoveAll(dir + "/gone"))
	if _, code := sh(t, v, "test -e "+dir+"/gone"); code == 0 {
		t.Error("a removed file is there")
	}
	if os.Geteuid() != 0 {
		if _, code := sh(t, v, "touch /etc/gostate-view-test"); code == 0 {
			t.Error("a user can write where only root can")
		}
		return
	}
	over.Promise(host.Fact{Kind: host.FactUser, Name: "viewtest", Value: "present",
		Attrs: map[string]string{"uid": "4711", "gid": "4711", "home": "/srv"}})
	feed(over.Chown(dir+"/script", 4711, 4711))
	if out, _ := sh(t, v, "id -u viewtest; stat -c %U "+dir+"/script"); out != "4711\nviewtest" {
		t.Errorf("the promised user is %q", out)
	}
	out, _, err := v.Run(t.Context(), host.Cmd{Args: []string{"id", "-un"}, RunAs: "viewtest"})
	if err != nil || strings.TrimSpace(string(out.Stdout)) != "viewtest" {
		t.Errorf("a command as the promised user: %v %v", out, err)
	}
}

// TestReached: who asks outside gets no answer, and the view says so.
func TestReached(t *testing.T) {
	path := filepath.Join(t.TempDir(), "socket")
	listener, err := net.Listen("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	go func() {
		for {
			c, err := listener.Accept()
			if err != nil {
				return
			}
			t.Error("a command of a view reached a socket of the machine")
			c.Close()
		}
	}()
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	v := open(t)
	for _, c := range []struct{ script, want string }{
		{"VIEW_TEST_DIAL=" + path + " " + self, "the socket " + path},
		{"bash -c 'echo > /dev/tcp/127.0.0.1/22'", "the network"},
		{"id; getent passwd root; ls /; kill -0 $$", ""},
	} {
		out, reached, err := v.Run(t.Context(), host.Cmd{Args: []string{c.script}, Shell: "/bin/sh", Combine: true})
		if err != nil || reached != c.want {
			t.Errorf("%s: reached %q, want %q; %v %s", c.script, reached, c.want, err, out.Stdout)
		}
	}
}

// TestEnds: a view that is closed, or whose opener's context ends, is gone with all its processes.
func TestEnds(t *testing.T) {
	v := open(t)
	one, two := fmt.Sprintf("4711.%d", os.Getpid()), fmt.Sprintf("4712.%d", os.Getpid())
	sh(t, v, "sleep "+one+" >/dev/null 2>&1 & echo started")
	v.Close()
	if _, _, err := v.Run(t.Context(), host.Cmd{Args: []string{"true"}}); err == nil {
		t.Error("a closed view runs commands")
	}
	v = open(t)
	ctx, cancel := context.WithTimeout(t.Context(), 100*time.Millisecond)
	defer cancel()
	if _, _, err := v.Run(ctx, host.Cmd{Args: []string{"sleep", two}}); err == nil {
		t.Error("a command outlived its context")
	}
	for _, p := range processes(t) {
		if p == "sleep\x00"+one+"\x00" || p == "sleep\x00"+two+"\x00" {
			t.Errorf("left behind: %q", p)
		}
	}
}

func processes(t *testing.T) []string {
	t.Helper()
	paths, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	var out []string
	for _, p := range paths {
		raw, _ := os.ReadFile(p)
		out = append(out, string(raw))
	}
	return out
}
