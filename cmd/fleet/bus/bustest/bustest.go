// Package bustest starts a real hub on a port of loopback for a test.
package bustest

import (
	"fmt"
	"net"
	"path/filepath"
	"testing"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/hub"
)

// A Hub is a hub of a test.
type Hub struct {
	Dir     string // as gostate-hub init made it
	URL     string
	Running *hub.Running
	t       testing.TB
	listen  string
}

// Start makes a hub and starts it; it ends with the test.
func Start(t testing.TB) *Hub {
	t.Helper()
	h := &Hub{Dir: t.TempDir(), t: t, listen: "127.0.0.1:-1"}
	if _, err := hub.Init(h.Dir, []string{"127.0.0.1", "localhost"}, 4222); err != nil {
		t.Fatal(err)
	}
	h.Begin()
	t.Cleanup(func() { h.Stop() })
	return h
}

// Begin starts the server again, on the port that it had.
func (h *Hub) Begin() {
	h.t.Helper()
	s := hub.Server{Dir: h.Dir, Listen: h.listen}
	running, err := s.Start(h.t.Context(), nil)
	if err != nil {
		h.t.Fatal(err)
	}
	h.Running = running
	h.listen = fmt.Sprintf("127.0.0.1:%d", running.Server.Addr().(*net.TCPAddr).Port)
	h.URL = "tls://" + h.listen
	h.moved()
}

// moved writes down which port it is.
func (h *Hub) moved() {
	for _, sub := range []string{"operator", "server"} {
		file := filepath.Join(h.Dir, sub, "hub.json")
		site, err := hub.ReadSite(filepath.Dir(file))
		if err != nil {
			h.t.Fatal(err)
		}
		site.URLs = []string{h.URL}
		if err := site.Write(filepath.Dir(file)); err != nil {
			h.t.Fatal(err)
		}
	}
}

// Stop ends the server; Begin brings it back with what it kept.
func (h *Hub) Stop() {
	if h.Running != nil {
		h.Running.Stop()
		h.Running = nil
	}
}

// Operator is a connection of the operator's.
func (h *Hub) Operator() *bus.Bus {
	h.t.Helper()
	b, err := hub.Operator(h.Dir)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(b.Close)
	return b
}

// Node is a connection of a machine that was accepted.
func (h *Hub) Node(id string) *bus.Bus {
	h.t.Helper()
	o := h.NodeOptions(id)
	b, err := bus.Connect(*o)
	if err != nil {
		h.t.Fatal(err)
	}
	h.t.Cleanup(b.Close)
	return b
}

// NodeOptions are those of a new machine.
func (h *Hub) NodeOptions(id string) *bus.Options {
	h.t.Helper()
	o, err := hub.NewNode(h.Dir, id)
	if err != nil {
		h.t.Fatal(err)
	}
	return o
}
