//go:build linux

package view

import (
	"context"
	"errors"
	"io"
	"sync"

	"github.com/gostate/gostate/state/host"
)

// A client puts questions to a view's server.
type client struct {
	stop func() // ends what runs, when nobody waits for it any more

	mu   sync.Mutex // guards all below
	wire *wire
	err  error // why no more commands run
}

// Run runs a command in the view. Reached is what it wanted outside, "" for nothing.
func (c *client) Run(ctx context.Context, cmd host.Cmd) (out *host.Output, reached string, err error) {
	a, err := c.ask(ctx, question{Cmd: &cmd})
	if err != nil {
		return nil, "", err
	}
	return a.Out, a.Reached, a.error()
}

// begin starts a command in the view that runs on beside others, and ends with it.
func (c *client) begin(ctx context.Context, cmd host.Cmd) (*child, error) {
	a, err := c.ask(ctx, question{Start: &cmd})
	if err != nil {
		return nil, err
	}
	return &child{c, a.Child}, a.error()
}

// A child is a command that runs on in a view.
type child struct {
	in     *client
	number int
}

func (c *child) Ask(ctx context.Context, line []byte) ([]byte, error) {
	said, _, err := c.askAll(ctx, line)
	return said, err
}

// askAll is Ask; reached is what the command wanted outside of the view meanwhile, "" for nothing.
func (c *child) askAll(ctx context.Context, line []byte) (said []byte, reached string, err error) {
	a, err := c.in.ask(ctx, question{Child: c.number, Line: line})
	if err != nil {
		return nil, "", err
	}
	return a.Line, a.Reached, a.error()
}

func (c *child) Close() error {
	a, err := c.in.ask(context.Background(), question{Child: c.number})
	if err != nil {
		return nil // it ended with the view
	}
	return a.error()
}

// Apply brings the files of the view to the changes, and its accounts.
func (c *client) Apply(ctx context.Context, changes []host.Change, accounts Accounts) error {
	if len(changes) == 0 && accounts.empty() {
		return nil
	}
	a, err := c.ask(ctx, question{Changes: changes, Accounts: accounts})
	if err != nil {
		return err
	}
	return a.error()
}

// ask puts a question. Whoever cancels it ends the view: what runs in there is of no more use.
func (c *client) ask(ctx context.Context, q question) (*answer, error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.err != nil {
		return nil, c.err
	}
	stop := context.AfterFunc(ctx, c.stop)
	defer stop()
	a, err := c.wire.ask(q)
	switch {
	case ctx.Err() != nil:
		c.err = context.Cause(ctx)
	case errors.Is(err, io.EOF):
		c.err = errors.New("the view has ended")
	default:
		c.err = err
	}
	return a, c.err
}

// ended says whether no more commands run.
func (c *client) ended() bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.err != nil
}
