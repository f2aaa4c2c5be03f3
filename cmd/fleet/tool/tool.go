// Package tool is what the programs of a fleet share: their command lines, exit codes and messages are gostate's.
package tool

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/signal"
	"runtime/debug"
	"syscall"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
)

// An Exit is an exit code for which all was said: 1 where nothing was done, 2 where something failed.
type Exit int

func (e Exit) Error() string { return fmt.Sprintf("exit code %d", int(e)) }

// usage is an error of the command line.
type usage struct{ msg string }

func (u *usage) Error() string { return u.msg }

// Usagef says that the command line is wrong.
func Usagef(format string, args ...any) error { return &usage{fmt.Sprintf(format, args...)} }

// App is a program of these commands.
func App(name, about, version string, commands []*cli.Command) *cli.App {
	app := cli.NewApp()
	app.Name, app.Usage, app.Version = name, about, Version(version)
	app.DisableSliceFlagSeparator, app.HideHelpCommand = true, true
	app.ExitErrHandler = func(*cli.Context, error) {}
	app.OnUsageError = func(_ *cli.Context, err error, _ bool) error { return Usagef("%v", err) }
	app.Action = func(c *cli.Context) error {
		if c.NArg() > 0 {
			return Usagef("there is no command %q\nhint: %s --help lists them", c.Args().First(), name)
		}
		return cli.ShowAppHelp(c)
	}
	app.Commands = commands
	for _, c := range commands {
		prepare(c, app)
	}
	return app
}

func prepare(c *cli.Command, app *cli.App) {
	c.OnUsageError, c.HideHelpCommand = app.OnUsageError, true
	for _, s := range c.Subcommands {
		prepare(s, app)
	}
	if c.Action == nil {
		c.Action = func(c *cli.Context) error {
			if c.NArg() > 0 {
				return Usagef("there is no command %q\nhint: %s --help lists them", c.Args().First(), c.Command.HelpName)
			}
			return cli.ShowSubcommandHelp(c)
		}
	}
}

// Version is what the linker has set, else the module's.
func Version(linked string) string {
	info, ok := debug.ReadBuildInfo()
	switch {
	case linked != "":
		return linked
	case ok && info.Main.Version != "" && info.Main.Version != "(devel)":
		return info.Main.Version
	}
	return "devel"
}

// Main runs the program and ends it. The first SIGINT or SIGTERM asks it to end, the second ends it.
func Main(app *cli.App) {
	ctx, stop := signal.NotifyContext(context.Background(), syscall.SIGINT, syscall.SIGTERM)
	context.AfterFunc(ctx, stop)
	err := app.RunContext(ctx, Arrange(app, os.Args))
	os.Exit(Code(app, err))
}

// Code says what went wrong, and gives the exit code for it.
func Code(app *cli.App, err error) int {
	var exit Exit
	var use *usage
	switch {
	case err == nil:
		return 0
	case errors.As(err, &exit):
		return int(exit)
	case errors.As(err, &use):
		fmt.Fprintf(app.ErrWriter, "error: %s\n", use.msg)
		return 64
	}
	var l diag.List
	l.AddErr(err)
	l.Sort()
	_ = report.WriteDiagnostics(app.ErrWriter, &l, report.DiagnosticOptions{Source: os.ReadFile})
	return 1
}
