package bus

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/nats-io/nats.go"

	"github.com/gostate/gostate/cmd/internal/release"
)

// Last is the newest message of a subject, read by DIRECT GET: no consumer is made for it. release.ErrNone is that
// there is none.
func (b *Bus) Last(ctx context.Context, stream, subject string) (*nats.Msg, error) {
	return b.get(ctx, "$JS.API.DIRECT.GET."+stream+"."+subject, nil)
}

// A query is a DIRECT GET of another kind.
type query struct {
	Sequence uint64   `json:"seq,omitempty"`
	Next     string   `json:"next_by_subj,omitempty"`
	Last     string   `json:"last_by_subj,omitempty"`
	Multi    []string `json:"multi_last,omitempty"`
}

// find is the message that a query means.
func (b *Bus) find(ctx context.Context, stream string, q query) (*nats.Msg, error) {
	data, err := json.Marshal(q)
	if err != nil {
		return nil, err
	}
	return b.get(ctx, "$JS.API.DIRECT.GET."+stream, data)
}

func (b *Bus) get(ctx context.Context, subject string, data []byte) (*nats.Msg, error) {
	if err := b.here(); err != nil {
		return nil, err
	}
	ctx, cancel := context.WithTimeout(ctx, answer)
	defer cancel()
	m, err := b.Conn.RequestWithContext(ctx, subject, data)
	if err != nil {
		return nil, fmt.Errorf("ask the hub: %w", err)
	}
	return m, statusOf(m)
}

// statusOf is what NATS says in the place of a message.
func statusOf(m *nats.Msg) error {
	switch status := m.Header.Get("Status"); {
	case status == "404":
		return release.ErrNone
	case status != "":
		return fmt.Errorf("the hub answers: %s %s", status, m.Header.Get("Description"))
	case m.Header.Get("KV-Operation") != "" || m.Header.Get("Nats-Marker-Reason") != "":
		return release.ErrNone // it was removed, or its time has ended
	}
	return nil
}

// none says that there is none.
func none(err error) bool { return errors.Is(err, release.ErrNone) }
