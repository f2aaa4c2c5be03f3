package main

import (
	"cmp"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/internal/config"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/report"
)

const (
	catSource = "Where the states come from"
	catRun    = "How to run"
	catOut    = "What to show"
)

// globalFlags are understood by every command, before and after it.
func globalFlags() []cli.Flag {
	return slices.Concat(sourceFlags(), runFlags(), outputFlags())
}

func sourceFlags() []cli.Flag {
	return []cli.Flag{
		&cli.StringFlag{Name: "config-dir", Aliases: []string{"c"}, Value: "/etc/gostate", Category: catSource,
			EnvVars: []string{"GOSTATE_CONFIG_DIR"},
			Usage:   "read `DIR`/minion and DIR/minion.d/*.conf, a Salt minion's configuration (-c /etc/salt works)"},
		&cli.StringSliceFlag{Name: "file-root", EnvVars: []string{"GOSTATE_FILE_ROOT"}, Category: catSource,
			Usage: "search SLS files and salt:// sources in `DIR` (repeatable; the first wins)"},
		&cli.StringSliceFlag{Name: "pillar-root", EnvVars: []string{"GOSTATE_PILLAR_ROOT"}, Category: catSource,
			Usage: "search pillar files in `DIR` (repeatable)"},
		&cli.StringFlag{Name: "id", EnvVars: []string{"GOSTATE_ID"}, Category: catSource,
			Usage: "the minion `ID` that top.sls is matched against (default: the host's full name)"},
		&cli.StringSliceFlag{Name: "grain", Category: catSource, Action: checkGrains,
			Usage: "set a grain, `KEY=VALUE` (repeatable; the value is YAML)"},
		&cli.StringFlag{Name: "grains-file", Category: catSource,
			Usage: "take the grains from `FILE` (YAML or JSON) and ask the machine for none"},
		&cli.StringFlag{Name: "pillar", Category: catSource,
			Usage: "merge `YAML` over the pillar: --pillar '{nginx: {workers: 2}}'"},
		&cli.StringFlag{Name: "saltenv", Category: catSource, Usage: "use the `ENV`ironment (default: base)"},
		&cli.StringFlag{Name: "pillarenv", Category: catSource, Usage: "use the pillar `ENV`ironment"},
	}
}

func runFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "test", Aliases: []string{"t"}, Category: catRun,
			Usage: "say what would change and change nothing (Salt's test=True works too)"},
		&cli.BoolFlag{Name: "noop", Category: catRun,
			Usage: "only look at the states, but apply those that say noop: false"},
		&cli.StringFlag{Name: "root", Value: "/", EnvVars: []string{"GOSTATE_ROOT"}, Category: catRun,
			Usage: "work on the machine whose tree is mounted at `DIR`; what is not given (/etc/gostate, /srv/salt, " +
				"/srv/pillar, /var/lib/gostate) is looked for in it"},
		&cli.StringSliceFlag{Name: "tags", Category: catRun, Action: checkTags("tags"),
			Usage: "only the states with one of the `TAGS` (a,b): what `tags:` gives, parts of the SLS's name, module, " +
				"function, ID"},
		&cli.StringSliceFlag{Name: "skip-tags", Category: catRun, Action: checkTags("skip-tags"),
			Usage: "not the states with one of the `TAGS`"},
		&cli.BoolFlag{Name: "with-requirements", Category: catRun,
			Usage: "with --tags: also what the selected states require, directly or not"},
		&cli.IntFlag{Name: "jobs", Value: 1, Category: catRun, Action: checkJobs,
			Usage: "run up to `N` states at once where that is safe"},
		&cli.StringFlag{Name: "state-dir", EnvVars: []string{"GOSTATE_STATE_DIR"}, Category: catRun,
			Usage: "keep the run lock and reports in `DIR` (default: /var/lib/gostate as root, else below $XDG_STATE_HOME)"},
		&cli.DurationFlag{Name: "wait", Category: catRun, Usage: "wait up to `TIME` for another run on this machine to end"},
		&cli.StringFlag{Name: "log-level", Aliases: []string{"l"}, Value: "warning", Category: catRun,
			Action: oneOf("log level", logLevels()), Usage: "log `LEVEL`: quiet, error, warning, info, debug"},
		&cli.StringFlag{Name: "log-format", Value: "text", Category: catRun,
			Action: oneOf("log format", []string{"text", "json"}),
			Usage:  "log as `FORM`: text, or json (one object a line)"},
		&cli.BoolFlag{Name: "detailed-exitcodes", Category: catRun,
			Usage: "exit as Puppet does: 0 no change, 2 changes, 4 failures, 6 both"},
		&cli.StringFlag{Name: "metrics", Category: catOut,
			Usage: "after a run, write figures of it to `FILE` for Prometheus' textfile collector"},
		&cli.StringFlag{Name: "junit", Category: catOut,
			Usage: "write what came of a run or a preview to `FILE` as JUnit's XML, for CI"},
		&cli.BoolFlag{Name: "no-commands", Category: catRun,
			Usage: "refuse templates that run commands (cmd.run and its like)"},
		&cli.StringFlag{Name: "provider", Hidden: true, Category: catRun, Usage: "force a provider, `MODULE=NAME`"},
	}
}

func outputFlags() []cli.Flag {
	return []cli.Flag{
		&cli.BoolFlag{Name: "version", Usage: "print the version"},
		&cli.StringFlag{Name: "out", Aliases: []string{"output"}, Value: "highstate", Category: catOut,
			Action: oneOf("output format", append(report.Forms(), report.LintForms()...)),
			Usage:  "print results as `FORM`: " + strings.Join(report.Forms(), ", ")},
		&cli.StringFlag{Name: "state-output", Category: catOut, Action: checkStateOutput,
			Usage: "show states as `FORM`: brief (the default on a terminal), full (elsewhere), terse, mixed, changes, filter " +
				"(also full_id, ...)"},
		&cli.StringFlag{Name: "state-verbose", Category: catOut, Action: checkBool("state-verbose"),
			Usage: "`BOOL`: show states without changes, too (default true)"},
		&cli.BoolFlag{Name: "show-secrets", Category: catOut,
			Usage: "show secrets in place of ***, on a terminal only"},
		&cli.BoolFlag{Name: "no-color", Aliases: []string{"no-colour"}, Category: catOut,
			Usage: "no colours (NO_COLOR does the same)"},
		&cli.BoolFlag{Name: "force-color", Aliases: []string{"force-colour"}, Category: catOut,
			Usage: "colours even where the output is no terminal"},
	}
}

// optionsOf collects the global flags of a command.
func optionsOf(c *cli.Context) session.Options {
	for _, up := range c.Lineage() {
		if up != nil && up.Command != nil {
			c = up
		}
	}
	o := session.Options{
		ConfigDir:    cmp.Or(c.String("config-dir"), "/etc/gostate"),
		ConfigDirSet: c.IsSet("config-dir") && c.String("config-dir") != "",
		FileRoots:    c.StringSlice("file-root"), PillarRoots: c.StringSlice("pillar-root"), Grains: c.StringSlice("grain"),
		ID: c.String("id"), GrainsFile: c.String("grains-file"), Pillar: c.String("pillar"),
		SaltEnv: c.String("saltenv"), PillarEnv: c.String("pillarenv"),
		Test: c.Bool("test"), TestSet: c.IsSet("test"), Noop: c.Bool("noop"), NoopSet: c.IsSet("noop"),
		NoCommands: c.Bool("no-commands"),
		Root:       c.String("root"), StateDir: c.String("state-dir"), Wait: c.Duration("wait"), Jobs: c.Int("jobs"),
		LogLevel: c.String("log-level"), LogFormat: c.String("log-format"),
		Detailed: c.Bool("detailed-exitcodes"), Metrics: c.String("metrics"), JUnit: c.String("junit"),
		Out: c.String("out"), OutSet: c.IsSet("out"), StateOutput: c.String("state-output"),
		StateVerbose: boolWord("test", c.String("state-verbose")),
		NoColor:      c.Bool("no-color"), ForceColor: c.Bool("force-color"),
		ShowSecrets: c.Bool("show-secrets"),
		Tags:        config.SplitCommas(c.StringSlice("tags")), SkipTags: config.SplitCommas(c.StringSlice("skip-tags")),
		Requirements: c.Bool("with-requirements"),
	}
	saltOptionsOf(c, &o)
	return o
}

// cachedOptions are those of a command that needs no tree: it fetches none.
func cachedOptions(c *cli.Context) session.Options {
	o := optionsOf(c)
	o.Cached = true
	return o
}
