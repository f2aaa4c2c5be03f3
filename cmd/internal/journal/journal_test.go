package journal

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
)

var (
	nginx = run.Debt{Debtor: run.Debtor{Tag: "service_|-nginx_|-nginx_|-running", Kind: state.Watch},
		Cause: "file: /etc/nginx.conf",
		Since: time.Date(2026, 11, 21, 3, 0, 0, 0, time.Local)}
	cron = run.Debt{Debtor: run.Debtor{Tag: "cmd_|-x_|-echo \"ü\"\n_|-wait", Kind: state.Listen}, Cause: "cmd: a",
		Since: nginx.Since}
)

func open(t *testing.T, dir, id string) *File {
	t.Helper()
	return Open(dir, id, "/", func(err error) { t.Errorf("warned: %v", err) })
}

func owed(f *File) []string {
	out := []string{}
	for _, d := range f.Debts() {
		out = append(out, d.Tag+" for "+d.Cause+" since "+d.Since.Format("2006-01-02 15:04"))
	}
	return out
}

func TestDebtsOutliveTheProcess(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, "web1")
	f.Owe([]run.Debt{nginx, cron})
	if d := cmp.Diff(owed(f), owed(open(t, dir, "web1"))); d != "" { // f is not closed: it was killed
		t.Errorf("after a kill (-want +got):\n%s", d)
	}
	f.Settle([]run.Debtor{cron.Debtor})
	want := []string{"service_|-nginx_|-nginx_|-running for file: /etc/nginx.conf since 2026-11-21 03:00"}
	g := open(t, dir, "web1")
	if d := cmp.Diff(want, owed(g)); d != "" {
		t.Errorf("after a settlement (-want +got):\n%s", d)
	}
	if got := owed(open(t, dir, "web2")); len(got) > 0 {
		t.Errorf("another machine owes %v", got)
	}
	if got := owed(Open(dir, "web1", "/mnt", func(error) {})); len(got) > 0 {
		t.Errorf("another root owes %v", got)
	}
	g.Settle([]run.Debtor{nginx.Debtor})
	g.Close()
	if left, _ := os.ReadDir(filepath.Join(dir, "owed")); len(left) > 0 {
		t.Errorf("nothing is owed, but there is %v", left)
	}
}

// TestHeld: what held a reaction back is noted beside it, and the last note counts.
func TestHeld(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, "web1")
	f.Owe([]run.Debt{nginx, cron})
	for _, why := range []string{"noop", "its schedule 'night'", "the failure of file: \"ü\\"} {
		a, b := nginx, cron
		a.Held, b.Held = why, why
		f.Owe([]run.Debt{a, b})
		for _, d := range open(t, dir, "web1").Debts() {
			if d.Held != why || !d.Since.Equal(nginx.Since) {
				t.Errorf("%+v, want it held by %q", d, why)
			}
		}
	}
}

func TestReadingWritesNothing(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, "web1")
	f.Debts()
	f.Close()
	if left, _ := os.ReadDir(dir); len(left) > 0 {
		t.Errorf("there is %v", left)
	}
}

func TestDamage(t *testing.T) {
	for _, c := range []struct {
		name   string
		damage func(text string) string
		owed   int
		warned string
	}{
		{"cut short", func(s string) string { return s + `{"owe":[{"state":"ab` }, 1, ""},
		{"garbage", func(string) string { return "\x00\x01" }, 0, "damaged lines (1)"},
		{"empty", func(string) string { return "" }, 0, "damaged lines (1)"},
		{"a broken line", func(s string) string { return s + "what?\n" }, 1, "damaged lines (1)"},
		{"a broken line before others", func(s string) string {
			return strings.Replace(s, "\n", "\nwhat?\n{\"owe\":[{\"state\":\"a\",\"since\":\"noon\"}]}\n", 1)
		}, 1, "damaged lines (2)"},
		{"a broken head", func(s string) string { return s[3:] }, 1, "damaged lines (1)"},
		{"zeros in a line", func(s string) string {
			return strings.Replace(s, "\"since\":", "\x00\x00\x00\x00\x00\x00\x00\x00", 1)
		}, 0, "damaged lines (1)"},
		{"a later version", func(s string) string { return strings.Replace(s, `"version":1`, `"version":2`, 1) }, 0,
			"version 2"},
		{"another machine's", func(s string) string { return strings.Replace(s, "web1", "web9", 1) }, 0, `"web9"`},
	} {
		dir := t.TempDir()
		f := open(t, dir, "web1")
		f.Owe([]run.Debt{nginx})
		text, err := os.ReadFile(f.Path())
		if err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(f.Path(), []byte(c.damage(string(text))), 0o600); err != nil {
			t.Fatal(err)
		}
		warned := ""
		g := Open(dir, "web1", "/", func(err error) { warned += err.Error() })
		if len(g.Debts()) != c.owed || (warned == "") != (c.warned == "") || !strings.Contains(warned, c.warned) {
			t.Errorf("%s: %d debts, warned %q", c.name, len(g.Debts()), warned)
		}
		g.Owe([]run.Debt{cron}) // it is whole again
		aside, _ := os.ReadFile(f.Path() + ".damaged")
		if got := strings.Contains(c.warned, "damaged") && len(aside) > 0; got != strings.Contains(c.warned, "damaged") {
			t.Errorf("%s: put aside %q", c.name, aside)
		}
		if got := len(open(t, dir, "web1").Debts()); got != c.owed+1 {
			t.Errorf("%s: written again it holds %d debts", c.name, got)
		}
	}
}

// TestOtherIsKept: what a later version wrote, and what is no file, is not lost when something is noted.
func TestOtherIsKept(t *testing.T) {
	for name, make := range map[string]func(path string) error{
		"a later version": func(path string) error {
			text, err := os.ReadFile(path)
			return errors.Join(err, os.WriteFile(path, []byte(strings.Replace(string(text), `:1,`, `:2,`, 1)), 0o600))
		},
		"a fifo":      func(path string) error { return errors.Join(os.Remove(path), unix.Mkfifo(path, 0o600)) },
		"a directory": func(path string) error { return errors.Join(os.Remove(path), os.Mkdir(path, 0o700)) },
	} {
		dir := t.TempDir()
		f := open(t, dir, "web1")
		f.Owe([]run.Debt{nginx})
		if err := make(f.Path()); err != nil {
			t.Fatal(err)
		}
		before, _ := os.Lstat(f.Path())
		warned := ""
		g := Open(dir, "web1", "/", func(err error) { warned += err.Error() })
		g.Mend()
		if kept, err := os.Lstat(f.Path()); err != nil || !os.SameFile(before, kept) || !strings.Contains(warned, ".other") {
			t.Errorf("%s: a run with nothing to note: %v, warned %q", name, err, warned)
		}
		g.Owe([]run.Debt{cron})
		if kept, err := os.Lstat(f.Path() + ".other"); err != nil || !os.SameFile(before, kept) {
			t.Errorf("%s: it is not kept: %v", name, err)
		}
		if got := len(open(t, dir, "web1").Debts()); got != 1 {
			t.Errorf("%s: %d debts", name, got)
		}
	}
}

// TestKilledAtAnyWrite: wherever a file ends, the lines before are read, and what is noted next is whole.
func TestKilledAtAnyWrite(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, "web1")
	failed := nginx
	failed.Tries, failed.Tried, failed.Held = 2, nginx.Since, "noop"
	f.Owe([]run.Debt{nginx})
	f.Owe([]run.Debt{cron, failed})
	f.Settle([]run.Debtor{cron.Debtor})
	text, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	head := strings.Index(string(text), "\n") + 1 // the head is there from the first: the file is renamed into its place
	for n := head; n <= len(text); n++ {
		if err := os.WriteFile(f.Path(), text[:n], 0o600); err != nil {
			t.Fatal(err)
		}
		want := []int{0, 1, 2, 2, 1}[strings.Count(string(text[head:n]), "\n")]
		g := open(t, dir, "web1") // it warns of nothing
		if got := len(g.Debts()); got != want {
			t.Fatalf("after %d bytes: %d debts, want %d", n, got, want)
		}
		if n%32 != 0 { // each write waits for the disk
			continue
		}
		g.Owe([]run.Debt{{Debtor: run.Debtor{Tag: "new"}, Since: nginx.Since}})
		if got := len(open(t, dir, "web1").Debts()); got != want+1 {
			t.Fatalf("after %d bytes, written again: %d debts, want %d", n, got, want+1)
		}
	}
}

func TestUnwritableWarnsOnce(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(dir, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	f := Open(dir, "web1", "/", func(error) { n++ })
	n = 0
	f.Owe([]run.Debt{nginx})
	f.Owe([]run.Debt{cron})
	f.Settle([]run.Debtor{nginx.Debtor})
	f.Close()
	if n != 1 || len(f.Debts()) != 1 {
		t.Errorf("warned %d times, %d debts", n, len(f.Debts()))
	}
}

func TestMendPutsAside(t *testing.T) {
	dir := t.TempDir()
	f := open(t, dir, "web1")
	f.Owe([]run.Debt{nginx})
	text, err := os.ReadFile(f.Path())
	if err == nil {
		err = errors.Join(os.WriteFile(f.Path(), append(text, "what?\n"...), 0o600),
			os.WriteFile(f.Path()+".new", []byte("half"), 0o600))
	}
	if err != nil {
		t.Fatal(err)
	}
	g := Open(dir, "web1", "/", func(error) {})
	g.Mend()
	g.Close()
	if got := owed(open(t, dir, "web1")); len(got) != 1 { // which does not warn again
		t.Errorf("it owes %v", got)
	}
	left, _ := filepath.Glob(filepath.Join(dir, "owed", "*"))
	if want := []string{f.Path(), f.Path() + ".damaged"}; !slices.Equal(left, want) {
		t.Errorf("there is %v, want %v", left, want)
	}
}

// TestAFullDiskThatIsFreedLosesNothing: what could not be written is, once it can.
func TestAFullDiskThatIsFreedLosesNothing(t *testing.T) {
	dir := t.TempDir()
	blocker := filepath.Join(dir, "owed")
	if err := os.WriteFile(blocker, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	n := 0
	f := Open(dir, "web1", "/", func(error) { n++ })
	n = 0
	f.Owe([]run.Debt{nginx})
	if err := os.Remove(blocker); err != nil {
		t.Fatal(err)
	}
	f.Owe([]run.Debt{cron})
	if got := owed(open(t, dir, "web1")); len(got) != 2 || n != 1 {
		t.Errorf("it owes %v, warned %d times", got, n)
	}
}
