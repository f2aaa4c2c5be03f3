package operate

import (
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"testing"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
)

// noon is when all of the tests are.
var noon = time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC)

// A world is a directory of reports, and nodes.yaml.
type world struct {
	t     *testing.T
	dir   Dir
	nodes string
	n     int
	to    agent.Sink // in the place of the directory
}

func newWorld(t *testing.T, nodes string) *world {
	t.Helper()
	w := &world{t: t, dir: Dir{scratch(t)}, nodes: filepath.Join(t.TempDir(), "nodes.yaml")}
	w.write(w.nodes, []byte(nodes))
	return w
}

// scratch is a directory in memory, where there is one: what is written is brought to the disk at each step.
func scratch(t *testing.T) string {
	t.Helper()
	dir, err := os.MkdirTemp("/dev/shm", "gostate-operate-")
	if err != nil {
		return t.TempDir()
	}
	t.Cleanup(func() { os.RemoveAll(dir) })
	return dir
}

func (w *world) write(file string, data []byte) {
	w.t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		w.t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o644); err != nil {
		w.t.Fatal(err)
	}
}

// reports puts a report of a machine there, made so long before noon.
func (w *world) reports(node string, ago time.Duration, change func(*agent.Report)) *agent.Report {
	w.t.Helper()
	w.n++
	at := noon.Add(-ago)
	r := &agent.Report{Format: 1, Node: node, Run: at.Format("20060102T150405.000Z") + fmt.Sprintf("-%06d", w.n),
		Env: "prod",
		Why: "schedule", Status: agent.OK, Started: at, Seconds: 2, Newest: 5, Version: "1.0.0",
		Applied: &agent.Applied{Sequence: 5, Payload: release.DigestOf([]byte("5")),
			Counts: agent.Counts{Total: 3, Unchanged: 3}},
		Grains: map[string]json.RawMessage{"os": json.RawMessage(`"Debian"`)}}
	if change != nil {
		change(r)
	}
	data, err := json.Marshal(r)
	if err != nil {
		w.t.Fatal(err)
	}
	if w.to == nil {
		w.put(node, r.Run, data, at.Add(2*time.Second))
	} else if err := w.to.Deliver(w.t.Context(), agent.Delivery{Node: node, Run: r.Run, Data: data}); err != nil {
		w.t.Fatal(err)
	}
	return r
}

// put puts a file there, whatever it holds.
func (w *world) put(node, run string, data []byte, at time.Time) {
	w.t.Helper()
	file := filepath.Join(w.dir.Path, node, run+".json")
	w.write(file, data)
	if err := os.Chtimes(file, at, at); err != nil {
		w.t.Fatal(err)
	}
}

func (w *world) look() *Fleet {
	w.t.Helper()
	f, err := Ask{Reports: w.dir, Nodes: w.nodes, Since: 2 * time.Hour, Now: noon}.Look(w.t.Context())
	if err != nil {
		w.t.Fatal(err)
	}
	return f
}

// state is one of a report, as gostate tells of it.
func state(tag, comment, changes string, result bool) json.RawMessage {
	text, _ := json.Marshal(comment)
	return fmt.Appendf(nil, `{"tag": %q, "__id__": "x", "comment": %s, "changes": %s, "result": %v, "duration": 1}`, tag,
		text, changes, result)
}
