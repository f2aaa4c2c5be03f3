//go:build fleet

package hub_test

import (
	"testing"

	"github.com/gostate/gostate/cmd/fleet/hub"
)

// TestCluster: three of NATS's own servers keep everything thrice; what was reported is there when one is gone.
func TestCluster(t *testing.T) {
	dir := t.TempDir()
	if _, err := hub.Init(dir, []string{"127.0.0.1"}, 4222); err != nil {
		t.Fatal(err)
	}
	servers := cluster(t, dir, 3)
	op := ready(t, dir, 3)
	if err := servers[0].Process.Kill(); err != nil {
		t.Fatal(err)
	}
	reported(t, dir, op)
}
