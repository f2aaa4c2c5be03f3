package node_test

import (
	"context"
	"crypto/ed25519"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/bus/bustest"
	"github.com/gostate/gostate/cmd/fleet/node"
	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
)

// world is a hub with releases, and a machine whose runs are noted.
type world struct {
	t        *testing.T
	hub      *bustest.Hub
	op       *bus.Bus
	key      ed25519.PrivateKey
	identity *age.X25519Identity
	dir      string
	turns    chan *agent.Report
	mu       sync.Mutex
	ran      []string // by mu
}

func newWorld(t *testing.T) *world {
	w := &world{t: t, hub: bustest.Start(t), dir: t.TempDir(), turns: make(chan *agent.Report, 100)}
	w.op = w.hub.Operator()
	_, w.key, _ = ed25519.GenerateKey(nil)
	var err error
	if w.identity, err = age.GenerateX25519Identity(); err != nil {
		t.Fatal(err)
	}
	return w
}

func (w *world) Run(_ context.Context, j agent.Job) (agent.Outcome, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.ran = append(w.ran, strings.Join(j.Words, " "))
	return agent.Outcome{Output: []byte(`{"local": {}}`)}, nil
}

func (w *world) Grains(context.Context) (map[string]json.RawMessage, error) { return nil, nil }

func (w *world) push(sequence uint64) {
	w.t.Helper()
	var tree strings.Builder
	dir := w.t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "top.sls"), []byte("base: {}"), 0o644); err != nil {
		w.t.Fatal(err)
	}
	files, err := release.ReadTree([]release.Root{{Env: "base", Dir: dir}})
	if err != nil {
		w.t.Fatal(err)
	}
	if err := files.Write(&tree); err != nil {
		w.t.Fatal(err)
	}
	sealed, err := release.Seal(&release.Sealed{ID: "web1", Pillar: "{}"}, w.identity.Recipient())
	if err != nil {
		w.t.Fatal(err)
	}
	index, shards, err := release.NewPillars(map[string][]byte{"web1": sealed})
	if err != nil {
		w.t.Fatal(err)
	}
	r := &release.Release{Format: 1, Env: "prod", Sequence: sequence, Created: time.Now().UTC(),
		NotAfter: time.Now().Add(time.Hour).UTC(), Tree: release.BlobOf([]byte(tree.String())),
		Pillars: release.BlobOf(index)}
	signed, err := release.Sign(r, w.key)
	if err != nil {
		w.t.Fatal(err)
	}
	data := append([][]byte{[]byte(tree.String()), index}, shards...)
	if err := release.Write(w.t.Context(), w.op, signed, data); err != nil {
		w.t.Fatal(err)
	}
	if err := w.op.Wake(bus.WakeEnv("prod"), bus.Wake{}); err != nil {
		w.t.Fatal(err)
	}
}

// start runs the machine until the function is called.
func (w *world) start() func() {
	w.t.Helper()
	a := &agent.Agent{Config: agent.Config{ID: "web1", Dir: w.dir, Interval: 1000 * time.Hour, Keep: 2,
		Policy:     release.Policy{Env: "prod", Keys: []release.PublicKey{release.PublicKey(w.key.Public().(ed25519.PublicKey))}},
		Identities: func() ([]age.Identity, error) { return []age.Identity{w.identity}, nil }},
		Clock: agent.Wall{}, Runner: w, Told: func(r *agent.Report) { w.turns <- r }}
	closed, err := a.Open()
	if err != nil {
		w.t.Fatal(err)
	}
	n, err := node.New(a, *w.hub.NodeOptions("web1"))
	if err != nil {
		w.t.Fatal(err)
	}
	a.Source, a.Sink = release.For(n.Bus, "web1"), n.Bus
	ctx, cancel := context.WithCancel(w.t.Context())
	var all sync.WaitGroup
	all.Go(func() { n.Run(ctx, nil, func(err error) { w.t.Log(err) }) })
	return func() {
		cancel()
		all.Wait()
		n.Bus.Close()
		closed()
	}
}

// next is the report of the next turn.
func (w *world) next() *agent.Report {
	w.t.Helper()
	select {
	case r := <-w.turns:
		return r
	case <-time.After(time.Minute):
		w.t.Fatal("the machine does nothing")
	}
	return nil
}

func (w *world) job(id string, until time.Time, key ed25519.PrivateKey, words ...string) {
	w.t.Helper()
	j := &bus.Job{Format: 1, ID: id, Nodes: []string{"web1"}, Words: words, Created: until.Add(-time.Hour).UTC(),
		NotAfter: until.UTC()}
	signed, err := bus.SignJob(j, key)
	if err != nil {
		w.t.Fatal(err)
	}
	if err := w.op.PutJob(w.t.Context(), signed, j.Nodes); err != nil {
		w.t.Fatal(err)
	}
}

// TestWake: a push wakes the machine, which applies it and reports; a wake without news is no turn.
func TestWake(t *testing.T) {
	w := newWorld(t)
	stop := w.start()
	defer stop()
	if r := w.next(); r.Why != "start" || r.Status != agent.Unreachable {
		t.Errorf("there is no release yet: %+v", r)
	}
	w.push(1)
	if r := w.next(); r.Status != agent.OK || r.Applied.Sequence != 1 || r.Why != "wake" {
		t.Errorf("%+v", r)
	}
	if err := w.op.Wake(bus.WakeAll, bus.Wake{}); err != nil {
		t.Fatal(err)
	}
	w.push(2)
	if r := w.next(); r.Status != agent.OK || r.Applied.Sequence != 2 {
		t.Errorf("%+v", r)
	}
}

// TestJobs: a job is done once, by those that it names, also when it came while the machine was away, and when the hub
// has lost all that it knew; what has ended and what another key has signed is not.
func TestJobs(t *testing.T) {
	w := newWorld(t)
	w.push(1)
	later := time.Now().Add(time.Hour)
	w.job("away", later, w.key, "sls", "web", "--test")
	w.job("ended", time.Now().Add(-time.Hour), w.key, "highstate")
	_, foreign, _ := ed25519.GenerateKey(nil)
	w.job("foreign", later, foreign, "highstate")
	stop := w.start()
	if r := w.next(); r.Job != "away" || r.Status != agent.OK || r.Applied.Sequence != 1 {
		t.Errorf("%+v", r)
	}
	if r := w.next(); r.Job != "ended" || r.Status != agent.Refused || r.Applied != nil {
		t.Errorf("%+v", r)
	}
	if r := w.next(); r.Why != "start" {
		t.Errorf("%+v", r)
	}
	w.job("now", later, w.key, "single", "test.nop", "name=x")
	if r := w.next(); r.Job != "now" || r.Status != agent.OK {
		t.Errorf("%+v", r)
	}
	stop()

	w.hub.Stop()
	if err := os.RemoveAll(filepath.Join(w.hub.Dir, "server", "data")); err != nil {
		t.Fatal(err)
	}
	w.hub.Begin()
	w.op = w.hub.Operator()
	w.push(2)
	w.job("now", later, w.key, "single", "test.nop", "name=x") // somebody puts it there again
	w.job("new", later, w.key, "highstate")
	stop = w.start()
	defer stop()
	if r := w.next(); r.Job != "new" || r.Applied == nil || r.Applied.Sequence != 2 {
		t.Errorf("%+v", r)
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if got := strings.Join(w.ran[:3], "; "); got != "sls web --test; ; single test.nop name=x" {
		t.Error(got)
	}
}

// TestInterrupted: a job at which the machine went down is told, and not begun again.
func TestInterrupted(t *testing.T) {
	w := newWorld(t)
	w.push(1)
	w.job("j1", time.Now().Add(time.Hour), w.key, "highstate")
	text := `{"next": 2, "jobs": {"j1": "2999-01-01T00:00:00Z"}, "begun": "j1"}`
	if err := os.WriteFile(filepath.Join(w.dir, "jobs.json"), []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	stop := w.start()
	defer stop()
	if r := w.next(); r.Job != "j1" || r.Status != agent.Refused || !strings.Contains(r.Problems[0].Message, "went down") {
		t.Errorf("%+v", r)
	}
	if r := w.next(); r.Job != "" {
		t.Errorf("it ran again: %+v", r)
	}
}

// TestWords: what a job may ask for.
func TestWords(t *testing.T) {
	for words, good := range map[string]bool{"highstate": true, "highstate --test": true, "highstate web": false,
		"":    false,
		"sls": false, "sls web": true, "sls --root /x web": false, "single test.nop name=x": true, "ssh web2": false,
		"single pkg.installed name=x --file-root=/tmp": false, "--test": false,
	} {
		j := bus.Job{Format: 1, ID: "x", Words: strings.Fields(words), NotAfter: time.Unix(0, 0), Created: time.Unix(0, 0)}
		if err := j.Check(); (err == nil) != good {
			t.Errorf("%q: %v", words, err)
		}
	}
}
