// Package node is a machine of a fleet: the agent's loop, which hub messages wake. A wake says that it is time to look;
// what is done is decided by what is signed: the newest release, and jobs that name this machine.
package node

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"time"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/internal/agent"
)

// A Node is one machine's.
type Node struct {
	Agent *agent.Agent
	Bus   *bus.Bus
	wake  chan bus.Wake
}

// New listens for what wakes the machine.
func New(a *agent.Agent, o bus.Options) (*Node, error) {
	n := &Node{Agent: a, wake: make(chan bus.Wake, 1)}
	o.Back = func() { n.woken(bus.Wake{Within: o.Jitter}) } // what was missed is looked for
	var err error
	if n.Bus, err = bus.Connect(o); err != nil {
		return nil, err
	}
	return n, n.Bus.Woken(a.ID, a.Policy.Env, n.woken)
}

// woken notes a wake; one that waits is enough.
func (n *Node) woken(w bus.Wake) {
	select {
	case n.wake <- w:
	default:
	}
}

// Run works until the context ends. A word of asked is a person's: it is a turn, also when nothing is new.
func (n *Node) Run(ctx context.Context, asked <-chan string, complain func(error)) {
	tell := func(err error) {
		if err != nil && ctx.Err() == nil {
			complain(err)
		}
	}
	for why := "start"; ctx.Err() == nil; {
		tell(n.jobs(ctx))
		if why != "wake" || n.news(ctx) {
			_, err := n.Agent.Turn(ctx, why)
			tell(err)
		}
		why = n.wait(ctx, asked)
	}
}

// wait is until somebody asks, it is time, or a wake came and this machine's moment within it.
func (n *Node) wait(ctx context.Context, asked <-chan string) string {
	clock := n.Agent.Clock
	now := clock.Now()
	schedule := clock.After(n.Agent.Next(now).Sub(now))
	wake := n.wake
	var moment <-chan time.Time
	for {
		select {
		case <-ctx.Done():
			return ""
		case why := <-asked:
			return why
		case <-schedule:
			return "schedule"
		case w := <-wake:
			wake = nil // whatever comes until then is seen then
			moment = clock.After(place(n.Agent.ID, min(w.Within, n.Agent.Interval)))
		case <-moment:
			return "wake"
		}
	}
}

// place is a machine's moment within a time, by a hash of its id.
func place(id string, within time.Duration) time.Duration {
	if within <= 0 {
		return 0
	}
	sum := sha256.Sum256([]byte("wake " + id))
	return time.Duration(binary.BigEndian.Uint64(sum[:8]) % uint64(within))
}

// news says whether the source has another release than the newest one that is here. Where it cannot be asked, the
// schedule's turn tells.
func (n *Node) news(ctx context.Context) bool {
	signed, err := n.Agent.Source.Pointer(ctx, n.Agent.Policy.Env)
	return err == nil && string(signed) != string(n.Agent.Newest())
}
