package join

import (
	"context"
	"net/url"
	"time"

	"github.com/nats-io/jwt/v2"
	"github.com/nats-io/nats.go"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/state/diag"
)

// Enrol asks the hub of the token, and waits for the answer as long as the context lasts. It gives what was kept in the
// directory; nil where there is no answer yet: the next Enrol with the same directory asks for it again.
func Enrol(ctx context.Context, dir string, t *Token, r Request, wait time.Duration) (*Member, error) {
	key, err := Key(dir)
	if err != nil {
		return nil, err
	}
	if r.NKey, err = key.PublicKey(); err != nil {
		return nil, err
	}
	b, ca, err := t.connect()
	if err != nil {
		return nil, err
	}
	defer b.Close()
	w, err := Answer(ctx, b, r.ID, r.NKey)
	if err == nil && (w == nil || w.Refused != "") {
		if err = Ask(ctx, b, r, key); err == nil {
			w, err = await(ctx, b, r, wait)
		}
	}
	switch {
	case err != nil || w == nil:
		return nil, err
	case w.Refused != "":
		return nil, diag.Errorf(diag.Pos{}, "the operator has refused this machine: %s", w.Refused)
	}
	m := Member{Hub: t.Hub, CA: string(ca), ID: r.ID, JWT: w.JWT}
	if err := Save(dir, m, key); err != nil {
		return nil, err
	}
	return Read(dir)
}

// await looks for the answer to this request, until the time is over.
func await(ctx context.Context, b *bus.Bus, r Request, wait time.Duration) (*Welcome, error) {
	for end := time.Now().Add(wait); ; {
		w, err := Answer(ctx, b, r.ID, r.NKey)
		if err != nil || w != nil && w.Refused == "" {
			return w, err
		}
		left := time.Until(end)
		if left <= 0 {
			return w, nil
		}
		select {
		case <-ctx.Done():
			return w, ctx.Err()
		case <-time.After(min(left, 2*time.Second)):
		}
	}
}

// connect reaches the hub of a token, and gives the certificate of its authority.
func (t *Token) connect() (*bus.Bus, []byte, error) {
	claims, err := jwt.DecodeUserClaims(t.JWT)
	if err != nil || len(t.Hub) == 0 {
		return nil, nil, diag.Errorf(diag.Pos{}, "the token is damaged")
	}
	if claims.Expires > 0 && time.Now().Unix() >= claims.Expires {
		return nil, nil, diag.Errorf(diag.Pos{}, "the token ended at %s", time.Unix(claims.Expires, 0).UTC().
			Format(time.RFC3339)).WithHint("gostate-hub fleet token prints another; is the clock of this machine right?")
	}
	at, err := url.Parse(t.Hub[0])
	if err != nil {
		return nil, nil, err
	}
	var ca []byte
	b, err := bus.Connect(bus.Options{URLs: t.Hub, User: claims.Name, JWT: t.JWT,
		Extra: []nats.Option{nats.Secure(trustBy(t.CA, at.Hostname(), &ca))}})
	return b, ca, err
}
