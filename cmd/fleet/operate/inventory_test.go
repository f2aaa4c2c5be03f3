package operate

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/pack"
	"github.com/gostate/gostate/cmd/internal/release"
)

// TestInventory: what machines report is what a release is packed by, and a machine that is silent keeps what it said.
func TestInventory(t *testing.T) {
	w := newWorld(t, list)
	says := func(os string) func(*agent.Report) {
		return func(r *agent.Report) { r.Grains = map[string]json.RawMessage{"os": json.RawMessage(os)} }
	}
	w.reports("ok1", time.Hour, says(`"Alpine"`))
	w.reports("ok1", 10*time.Minute, says(`"Debian"`))
	w.reports("new1", time.Minute, func(r *agent.Report) { r.Grains = nil })
	w.put("damaged1", "20261122T110000.000Z-x", []byte("{"), noon)
	dir := filepath.Join(t.TempDir(), "inventory")
	for _, want := range []int{1, 0} { // the second time nothing is new
		told, fresh, err := WriteInventory(t.Context(), w.dir, dir)
		if err != nil || told != 1 || len(fresh) != want {
			t.Errorf("%d, %v, %v, want %d new", told, fresh, err, want)
		}
	}
	if err := os.WriteFile(filepath.Join(dir, "gone.json"), []byte(`{"local": {"os": "SUSE"}}`), 0o644); err != nil {
		t.Fatal(err)
	}
	w.reports("ok1", time.Minute, says(`"Ubuntu"`))
	if _, fresh, err := WriteInventory(t.Context(), w.dir, dir); err != nil || strings.Join(fresh, " ") != "ok1" {
		t.Errorf("%v, %v", fresh, err)
	}
	for id, want := range map[string]string{"ok1": "Ubuntu", "gone": "SUSE"} {
		grains, err := pack.Inventory(dir).GrainsOf(release.Node{ID: id})
		if err != nil || !strings.Contains(string(grains), want) {
			t.Errorf("%s: %s, %v, want %s", id, grains, err, want)
		}
	}
}
