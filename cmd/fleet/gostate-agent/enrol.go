package main

import (
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/join"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/machine"
	"github.com/gostate/gostate/cmd/internal/release"
	"github.com/gostate/gostate/state/diag"
)

func enrolCommand() *cli.Command {
	return &cli.Command{
		Name: "enrol", Usage: "make this machine's keys, and ask a hub to join",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "token", EnvVars: []string{"GOSTATE_TOKEN"},
				Usage: "the `TOKEN` of gostate-hub fleet token; @FILE reads it from a file"},
			&cli.StringSliceFlag{Name: "hub", Usage: "the hub is at `URL`, not where the token says (repeatable)"},
			&cli.StringFlag{Name: "ca-fingerprint", Usage: "the hub's authority is `sha256:...`, not what the token says"},
			&cli.DurationFlag{Name: "wait", Usage: "wait up to `TIME` for the operator's answer"},
		},
		Action: enrol,
	}
}

func tokenOf(c *cli.Context) (*join.Token, error) {
	text := c.String("token")
	if file, ok := strings.CutPrefix(text, "@"); ok {
		data, err := os.ReadFile(file)
		if err != nil {
			return nil, err
		}
		text = string(data)
	}
	if text == "" {
		return nil, tool.Usagef("there is no token\nhint: gostate-hub fleet token prints one, at the operator's")
	}
	t, err := join.ParseToken(text)
	if err != nil {
		return nil, err
	}
	if c.IsSet("hub") {
		t.Hub = c.StringSlice("hub")
	}
	if c.IsSet("ca-fingerprint") {
		t.CA = c.String("ca-fingerprint")
	}
	return t, nil
}

func enrol(c *cli.Context) error {
	t, err := tokenOf(c)
	if err != nil {
		return err
	}
	s, o, err := look(c)
	if err != nil {
		return err
	}
	if !release.GoodName(s.ID()) {
		return diag.Errorf(diag.Pos{}, "the id %q is no name for a machine that reports", s.ID()).
			WithHint("letters, digits and . _ - name one; --id or the key id of the configuration says it")
	}
	r := join.Request{ID: s.ID(), At: time.Now().UTC()}
	if r.Age, err = agent.Enrol(s.AgeFiles()[0]); err != nil {
		return err
	}
	run, err := program(c)
	if err != nil {
		return err
	}
	if r.Grains, err = machine.Child(s, o, run).Grains(c.Context); err != nil {
		return err
	}
	dir := hubDir(s)
	key, err := join.Key(dir)
	if err != nil {
		return err
	}
	public, err := key.PublicKey()
	if err != nil {
		return err
	}
	fmt.Fprintf(c.App.Writer, "%s %s\n", r.ID, join.Fingerprint(public))
	m, err := join.Enrol(c.Context, dir, t, r, c.Duration("wait"))
	switch {
	case err != nil:
		return err
	case m == nil:
		fmt.Fprintf(c.App.Writer, "it waits for an operator: gostate-hub fleet accept %s\n"+
			"then the same command again, or with --wait 10m\n", r.ID)
		return tool.Exit(2)
	}
	fmt.Fprintf(c.App.Writer, "it has joined %s\n", strings.Join(m.Hub, " "))
	return nil
}
