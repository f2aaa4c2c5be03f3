package main

import (
	"fmt"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/all"
	"github.com/gostate/gostate/state/diag"
)

func docCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "doc", Usage: "show the documentation of state and execution functions", Category: catLook, ArgsUsage: "[FUNCTION | MODULE]...",
		UsageText: "gostate doc [FUNCTION | MODULE]... [--schema | --markdown]\n\nExamples:\n  gostate doc\n  gostate doc file.managed\n  gostate doc --schema > sls.schema.json",
		Flags: []cli.Flag{
			&cli.BoolFlag{Name: "schema", Usage: "print the JSON schema of SLS files, for editors"},
			&cli.BoolFlag{Name: "markdown", Usage: "print a module's reference page as Markdown"},
		},
		Action: func(c *cli.Context) error {
			r, err := modules.New(all.Families()...)
			if err != nil {
				return err
			}
			switch {
			case c.Bool("schema"):
				return p.printSchema(r)
			case c.NArg() == 0:
				p.listFunctions(r)
				return nil
			}
			for i, name := range c.Args().Slice() {
				if i > 0 {
					fmt.Fprintln(p.out)
				}
				if err := p.printDoc(r, name, c.Bool("markdown")); err != nil {
					return err
				}
			}
			return nil
		},
	}
}

func (p *program) printSchema(r *modules.Registry) error {
	text, err := r.Schema()
	if err != nil {
		return err
	}
	_, err = p.out.Write(append(text, '\n'))
	return err
}

func (p *program) printDoc(r *modules.Registry, name string, markdown bool) error {
	text, ok := r.Doc(name)
	if !ok {
		known := append(append(r.StateNames(), r.ExecNames()...), r.Modules()...)
		d := diag.Errorf(diag.Pos{}, "no function or module is called %q", name)
		if near := diag.Nearest(name, known); near != "" {
			return d.WithHint("did you mean %q?", near)
		}
		return d.WithHint("gostate doc lists all functions")
	}
	if markdown {
		text = r.Markdown(name)
	}
	fmt.Fprint(p.out, text)
	return nil
}

// listFunctions prints the names of all functions, a module a line.
func (p *program) listFunctions(r *modules.Registry) {
	print := func(title string, names []string) {
		fmt.Fprintln(p.out, title)
		var module string
		for _, n := range names {
			m, f, _ := strings.Cut(n, ".")
			switch {
			case module == "":
				fmt.Fprintf(p.out, "  %s: %s", m, f)
			case m != module:
				fmt.Fprintf(p.out, "\n  %s: %s", m, f)
			default:
				fmt.Fprintf(p.out, ", %s", f)
			}
			module = m
		}
		fmt.Fprintln(p.out)
	}
	print("State functions:", r.StateNames())
	print("Execution functions (in templates, and with gostate call):", r.ExecNames())
}
