package bus

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"

	"github.com/gostate/gostate/cmd/internal/agent"
)

// Deliver puts a report into the stream. One that is there already, by its machine and run, is not kept twice.
func (b *Bus) Deliver(ctx context.Context, r agent.Delivery) error {
	if err := b.here(); err != nil {
		return err
	}
	m := &nats.Msg{Subject: ReportOf(r.Node), Data: r.Data, Header: nats.Header{}}
	m.Header.Set(jetstream.MsgIDHeader, r.Node+" "+r.Run)
	m.Header.Set(RunHeader, r.Run)
	if _, err := b.JS.PublishMsg(ctx, m); err != nil {
		return fmt.Errorf("deliver the report %s: %w", r.Run, err)
	}
	return nil
}

// RunHeader is the header of a report with the name of its run.
const RunHeader = "Gostate-Run"

// A Report is one of a machine: agent.Report as JSON. Run is what its sender says, as all of Data is.
type Report struct {
	Node, Run string
	Data      []byte
	Meta      *jetstream.MsgMetadata
}

// LastReports tells the newest report of every machine.
func (b *Bus) LastReports(ctx context.Context, each func(Report) error) error {
	return b.reports(ctx, "report.*", true, each)
}

// ReportsOf tells the reports of a machine, the oldest first; of all machines where the id is "".
func (b *Bus) ReportsOf(ctx context.Context, id string, each func(Report) error) error {
	if id == "" {
		return b.reports(ctx, "report.*", false, each)
	}
	return b.reports(ctx, ReportOf(id), false, each)
}

func (b *Bus) reports(ctx context.Context, filter string, last bool, each func(Report) error) error {
	return b.Read(ctx, Reports, filter, last, func(m jetstream.Msg) error {
		r, err := reportIn(m)
		if err != nil {
			return err
		}
		return each(r)
	})
}

// FollowReports tells the reports since a time and those that come, until the context ends or each has an error.
func (b *Bus) FollowReports(ctx context.Context, since time.Time, each func(Report) error) error {
	consumer, err := b.JS.OrderedConsumer(ctx, Reports, jetstream.OrderedConsumerConfig{
		DeliverPolicy: jetstream.DeliverByStartTimePolicy, OptStartTime: &since})
	if err != nil {
		return fmt.Errorf("follow the reports: %w", err)
	}
	messages, err := consumer.Messages()
	if err != nil {
		return fmt.Errorf("follow the reports: %w", err)
	}
	defer messages.Stop()
	for {
		m, err := messages.Next(jetstream.NextContext(ctx))
		if err != nil {
			return err
		}
		r, err := reportIn(m)
		if err == nil {
			err = each(r)
		}
		if err != nil {
			return err
		}
	}
}

func reportIn(m jetstream.Msg) (Report, error) {
	meta, err := m.Metadata()
	node := Name(strings.TrimPrefix(m.Subject(), "report."))
	return Report{node, m.Headers().Get(RunHeader), m.Data(), meta}, err
}
