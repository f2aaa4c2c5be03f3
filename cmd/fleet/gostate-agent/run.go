package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/join"
	"github.com/gostate/gostate/cmd/fleet/node"
	"github.com/gostate/gostate/cmd/fleet/oci"
	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/machine"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

func runCommand() *cli.Command {
	return &cli.Command{
		Name: "run", Usage: "look at every interval and when the hub wakes it, until the program is stopped; SIGUSR1 makes " +
			"it look now",
		Flags:  machine.Flags(),
		Action: run,
	}
}

func run(c *cli.Context) error {
	a, set, err := newAgent(c)
	if err != nil {
		return err
	}
	m, err := join.Read(filepath.Join(a.Dir, "hub"))
	if err != nil {
		return err
	}
	if m == nil && strings.HasPrefix(set.Source, oci.Scheme) {
		return alone(c, a, set)
	}
	if m == nil {
		return diag.Errorf(diag.Pos{}, "this machine is of no hub").
			WithHint("gostate-agent enrol --token TOKEN asks to join one; without a hub, gostate agent run does the same")
	}
	if m.ID != a.ID {
		return diag.Errorf(diag.Pos{}, "this machine is %s, and the hub knows it as %s", a.ID, m.ID).
			WithHint("it was renamed? Remove %s, and enrol anew", filepath.Join(a.Dir, "hub"))
	}
	done, err := a.Open()
	if err != nil {
		return err
	}
	defer done()
	n, err := node.New(a, m.Options())
	if err != nil {
		return err
	}
	defer n.Bus.Close()
	if err := connect(n, set); err != nil {
		return err
	}
	a.Told = func(r *agent.Report) { fmt.Fprint(c.App.Writer, r.Text()) }
	asked := make(chan string)
	go machine.Signals(c.Context, asked)
	n.Run(c.Context, asked, func(err error) { fmt.Fprintf(c.App.ErrWriter, "warning: %v\n", err) })
	return nil
}

// alone runs the agent of a machine that is of no hub, whose releases come from a registry.
func alone(c *cli.Context, a *agent.Agent, set agent.Settings) error {
	source, err := oci.Open(set.Source, set.AllowHTTP)
	if err != nil {
		return err
	}
	a.Source = release.For(source, a.ID)
	if set.Reports != "" {
		if a.Sink, err = agent.OpenSink(set.Reports, set.AllowHTTP); err != nil {
			return err
		}
	}
	done, err := a.Open()
	if err != nil {
		return err
	}
	defer done()
	a.Told = func(r *agent.Report) { fmt.Fprint(c.App.Writer, r.Text()) }
	asked := make(chan string)
	go machine.Signals(c.Context, asked)
	a.Run(c.Context, asked, func(err error) { fmt.Fprintf(c.App.ErrWriter, "warning: %v\n", err) })
	return nil
}

// connect gives the agent its source and its sink: the hub, where the configuration names no other.
func connect(n *node.Node, set agent.Settings) (err error) {
	var source release.Source = n.Bus
	if set.Source != "" && set.Source != "hub" {
		if source, err = oci.Source(set.Source, set.AllowHTTP); err != nil {
			return err
		}
	}
	n.Agent.Source, n.Agent.Sink = release.For(source, n.Agent.ID), n.Bus
	if set.Reports != "" && set.Reports != "hub" {
		n.Agent.Sink, err = agent.OpenSink(set.Reports, set.AllowHTTP)
	}
	return err
}
