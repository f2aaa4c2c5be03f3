package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"
)

func manCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the man page, gostate(8)", Category: catInfo,
		UsageText: "gostate man\n\nExample:\n  gostate man > /usr/share/man/man8/gostate.8",
		Action: func(c *cli.Context) error {
			fmt.Fprint(p.Out, manPage(c.App))
			return nil
		},
	}
}

// manPage is the man page in troff, from the same declarations as --help.
func manPage(app *cli.App) string {
	var b strings.Builder
	fmt.Fprintf(&b, ".TH GOSTATE 8 \"\" \"gostate %s\" \"System administration\"\n", roff(versionText()))
	fmt.Fprintf(&b, ".SH NAME\ngostate \\- %s\n", roff(app.Usage))
	b.WriteString(".SH SYNOPSIS\n.B gostate\n[\\fIFLAGS\\fR] \\fICOMMAND\\fR [\\fIFLAGS\\fR] [\\fIARGUMENTS\\fR]\n")
	b.WriteString(".SH DESCRIPTION\ngostate renders Salt state files (SLS), puts their states in Salt's order, checks " +
		"everything that can be\n" +
		"checked before the first change, and brings the machine to the state described. With \\fB\\-\\-test\\fR it says " +
		"what would change.\n")
	b.WriteString(".SH COMMANDS\n")
	for _, c := range app.Commands {
		if c.Hidden || c.Name == "help" {
			continue
		}
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(strings.Join(c.Names(), ", ")), roff(c.Usage))
		for _, s := range c.Subcommands {
			if s.Name != "help" {
				fmt.Fprintf(&b, ".RS\n.TP\n.B %s\n%s\n.RE\n", roff(s.Name), roff(s.Usage))
			}
		}
		manFlags(&b, c.Flags)
		fmt.Fprintf(&b, ".RS\n.nf\n%s\n.fi\n.RE\n", roff(c.UsageText))
	}
	b.WriteString(".SH FLAGS\nFlags work before and after the command.\n")
	manFlags(&b, app.Flags)
	b.WriteString(".SH EXIT STATUS\n")
	for _, e := range exitCodes() {
		fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", e[0], roff(e[1]))
	}
	b.WriteString(".SH FILES\n.TP\n.I /etc/gostate/minion, /etc/gostate/minion.d/*.conf\nThe configuration, in the form " +
		"of a Salt minion's.\n" +
		".TP\n.I /srv/salt, /srv/pillar\nThe state tree and the pillar, unless configured otherwise.\n" +
		".TP\n.I /var/lib/gostate\nThe run lock.\n")
	return b.String()
}

// exitCodes are the exit codes with their meaning.
func exitCodes() [][2]string {
	return [][2]string{
		{"0", "all well"},
		{"1", "the input is wrong and nothing was touched"},
		{"2", "at least one state failed, or the run was stopped"},
		{"64", "the command line is wrong"},
		{"0, 2, 4, 6", "with --detailed-exitcodes: no change, changes, failures, both"},
	}
}

func manFlags(b *strings.Builder, flags []cli.Flag) {
	for _, f := range flags {
		d, ok := f.(cli.DocGenerationFlag)
		if v, hides := f.(cli.VisibleFlag); !ok || (hides && !v.IsVisible()) {
			continue
		}
		var ns []string
		for _, n := range f.Names() {
			ns = append(ns, strings.Repeat("-", min(2, len(n)))+n)
		}
		fmt.Fprintf(b, ".TP\n.B %s\n%s\n", roff(strings.Join(ns, ", ")), roff(strings.ReplaceAll(d.GetUsage(), "`", "")))
	}
}

// roff escapes text for troff.
func roff(s string) string {
	s = strings.NewReplacer(`\`, `\e`, "-", `\-`).Replace(s)
	lines := strings.Split(s, "\n")
	for i, l := range lines {
		if strings.HasPrefix(l, ".") || strings.HasPrefix(l, "'") {
			lines[i] = `\&` + l
		}
	}
	return strings.Join(lines, "\n")
}
