package main

import (
	"fmt"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/sls/puppet/compile"
	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/state/value"
)

func puppetLookupCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "lookup", Usage: "look a key up in Hiera data, as lookup() of a manifest does", ArgsUsage: "KEY...",
		Flags: append([]cli.Flag{
			&cli.BoolFlag{Name: "explain", Usage: "tell where the key was looked for, and what was found"},
			&cli.BoolFlag{Name: "explain-options", Usage: "tell where lookup_options were looked for"},
			&cli.StringFlag{Name: "merge", Usage: "put values of several levels together by `STRATEGY` (first, unique, hash, " +
				"deep)"},
			&cli.StringFlag{Name: "knock-out-prefix", Usage: "with --merge deep: values with `PREFIX` take others away"},
			&cli.StringFlag{Name: "type", Usage: "hold the value against `TYPE`"},
			&cli.StringFlag{Name: "default", Usage: "give `VALUE` where nothing is found"},
			&cli.StringFlag{Name: "render-as", Value: "yaml", Usage: "write the value as `FORMAT` (yaml, json, s)"},
		}, puppetFlags()...),
		Action: func(c *cli.Context) error { return puppetLookup(c, p) },
	}
}

func puppetLookup(c *cli.Context, p *program) error {
	if c.NArg() == 0 {
		return usagef("puppet lookup needs a key\nhint: gostate puppet lookup ntp::servers --explain")
	}
	l := compile.Lookup{Names: c.Args().Slice(), Merge: c.String("merge"), Knockout: c.String("knock-out-prefix"),
		Type: c.String("type"), Explain: c.Bool("explain"), ExplainOptions: c.Bool("explain-options")}
	switch l.Merge {
	case "", "first", "unique", "hash", "deep":
	default:
		return usagef("unknown strategy %q for --merge\nhint: first, unique, hash or deep", l.Merge)
	}
	if c.IsSet("default") {
		l.Default = c.String("default")
	}
	dir, err := filepath.Abs(c.String("environment-dir"))
	if err != nil {
		return err
	}
	o, err := puppetText(c, p, filepath.Join(dir, "site.pp"), "")
	if err != nil {
		return err
	}
	found, err := l.Lookup(*o)
	for _, log := range found.Logs {
		fmt.Fprintf(p.Err, "%s: %s\n", log.Level, p.Hide(log.Message))
	}
	if err != nil {
		return compile.Faults(err)
	}
	if l.Explain || l.ExplainOptions {
		_, err = fmt.Fprint(p.Out, p.Hide(found.How))
		return err
	}
	if !found.OK {
		p.Code = 1
		_, err = fmt.Fprintf(p.Err, "nothing is found for %s\n", strings.Join(l.Names, ", "))
		return err
	}
	text, err := rendered(c.String("render-as"), found.Value, p)
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(p.Out, text)
	return err
}

// rendered is a value as lookup prints it.
func rendered(format string, v any, p *program) (string, error) {
	data := p.HideValue(compile.Data(v))
	switch format {
	case "yaml":
		return compile.RubyYAML(compile.FromValue(data))
	case "json":
		text, err := serial.Serialize("json", data, value.DictOf("indent", value.Int(2)))
		return text + "\n", err
	case "s":
		return types.Text(compile.FromValue(data)) + "\n", nil
	}
	return "", usagef("unknown format %q for --render-as\nhint: yaml, json or s", format)
}
