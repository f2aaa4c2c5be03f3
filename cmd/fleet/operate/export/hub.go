package export

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/operate"
)

// A HubFeed gives the reports of a hub, by a consumer of its own that the hub remembers.
type HubFeed struct {
	consumer jetstream.Consumer
	given    []jetstream.Msg
}

// OpenHub makes the consumer of a name, or goes on with the one that is there.
func OpenHub(ctx context.Context, b *bus.Bus, name string) (*HubFeed, error) {
	c, err := b.JS.CreateOrUpdateConsumer(ctx, bus.Reports, jetstream.ConsumerConfig{Durable: "export-" + name,
		AckPolicy: jetstream.AckExplicitPolicy, AckWait: 2 * time.Minute, MaxAckPending: 10 * atOnce})
	if err != nil {
		return nil, fmt.Errorf("make the consumer of the export: %w", err)
	}
	return &HubFeed{consumer: c}, nil
}

// Next gives what is there now.
func (f *HubFeed) Next(context.Context) (out []operate.Entry, err error) {
	batch, err := f.consumer.FetchNoWait(atOnce)
	if err != nil {
		return nil, fmt.Errorf("read the hub: %w", err)
	}
	f.given = nil
	for m := range batch.Messages() {
		e, err := operate.EntryOf(m)
		if err != nil {
			return nil, err
		}
		f.given, out = append(f.given, m), append(out, e)
	}
	return out, batch.Error()
}

// Done acknowledges them.
func (f *HubFeed) Done(ctx context.Context) error {
	var all error
	for _, m := range f.given {
		all = errors.Join(all, m.DoubleAck(ctx))
	}
	f.given = nil
	return all
}

// Again gives them back, so that nobody waits until the hub does by itself.
func (f *HubFeed) Again() {
	for _, m := range f.given {
		_ = m.Nak()
	}
	f.given = nil
}
