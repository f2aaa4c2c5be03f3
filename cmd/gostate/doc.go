package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/all"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

func docCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "doc", Usage: "show the documentation of functions, and of words such as require", Category: catLook,
		ArgsUsage: "[FUNCTION | MODULE | WORD]...",
		UsageText: "gostate doc [FUNCTION | MODULE | WORD]... [--schema | --markdown]\n\nExamples:\n  gostate doc\n" +
			"  gostate doc file.managed\n  gostate doc require           what a state takes whatever its function is\n" +
			"  gostate doc --schema > sls.schema.json",
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
				return p.printEither(c, functionList(r), value.DictOf("states", textList(r.StateNames()), "functions",
					textList(r.ExecNames())))
			}
			all, texts := value.NewDict(c.NArg()), make([]string, 0, c.NArg())
			for _, name := range c.Args().Slice() {
				if _, ok := r.Doc(name); !ok && modules.KeywordDoc(name) == "" { // it may be the tree's
					s, err := session.Look(&p.Process, optionsOf(c))
					if err != nil {
						return err
					}
					r = s.Registry()
				}
				text, err := docText(r, name, c.Bool("markdown"))
				if err != nil {
					return err
				}
				all.SetStr(name, value.Str(text))
				texts = append(texts, text)
			}
			return p.printEither(c, strings.Join(texts, "\n"), all)
		},
	}
}

func (p *program) printSchema(r *modules.Registry) error {
	text, err := r.Schema()
	if err != nil {
		return err
	}
	_, err = p.Out.Write(append(text, '\n'))
	return err
}

func textList(list []string) *value.List {
	out := value.NewList()
	for _, n := range list {
		out.Items = append(out.Items, value.Str(n))
	}
	return out
}

func docText(r *modules.Registry, name string, markdown bool) (string, error) {
	text, ok := r.Doc(name)
	if keyword := modules.KeywordDoc(name); keyword != "" && !markdown {
		text, ok = strings.Trim(keyword+"\n"+text, "\n")+"\n", true
	}
	if !ok {
		known := slices.Concat(r.StateNames(), r.ExecNames(), r.Modules(), modules.KeywordNames())
		d := diag.Errorf(diag.Pos{}, "no function or module is called %q", name)
		if near := diag.Nearest(name, known); near != "" {
			return "", d.WithHint("did you mean %q?", near)
		}
		return "", d.WithHint("gostate doc lists all functions")
	}
	if markdown {
		text = r.Markdown(name)
	}
	return text, nil
}

// functionList is the names of all functions, a module a line.
func functionList(r *modules.Registry) string {
	var b strings.Builder
	print := func(title string, names []string) {
		fmt.Fprintln(&b, title)
		var module string
		for _, n := range names {
			m, f, _ := strings.Cut(n, ".")
			switch {
			case module == "":
				fmt.Fprintf(&b, "  %s: %s", m, f)
			case m != module:
				fmt.Fprintf(&b, "\n  %s: %s", m, f)
			default:
				fmt.Fprintf(&b, ", %s", f)
			}
			module = m
		}
		fmt.Fprintln(&b)
	}
	print("State functions:", r.StateNames())
	print("Execution functions (in templates, and with gostate call):", r.ExecNames())
	fmt.Fprintf(&b, "Words that every state takes, and keys of an SLS:\n  %s\n",
		strings.Join(modules.KeywordNames(), ", "))
	return b.String()
}
