package bus

import (
	"context"
	"fmt"

	"github.com/nats-io/nats.go/jetstream"
)

// Read tells what is in a stream now below a filter of subjects, in order; with last the newest of each subject. It is
// for operators: it makes a consumer, which machines may not.
func (b *Bus) Read(ctx context.Context, stream, filter string, last bool, each func(jetstream.Msg) error) error {
	c := jetstream.OrderedConsumerConfig{FilterSubjects: []string{filter}, DeliverPolicy: jetstream.DeliverAllPolicy}
	if last {
		c.DeliverPolicy = jetstream.DeliverLastPerSubjectPolicy
	}
	consumer, err := b.JS.OrderedConsumer(ctx, stream, c)
	if err != nil {
		return fmt.Errorf("read %s: %w", stream, err)
	}
	info, err := consumer.Info(ctx)
	if err != nil {
		return fmt.Errorf("read %s: %w", stream, err)
	}
	if info.NumPending == 0 {
		return nil
	}
	messages, err := consumer.Messages()
	if err != nil {
		return fmt.Errorf("read %s: %w", stream, err)
	}
	defer messages.Stop()
	return untilEnd(ctx, messages, each)
}

// untilEnd reads until nothing was there that is not read.
func untilEnd(ctx context.Context, messages jetstream.MessagesContext, each func(jetstream.Msg) error) error {
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		meta, err := m.Metadata()
		if err != nil {
			return err
		}
		if err := each(m); err != nil {
			return err
		}
		if meta.NumPending == 0 {
			return nil
		}
	}
}
