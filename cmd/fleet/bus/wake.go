package bus

import (
	"encoding/json"
	"time"

	"github.com/nats-io/nats.go"
)

// A Wake says that it is time to look; within is the time over which those who hear it spread.
type Wake struct {
	Within time.Duration `json:"within,omitempty"`
}

// Wake tells those of a subject to look. Who does not hear it looks at its next interval.
func (b *Bus) Wake(subject string, w Wake) error {
	data, err := json.Marshal(w)
	if err != nil {
		return err
	}
	if err := b.Conn.Publish(subject, data); err != nil {
		return err
	}
	return b.Conn.FlushTimeout(answer)
}

// Woken calls for each wake that is for a machine. What a message holds beside the time is not read: it is no command.
func (b *Bus) Woken(id, env string, woken func(Wake)) error {
	for _, subject := range []string{WakeAll, WakeEnv(env), WakeNode(id)} {
		_, err := b.Conn.Subscribe(subject, func(m *nats.Msg) {
			var w Wake
			_ = json.Unmarshal(m.Data, &w)
			woken(w)
		})
		if err != nil {
			return err
		}
	}
	return nil
}
