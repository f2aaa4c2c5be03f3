// Package bus is a fleet on NATS: the names of its subjects, streams and buckets, and what is kept in them: releases,
// reports, jobs, the mine. It is release.Store for operators, and release.Source and agent.Sink for machines.
//
// What comes over it is not trusted: releases and jobs prove themselves by a signature, and what the mine holds by that
// of its machine. A message says that it is time to look, never what to do. Machines read by DIRECT GET alone: a
// consumer or watcher for each of them is what a broker does not carry.
package bus

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/nats-io/nats.go"
	"github.com/nats-io/nats.go/jetstream"
)

// A Bus is a connection to the fleet's account.
type Bus struct {
	Conn *nats.Conn
	JS   jetstream.JetStream
}

// Options say how a hub is reached, and as whom.
type Options struct {
	URLs []string
	// CA is the certificate, as PEM, that has signed the hub's; nil trusts those of the system.
	CA []byte
	// User is the name of the user, which is the token of a machine's id.
	User string
	// JWT is the user's, and Seed that of its key; a bearer's token needs none.
	JWT  string
	Seed []byte
	// Patient goes on when the hub cannot be reached now.
	Patient bool
	// Jitter spreads the returns of a fleet whose hub was gone; 0 is for people who wait.
	Jitter time.Duration
	// Back is called when a connection is there after there was none; nil calls nobody.
	Back func()
	// Extra are options of NATS's client.
	Extra []nats.Option
}

// answer is how long a hub may take to answer.
const answer = 20 * time.Second

// Connect reaches the hub.
func Connect(o Options) (*Bus, error) {
	opts := []nats.Option{
		nats.Name(o.User), nats.CustomInboxPrefix(inbox(o.User)), nats.MaxReconnects(-1), nats.Timeout(answer),
		nats.ReconnectWait(time.Second), nats.ReconnectJitter(o.Jitter, o.Jitter+time.Second),
		nats.RetryOnFailedConnect(o.Patient), nats.IgnoreAuthErrorAbort(), nats.ReconnectBufSize(-1),
		nats.ErrorHandler(func(*nats.Conn, *nats.Subscription, error) {}),
	}
	if o.Back != nil {
		back := func(*nats.Conn) { o.Back() }
		opts = append(opts, nats.ReconnectHandler(back), nats.ConnectHandler(back))
	}
	if o.CA != nil {
		pool := x509.NewCertPool()
		if !pool.AppendCertsFromPEM(o.CA) {
			return nil, errors.New("the hub's certificate of authority is no PEM")
		}
		opts = append(opts, nats.Secure(&tls.Config{RootCAs: pool, MinVersion: tls.VersionTLS13}))
	}
	if o.JWT != "" {
		opts = append(opts, credentials(o))
	}
	conn, err := nats.Connect(strings.Join(o.URLs, ","), append(opts, o.Extra...)...)
	if err != nil {
		return nil, fmt.Errorf("the hub %s cannot be reached: %w", strings.Join(o.URLs, ","), err)
	}
	js, err := jetstream.New(conn, jetstream.WithDefaultTimeout(answer))
	if err != nil {
		conn.Close()
		return nil, err
	}
	return &Bus{conn, js}, nil
}

func credentials(o Options) nats.Option {
	if o.Seed == nil {
		return nats.UserJWT(func() (string, error) { return o.JWT, nil },
			func([]byte) ([]byte, error) { return nil, nil })
	}
	return nats.UserJWTAndSeed(o.JWT, string(o.Seed))
}

// Close ends the connection.
func (b *Bus) Close() { b.Conn.Close() }

// errAway says that there is no connection now.
var errAway = errors.New("the hub cannot be reached")

// here says whether there is a connection: without one a request would wait for its time to run out.
func (b *Bus) here() error {
	if b.Conn.IsConnected() {
		return nil
	}
	if err := b.Conn.LastError(); err != nil {
		return fmt.Errorf("%w: %w", errAway, err)
	}
	return errAway
}
