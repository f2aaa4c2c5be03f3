package main

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"
)

func manCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "man", Usage: "print the man page, gostate(8), or that of a command", Category: catInfo, ArgsUsage: "[COMMAND]",
		UsageText: "gostate man [COMMAND] [--dir DIR]\n\nExamples:\n  gostate man > gostate.8\n  gostate man lint | man -l " +
			"-\n" +
			"  gostate man --dir /usr/share/man/man8",
		Flags: []cli.Flag{&cli.StringFlag{Name: "dir", Usage: "write all of them to `DIR`: gostate.8, gostate-lint.8, ..."}},
		Action: func(c *cli.Context) error {
			switch name := c.Args().First(); {
			case c.String("dir") != "":
				return writeManPages(c.App, c.String("dir"))
			case name == "":
				fmt.Fprint(p.Out, manPage(c.App))
			case c.App.Command(name) == nil || c.App.Command(name).Hidden:
				return unknownCommand(c)
			default:
				fmt.Fprint(p.Out, commandPage(c.App.Command(name)))
			}
			return nil
		},
	}
}

// writeManPages writes a page for gostate and one for each command to a directory.
func writeManPages(app *cli.App, dir string) error {
	pages := map[string]string{"gostate.8": manPage(app)}
	for _, c := range app.Commands {
		if !c.Hidden && c.Name != "help" {
			pages["gostate-"+c.Name+".8"] = commandPage(c)
		}
	}
	for name, text := range pages {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o644); err != nil {
			return fmt.Errorf("write a man page: %w", err)
		}
	}
	return nil
}

// commandPage is the man page of a command.
func commandPage(c *cli.Command) string {
	var b strings.Builder
	name := "gostate-" + c.Name
	fmt.Fprintf(&b, ".TH %s 8 \"\" \"gostate %s\" \"System administration\"\n", strings.ToUpper(roff(name)),
		roff(versionText()))
	fmt.Fprintf(&b, ".SH NAME\n%s \\- %s\n", roff(name), roff(c.Usage))
	synopsis, examples, _ := strings.Cut(c.UsageText, "\n\n")
	fmt.Fprintf(&b, ".SH SYNOPSIS\n.nf\n%s\n.fi\n", roff(synopsis))
	if examples != "" {
		fmt.Fprintf(&b, ".SH EXAMPLES\n.nf\n%s\n.fi\n", roff(examples))
	}
	for i, s := range c.Subcommands {
		if i == 0 {
			b.WriteString(".SH COMMANDS\n")
		}
		if s.Name != "help" {
			fmt.Fprintf(&b, ".TP\n.B %s\n%s\n", roff(s.Name), roff(s.Usage))
		}
	}
	b.WriteString(".SH FLAGS\nThose of gostate(8), and:\n")
	manFlags(&b, c.Flags)
	b.WriteString(".SH EXIT STATUS\nSee gostate(8).\n.SH SEE ALSO\n.BR gostate (8)\n")
	return b.String()
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
