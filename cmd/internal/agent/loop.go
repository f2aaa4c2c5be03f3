package agent

import (
	"context"
	"crypto/sha256"
	"encoding/binary"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"time"

	"golang.org/x/sys/unix"

	"github.com/gostate/gostate/state/diag"
)

// Open takes the agent's directory; one agent at a time has it. The function gives it back.
func (a *Agent) Open() (func(), error) {
	if err := os.MkdirAll(a.Dir, 0o700); err != nil {
		return nil, err
	}
	f, err := os.OpenFile(filepath.Join(a.Dir, "lock"), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, err
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		return nil, diag.Errorf(diag.Pos{File: a.Dir}, "another agent is at work here").
			WithHint("systemctl status gostate-agent shows the service; only one agent has a directory")
	}
	for _, dir := range []string{"", "spool", "releases"} { // what a killed agent was writing
		left, _ := filepath.Glob(filepath.Join(a.Dir, dir, ".new-*"))
		for _, file := range left {
			_ = os.Remove(file)
		}
	}
	a.spool, err = OpenSpool(filepath.Join(a.Dir, "spool"), a.Spool)
	if err != nil {
		f.Close()
		return nil, err
	}
	return func() { f.Close() }, nil
}

// report keeps a report, and delivers what is kept. A report that cannot be kept goes to the sink at once.
func (a *Agent) report(ctx context.Context, r *Report) error {
	r.Thinned = a.spool.Thinned()
	if a.Told != nil {
		a.Told(r)
	}
	data, err := json.Marshal(r)
	if err != nil {
		return err
	}
	kept := a.spool.Put(data)
	if a.Sink == nil {
		return kept
	}
	if kept != nil {
		if err := a.Sink.Deliver(ctx, Delivery{Node: r.Node, Run: r.Run, Data: data}); err != nil {
			return errors.Join(fmt.Errorf("the report is lost: it cannot be kept: %w", kept), err)
		}
	}
	if err := a.spool.Deliver(ctx, a.ID, a.Sink); err != nil {
		return &undelivered{err}
	}
	return nil
}

// undelivered says that reports wait in the spool.
type undelivered struct{ err error }

func (u *undelivered) Error() string { return "reports wait to be delivered: " + u.err.Error() }
func (u *undelivered) Unwrap() error { return u.err }

// Next is when this machine looks next: a fixed place in each interval by a hash of its id, so that a fleet spreads
// evenly and a person can tell when web7 runs.
func (c *Config) Next(now time.Time) time.Time {
	every := max(c.Interval, time.Second)
	within := min(c.Splay, every)
	if within <= 0 {
		within = 1
	}
	sum := sha256.Sum256([]byte(c.ID))
	place := time.Duration(binary.BigEndian.Uint64(sum[:8]) % uint64(within))
	begin := time.Unix(0, now.UnixNano()-now.UnixNano()%int64(every))
	next := begin.Add(place)
	if !next.After(now) {
		next = next.Add(every)
	}
	return next
}

// Run works until the context ends: a turn when its time has come, and one for each word of wake. What a turn cannot
// do is told to complain and tried again at the next.
func (a *Agent) Run(ctx context.Context, wake <-chan string, complain func(error)) {
	for why := "start"; ctx.Err() == nil; {
		if _, err := a.Turn(ctx, why); err != nil && ctx.Err() == nil {
			complain(err)
		}
		now := a.Clock.Now()
		select {
		case <-ctx.Done():
			return
		case why = <-wake:
		case <-a.Clock.After(a.Next(now).Sub(now)):
			why = "schedule"
		}
	}
}
