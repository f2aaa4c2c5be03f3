package main

import (
	"fmt"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/bus"
	"github.com/gostate/gostate/cmd/fleet/hub"
	"github.com/gostate/gostate/cmd/fleet/join"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

func nodesFlag() cli.Flag {
	return &cli.PathFlag{Name: "nodes", Value: "nodes.yaml", EnvVars: []string{"GOSTATE_NODES"},
		Usage: "the list of machines is `FILE`"}
}

// enrolCommands are about which machines there are.
func enrolCommands() []*cli.Command {
	print := &cli.StringFlag{Name: "fingerprint", Usage: "of several keys the one with `FINGERPRINT`"}
	return []*cli.Command{
		{Name: "token", Usage: "print a token with which machines may ask to join", Flags: []cli.Flag{hubFlag(),
			&cli.DurationFlag{Name: "valid", Value: 24 * time.Hour, Usage: "it ends after `TIME`"}}, Action: token},
		{Name: "pending", Usage: "list the machines that ask to join", Flags: []cli.Flag{hubFlag(), nodesFlag()},
			Action: pending},
		{Name: "accept", Usage: "let a machine join, and write its keys into the list of machines", ArgsUsage: "ID",
			Flags: []cli.Flag{hubFlag(), nodesFlag(), print}, Action: accept},
		{Name: "reject", Usage: "answer no to a machine", ArgsUsage: "ID", Flags: []cli.Flag{hubFlag(), print,
			&cli.StringFlag{Name: "reason", Value: "an operator has said no", Usage: "`TEXT` that the machine is told"}},
			Action: reject},
		{Name: "revoke", Usage: "end what a machine's key may", ArgsUsage: "ID", Flags: []cli.Flag{hubFlag(), nodesFlag()},
			Action: revoke},
	}
}

func oneID(c *cli.Context) (string, error) {
	if c.NArg() != 1 {
		return "", tool.Usagef("%s takes the id of one machine", c.Command.Name)
	}
	return c.Args().First(), nil
}

func token(c *cli.Context) error {
	t, err := hub.NewToken(c.Path("hub"), c.Duration("valid"), time.Now())
	if err == nil {
		fmt.Fprintln(c.App.Writer, t.Encode())
	}
	return err
}

func pending(c *cli.Context) error {
	b, err := operator(c)
	if err != nil {
		return err
	}
	defer b.Close()
	nodes, err := hub.ReadNodes(c.Path("nodes"))
	if err != nil {
		return err
	}
	all, odd, err := join.Pending(c.Context, b)
	if err != nil {
		return err
	}
	for _, r := range hub.Claims(all, nodes) {
		fmt.Fprintf(c.App.Writer, "%s %s, asked at %s\n", r.ID, r.Fingerprint, r.At.UTC().Format(time.RFC3339))
		if r.Conflict != "" {
			fmt.Fprintf(c.App.Writer, "  CONFLICT: %s\n", r.Conflict)
		}
	}
	if odd > 0 {
		fmt.Fprintf(c.App.ErrWriter, "warning: %s not signed by the key it names\n", diag.Count(odd, "request"))
	}
	return nil
}

func accept(c *cli.Context) error {
	return reply(c, func(b *bus.Bus, id string) (*join.Request, string, error) {
		r, err := hub.Accept(c.Context, b, c.Path("hub"), c.Path("nodes"), id, c.String("fingerprint"))
		return r, "is in " + c.Path("nodes"), err
	})
}

func reject(c *cli.Context) error {
	return reply(c, func(b *bus.Bus, id string) (*join.Request, string, error) {
		r, err := hub.Reject(c.Context, b, id, c.String("fingerprint"), c.String("reason"))
		return r, "is told: " + c.String("reason"), err
	})
}

// reply answers the request of the machine that the command names, and says what became of it.
func reply(c *cli.Context, give func(b *bus.Bus, id string) (r *join.Request, what string, err error)) error {
	id, err := oneID(c)
	if err != nil {
		return err
	}
	b, err := operator(c)
	if err != nil {
		return err
	}
	defer b.Close()
	r, what, err := give(b, id)
	if err == nil {
		fmt.Fprintf(c.App.Writer, "%s %s %s\n", r.ID, join.Fingerprint(r.NKey), what)
	}
	return err
}

func revoke(c *cli.Context) error {
	id, err := oneID(c)
	if err != nil {
		return err
	}
	nodes, err := hub.ReadNodes(c.Path("nodes"))
	if err != nil {
		return err
	}
	n, err := nodeOf(nodes, id)
	if err != nil {
		return err
	}
	if n.NKey == "" {
		return diag.Errorf(n.Pos, "%s has no nkey: it is no machine of the hub", id)
	}
	if err := hub.Revoke(c.Path("hub"), n.NKey); err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s %s may nothing any more. Take it out of %s, so that no release is for it\n", id,
		join.Fingerprint(n.NKey), c.Path("nodes"))
	return nil
}

// nodeOf is the machine of an id.
func nodeOf(nodes []release.Node, id string) (*release.Node, error) {
	var names []string
	for i := range nodes {
		if nodes[i].ID == id {
			return &nodes[i], nil
		}
		names = append(names, nodes[i].ID)
	}
	d := diag.Errorf(diag.Pos{}, "the list of machines has no %s", id)
	if near := diag.Nearest(id, names); near != "" {
		return nil, d.WithHint("did you mean %s?", near)
	}
	return nil, d
}
