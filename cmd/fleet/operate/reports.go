// Package operate is what the operators of a fleet see and do: how its machines are, what their runs did, roll-outs in
// batches, exports. It reads what agents have reported, from a directory or from a hub, and asks no machine.
//
// Every machine of nodes.yaml is in exactly one class, and one that says nothing is one that says nothing since a time.
// What machines report is taken as hostile: it is held to the machine that sent it, and shown with its controls
// escaped.
package operate

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/release"
)

// Reports is where the reports of machines are.
type Reports interface {
	// Last tells the newest report of every machine that has one, in no order. It may be Damaged.
	Last(ctx context.Context, each func(Entry) error) error
	// LastOf is the newest report of a machine that can be read; ErrNoReport where there is none.
	LastOf(ctx context.Context, node string) (Entry, error)
	// Runs are the reports of a machine that are kept, the newest first. It is none for a machine that never reported.
	Runs(ctx context.Context, node string) ([]string, error)
	// Run reads one report; ErrNoReport where there is none.
	Run(ctx context.Context, node, run string) (Entry, error)
	// String names the place.
	String() string
}

// ErrNoReport says that there is no such report.
var ErrNoReport = errors.New("there is no such report")

// An Entry is a report as it is kept.
type Entry struct {
	Node, Run string
	Received  time.Time // by who keeps it
	Data      []byte
	// Report is nil where Data cannot be read, and Damaged says why.
	Report  *agent.Report
	Damaged error
}

// maxReport is how much of a report is read: agents cut theirs.
const maxReport = 128 << 20

// newEntry reads a report, which has to be of the machine and the run that it is kept as.
func newEntry(node, run string, received time.Time, data []byte) Entry {
	e := Entry{Node: node, Run: run, Received: received, Data: data}
	r := &agent.Report{}
	err := json.Unmarshal(data, r)
	switch {
	case !release.GoodName(node) || !release.GoodName(run):
		e.Damaged = fmt.Errorf("it is kept as %q of %q, which name none", run, node)
	case err != nil:
		e.Damaged = fmt.Errorf("it is no report: %w", err)
	case r.Format != 1:
		e.Damaged = fmt.Errorf("it has the format %d, and 1 is read", r.Format)
	case r.Node != node:
		e.Damaged = fmt.Errorf("it says that it is of %q", r.Node)
	case r.Run != run:
		e.Damaged = fmt.Errorf("it says that it is the run %q", r.Run)
	default:
		e.Report = r
	}
	return e
}

// Seen is when the machine was last at work, as far as is known: the older of what its clock said and of when the
// report came. A clock that is ahead, or a directory that was copied, makes no machine alive.
func (e Entry) Seen() time.Time {
	if e.Report != nil && e.Report.Started.Before(e.Received) {
		return e.Report.Started
	}
	return e.Received
}
