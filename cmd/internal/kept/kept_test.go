package kept

import (
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func open(t testing.TB, dir, id string, told *[]string) *File {
	t.Helper()
	return Open(dir, id, "/", func(err error) { *told = append(*told, err.Error()) })
}

// TestKept: what was noted is there in the next run of the same machine, in a file that is its owner's alone.
func TestKept(t *testing.T) {
	dir, told := t.TempDir(), []string{}
	at := time.Date(2026, 11, 22, 3, 0, 5, 0, time.UTC)
	f := open(t, dir, "a", &told)
	f.NoteRan("one", at.Add(-time.Hour))
	f.NoteRan("one", at)
	f.NoteSeen("two", map[string]string{"mode": "0644"})
	f.Close()
	info, err := os.Stat(f.Path())
	if err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("%v %v", info.Mode(), err)
	}
	again := open(t, dir, "a", &told)
	if !again.Ran("one").Equal(at) || again.Seen("one") != nil {
		t.Errorf("ran %s", again.Ran("one"))
	}
	if d := cmp.Diff(map[string]string{"mode": "0644"}, again.Seen("two")); d != "" {
		t.Error(d)
	}
	if other := open(t, dir, "b", &told); !other.Ran("one").IsZero() {
		t.Error("another machine sees it")
	}
	if len(told) > 0 {
		t.Errorf("told %v", told)
	}
}

// TestDamage: what cannot be read is told and put aside, and it alone is lost; a line that was cut short is passed
// over.
func TestDamage(t *testing.T) {
	dir, told := t.TempDir(), []string{}
	f := open(t, dir, "a", &told)
	f.NoteRan("one", time.Now())
	f.NoteRan("two", time.Now())
	f.Close()
	text, err := os.ReadFile(f.Path())
	if err != nil {
		t.Fatal(err)
	}
	broken := strings.Replace(string(text), `{"state":"one"`, `{"state`, 1) + `{"state":"three","ran":`
	if err := os.WriteFile(f.Path(), []byte(broken), 0o600); err != nil {
		t.Fatal(err)
	}
	again := open(t, dir, "a", &told)
	if again.Ran("two").IsZero() || !again.Ran("one").IsZero() || len(told) != 1 {
		t.Errorf("told %v", told)
	}
	again.Mend()
	again.Close()
	if _, err := os.Stat(f.Path() + ".damaged"); err != nil {
		t.Error(err)
	}
	told = nil
	if last := open(t, dir, "a", &told); last.Ran("two").IsZero() || len(told) > 0 {
		t.Errorf("told %v", told)
	}
}
