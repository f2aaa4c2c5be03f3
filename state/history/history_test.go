package history

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/value"
)

var compare = cmp.Comparer(func(a, b Value) bool {
	return (a.Value == nil) == (b.Value == nil) && (a.Value == nil || value.Repr(a.Value) == value.Repr(b.Value))
})

func newDir(t *testing.T) *Dir {
	t.Helper()
	d, err := Make(filepath.Join(t.TempDir(), "gostate"), "web1", "/")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { d.Close() })
	return d
}

func noWarning(t *testing.T) func(error) {
	return func(err error) { t.Errorf("warned: %v", err) }
}

// leave leaves a report of the states.
func leave(t *testing.T, d *Dir, at time.Time, states ...State) string {
	t.Helper()
	h := &Header{Time: at, Machine: "web1", Root: "/", Key: "k"}
	w, err := d.Begin(h, noWarning(t))
	if err != nil {
		t.Fatal(err)
	}
	for i := range states {
		w.State(&states[i])
	}
	w.Finish(&Footer{End: at, Counts: Counts{Total: len(states)}}, nil)
	return h.ID
}

func fullState() State {
	cause := 4
	return State{Fun: "file.managed", ID: "/etc/ä \"x\"\n", Name: "/etc/y", Hash: "0011223344556677", N: 3,
		SLS: "web.conf",
		Pos: "web/conf.sls:3:4", Result: False, How: HowWatched, Noop: true, Class: Corrective, Corrected: 2,
		Changes: Value{value.DictOf("result", value.Str("true"), "corrected", value.Int(7))},
		Properties: []Property{{Name: "mode", Before: Value{value.Str("0644")}, After: Value{value.Str("0600")},
			Error: "no"}},
		Comment: `,"result":"true",`, Warnings: []string{"w"}, Start: 5, Took: 6, Because: []int{1, 2}, Cause: &cause,
		Requires: []Edge{{Kind: "watch", To: []int{1}}, {Kind: "require", To: []int{0, 1}}}}
}

// TestStateIsReadAsItWasWritten: the hand-made line is what encoding/json reads.
func TestStateIsReadAsItWasWritten(t *testing.T) {
	for _, s := range []State{fullState(), {Fun: "test.nop", ID: "a", Name: "a", Hash: "00", Result: True}} {
		var got State
		if err := json.Unmarshal(appendState(nil, &s), &got); err != nil {
			t.Fatal(err)
		}
		if got.Name == "" {
			got.Name = got.ID
		}
		if d := cmp.Diff(s, got, compare); d != "" {
			t.Errorf("(-written +read):\n%s", d)
		}
	}
}

// TestCutAnywhere: whatever a kill or a full disk leaves of a report can be read, and tells of nothing that was not in
// it.
func TestCutAnywhere(t *testing.T) {
	d := newDir(t)
	at := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	h := &Header{Time: at, Machine: "web1", Root: "/", Command: "highstate", States: 3}
	w, err := d.Begin(h, noWarning(t))
	if err != nil {
		t.Fatal(err)
	}
	set := 9
	w.Set(set, []int{0, 1, 2})
	states := []State{{Fun: "test.nop", ID: "a", Name: "a", Hash: "00", Result: True,
		Requires: []Edge{{Kind: "require", Set: &set}}}, fullState()}
	for i := range states {
		w.State(&states[i])
	}
	w.Finish(&Footer{End: at, Exit: 2, Counts: Counts{Total: 2}}, nil)
	text, err := os.ReadFile(d.pathOf(h.ID))
	if err != nil {
		t.Fatal(err)
	}
	whole, err := parse(h.ID, text)
	if err != nil || whole.Damaged > 0 || len(whole.States) != 2 || whole.Footer == nil {
		t.Fatalf("the whole report: %+v, %v", whole, err)
	}
	if got := whole.States[0].Requires[0].To; len(got) != 3 {
		t.Errorf("the set names %v", got)
	}
	for n := range text {
		run, err := parse(h.ID, text[:n])
		if err != nil || run.Damaged > 0 {
			t.Fatalf("cut at %d: %d damaged lines, %v", n, run.Damaged, err)
		}
		if run.ID != h.ID || run.Time.IsZero() || run.Footer != nil || len(run.States) > 2 {
			t.Fatalf("cut at %d: %+v", n, run)
		}
		if d := cmp.Diff(whole.States[:len(run.States)], run.States, compare, cmpopts.EquateEmpty()); d != "" {
			t.Fatalf("cut at %d (-want +got):\n%s", n, d)
		}
	}
}

// TestDamage: any byte that is turned over loses one line at most.
func TestDamage(t *testing.T) {
	d := newDir(t)
	id := leave(t, d, time.Now(), State{Fun: "test.nop", ID: "a", Name: "a", Hash: "00", Result: True}, fullState())
	text, _ := os.ReadFile(d.pathOf(id))
	for i := range text {
		bad := append([]byte(nil), text...)
		bad[i] ^= 0x80
		run, err := parse(id, bad)
		lost := 0
		if text[i] == '\n' {
			lost = 1 // two lines have become one
		}
		if err != nil || len(run.States) < 1-lost || run.Damaged > 1 {
			t.Errorf("byte %d: %d states, %d damaged, %v", i, len(run.States), run.Damaged, err)
		}
	}
}

// TestFIFO: what is no file in the place of a report is told, and not waited for.
func TestFIFO(t *testing.T) {
	d, err := Make(t.TempDir(), "web", "/")
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	const id = "20261122T234145.047Z-4e82a8"
	if err := unix.Mkfifo(filepath.Join(d.root.Name(), id+suffix), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read(id); err == nil {
		t.Error("it was read")
	}
}

func TestLaterVersion(t *testing.T) {
	d := newDir(t)
	id := leave(t, d, time.Now())
	text, _ := os.ReadFile(d.pathOf(id))
	later := strings.Replace(string(text), `"version":1`, `"version":2`, 1)
	if err := os.WriteFile(d.pathOf(id), []byte(later), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := d.Read(id); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("read: %v", err)
	}
	if _, err := d.Summary(id); err == nil || !strings.Contains(err.Error(), "version 2") {
		t.Errorf("summary: %v", err)
	}
}

// TestIDsSort: also when the clock is set back, and when runs follow each other at once.
func TestIDsSort(t *testing.T) {
	d := newDir(t)
	at := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	var want []string
	for _, later := range []time.Duration{0, 0, time.Hour, -48 * time.Hour, 0} {
		at = at.Add(later)
		want = append(want, leave(t, d, at))
	}
	got, err := d.IDs()
	if diff := cmp.Diff(want, got); diff != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, diff)
	}
}

func TestPrune(t *testing.T) {
	at := time.Date(2026, 11, 22, 3, 0, 0, 0, time.UTC)
	for _, c := range []struct {
		name  string
		keep  int
		bytes int64
		left  int
	}{
		{"by number", 3, 1 << 20, 3},
		{"by size", 10, 1000, 2},
		{"the newest stays", 1, 0, 1},
		{"all there is room for", 10, 1 << 20, 5},
	} {
		d := newDir(t)
		other, err := Make(filepath.Dir(filepath.Dir(d.path)), "web2", "/")
		if err != nil {
			t.Fatal(err)
		}
		leave(t, other, at)
		var ids []string
		for range 5 {
			ids = append(ids, leave(t, d, at))
		}
		if err := d.Prune(c.keep, c.bytes); err != nil {
			t.Fatal(err)
		}
		got, _ := d.IDs()
		if diff := cmp.Diff(ids[5-c.left:], got); diff != "" {
			t.Errorf("%s (-want +got):\n%s", c.name, diff)
		}
		if got, _ := other.IDs(); len(got) != 1 {
			t.Errorf("%s: the report of another machine is gone", c.name)
		}
		other.Close()
	}
}

// TestEarlier: what counts is the last run in which the state was in order.
func TestEarlier(t *testing.T) {
	nop := func(hash, result, how string, corrected int) State {
		return State{Fun: "test.nop", ID: "a", Name: "a", Hash: hash, Result: result, How: how, Corrected: corrected,
			Changes: Value{value.DictOf("corrected", value.Int(9))}}
	}
	for _, c := range []struct {
		name string
		runs [][]State
		want Past
		ok   bool
	}{
		{"none", nil, Past{}, false},
		{"another state", [][]State{{{Fun: "test.nop", ID: "b", Name: "b", Hash: "00", Result: True}}}, Past{}, false},
		{"another name", [][]State{{{Fun: "test.nop", ID: "a", Name: "b", Hash: "00", Result: True}}}, Past{}, false},
		{"the last", [][]State{{nop("01", True, "", 0)}, {nop("02", True, "", 3)}}, Past{"02", 3}, true},
		{"a failure does not count", [][]State{{nop("01", True, "", 1)}, {nop("02", False, "", 3)}}, Past{"01", 1}, true},
		{"what was held back does not count", [][]State{{nop("01", True, "", 1)}, {nop("02", True, HowConditional, 0)}},
			Past{"01", 1}, true},
		{"a reaction counts", [][]State{{nop("01", True, HowWatched, 0)}}, Past{"01", 0}, true},
		{"what its listener did does not", [][]State{{nop("01", True, HowListened, 0)}}, Past{}, false},
	} {
		d := newDir(t)
		for _, states := range c.runs {
			leave(t, d, time.Now(), states...)
		}
		h := &Header{Time: time.Now(), Key: "k"}
		w, err := d.Begin(h, noWarning(t))
		if err != nil {
			t.Fatal(err)
		}
		s := nop("", True, "", 0)
		w.State(&s)
		got, ok := d.Earlier(h).Of(&s)
		if got != c.want || ok != c.ok {
			t.Errorf("%s: %+v, %v", c.name, got, ok)
		}
		w.Finish(&Footer{}, nil)
		other := &Header{ID: "99990101T000000.000Z-x", Key: "another"}
		if _, ok := d.Earlier(other).Of(&s); ok {
			t.Errorf("%s: hashes of another key were compared", c.name)
		}
	}
}

// TestSummary reads the ends of reports, long and short ones.
func TestSummary(t *testing.T) {
	d := newDir(t)
	long := State{Fun: "test.nop", ID: "a", Name: "a", Hash: "00", Result: False, Comment: strings.Repeat("x", 3*tail)}
	for _, states := range [][]State{nil, {fullState()}, {long}, {long, fullState()}} {
		id := leave(t, d, time.Now(), states...)
		run, err := d.Summary(id)
		if err != nil || run.Footer == nil || run.Footer.Counts.Total != len(states) || run.Machine != "web1" ||
			run.Damaged > 0 {
			t.Errorf("%d states: %+v, %v", len(states), run, err)
		}
		text, _ := os.ReadFile(d.pathOf(id))
		if err := os.WriteFile(d.pathOf(id), text[:len(text)-3], 0o600); err != nil {
			t.Fatal(err)
		}
		if run, err := d.Summary(id); err != nil || run.Footer != nil || run.Machine != "web1" {
			t.Errorf("killed, %d states: %+v, %v", len(states), run, err)
		}
	}
}

// TestOthersDirectory: what belongs to another user is not written to.
func TestOthersDirectory(t *testing.T) {
	if os.Geteuid() != 0 {
		t.Skip("only root can give a directory away")
	}
	dir := filepath.Join(t.TempDir(), "gostate")
	if err := os.MkdirAll(filepath.Join(dir, "reports"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.Chown(filepath.Join(dir, "reports"), 12345, 12345); err != nil {
		t.Fatal(err)
	}
	if _, err := Make(dir, "web1", "/"); err == nil || !strings.Contains(err.Error(), "belongs to user 12345") {
		t.Errorf("made: %v", err)
	}
}
