// Package hub is the server's side of a fleet on NATS: the keys and accounts that decide who may what, the
// configuration of a NATS server, and one inside of this process for those who need no cluster. It keeps and passes on;
// it renders nothing, and signs no release and no job.
package hub

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"time"

	"github.com/nats-io/nats-server/v2/server"
	"github.com/nats-io/nats.go"

	"github.com/gostate/gostate/cmd/fleet/bus"
)

// A Running is a server inside of this process.
type Running struct {
	Server *server.Server
	// Bus is the hub's own connection.
	Bus *bus.Bus
}

// Start runs the server, and makes the streams and buckets.
func (s *Server) Start(ctx context.Context, log server.Logger) (*Running, error) {
	text, err := s.Config()
	if err != nil {
		return nil, err
	}
	opts := &server.Options{}
	if err := opts.ProcessConfigString(text); err != nil {
		return nil, err
	}
	opts.NoSigs = true // they are this program's
	nats, err := server.NewServer(opts)
	if err != nil {
		return nil, err
	}
	if log != nil {
		nats.SetLoggerV2(log, false, false, false)
	}
	r := &Running{Server: nats}
	go nats.Start()
	if !nats.ReadyForConnections(time.Minute) {
		r.Stop()
		return nil, errors.New("the server does not come up: is its port taken?")
	}
	if err := r.connect(ctx, s.Dir); err != nil {
		r.Stop()
		return nil, err
	}
	return r, nil
}

func (r *Running) connect(ctx context.Context, dir string) error {
	o, err := OptionsOf(filepath.Join(dir, "server"), "hub.creds")
	if err != nil {
		return err
	}
	o.Extra = []nats.Option{nats.InProcessServer(r.Server)}
	if r.Bus, err = bus.Connect(*o); err != nil {
		return err
	}
	if err := r.Bus.Setup(ctx, 1); err != nil {
		return fmt.Errorf("prepare the hub: %w", err)
	}
	return nil
}

// Stop ends the server, when all that it has acknowledged is on the disk.
func (r *Running) Stop() {
	if r.Bus != nil {
		r.Bus.Close()
	}
	r.Server.Shutdown()
	r.Server.WaitForShutdown()
}
