package operate

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
)

// A field is a place of releases whose machines do at once what they are told to do.
type field struct {
	release.Stage
	w *world
	// does is what a machine reports of the release when it gets it; one that is not there says nothing.
	does   map[string]func(*agent.Report)
	pinned []string
	// pin is called before a batch gets its release.
	pin func(ids []string) error
}

func (f *field) Pin(ctx context.Context, env string, ids []string, signed []byte) error {
	if f.pin != nil && signed != nil {
		if err := f.pin(ids); err != nil {
			return err
		}
	}
	if err := f.Stage.Pin(ctx, env, ids, signed); err != nil || signed == nil {
		return err
	}
	f.pinned = append(f.pinned, strings.Join(ids, " "))
	r, err := release.Peek(signed)
	if err != nil {
		return err
	}
	payload, err := r.Encode()
	if err != nil {
		return err
	}
	for _, id := range ids {
		if do := f.does[id]; do != nil {
			f.w.reports(id, -time.Minute, func(rep *agent.Report) {
				rep.Newest = r.Sequence
				rep.Applied.Sequence, rep.Applied.Payload = r.Sequence, release.DigestOf(payload)
				do(rep)
			})
		}
	}
	return nil
}

func ok(*agent.Report) {}

func fails(r *agent.Report) {
	r.Status, r.Applied.Exit, r.Applied.Counts = agent.Failed, 2, agent.Counts{Total: 3, Failed: 2}
}

func breaks(r *agent.Report) {
	r.Status, r.Applied.Exit, r.Applied.LastGood, r.Applied.Sequence = agent.CompileError, 1, true, 1
}

func pauses(r *agent.Report) {
	r.Status, r.Applied, r.Newest = agent.Paused, nil, 1
	r.Problems = []agent.Problem{{Kind: "paused", Message: "paused until tomorrow"}}
}

func operatorKey() ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{7}, 32)) }

func publicKeys() []release.PublicKey {
	return []release.PublicKey{release.PublicKey(operatorKey().Public().(ed25519.PublicKey))}
}

// packed is a directory with a release.
func packed(t *testing.T, sequence uint64) release.Dir {
	t.Helper()
	dir := release.Dir{Path: scratch(t)}
	tree := []byte("tree")
	index, shards, err := release.NewPillars(map[string][]byte{"a": []byte("x")})
	if err != nil {
		t.Fatal(err)
	}
	signed, err := release.Sign(&release.Release{Format: 1, Env: "prod", Sequence: sequence, Created: noon,
		NotAfter: noon.Add(time.Hour), Tree: release.BlobOf(tree), Pillars: release.BlobOf(index)}, operatorKey())
	if err == nil {
		err = release.Write(t.Context(), dir, signed, append(shards, tree, index))
	}
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

// newField is one with a machine for each word, in batches of two; release 1 is everywhere.
func newField(t *testing.T, does map[string]func(*agent.Report), ids string) *field {
	t.Helper()
	nodes := "nodes:\n"
	for id := range strings.FieldsSeq(ids) {
		nodes += "  " + id + ": {env: prod}\n"
	}
	w := newWorld(t, nodes)
	for id := range strings.FieldsSeq(ids) {
		if id != "gone" {
			w.reports(id, 10*time.Minute, func(r *agent.Report) { r.Newest, r.Applied.Sequence = 1, 1 })
		}
	}
	at := release.Dir{Path: scratch(t)}
	if _, err := release.Transfer(t.Context(), packed(t, 1), at, "prod"); err != nil {
		t.Fatal(err)
	}
	return &field{Stage: at, w: w, does: does}
}

func (f *field) driver() *Driver {
	now := noon
	return &Driver{At: f, Reports: f.w.dir, By: "anna", Poll: time.Millisecond, Patience: 20 * time.Millisecond,
		Now: func() time.Time { now = now.Add(time.Minute); return now }}
}

func (f *field) plan(t *testing.T, from release.Dir, gate Gate) *Plan {
	t.Helper()
	signed, err := from.Pointer(t.Context(), "prod")
	if err != nil {
		t.Fatal(err)
	}
	r, err := release.Peek(signed)
	if err != nil {
		t.Fatal(err)
	}
	fleet := f.w.look()
	batches, err := Batches(fleet.In(fleet.Machines, "prod"), "2")
	if err != nil {
		t.Fatal(err)
	}
	gate.Seconds = 3600
	return &Plan{Format: 1, ID: NewID(noon), Env: "prod", Sequence: r.Sequence, Release: signed, Created: noon, By: "anna",
		Batches: batches, Gate: gate}
}

func sign(p *Plan) ([]byte, error) { return p.Sign(operatorKey()) }

// newest is what a machine would take.
func (f *field) newest(t *testing.T, node string) uint64 {
	t.Helper()
	signed, err := release.For(f, node).Pointer(t.Context(), "prod")
	if err != nil {
		t.Fatal(err)
	}
	r, err := release.Peek(signed)
	if err != nil {
		t.Fatal(err)
	}
	return r.Sequence
}

// TestRollOut: batches come one after the other, and what stops them leaves the other machines what they have.
func TestRollOut(t *testing.T) {
	answers := http.StatusOK
	www := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(answers) }))
	defer www.Close()
	for _, c := range []struct {
		name   string
		ids    string
		does   map[string]func(*agent.Report)
		gate   Gate
		answer int
		pinned []string
		state  string
		why    string
		ends   string // that are not ok
	}{
		{name: "all well", ids: "a b c", does: map[string]func(*agent.Report){"a": ok, "b": ok, "c": ok},
			pinned: []string{"a b", "c"}, state: done},
		{name: "a failure", ids: "a b c", does: map[string]func(*agent.Report){"a": ok, "b": fails, "c": ok},
			pinned: []string{"a b"}, state: stopped, why: "1 failed, and 0 may", ends: "b: failed, 2 of 3 states failed"},
		{name: "a failure that may be", ids: "a b c", does: map[string]func(*agent.Report){"a": ok, "b": fails, "c": ok},
			gate: Gate{MaxFail: 1}, pinned: []string{"a b", "c"}, state: done, ends: "b: failed, 2 of 3 states failed"},
		{name: "failures of several batches", ids: "a b c d e", gate: Gate{MaxFail: 1},
			does:   map[string]func(*agent.Report){"a": fails, "b": ok, "c": ok, "d": fails, "e": ok},
			pinned: []string{"a b", "c d"}, state: stopped, why: "2 failed, and 1 may",
			ends: "a: failed, 2 of 3 states failed; d: failed, 2 of 3 states failed"},
		{name: "no compiling", ids: "a b c", does: map[string]func(*agent.Report){"a": breaks, "b": ok},
			pinned: []string{"a b"}, state: stopped, why: "1 failed, and 0 may", ends: "a: compile error"},
		{name: "no answer", ids: "a b c", does: map[string]func(*agent.Report){"b": ok},
			pinned: []string{"a b"}, state: stopped, why: "1 failed, and 0 may", ends: "a: no answer, last seen 73 min ago"},
		{name: "the silent come last", ids: "gone a b", does: map[string]func(*agent.Report){"a": ok, "b": ok},
			pinned: []string{"a b", "gone"}, state: stopped, why: "1 failed, and 0 may", ends: "gone: no answer, never seen"},
		{name: "paused", ids: "a b", does: map[string]func(*agent.Report){"a": ok, "b": pauses},
			pinned: []string{"a b"}, state: stopped, why: "1 failed, and 0 may", ends: "b: not applied, paused until tomorrow"},
		{name: "a check that does not hold", ids: "a b c", does: map[string]func(*agent.Report){"a": ok, "b": ok, "c": ok},
			gate: Gate{Checks: []string{"http 200 " + www.URL}}, answer: http.StatusTeapot,
			pinned: []string{"a b"}, state: stopped,
			why: `the check "http 200 ` + www.URL + `" does not hold: it answers 418 I'm a teapot`},
		{name: "a check that holds", ids: "a b c", does: map[string]func(*agent.Report){"a": ok, "b": ok, "c": ok},
			gate: Gate{Checks: []string{"http 200 " + www.URL}}, pinned: []string{"a b", "c"}, state: done},
	} {
		t.Run(c.name, func(t *testing.T) {
			answers = max(c.answer, http.StatusOK)
			f := newField(t, c.does, c.ids)
			d := f.driver()
			from := packed(t, 2)
			if err := d.Begin(t.Context(), from, f.plan(t, from, c.gate), sign); err != nil {
				t.Fatal(err)
			}
			fates, cursor, err := d.Drive(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			var ends []string
			for _, fate := range fates {
				if fate.End != EndOK {
					ends = append(ends, fate.String())
				}
			}
			if d := cmp.Diff(c.ends, strings.Join(ends, "; ")); d != "" {
				t.Errorf("the ends (-want +got)\n%s", d)
			}
			if d := cmp.Diff(c.pinned, f.pinned); d != "" {
				t.Errorf("the batches (-want +got)\n%s", d)
			}
			if cursor.State != c.state || cursor.Why != c.why {
				t.Errorf("it is %s, %q, want %s, %q", cursor.State, cursor.Why, c.state, c.why)
			}
			for id := range strings.FieldsSeq(c.ids) {
				has := slices.ContainsFunc(f.pinned, func(ids string) bool { return slices.Contains(strings.Fields(ids), id) })
				if got := f.newest(t, id); (got == 2) != (has || c.state == done) {
					t.Errorf("%s takes release %d", id, got)
				}
			}
			if c.state == done {
				if _, err := f.Pointer(t.Context(), release.PinKey("prod", "a")); err == nil {
					t.Error("a machine still has a pointer of its own")
				}
			}
		})
	}
}

// TestTwoOperators: one drives. The other is refused, or takes over and the first stops.
func TestTwoOperators(t *testing.T) {
	does := map[string]func(*agent.Report){"a": ok, "b": ok, "c": ok}
	f := newField(t, does, "a b c")
	first, second := f.driver(), f.driver()
	second.By = "bert"
	from := packed(t, 2)
	plan := f.plan(t, from, Gate{})
	if err := first.Begin(t.Context(), from, plan, sign); err != nil {
		t.Fatal(err)
	}
	err := second.Begin(t.Context(), from, plan, sign)
	if err == nil || !strings.Contains(err.Error(), "a roll-out of prod is not done: prod 2: at batch 1 of 2, driven by "+
		"anna") {
		t.Fatal("two have begun:", err)
	}
	f.pin = func([]string) error { // which is in the midst of the first batch
		f.pin = nil
		return second.Resume(t.Context(), "prod", publicKeys(), nil)
	}
	if _, _, err = first.Drive(t.Context()); err == nil ||
		!strings.Contains(err.Error(), "another operator drives this roll-out now: prod 2: at batch 1 of 2, driven by bert") {
		t.Fatal("the first goes on:", err)
	}
	if _, cursor, err := second.Drive(t.Context()); err != nil || cursor.State != done {
		t.Fatal(cursor, err)
	}
	if err := first.Resume(t.Context(), "prod", publicKeys(), nil); err == nil {
		t.Error("a roll-out that is done was gone on with")
	}
}

// TestResume: what was stopped goes on where it was, with the failures that it had; a higher release may follow it,
// too.
func TestResume(t *testing.T) {
	does := map[string]func(*agent.Report){"a": ok, "b": fails, "c": ok}
	f := newField(t, does, "a b c")
	d := f.driver()
	from := packed(t, 2)
	if err := d.Begin(t.Context(), from, f.plan(t, from, Gate{}), sign); err != nil {
		t.Fatal(err)
	}
	if _, c, err := d.Drive(t.Context()); err != nil || c.State != stopped || c.Batch != 0 {
		t.Fatal(c, err)
	}
	again := f.driver()
	if err := again.Begin(t.Context(), from, f.plan(t, from, Gate{}), sign); err == nil {
		t.Error("the same release was begun again")
	}
	if err := again.Resume(t.Context(), "test", publicKeys(), nil); err == nil {
		t.Error("a roll-out that there is not was gone on with")
	}
	other := release.PublicKey(ed25519.NewKeyFromSeed(bytes.Repeat([]byte{8}, 32)).Public().(ed25519.PublicKey))
	if err := again.Resume(t.Context(), "prod", []release.PublicKey{other}, nil); err == nil ||
		!strings.Contains(err.Error(), "none of the keys") {
		t.Error("a plan of a stranger was taken:", err)
	}
	if err := again.Resume(t.Context(), "prod", publicKeys(), func(int) (int, error) { return 1, nil }); err != nil {
		t.Fatal(err)
	}
	if _, c, err := again.Drive(t.Context()); err != nil || c.State != done || !slices.Equal(c.Failed, []string{"b"}) {
		t.Fatal(c, err)
	}

	does["b"] = fails
	next := packed(t, 3)
	if err := d.Begin(t.Context(), next, f.plan(t, next, Gate{}), sign); err != nil {
		t.Fatal(err)
	}
	if _, c, err := d.Drive(t.Context()); err != nil || c.State != stopped {
		t.Fatal(c, err)
	}
	does["b"] = ok
	mended := packed(t, 4)
	if err := d.Begin(t.Context(), mended, f.plan(t, mended, Gate{}), sign); err != nil {
		t.Fatal("a release that follows one which was stopped:", err)
	}
	if _, c, err := d.Drive(t.Context()); err != nil || c.State != done || f.newest(t, "c") != 4 {
		t.Fatal(c, err)
	}
	older := packed(t, 3)
	if err := d.Begin(t.Context(), older, f.plan(t, older, Gate{}), sign); err == nil {
		t.Error("an older release was begun")
	}
}

// TestStop: who stops a roll-out stops its driver, too.
func TestStop(t *testing.T) {
	f := newField(t, nil, "a b c")
	d := f.driver()
	from := packed(t, 2)
	if _, err := f.driver().Stop(t.Context(), "prod", "x"); err == nil {
		t.Error("nothing was stopped")
	}
	if err := d.Begin(t.Context(), from, f.plan(t, from, Gate{}), sign); err != nil {
		t.Fatal(err)
	}
	f.pin = func([]string) error {
		_, err := f.driver().Stop(t.Context(), "prod", "it is Friday")
		return err
	}
	if _, _, err := d.Drive(t.Context()); err == nil || !strings.Contains(err.Error(), "it is Friday") {
		t.Error("it goes on:", err)
	}
}

// TestDamagedNotes: what lies where the cursor or the plan is to be is told.
func TestDamagedNotes(t *testing.T) {
	f := newField(t, nil, "a")
	if err := f.SwapNote(t.Context(), "prod", []byte("<html>"), nil); err != nil {
		t.Fatal(err)
	}
	if err := f.driver().Resume(t.Context(), "prod", publicKeys(), nil); err == nil ||
		!strings.Contains(err.Error(), "<html>") {
		t.Error(err)
	}
	text, _ := json.Marshal(Cursor{Format: 1, Env: "prod", State: running, Plan: release.BlobOf([]byte("gone"))})
	if err := f.SwapNote(t.Context(), "prod", text, []byte("<html>")); err != nil {
		t.Fatal(err)
	}
	if err := f.driver().Resume(t.Context(), "prod", publicKeys(), nil); err == nil ||
		!strings.Contains(err.Error(), "read the plan") {
		t.Error(err)
	}
}

func TestBatches(t *testing.T) {
	var machines []*Machine
	for _, id := range strings.Fields("a b c d e f g h i j") {
		machines = append(machines, &Machine{ID: id, Class: Unchanged})
	}
	machines[0].Class = Unreported
	for size, want := range map[string]string{"": "10", "3": "3 3 3 1", "50%": "5 5", "1%": "1 1 1 1 1 1 1 1 1 1",
		"99": "10"} {
		got, err := Batches(machines, size)
		var lens []string
		for _, b := range got {
			lens = append(lens, string(rune('0'+len(b)%10)))
		}
		text := strings.Join(lens, " ")
		if text == "0" {
			text = "10"
		}
		if err != nil || text != want {
			t.Errorf("%q: %s, %v, want %s", size, text, err, want)
		}
		if last := got[len(got)-1]; last[len(last)-1] != "a" {
			t.Errorf("%q: the silent one is not the last: %v", size, got)
		}
	}
	for _, bad := range []string{"0", "x", "-1", "200%", "0%"} {
		if _, err := Batches(machines, bad); err == nil {
			t.Errorf("%s was taken", bad)
		}
	}
	for _, bad := range []string{"", "http", "http x https://a", "http 200 ftp://a", "exec true", "http 200 https://"} {
		if _, err := parseCheck(bad); err == nil {
			t.Errorf("the check %q was taken", bad)
		}
	}
}
