package host_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/host"
)

func keeping(t *testing.T) *host.OS {
	t.Helper()
	o := realOS(t)
	o.Keep()
	return o
}

// limited is a command of a user's with a time limit.
func limitedCmd(text string, limit time.Duration) host.Cmd {
	return host.Cmd{Args: []string{text}, Shell: "/bin/sh", Users: true, Timeout: limit}
}

func TestAKeeperChangesNothing(t *testing.T) {
	o := keeping(t)
	for fd := 3; fd < 1024; fd++ {
		unix.CloseOnExec(fd) // what the test was started with is not to reach commands
	}
	c := limitedCmd("cat; pwd; echo $X; echo $$; ls /proc/self/fd >&2; trap - TERM; exit 3", time.Minute)
	c.Stdin, c.Dir, c.Env = []byte("in\n"), "/usr", []string{"X=1"}
	out, err := o.Run(t.Context(), c)
	if err != nil {
		t.Fatal(err)
	}
	if want := fmt.Sprintf("in\n/usr\n1\n%d\n", out.PID); string(out.Stdout) != want || out.Code != 3 || out.TimedOut {
		t.Errorf("got %q, code %d, timed out %v; want %q", out.Stdout, out.Code, out.TimedOut, want)
	}
	plain, err := realOS(t).Run(t.Context(), c)
	if err != nil || string(out.Stderr) != string(plain.Stderr) {
		t.Errorf("it has the descriptors %q, without a keeper %q; %v", out.Stderr, plain.Stderr, err)
	}
	if out, err := o.Run(t.Context(), limitedCmd("kill -9 $$", time.Minute)); err != nil || out.Code != 137 {
		t.Errorf("a signal: %+v, %v", out, err)
	}
	if _, err := o.Run(t.Context(), host.Cmd{Args: []string{"true"}, Dir: "/none", Users: true,
		Timeout: time.Minute}); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("without its directory: %v", err)
	}
}

// escapes leaves a session of its own, twice forked, and what follows.
const escapes = `setsid sh -c '(echo $$ >"$0"; trap "" TERM; sleep 60; echo late) </dev/null >/dev/null 2>&1 & sleep 0.1' %s; `

func waitFor(t *testing.T, what string, is func() bool) {
	t.Helper()
	for range 6000 {
		if is() {
			return
		}
		time.Sleep(10 * time.Millisecond)
	}
	t.Errorf("%s", what)
}

// sleepers counts the processes of this test that are alive: their command line has its folder.
func sleepers(dir string) int {
	n := 0
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, l := range lines {
		if text, _ := os.ReadFile(l); strings.Contains(string(text), dir) && !strings.Contains(string(text), ".test") {
			n++
		}
	}
	return n
}

func TestATimeoutEndsAllDescendants(t *testing.T) {
	o, dir := keeping(t), t.TempDir()
	out, err := o.Run(t.Context(), limitedCmd(fmt.Sprintf(escapes, dir+"/a")+"echo so far; sleep 60", 4*time.Second))
	if err != nil || !out.TimedOut || string(out.Stdout) != "so far\n" {
		t.Fatalf("%+v, %v", out, err)
	}
	if n := sleepers(dir); n != 0 {
		t.Errorf("%d processes live on", n)
	}
}

// TestWhatACommandLeavesOnPurposeLivesOn: it ended in time.
func TestWhatACommandLeavesOnPurposeLivesOn(t *testing.T) {
	o, dir := keeping(t), t.TempDir()
	out, err := o.Run(t.Context(), limitedCmd(fmt.Sprintf(escapes, dir+"/a"), 20*time.Second))
	if err != nil || out.TimedOut || out.Code != 0 {
		t.Fatalf("%+v, %v", out, err)
	}
	if n := sleepers(dir); n == 0 {
		t.Error("what it left was ended")
	}
	lines, _ := filepath.Glob("/proc/[0-9]*/cmdline")
	for _, l := range lines {
		if text, _ := os.ReadFile(l); strings.Contains(string(text), dir) {
			var pid int
			fmt.Sscanf(l, "/proc/%d/", &pid)
			p, _ := os.FindProcess(pid)
			_ = p.Kill()
		}
	}
}

// TestAnAbortEndsAllDescendants: with a grace, and without where there is no time for one.
func TestAnAbortEndsAllDescendants(t *testing.T) {
	o, dir := keeping(t), t.TempDir()
	now, cancelNow := context.WithCancel(context.Background())
	ctx, cancel := context.WithCancel(host.WithKill(context.Background(), now))
	time.AfterFunc(500*time.Millisecond, cancel)
	time.AfterFunc(600*time.Millisecond, cancelNow)
	begin := time.Now()
	_, err := o.Run(ctx, limitedCmd(fmt.Sprintf(escapes, dir+"/a")+"trap '' TERM; sleep 60; sleep 60", time.Minute))
	if !errors.Is(err, context.Canceled) || time.Since(begin) > 50*time.Second {
		t.Errorf("%v after %v", err, time.Since(begin))
	}
	waitFor(t, "processes live on", func() bool { return sleepers(dir) == 0 })
}
