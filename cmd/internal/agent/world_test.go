package agent

import (
	"bytes"
	"context"
	"crypto/ed25519"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/internal/release"
)

var noon = time.Date(2026, 5, 4, 12, 0, 0, 0, time.UTC)

// A world is all that an agent sees, and what a test changes of it.
type world struct {
	t        testing.TB
	now      time.Time
	dir      release.Dir
	operator ed25519.PrivateKey
	machine  *age.X25519Identity

	// What goes wrong.
	down      bool                       // the source cannot be asked
	pointer   []byte                     // in the place of the source's
	blob      func(data []byte) []byte   // what becomes of blobs on the way
	exits     map[uint64]int             // of releases, by sequence
	runErr    error                      // gostate cannot be started
	sinkDown  bool                       // reports are not taken
	grains    map[string]json.RawMessage // of the machine
	delivered map[string]Report          // by run
	ran       []release.Release          // all that was run, the tries too
	afterRun  func()                     // called when one was run
}

func newWorld(t testing.TB) *world {
	id, err := age.GenerateX25519Identity()
	if err != nil {
		t.Fatal(err)
	}
	return &world{t: t, now: noon, dir: release.Dir{Path: scratch(t)}, operator: keyOf(1), machine: id,
		exits: map[uint64]int{}, delivered: map[string]Report{},
		grains: map[string]json.RawMessage{"os": json.RawMessage(`"Debian"`)}}
}

// scratch is a directory in memory, where there is one: what is written is brought to the disk at each step.
func scratch(t testing.TB) string {
	dir, err := os.MkdirTemp("/dev/shm", "gostate-agent-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func keyOf(b byte) ed25519.PrivateKey { return ed25519.NewKeyFromSeed(bytes.Repeat([]byte{b}, 32)) }

func publicOf(k ed25519.PrivateKey) release.PublicKey {
	return release.PublicKey(k.Public().(ed25519.PublicKey))
}

func (w *world) Now() time.Time { return w.now }

func (w *world) After(d time.Duration) <-chan time.Time {
	w.now = w.now.Add(d)
	ch := make(chan time.Time, 1)
	ch <- w.now
	return ch
}

func (w *world) Pointer(ctx context.Context, env string) ([]byte, error) {
	if w.down {
		return nil, errors.New("no route to host")
	}
	if w.pointer != nil {
		return w.pointer, nil
	}
	return w.dir.Pointer(ctx, env)
}

func (w *world) Blob(ctx context.Context, b release.Blob, offset int64) (io.ReadCloser, error) {
	if w.down {
		return nil, errors.New("no route to host")
	}
	r, err := w.dir.Blob(ctx, b, 0)
	if err != nil {
		return nil, err
	}
	defer r.Close()
	data, err := io.ReadAll(r)
	if err != nil {
		return nil, err
	}
	if w.blob != nil {
		data = w.blob(data)
	}
	return io.NopCloser(bytes.NewReader(data[min(int(offset), len(data)):])), nil
}

func (w *world) Deliver(_ context.Context, d Delivery) error {
	if w.sinkDown {
		return errors.New("503 Service Unavailable")
	}
	var r Report
	if err := json.Unmarshal(d.Data, &r); err != nil {
		w.t.Errorf("a report is no JSON: %v", err)
	}
	w.delivered[d.Run] = r
	return nil
}

func (w *world) Run(_ context.Context, j Job) (Outcome, error) {
	if w.runErr != nil {
		return Outcome{}, w.runErr
	}
	if j.Sealed.Pillar != fmt.Sprintf("release: %d", j.Release.Sequence) {
		w.t.Errorf("release %d has the pillar %q", j.Release.Sequence, j.Sealed.Pillar)
	}
	if text, err := os.ReadFile(filepath.Join(j.Tree, "base", "top.sls")); err != nil ||
		string(text) != fmt.Sprintf("release %d", j.Release.Sequence) {
		w.t.Errorf("release %d has the tree %q, %v", j.Release.Sequence, text, err)
	}
	w.ran = append(w.ran, *j.Release)
	if w.afterRun != nil {
		w.afterRun()
	}
	return Outcome{Exit: w.exits[j.Release.Sequence], Messages: "error: web.sls:1: wrong",
		Output: []byte(`{"local": {"a": {"result": true, "changes": {"x": 1}, "__run_num__": 0},
			"b": {"result": true, "changes": {}}, "c": {"result": false, "changes": {}, "__run_num__": 1}}}`)}, nil
}

func (w *world) Grains(context.Context) (map[string]json.RawMessage, error) { return w.grains, nil }

// push makes a release and puts it into the world's directory.
func (w *world) push(sequence uint64, change ...func(*release.Release)) []byte {
	w.t.Helper()
	signed, blobs := w.sign(w.operator, sequence, change...)
	// A directory of its own, copied over: the world's may hold a higher sequence.
	d := release.Dir{Path: scratch(w.t)}
	if err := release.Write(context.Background(), d, signed, blobs); err != nil {
		w.t.Fatal(err)
	}
	if err := os.CopyFS(w.dir.Path, os.DirFS(filepath.Join(d.Path))); err != nil && !errors.Is(err, os.ErrExist) {
		w.t.Fatal(err)
	}
	w.overlay(d)
	return signed
}

// overlay copies what CopyFS leaves when a file is there.
func (w *world) overlay(d release.Dir) {
	files, _ := filepath.Glob(filepath.Join(d.Path, "*", "*"))
	more, _ := filepath.Glob(filepath.Join(d.Path, "*", "*", "*"))
	for _, f := range append(files, more...) {
		rel, _ := filepath.Rel(d.Path, f)
		data, err := os.ReadFile(f)
		if err != nil {
			continue // a directory
		}
		to := filepath.Join(w.dir.Path, rel)
		if os.MkdirAll(filepath.Dir(to), 0o755) != nil || os.WriteFile(to, data, 0o644) != nil {
			w.t.Fatal(to)
		}
	}
}

// sign is a release with its blobs: tree and pillar hold its number.
func (w *world) sign(key ed25519.PrivateKey, sequence uint64, change ...func(*release.Release)) ([]byte, [][]byte) {
	w.t.Helper()
	src := scratch(w.t)
	if err := os.WriteFile(filepath.Join(src, "top.sls"), fmt.Appendf(nil, "release %d", sequence), 0o644); err != nil {
		w.t.Fatal(err)
	}
	tree, err := release.ReadTree([]release.Root{{Env: "base", Dir: src}})
	if err != nil {
		w.t.Fatal(err)
	}
	var zip bytes.Buffer
	if err := tree.Write(&zip); err != nil {
		w.t.Fatal(err)
	}
	sealed, err := release.Seal(&release.Sealed{ID: "web1", Pillar: fmt.Sprintf("release: %d", sequence),
		Grains: map[string]json.RawMessage{"os": json.RawMessage(`"Debian"`)}}, w.machine.Recipient())
	if err != nil {
		w.t.Fatal(err)
	}
	index, shards, err := release.NewPillars(map[string][]byte{"web1": sealed})
	if err != nil {
		w.t.Fatal(err)
	}
	r := &release.Release{Format: 1, Env: "prod", Sequence: sequence, Created: w.now, NotAfter: w.now.Add(24 * time.Hour),
		Tree: release.BlobOf(zip.Bytes()), Pillars: release.BlobOf(index)}
	for _, f := range change {
		f(r)
	}
	signed, err := release.Sign(r, key)
	if err != nil {
		w.t.Fatal(err)
	}
	return signed, append([][]byte{zip.Bytes(), index}, shards...)
}

// agent is an agent in the world, with its files in dir.
func (w *world) agent(dir string) *Agent {
	return &Agent{Config: Config{ID: "web1", Dir: dir, Interval: 30 * time.Minute, Splay: 30 * time.Minute, Keep: 3,
		Policy:     release.Policy{Env: "prod", Skew: 10 * time.Minute, Keys: []release.PublicKey{publicOf(w.operator)}},
		Identities: func() ([]age.Identity, error) { return []age.Identity{w.machine}, nil }},
		Source: w, Sink: w, Runner: w, Clock: w}
}

// turn is one turn of an agent that is started for it, as a timer does.
func (w *world) turn(a *Agent) *Report {
	w.t.Helper()
	done, err := a.Open()
	if err != nil {
		w.t.Fatal(err)
	}
	defer done()
	r, err := a.Turn(context.Background(), "once")
	var waits *undelivered
	if err != nil && !errors.As(err, &waits) {
		w.t.Fatal(err)
	}
	return r
}
