package main

import (
	"encoding/json"
	"fmt"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/history"
	"github.com/gostate/gostate/state/value"
)

func reportCommand(p *program) *cli.Command {
	sub := func(name, usage, args string, show func(*cli.Context, *reports) error) *cli.Command {
		return &cli.Command{
			Name: name, Usage: usage, ArgsUsage: args,
			UsageText: "gostate report " + name + " " + args + "\n\nExample:\n  gostate report " + name + reportExample(name),
			Action: func(c *cli.Context) error {
				r, err := openReports(c, p)
				if err != nil {
					return err
				}
				defer r.Close()
				return show(c, r)
			},
		}
	}
	return &cli.Command{
		Name: "report", Usage: "show what earlier runs did", Category: catLook,
		UsageText: "gostate report list|last|show ID|diff A B\n\nExamples:\n  gostate report list\n  gostate report show " +
			"last\n" +
			"  gostate report diff last~1 last --out json",
		Subcommands: []*cli.Command{
			sub("list", "the reports, newest first", "", listReports),
			withPage(sub("last", "the report of the last run", "",
				func(_ *cli.Context, r *reports) error { return r.show("last") })),
			withPage(sub("show", "one report: an ID or the beginning of one, last, last~1", "ID", showReport)),
			sub("diff", "what differs between two runs", "A B", diffReports),
		},
		Action: func(c *cli.Context) error {
			return subcommandFault(c, "gostate report list, last, show ID or diff A B")
		},
	}
}

// withPage is a command that can also write a page of HTML.
func withPage(c *cli.Command) *cli.Command {
	c.Flags = append(c.Flags, &cli.BoolFlag{Name: "html", Usage: "write a page of HTML, which needs no network"})
	return c
}

func reportExample(name string) string {
	switch name {
	case "show":
		return " 20261122T03"
	case "diff":
		return " last~1 last"
	}
	return ""
}

// reports are the reports of this machine, as a command shows them.
type reports struct {
	*history.Dir
	c *cli.Context
	p *program
	s *session.Session
}

func openReports(c *cli.Context, p *program) (*reports, error) {
	s, err := session.Look(&p.Process, cachedOptions(c))
	if err != nil {
		return nil, err
	}
	d, err := s.Reports()
	return &reports{d, c, p, s}, err
}

// read reads the report that a word names.
func (r *reports) read(word string) (*history.Run, error) {
	id, err := r.s.FindReport(r.Dir, word)
	if err != nil {
		return nil, err
	}
	return r.Read(id)
}

func listReports(_ *cli.Context, r *reports) error {
	ids, err := r.IDs()
	if err != nil {
		return err
	}
	runs, text := []*history.Run{}, ""
	for _, id := range slices.Backward(ids) {
		run, err := r.Summary(id)
		if err != nil { // it is of a later version, say: the others can be read
			text += fmt.Sprintf("%-24s %v\n", id, err)
			continue
		}
		runs, text = append(runs, run), text+runLine(run, session.Width(r.p.Out))
	}
	if len(ids) == 0 {
		text = "no run has left a report yet\n"
	}
	return r.print(text, runs)
}

func showReport(c *cli.Context, r *reports) error {
	if c.NArg() != 1 {
		return usagef("report show needs one report\nhint: gostate report show last")
	}
	return r.show(c.Args().First())
}

func (r *reports) show(word string) error {
	if r.c.Bool("html") {
		if err := noPageOn(r.p.Out, "report show "+word); err != nil {
			return err
		}
	}
	run, err := r.read(word)
	if err != nil {
		return err
	}
	if r.c.Bool("html") {
		return r.p.writePage(reportPage(run))
	}
	return r.print(runText(run), run)
}

func diffReports(c *cli.Context, r *reports) error {
	if c.NArg() != 2 {
		return usagef("report diff needs two reports\nhint: gostate report diff last~1 last")
	}
	a, err := r.read(c.Args().Get(0))
	if err != nil {
		return err
	}
	b, err := r.read(c.Args().Get(1))
	if err != nil {
		return err
	}
	d := history.Compare(a, b)
	return r.print(diffText(a, b, d), d)
}

// print shows a text to people and what it was made of to programs.
func (r *reports) print(text string, data any) error {
	v, err := valueOf(data)
	if err != nil {
		return err
	}
	return r.p.printEither(r.c, text, v)
}

// valueOf is data as its JSON has it.
func valueOf(data any) (value.Value, error) {
	text, err := json.Marshal(data)
	if err != nil {
		return nil, err
	}
	return value.ParseJSON(string(text))
}
