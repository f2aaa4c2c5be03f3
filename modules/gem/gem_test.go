package gem

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tools is a gem that keeps what is installed in a file.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[0] != "gem" {
		return nil, errors.New("no such command")
	}
	data, _ := m.ReadFile("/var/lib/gems/list")
	lines := strings.Split(strings.TrimSpace(string(data)), "\n")
	name := strings.Trim(c.Args[2], "^$")
	switch c.Args[1] {
	case "list":
		return &host.Output{Stdout: data}, nil
	case "install":
		if name == "nowhere" {
			return &host.Output{Code: 2, Stderr: []byte("ERROR:  Could not find a valid gem 'nowhere'\n")}, nil
		}
	}
	others := ""
	lines = slices.DeleteFunc(lines, func(l string) bool {
		rest, ours := strings.CutPrefix(l, name+" (")
		if ours {
			others = ", " + strings.TrimSuffix(rest, ")")
		}
		return ours
	})
	if c.Args[1] == "install" {
		version := "1.0"
		if i := slices.Index(c.Args, "--version"); i > 0 {
			version = c.Args[i+1]
		}
		lines = append(lines, name+" ("+version+others+")")
	}
	m.MustWrite("/var/lib/gems/list", strings.Join(lines, "\n")+"\n", 0o644)
	return &host.Output{}, nil
}

func TestConformance(t *testing.T) {
	modtest.Suite{Family: Family(), Beyond: []string{"/var/lib/gems"},
		Situations: modtest.Situations{
			"no gem": modtest.Memory(tools, nil),
			"rake": modtest.Memory(tools, func(m *hosttest.Memory) {
				m.MustWrite("/usr/bin/gem", "", 0o755)
				m.MustWrite("/var/lib/gems/list", "rake (13.0.6, default: 12.3.1)\nrake-compiler (1.0)\n", 0o644)
			}),
		},
		Deeds: []modtest.Deed{
			modtest.State("gem.installed", "rake"),
			modtest.State("gem.installed", "rake", "version", "12.3.1"),
			modtest.State("gem.installed", "rake", "version", "14.0"),
			modtest.State("gem.installed", "sass", "ri", true),
			modtest.State("gem.installed", "nowhere").In("rake").Untold("the sources are asked in a run only"),
			modtest.State("gem.installed", "nowhere").In("no gem"),
			modtest.State("gem.removed", "rake"),
			modtest.State("gem.removed", "sass"),
		}}.Run(t)
}
