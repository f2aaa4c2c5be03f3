// Package export brings the reports of machines to where others look: Postgres, OTLP, Prometheus.
//
// A report is exported at least once, and a second time changes nothing: its machine and run name it. What cannot be
// read is told and passed over; what cannot be delivered now is tried again.
package export

import (
	"context"
	"time"

	"github.com/gostate/gostate/cmd/fleet/operate"
)

// A Feed gives reports, each at least once.
type Feed interface {
	// Next gives some that are not done; none where there is no other now.
	Next(ctx context.Context) ([]operate.Entry, error)
	// Done says that those which Next gave last are exported.
	Done(ctx context.Context) error
	// Again says that they are not, and come again.
	Again()
}

// A Sink takes reports. It may be given one twice.
type Sink interface {
	Put(ctx context.Context, entries []operate.Entry) error
}

// A Pump moves reports from a feed to a sink.
type Pump struct {
	Feed Feed
	Sink Sink
	// Once ends when all that is there is exported; else it goes on until the context ends.
	Once bool
	// Pause is how long it waits for more, and before it tries again.
	Pause time.Duration
	// Complain is told of what is passed over or has to wait.
	Complain func(error)
}

// Run moves them, and says how many.
func (p Pump) Run(ctx context.Context) (moved int, err error) {
	for {
		n, err := p.some(ctx)
		moved += n
		switch {
		case ctx.Err() != nil:
			return moved, nil // it was asked to end: what is not done comes again
		case err != nil && p.Once:
			return moved, err
		case err != nil:
			p.Complain(err)
		case n > 0:
			continue
		case p.Once:
			return moved, nil
		}
		select {
		case <-ctx.Done():
			return moved, nil
		case <-time.After(p.Pause):
		}
	}
}

// some moves what the feed gives at once.
func (p Pump) some(ctx context.Context) (int, error) {
	all, err := p.Feed.Next(ctx)
	if err != nil || len(all) == 0 {
		return 0, err
	}
	good := make([]operate.Entry, 0, len(all))
	for _, e := range all {
		if e.Damaged != nil {
			p.Complain(passedOver(e, e.Damaged))
			continue
		}
		good = append(good, e)
	}
	if len(good) > 0 {
		if err := p.Sink.Put(ctx, good); err != nil {
			p.Feed.Again()
			return 0, err
		}
	}
	return len(all), p.Feed.Done(ctx)
}
