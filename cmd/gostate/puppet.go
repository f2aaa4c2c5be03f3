package main

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/sls/puppet/compile"
	"github.com/gostate/gostate/sls/puppet/facts"
	"github.com/gostate/gostate/sls/puppet/syntax"
	"github.com/gostate/gostate/sls/puppet/types"
	"github.com/gostate/gostate/sls/serial"
	"github.com/gostate/gostate/sls/yaml"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/secret"
	"github.com/gostate/gostate/state/value"
)

// puppetCommand is for those who have manifests, or a server that compiles them.
func puppetCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "puppet", Usage: "apply manifests and catalogs of Puppet, compile a manifest, check one", Category: catApply,
		UsageText: "gostate puppet apply site.pp --modulepath modules\n   gostate puppet apply --catalog catalog.json\n   " +
			"gostate puppet compile site.pp\n   gostate puppet lookup KEY --explain\n   gostate puppet validate FILE...",
		Subcommands: []*cli.Command{
			puppetApplyCommand(p), puppetModuleCommand(p),
			{Name: "compile", Usage: "compile a manifest for a machine, and print the catalog as JSON", ArgsUsage: "MANIFEST",
				Flags: puppetFlags(), Action: func(c *cli.Context) error { return puppetCompile(c, p) }},
			puppetLookupCommand(p),
			{Name: "validate", Usage: "check that manifests and templates (.epp) can be read", ArgsUsage: "FILE...",
				Action: puppetValidate},
		},
		Action: func(c *cli.Context) error {
			if c.NArg() > 0 {
				return usagef("unknown command %q\nhint: %s", "puppet "+c.Args().First(), puppetHint(c.Args().First()))
			}
			return cli.ShowSubcommandHelp(c)
		},
	}
}

// puppetHint is what does here what a command of Puppet's does.
func puppetHint(word string) string {
	switch word {
	case "resource":
		return "gostate resource KIND NAME says what is there, as an SLS"
	case "parser", "epp":
		return "gostate puppet validate FILE..."
	case "agent", "catalog", "device":
		return "gostate puppet apply --catalog FILE applies what a server compiled"
	case "facts":
		return "gostate grains; gostate puppet compile --facts FILE takes others"
	}
	return "gostate puppet has apply, compile, lookup, module and validate"
}

func puppetFlags() []cli.Flag {
	return []cli.Flag{
		modulePathFlag(),
		&cli.StringFlag{Name: "facts", Usage: "take facts from `FILE` (JSON or YAML) instead of from this machine"},
		&cli.StringFlag{Name: "environment-dir", Usage: "the environment's `DIR`, with hiera.yaml and modules (default: " +
			"that of the " +
			"manifest)"},
		&cli.StringFlag{Name: "node", Usage: "compile for the machine `NAME` (default: the id of this one)"},
		&cli.BoolFlag{Name: "strict-variables", Usage: "make an error of a variable that is not there, as Puppet 8 does"},
	}
}

func puppetCompile(c *cli.Context, p *program) error {
	if c.NArg() != 1 {
		return usagef("puppet compile needs one manifest\nhint: gostate puppet compile site.pp")
	}
	o, err := puppetOptions(c, p)
	if err != nil {
		return err
	}
	cat, logs, err := compile.Compile(*o)
	if err != nil {
		return compile.Faults(err)
	}
	text, err := serial.Serialize("json", p.HideValue(cat.Dict(logs)), value.DictOf("indent", value.Int(2)))
	if err != nil {
		return err
	}
	_, err = fmt.Fprintln(p.Out, text)
	return err
}

// puppetOptions reads what is compiled, and what is known of the machine that it is for.
func puppetOptions(c *cli.Context, p *program) (*compile.Options, error) {
	file := c.Args().First()
	text, err := os.ReadFile(file)
	if err != nil {
		return nil, fmt.Errorf("read the manifest: %w", err)
	}
	return puppetText(c, p, file, string(text))
}

// puppetText are the options for the text of a manifest; what is encrypted in its data is secret.
func puppetText(c *cli.Context, p *program, file, text string) (*compile.Options, error) {
	o, err := puppetCompiler(c, file, text, func() (*value.Dict, error) {
		s, err := session.Look(&p.Process, optionsOf(c))
		if err != nil {
			return nil, err
		}
		return s.Grains(), nil
	})
	if err != nil {
		return nil, err
	}
	if p.Secrets == nil {
		p.Secrets = secret.New()
	}
	o.Secret = p.Secrets.MarkText
	return o, nil
}

// puppetCompiler are the options for the text of a manifest.
func puppetCompiler(c *cli.Context, file, text string, grains func() (*value.Dict, error)) (*compile.Options, error) {
	o := &compile.Options{Manifests: []compile.Manifest{{Path: file, Text: text}}, EnvDir: puppetEnvironment(c, file),
		ModulePath: modulePath(c, file),
		Node:       c.String("node"), Strict: c.Bool("strict-variables"), Read: os.ReadFile, List: session.ListNames}
	if o.Node == "" || c.String("facts") == "" {
		g, err := grains()
		if err != nil {
			return nil, err
		}
		if o.Node == "" {
			id, _ := g.GetStr("id")
			o.Node = value.String(id)
		}
		if c.String("facts") == "" {
			o.Facts = facts.FromGrains(g)
			return o, nil
		}
	}
	raw, err := os.ReadFile(c.String("facts"))
	if err != nil {
		return nil, fmt.Errorf("read the facts: %w", err)
	}
	v, err := yaml.Decode(c.String("facts"), raw)
	if err != nil {
		return nil, err
	}
	var ok bool
	if o.Facts, ok = compile.FromValue(v).(*types.Hash); !ok {
		return nil, diag.Errorf(diag.Pos{File: c.String("facts")}, "the facts are no map").WithHint("write NAME: VALUE")
	}
	return o, nil
}

// puppetEnvironment is the folder of the environment: that of the manifest, unless it is said.
func puppetEnvironment(c *cli.Context, file string) string {
	return cmp.Or(c.String("environment-dir"), filepath.Dir(file))
}

// modulePath are the folders of modules.
func modulePath(c *cli.Context, file string) []string {
	if list := filepath.SplitList(c.String("modulepath")); len(list) > 0 {
		return list
	}
	return []string{filepath.Join(puppetEnvironment(c, file), "modules")}
}

func puppetValidate(c *cli.Context) error {
	if c.NArg() == 0 {
		return usagef("puppet validate needs a file\nhint: gostate puppet validate site.pp")
	}
	var faults []error
	for _, file := range c.Args().Slice() {
		text, err := os.ReadFile(file)
		if err == nil && strings.HasSuffix(file, ".epp") {
			_, err = syntax.ParseEPP(file, string(text))
		} else if err == nil {
			_, err = syntax.Parse(file, string(text))
		}
		if err != nil {
			faults = append(faults, compile.Faults(err))
		}
	}
	return errors.Join(faults...)
}
