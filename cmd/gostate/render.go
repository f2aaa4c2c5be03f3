package main

import (
	"os"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

func renderCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "render", Usage: "render a template and print what comes out", Category: catLook, ArgsUsage: "FILE",
		UsageText: "gostate render FILE [--context FILE] [--renderer PIPE]\n\nExamples:\n  gostate render nginx/init.sls\n " +
			" gostate render map.jinja --context vars.json\n" +
			"  gostate render nginx/init.sls --renderer 'jinja|yaml'",
		Flags: []cli.Flag{
			&cli.StringFlag{Name: "context", Usage: "take variables from `FILE` (YAML or JSON)"},
			&cli.StringFlag{Name: "renderer", Usage: "use the pipeline `PIPE`: jinja (the text), 'jinja|yaml' (the data), " +
				"yaml, json"},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 {
				return usagef("render needs one file\nhint: gostate render FILE")
			}
			s, err := session.Look(&p.Process, optionsOf(c))
			if err != nil {
				return err
			}
			vars, err := readContext(c.String("context"))
			if err != nil {
				return err
			}
			if err := s.LoadPillar(c.Context); err != nil {
				return err
			}
			out, err := s.RenderFile(c.Context, c.Args().First(), vars, c.String("renderer"))
			if err != nil {
				return err
			}
			return p.printData(string(out))
		},
	}
}

// readContext reads the variables of a template, none when no file is given.
func readContext(file string) (*value.Dict, error) {
	if file == "" {
		return value.NewDict(0), nil
	}
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, diag.Errorf(diag.Pos{File: file}, "cannot read the context: %v", err)
	}
	v, err := yaml.Decode(file, text)
	if json, jsonErr := value.ParseJSON(string(text)); jsonErr == nil {
		v, err = json, nil
	}
	if err != nil {
		return nil, err
	}
	d, ok := v.(*value.Dict)
	if !ok {
		return nil, diag.Errorf(diag.Pos{File: file, Line: 1, Col: 1}, "the context is a %s, not a map", v.TypeName())
	}
	return d, nil
}
