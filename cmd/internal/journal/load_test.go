package journal

import (
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/run"
)

// TestManyDebtsLoadQuickly: each run begins with it.
func TestManyDebtsLoadQuickly(t *testing.T) {
	const n = 400_000
	dir := t.TempDir()
	f := open(t, dir, "web1")
	f.Owe([]run.Debt{nginx})
	one, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	head, debt, _ := strings.Cut(string(one), "\n")
	var text strings.Builder
	text.WriteString(head + "\n")
	for i := range n {
		text.WriteString(strings.ReplaceAll(debt, "nginx_", fmt.Sprintf("nginx %d_", i)))
	}
	if err := os.WriteFile(f.Path(), []byte(text.String()), 0o600); err != nil {
		t.Fatal(err)
	}
	before := used(t)
	if got := len(open(t, dir, "web1").Debts()); got != n {
		t.Fatalf("%d debts", got)
	}
	took := used(t) - before // not the clock: others may use the processors, too
	t.Logf("%d bytes in %v", text.Len(), took)
	if took > time.Second {
		t.Errorf("it took %v", took)
	}
}

func used(t *testing.T) time.Duration {
	t.Helper()
	var u unix.Rusage
	if err := unix.Getrusage(unix.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}
