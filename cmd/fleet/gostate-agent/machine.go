package main

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"time"

	"github.com/urfave/cli/v2"

	"github.com/gostate/gostate/cmd/fleet/tool"
	"github.com/gostate/gostate/cmd/internal/agent"
	"github.com/gostate/gostate/cmd/internal/machine"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
)

// look is the session of this machine.
func look(c *cli.Context) (*session.Session, session.Options, error) {
	o := session.Options{ConfigDir: cmp.Or(c.String("config-dir"), "/etc/gostate"),
		ConfigDirSet: c.IsSet("config-dir"), Root: c.String("root"), StateDir: c.String("state-dir"), ID: c.String("id"),
		Grains: c.StringSlice("grain"), GrainsFile: c.String("grains-file"), LogLevel: "warning", LogFormat: "text",
		Cached: true}
	p := &session.Process{In: os.Stdin, Out: report.NewScreen(os.Stdout), Err: report.NewScreen(os.Stderr),
		Since: time.Now(), Abort: c.Context, Version: func() string { return tool.Version(version) }}
	s, err := session.Look(p, o)
	return s, o, err
}

// program is gostate.
func program(c *cli.Context) (string, error) {
	if p := c.Path("gostate"); p != "" {
		return filepath.Abs(p)
	}
	if self, err := os.Executable(); err == nil {
		beside := filepath.Join(filepath.Dir(self), "gostate")
		if _, err := os.Stat(beside); err == nil {
			return beside, nil
		}
	}
	p, err := exec.LookPath("gostate")
	if err != nil {
		return "", diag.Errorf(diag.Pos{}, "there is no gostate beside this program, and none in PATH").
			WithHint("install it, or name it: --gostate PROGRAM")
	}
	return p, nil
}

// newAgent is the agent of this machine without a source and a sink.
func newAgent(c *cli.Context) (*agent.Agent, agent.Settings, error) {
	s, o, err := look(c)
	if err != nil {
		return nil, agent.Settings{}, err
	}
	set, err := machine.Settings(c, s)
	if err != nil {
		return nil, set, err
	}
	run, err := program(c)
	if err != nil {
		return nil, set, err
	}
	a, err := machine.New(s, o, set, tool.Version(version), run)
	return a, set, err
}

// hubDir is where the machine's key and what it knows of its hub are.
func hubDir(s *session.Session) string { return filepath.Join(machine.Dir(s), "hub") }
