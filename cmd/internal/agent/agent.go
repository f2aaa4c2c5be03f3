// Package agent is the loop that keeps a machine at the newest release: it looks when its time has come or somebody
// wakes it, verifies, fetches what is missing, runs gostate as a child, and reports. What it is told only says when to
// look; what runs is decided by the signature, the environment, the expiry and the sequence of releases. The world
// around it, clock, source, sink and runner, is given to it.
package agent

import (
	"context"
	"encoding/json"
	"time"

	"filippo.io/age"

	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/schedule"
)

// A Clock tells the time, and when a time has passed.
type Clock interface {
	Now() time.Time
	After(d time.Duration) <-chan time.Time
}

// A Sink takes reports. It may be given one twice: a report has an ID.
type Sink interface {
	Deliver(ctx context.Context, r Delivery) error
}

// A Delivery is a report on its way.
type Delivery struct {
	Node, Run string
	Data      []byte // a Report as JSON
}

// A Runner brings the machine to what a release says.
type Runner interface {
	// Run applies a tree. Its error says that the run could not be started; what came of it is the Outcome.
	Run(ctx context.Context, j Job) (Outcome, error)
	// Grains are those of this machine.
	Grains(ctx context.Context) (map[string]json.RawMessage, error)
}

// A Job is what is to be run.
type Job struct {
	Tree    string          // a directory that holds one for each environment of the files
	Sealed  *release.Sealed // the pillar
	Release *release.Release
	// Words are what gostate is asked to do; none is highstate.
	Words []string
}

// An Outcome is what came of a run: gostate's exit code (1: the input is wrong and nothing was touched), its JSON, and
// the end of what it said beside it.
type Outcome struct {
	Exit     int
	Output   []byte
	Messages string
}

// Config is what the machine's operator sets.
type Config struct {
	ID       string
	Dir      string // of the agent's own files
	Policy   release.Policy
	Interval time.Duration
	Splay    time.Duration // within which this machine has its place, at most the interval
	Blackout []*schedule.Schedule
	Keep     int // trees, at least two
	Spool    Limits
	// Identities are the machine's keys, which open its pillar.
	Identities func() ([]age.Identity, error)
}

// An Agent is one machine's. New makes it.
type Agent struct {
	Config
	Source release.Source
	Sink   Sink // nil keeps the reports in the spool
	Runner Runner
	Clock  Clock
	// Told is told of each report when it is made; nil tells nobody.
	Told  func(*Report)
	spool *Spool
}
