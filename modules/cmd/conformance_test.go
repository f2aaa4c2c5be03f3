package cmd

import (
	"context"
	"fmt"
	"io/fs"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// scripts are the file roots of the suite.
type scripts struct{ modules.Files }

func (scripts) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	if source == "salt://run.sh" {
		return []byte("#!/bin/sh\ntrue\n"), nil
	}
	return nil, fmt.Errorf("source '%s': %w", source, fs.ErrNotExist)
}

func (scripts) Exists(source, _ string) (file, dir bool) { return source == "salt://run.sh", false }

func TestConformance(t *testing.T) {
	const own = "what a command does is its own"
	tools := func(_ *hosttest.Memory, c host.Cmd) (*host.Output, error) {
		switch text := strings.Join(c.Args, " "); {
		case strings.Contains(text, "false"):
			return &host.Output{Code: 1, Stderr: []byte("no\n")}, nil
		case strings.Contains(text, "changed=no"):
			return &host.Output{Stdout: []byte("changed=no comment='it is so'\n")}, nil
		}
		return &host.Output{Stdout: []byte("done\n")}, nil
	}
	none := func(string) (value.Value, bool) { return nil, false }
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{"any": modtest.Memory(tools,
			func(m *hosttest.Memory) { m.AddUser("joe", 1000); m.MustMkdir("/home/joe") })},
		Env: func(*testing.T) *modules.Env {
			return &modules.Env{Files: scripts{}, Cache: modules.NewCache(), Opts: none, Pillar: none, Grains: none,
				Progress: func(string) {}}
		},
		Deeds: []modtest.Deed{
			modtest.State("cmd.run", "true").Untold(own),
			modtest.State("cmd.run", "true", "runas", "joe", "cwd", "/tmp", "env", []any{map[string]any{"A": "b"}}).Untold(own),
			modtest.State("cmd.run", "false").Untold(own),
			modtest.State("cmd.run", "echo changed=no", "stateful", true).Untold(own),
			modtest.State("cmd.run", "true", "cwd", "/nowhere"),
			modtest.State("cmd.run", "true", "runas", "nobody-here"),
			modtest.State("cmd.run", "true").Watched().Untold(own),
			modtest.State("cmd.wait", "true"),
			modtest.State("cmd.wait", "true").Watched().Untold(own),
			modtest.State("cmd.script", "salt://run.sh").Untold(own),
			modtest.State("cmd.script", "x", "source", "salt://none.sh"),
			modtest.State("cmd.wait_script", "salt://run.sh"),
			modtest.State("cmd.wait_script", "salt://run.sh").Watched().Untold(own),
		},
	}.Run(t)
}
