package host_test

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/state/host"
)

// holderChild takes the lock and keeps it until it is killed.
func holderChild() int {
	if _, err := host.Acquire(context.Background(), os.Getenv("HOST_TEST_LOCK"), "gostate highstate", 0); err != nil {
		return 1
	}
	fmt.Println("held")
	time.Sleep(time.Minute)
	return 0
}

func TestLockNamesItsHolderAndGoesWithIt(t *testing.T) {
	path := filepath.Join(t.TempDir(), "state", "lock")
	cmd := child(t, "holder", "HOST_TEST_LOCK="+path)
	out, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		t.Fatal(err)
	}
	defer cmd.Process.Kill()
	if line, _ := bufio.NewReader(out).ReadString('\n'); line != "held\n" {
		t.Fatalf("the child says %q", line)
	}
	_, err = host.Acquire(t.Context(), path, "gostate sls a", 0)
	var held *host.Held
	want := fmt.Sprintf("gostate is already running: pid %d: gostate highstate", cmd.Process.Pid)
	if !errors.As(err, &held) || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	_ = cmd.Process.Kill()
	_ = cmd.Wait()
	l, err := host.Acquire(t.Context(), path, "gostate sls a", 5*time.Second)
	if err != nil {
		t.Fatal(err)
	}
	if raw, _ := os.ReadFile(path); !strings.HasSuffix(string(raw), "\ngostate sls a\n") {
		t.Errorf("the lock file holds %q", raw)
	}
	if err := l.Release(); err != nil {
		t.Fatal(err)
	}
}
