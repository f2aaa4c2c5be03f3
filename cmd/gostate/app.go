package main

import (
	"fmt"
	"slices"
	"strings"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/state/diag"
)

const usageTop = `gostate [FLAGS] COMMAND [FLAGS] [ARGUMENTS]

Examples:
  gostate highstate                 bring this machine to its top.sls
  gostate sls httpd                 apply one formula
  gostate --test                    say what highstate would change`

// newApp declares every command. Its actions write to the program's streams and leave the exit code there.
func newApp(p *program) *cli.App {
	app := cli.NewApp()
	app.Name = "gostate"
	app.Usage = "bring a machine to the state that its SLS files describe"
	app.UsageText = usageTop
	app.HideVersion = true
	app.Reader, app.Writer, app.ErrWriter = p.In, p.Out, p.Err
	app.DisableSliceFlagSeparator = true
	app.EnableBashCompletion = false
	flags := globalFlags()
	if !p.help {
		uncategorized(flags)
	}
	if p.help || slices.ContainsFunc(p.words, saltWord) {
		flags = append(flags, saltFlags()...)
	}
	app.Flags = named(flags)
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return flagFault(err) }
	app.CommandNotFound = nil
	app.Before = p.output
	app.Commands = commands(p)
	app.Action = bareAction(p)
	for _, c := range app.Commands {
		prepare(c, app.OnUsageError)
	}
	return app
}

func prepare(c *cli.Command, onUsage cli.OnUsageErrorFunc) {
	c.OnUsageError = onUsage
	c.HideHelpCommand = true // `gostate sls h` applies the SLS h
	for _, s := range c.Subcommands {
		prepare(s, onUsage)
	}
}

// wordless refuses words behind a command whose synopsis has none.
func wordless(c *cli.Command, path, words []string) error {
	if c == nil || len(words) == 0 {
		return nil
	}
	synopsis, _, _ := strings.Cut(c.UsageText, "\n")
	if name := "gostate " + strings.Join(path, " "); strings.TrimSpace(synopsis) == name {
		return usagef("%q is no word of %s, which takes none", words[0], name)
	}
	return nil
}

func commands(p *program) []*cli.Command {
	return []*cli.Command{
		highstateCommand(p), slsCommand(p), singleCommand(p), planCommand(p),
		sshCommand(p), sshServeCommand(p), orchestrateCommand(p), rehearseCommand(p), showCommand(p),
		grainsCommand(p), reportCommand(p), statusCommand(p),
		pillarCommand(p), callCommand(p),
		resourceCommand(p),
		docCommand(p), renderCommand(p), graphCommand(p), explainCommand(p), whyCommand(p), lintCommand(p), versionCommand(p),
		completionCommand(p), manCommand(p),
		puppetCommand(p),
		packCommand(p), pushCommand(p), agentCommand(p),
	}
}

// bareAction is gostate without a command: with --test a preview of highstate, else the help.
func bareAction(p *program) cli.ActionFunc {
	return func(c *cli.Context) error {
		switch {
		case c.NArg() > 0:
			return unknownCommand(c)
		case c.Bool("version"):
			return p.printText(c, versionLine())
		}
		if c.Bool("test") {
			return applyHighstate(c, p)
		}
		return cli.ShowAppHelp(c)
	}
}

func unknownCommand(c *cli.Context) error {
	var names []string
	for _, k := range c.App.Commands {
		names = append(names, k.Names()...)
	}
	word := c.Args().First()
	if near := diag.Nearest(word, names); near != "" {
		return usagef("unknown command %q\nhint: did you mean %q?", word, near)
	}
	return usagef("unknown command %q\nhint: gostate --help lists the commands; gostate sls %s applies an SLS of that name", word, word)
}

// subcommandFault is the error of a command that has only subcommands, where the line names none of them.
func subcommandFault(c *cli.Context, hint string) error {
	word := c.Args().First()
	if word == "" {
		return usagef("%s what?\nhint: %s", c.Command.Name, hint)
	}
	var names []string
	for _, s := range c.Command.Subcommands {
		names = append(names, s.Name)
	}
	if near := diag.Nearest(word, names); near != "" {
		hint = fmt.Sprintf("did you mean %q?", near)
	}
	return usagef("%s does not know %q\nhint: %s", c.Command.Name, word, hint)
}

// saltKeywords are NAME=VALUE words of Salt's command line, with the flags that they stand for.
func saltKeywords(names ...string) map[string]string {
	out := make(map[string]string, len(names))
	for _, n := range names {
		if out[n] = n; n == "localconfig" {
			out[n] = "local-config"
		}
	}
	return out
}

// arrange puts a command line in the order that the flag library reads: global flags, command, its flags, arguments.
// Flags may stand anywhere; Salt's keywords become flags. A flag that both the command and the program have (--id) is
// the command's behind the command's name.
func (p *program) arrange(app *cli.App, words []string) ([]string, error) {
	global := newFlagSet(app.Flags, []cli.Flag{cli.HelpFlag})
	words, err := p.saltFunction(app, words, global)
	if err != nil {
		return nil, err
	}
	at, cmd, path := findCommand(app, words, global)
	own := flagSet{}
	if cmd != nil {
		own = newFlagSet(cmd.Flags)
	}
	before, stray, err := global.split(words[:at])
	if err != nil {
		return nil, err
	}
	behind := words[at:]
	for range path {
		behind = behind[1:]
	}
	after, rest, err := global.with(own).split(behind)
	if err != nil {
		return nil, err
	}
	rest = append(stray, rest...)
	if cmd == nil || cmd.Name != "call" {
		var more []string
		known := runKeywords()
		if cmd != nil && cmd.Name == "single" {
			known = []string{"test", "pillar", "saltenv", "pillarenv", "queue", "localconfig"} // others may be the state's
		}
		if more, rest, err = keywords(rest, saltKeywords(known...)); err != nil {
			return nil, err
		}
		before = append(before, more...)
	}
	if err := wordless(cmd, path, rest); err != nil {
		return nil, err
	}
	mine, others := own.pick(after, global)
	out := append(before, others...)
	out = append(append(out, path...), mine...)
	if len(rest) > 0 {
		out = append(append(out, "--"), rest...)
	}
	return out, nil
}

// findCommand gives the place of the word that names the command, the command (or subcommand) itself, and the words
// that name it. Without a command the place is the end.
func findCommand(app *cli.App, words []string, global flagSet) (int, *cli.Command, []string) {
	for i := 0; i < len(words); i++ {
		w := words[i]
		switch {
		case w == "--":
			return len(words), nil, nil
		case global.takesNext(w):
			i++
			continue
		case strings.HasPrefix(w, "-"):
			continue
		}
		k := slices.IndexFunc(app.Commands, func(c *cli.Command) bool { return c.HasName(w) })
		if k < 0 {
			if strings.Contains(w, "=") {
				continue // gostate test=True highstate
			}
			return len(words), nil, nil
		}
		cmd, path := app.Commands[k], []string{w}
		if i+1 < len(words) {
			next := words[i+1]
			if k := slices.IndexFunc(cmd.Subcommands, func(c *cli.Command) bool { return c.HasName(next) }); k >= 0 {
				cmd, path = cmd.Subcommands[k], append(path, next)
			}
		}
		return i, cmd, path
	}
	return len(words), nil, nil
}
