package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/operate"
	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/state/diag"
)

// operateCommands look at machines and bring releases to them.
func operateCommands() []*cli.Command {
	return []*cli.Command{
		{Name: "status", Usage: "count the machines: unchanged, changed, failed, unreported; and who has which release",
			Flags: lookFlags(), Action: fleetStatus},
		{Name: "nodes", Usage: "say how each machine is", ArgsUsage: "[TARGET]", Flags: lookFlags(), Action: fleetNodes,
			Description: "TARGET is Salt's compound one, over nodes.yaml and the grains of the last reports:\n" +
				"'web*', 'G@os:Debian and not N@test'."},
		{Name: "inventory", Usage: "write the grains that machines have reported into DIR, for gostate pack --inventory DIR",
			ArgsUsage: "DIR", Flags: reportFlags(), Action: fleetInventory},
		{Name: "report", Usage: "show what a machine reported last, or of a run", ArgsUsage: "ID [RUN]", Flags: reportFlags(),
			Action: fleetReport},
		{Name: "diff", Usage: "compare two runs of a machine; without names the last two", ArgsUsage: "ID [RUN RUN]",
			Flags: reportFlags(), Action: fleetDiff},
		exportCommand(), uiCommand(),
	}
}

func outFlag() cli.Flag {
	return &cli.StringFlag{Name: "out", Value: "text", Usage: "print `FORM`: text or json", Action: checkOut}
}

func checkOut(_ *cli.Context, form string) error {
	if !slices.Contains([]string{"text", "json"}, form) {
		return tool.Usagef("--out is %q\nhint: text or json", form)
	}
	return nil
}

func reportFlags() []cli.Flag {
	return []cli.Flag{
		&cli.PathFlag{Name: "reports", EnvVars: []string{"GOSTATE_REPORTS"},
			Usage: "read the reports in `DIR`, where agents deliver them (default: those of the hub)"},
		hubFlag(), outFlag(),
	}
}

func lookFlags() []cli.Flag { return append(reportFlags(), listFlag(), sinceFlag()) }

// listFlag names the list of machines, which may be missing where it is not named.
func listFlag() cli.Flag {
	return &cli.PathFlag{Name: "nodes", EnvVars: []string{"GOSTATE_NODES"},
		Usage: "the `FILE` that lists the machines (default: nodes.yaml, if it is there)"}
}

func sinceFlag() cli.Flag {
	return &cli.DurationFlag{Name: "since", Value: 2 * time.Hour, Usage: "a machine that has not reported for `TIME` is " +
		"unreported"}
}

// reportsOf opens where reports are.
func reportsOf(c *cli.Context) (operate.Reports, func(), error) {
	if dir := c.Path("reports"); dir != "" {
		d, err := operate.OpenDir(dir)
		return d, func() {}, err
	}
	b, err := operator(c)
	if err != nil {
		return nil, nil, fmt.Errorf("the hub cannot be asked for reports (--reports DIR reads a directory): %w", err)
	}
	return operate.Hub{Bus: b}, b.Close, nil
}

// look is the fleet as it is now.
func look(c *cli.Context) (*operate.Fleet, error) {
	reports, end, err := reportsOf(c)
	if err != nil {
		return nil, err
	}
	defer end()
	return askOf(c, reports).Look(c.Context)
}

func askOf(c *cli.Context, reports operate.Reports) operate.Ask {
	return operate.Ask{Reports: reports, Nodes: c.Path("nodes"), Since: c.Duration("since"), Now: time.Now()}
}

// show prints a text for people or a value for programs.
func show(c *cli.Context, text string, v any) error {
	if c.String("out") == "text" {
		_, err := io.WriteString(c.App.Writer, text)
		return err
	}
	e := json.NewEncoder(c.App.Writer)
	e.SetIndent("", "  ")
	e.SetEscapeHTML(false)
	return e.Encode(v)
}

// failed is the exit code 2, where something is not as it should be.
func failed(bad bool, err error) error {
	if err == nil && bad {
		return tool.Exit(2)
	}
	return err
}

func args(c *cli.Context, least, most int) error {
	if n := c.NArg(); n < least || n > most {
		return tool.Usagef("%s takes %s\nhint: %s", c.Command.Name, cmp.Or(c.Command.ArgsUsage, "no arguments"),
			c.Command.HelpName+" --help says more")
	}
	return nil
}

func fleetStatus(c *cli.Context) error {
	if err := args(c, 0, 0); err != nil {
		return err
	}
	f, err := look(c)
	if err != nil {
		return err
	}
	s := f.Status()
	return failed(s.Bad(), show(c, s.String(), s))
}

func fleetNodes(c *cli.Context) error {
	if err := args(c, 0, 1); err != nil {
		return err
	}
	f, err := look(c)
	if err != nil {
		return err
	}
	machines, err := f.Select(c.Args().First())
	if err != nil {
		return err
	}
	bad, docs := false, make([]any, len(machines))
	for i, m := range machines {
		bad = bad || m.Class.Bad()
		docs[i] = m.JSON()
	}
	return failed(bad, show(c, f.Table(machines), docs))
}

func fleetReport(c *cli.Context) error {
	if err := args(c, 1, 2); err != nil {
		return err
	}
	reports, end, err := reportsOf(c)
	if err != nil {
		return err
	}
	defer end()
	e, err := operate.Read(c.Context, reports, c.Args().First(), c.Args().Get(1))
	if err != nil {
		return err
	}
	return failed(operate.ClassOf(e.Report).Bad(), show(c, e.Text(), e.JSON()))
}

func fleetInventory(c *cli.Context) error {
	if err := args(c, 1, 1); err != nil {
		return err
	}
	reports, end, err := reportsOf(c)
	if err != nil {
		return err
	}
	defer end()
	told, fresh, err := operate.WriteInventory(c.Context, reports, c.Args().First())
	if err != nil {
		return err
	}
	text := fmt.Sprintf("%s, %d of them new or changed\n", diag.Count(told, "machine"), len(fresh))
	return show(c, text, map[string]any{"machines": told, "changed": fresh})
}

func fleetDiff(c *cli.Context) error {
	if c.NArg() != 1 && c.NArg() != 3 {
		return tool.Usagef("diff takes ID, or ID RUN RUN")
	}
	reports, end, err := reportsOf(c)
	if err != nil {
		return err
	}
	defer end()
	d, err := operate.DiffOf(c.Context, reports, c.Args().First(), c.Args().Tail()...)
	if err != nil {
		return err
	}
	return show(c, d.String(), d)
}
