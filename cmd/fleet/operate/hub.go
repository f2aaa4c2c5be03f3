package operate

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/nats-io/nats.go/jetstream"

	"github.com/gostate/gostate/cmd/fleet/bus"
)

// A Hub has the reports that machines delivered to a hub.
type Hub struct{ Bus *bus.Bus }

func (h Hub) String() string { return "the hub" }

func hubEntry(r bus.Report) Entry { return newEntry(r.Node, r.Run, r.Meta.Timestamp, r.Data) }

// ofJob says whether a report is of a signed job: it says what the job did, and not how the machine is.
func (e Entry) ofJob() bool { return e.Report != nil && e.Report.Job != "" }

// Last tells the newest report of each machine, but for those of jobs.
func (h Hub) Last(ctx context.Context, each func(Entry) error) error {
	var behind []Entry
	err := h.Bus.LastReports(ctx, func(r bus.Report) error {
		e := hubEntry(r)
		if e.Damaged != nil || e.ofJob() {
			behind = append(behind, e)
		}
		if e.ofJob() {
			return nil
		}
		return each(e)
	})
	for _, e := range behind { // behind it stands the newest that counts
		good, fault := h.LastOf(ctx, e.Node)
		if errors.Is(fault, ErrNoReport) {
			continue
		}
		if err == nil {
			err = fault
		}
		if err == nil {
			err = each(good)
		}
	}
	return err
}

// LastOf is the newest report of a machine, but for those of jobs.
func (h Hub) LastOf(ctx context.Context, node string) (Entry, error) {
	s, err := h.Bus.JS.Stream(ctx, bus.Reports)
	if err != nil {
		return Entry{}, err
	}
	m, err := s.GetLastMsgForSubject(ctx, bus.ReportOf(node))
	if errors.Is(err, jetstream.ErrMsgNotFound) {
		return Entry{}, ErrNoReport
	}
	if err != nil {
		return Entry{}, err
	}
	e := newEntry(node, m.Header.Get(bus.RunHeader), m.Time, m.Data)
	if e.Damaged == nil && !e.ofJob() {
		return e, nil
	}
	all, err := h.all(ctx, node)
	for _, e := range slices.Backward(all) {
		if e.Damaged == nil && !e.ofJob() {
			return e, err
		}
	}
	if err == nil {
		err = ErrNoReport
	}
	return Entry{}, err
}

// all are the reports of a machine, the oldest first.
func (h Hub) all(ctx context.Context, node string) (out []Entry, err error) {
	if node == "" || strings.ContainsAny(node, "*> ") {
		return nil, nil
	}
	err = h.Bus.ReportsOf(ctx, node, func(r bus.Report) error {
		out = append(out, hubEntry(r))
		return nil
	})
	return out, err
}

// Runs are the reports that are kept of a machine.
func (h Hub) Runs(ctx context.Context, node string) (out []string, err error) {
	all, err := h.all(ctx, node)
	for _, e := range all {
		out = append(out, e.Run)
	}
	slices.Sort(out)
	out = slices.Compact(out)
	slices.Reverse(out)
	return out, err
}

// Run reads one of them.
func (h Hub) Run(ctx context.Context, node, run string) (Entry, error) {
	all, err := h.all(ctx, node)
	for _, e := range all {
		if e.Run == run && err == nil {
			return e, nil
		}
	}
	if err == nil {
		err = ErrNoReport
	}
	return Entry{}, err
}

// EntryOf is a message of the stream of reports.
func EntryOf(m jetstream.Msg) (Entry, error) {
	meta, err := m.Metadata()
	if err != nil {
		return Entry{}, err
	}
	return hubEntry(bus.Report{Node: bus.Name(strings.TrimPrefix(m.Subject(), bus.ReportOf(""))),
		Run: m.Headers().Get(bus.RunHeader), Data: m.Data(), Meta: meta}), nil
}
