package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/session"
)

func puppetModuleCommand(p *program) *cli.Command {
	return &cli.Command{
		Name: "module", Usage: "list the modules on the module path, with their versions", ArgsUsage: "list",
		Flags: []cli.Flag{modulePathFlag()},
		Action: func(c *cli.Context) error {
			if c.NArg() != 1 || c.Args().First() != "list" {
				return usagef("puppet module can only list\nhint: gostate puppet module list --modulepath modules")
			}
			return listModules(c, p)
		},
	}
}

func modulePathFlag() cli.Flag {
	return &cli.StringFlag{Name: "modulepath", Usage: "look for modules in `DIRS`, with colons between them"}
}

// A puppetModule is one of a module path, as its metadata.json tells of it.
type puppetModule struct{ Name, Version string }

// listModules prints the modules, as Puppet does. Of two with one folder the first counts.
func listModules(c *cli.Context, p *program) error {
	seen := map[string]bool{}
	for _, dir := range filepath.SplitList(cmp.Or(c.String("modulepath"), "modules")) {
		names, err := session.ListNames(dir)
		if err != nil {
			return fmt.Errorf("list modules: %w", err)
		}
		slices.Sort(names)
		fmt.Fprintln(p.Out, dir)
		for _, name := range names {
			if i, err := os.Stat(filepath.Join(dir, name)); err != nil || !i.IsDir() {
				continue
			}
			m := readModule(filepath.Join(dir, name), name)
			line := fmt.Sprintf("  %s (%s)", m.Name, m.Version)
			if seen[name] {
				line += " not used: another is found first"
			}
			seen[name] = true
			fmt.Fprintln(p.Out, line)
		}
	}
	return nil
}

// readModule is what a module says of itself; ??? stands for a version that it does not say.
func readModule(dir, name string) puppetModule {
	m := puppetModule{Name: name, Version: "???"}
	text, err := os.ReadFile(filepath.Join(dir, "metadata.json"))
	if err == nil {
		var said puppetModule
		if json.Unmarshal(text, &said) == nil {
			m = puppetModule{cmp.Or(said.Name, m.Name), cmp.Or(said.Version, m.Version)}
		}
	}
	return m
}
