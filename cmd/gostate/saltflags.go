package main

import (
	"slices"
	"strings"

	"github.com/urfave/cli/v2"
)

const catSalt = "As salt-call has them"

// saltFlags are those of salt-call. They are declared only where one is used or help is asked for: each costs every
// run time.
func saltFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "out-file", Aliases: []string{"output-file"}, Category: catSalt,
			Usage: "write the results to `FILE`"},
		&cli.BoolFlag{Name: "out-file-append", Aliases: []string{"output-file-append"}, Category: catSalt,
			Usage: "add the results to the end of --out-file's file"},
		&cli.StringFlag{Name: "out-indent", Aliases: []string{"output-indent"}, Category: catSalt, Action: checkIndent,
			Usage: "indent json, yaml and pprint by `N` per level; below 0: all on one line"},
		&cli.StringFlag{Name: "log-file", Category: catSalt, Usage: "write the log to `FILE`, too"},
		&cli.StringFlag{Name: "log-file-level", Value: "warning", Category: catSalt, Action: oneOf("log level", logLevels()),
			Usage: "log `LEVEL` to --log-file's file"},
		&cli.BoolFlag{Name: "metadata", Category: catSalt,
			Usage: "show the result below return, with the function, its arguments, the id and the exit code"},
		&cli.BoolFlag{Name: "retcode-passthrough", Category: catSalt,
			Usage: "as salt-call: exit with the code of the function (2 for a failed state), not with 1"},
		&cli.StringSliceFlag{Name: "module-dirs", Aliases: []string{"m"}, Category: catSalt,
			Usage: "search DIR/modules, DIR/states, ... for modules of the tree's own, `DIR` after DIR (repeatable)"},
		&cli.StringFlag{Name: "states-dir", Category: catSalt, Usage: "search `DIR` for state modules of the tree's own"},
		&cli.StringFlag{Name: "local-config", Category: catSalt,
			Usage: "read `FILE` over the configuration (Salt's localconfig=FILE)"},
		&cli.StringFlag{Name: "top-file", Category: catSalt, Usage: "take `FILE` in the place of top.sls (Salt's state.top)"},
		&cli.StringFlag{Name: "queue", Category: catSalt, Action: checkBool("queue"),
			Usage: "`BOOL`: wait for another run on this machine to end (Salt's queue=True)"},
		&cli.StringFlag{Name: "concurrent", Category: catSalt, Action: checkBool("concurrent"),
			Usage: "`BOOL`: run beside another run, without the lock (Salt's concurrent=True)"},
		&cli.StringFlag{Name: "mock", Category: catSalt, Action: checkBool("mock"),
			Usage: "`BOOL`: call no state function: each state succeeds, mocked (Salt's mock=True)"},
		&cli.StringSliceFlag{Name: "no-parse", Category: catSalt,
			Usage: "take the argument `NAME` of a call as text, not as YAML (repeatable)"},
		&cli.BoolFlag{Name: "output-diff", Category: catSalt, Usage: "show only states with changes"},
		&cli.BoolFlag{Name: "local", Category: catSalt, Usage: "nothing: no master is ever asked"},
	}
}

// saltOnly are options of salt-call that say nothing here, with whether they take a value and why they are left out;
// those without a reason would change nothing in what is done.
func saltOnly() map[string]struct {
	takes bool
	why   string
} {
	type o = struct {
		takes bool
		why   string
	}
	return map[string]o{
		"--master":               {true, "no master is asked: files, pillar and grains are those of this machine"},
		"--return":               {true, "there are no returners: the result is on standard output; --out-file keeps it"},
		"--set-metadata":         {true, "there are no jobs to search by it"},
		"--proxyid":              {true, "there are no proxy minions"},
		"--saltfile":             {true, "a Saltfile is not read: give its options here"},
		"--module-executors":     {true, "functions are called directly"},
		"--executor-opts":        {true, "functions are called directly"},
		"--cachedir":             {true, "the key cachedir of the configuration says it"},
		"--skip-grains":          {},
		"--refresh-grains-cache": {}, // they are never kept
		"--no-return-event":      {},
		"--hard-crash":           {},
		"--profiling-enabled":    {},
		"--profiling-path":       {takes: true},
		"--disable-colors":       {},
		"--priority":             {takes: true},
		"--state_output_diff":    {},
	}
}

// saltWord says whether a word is an option or a keyword that only saltFlags declare.
func saltWord(word string) bool {
	name, _, _ := strings.Cut(word, "=")
	if !strings.HasPrefix(word, "-") {
		return strings.HasPrefix(word, "state.") || name != word &&
			slices.Contains([]string{"queue", "concurrent", "mock", "localconfig"}, name)
	}
	name = strings.TrimLeft(name, "-")
	return slices.ContainsFunc(saltFlags(), func(f cli.Flag) bool { return slices.Contains(f.Names(), name) })
}
