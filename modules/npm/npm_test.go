package npm

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tools is an npm that keeps what is installed in a file of each folder.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[0] != "npm" {
		return nil, errors.New("no such command")
	}
	file := "/var/lib/npm/list" + strings.ReplaceAll(c.Dir, "/", "-")
	data, _ := m.ReadFile(file)
	lines := strings.Fields(string(data))
	if c.Args[1] == "list" {
		deps := []string{`"gone": {"missing": true}`}
		for _, l := range lines {
			name, version := split(l)
			deps = append(deps, `"`+name+`": {"version": "`+version+`"}`)
		}
		return &host.Output{Code: 1, Stdout: []byte(`{"dependencies": {` + strings.Join(deps, ", ") + `}}`)}, nil
	}
	for _, spec := range c.Args[2:] {
		name, version := split(spec)
		if name == "nowhere" {
			return &host.Output{Code: 1, Stderr: []byte("npm ERR! code E404\nnpm ERR! 404 Not Found\n")}, nil
		}
		if strings.HasPrefix(spec, "--") {
			continue
		}
		lines = slices.DeleteFunc(lines, func(l string) bool { n, _ := split(l); return n == name })
		if !plain(version) {
			version = "9.9.9"
		}
		if c.Args[1] == "install" {
			lines = append(lines, name+"@"+version)
		}
	}
	m.MustWrite(file, strings.Join(lines, "\n"), 0o644)
	return &host.Output{}, nil
}

func TestConformance(t *testing.T) {
	modtest.Suite{Family: Family(), Beyond: []string{"/var/lib/npm"},
		Situations: modtest.Situations{
			"no npm": modtest.Memory(tools, nil),
			"gulp": modtest.Memory(tools, func(m *hosttest.Memory) {
				m.MustWrite("/usr/bin/npm", "", 0o755)
				m.MustWrite("/var/lib/npm/list", "@a/gulp@2.3.0", 0o644)
			}),
		},
		Deeds: []modtest.Deed{
			modtest.State("npm.installed", "@a/gulp"),
			modtest.State("npm.installed", "@a/gulp@2.3.0"),
			modtest.State("npm.installed", "@a/gulp@latest"),
			modtest.State("npm.installed", "@a/gulp@2.4.0"),
			modtest.State("npm.installed", "x", "pkgs", []string{"@a/gulp", "left-pad"}, "dir", "/srv/app"),
			modtest.State("npm.installed", "left-pad", "force_reinstall", true),
			modtest.State("npm.installed", "gone"),
			modtest.State("npm.installed", "nowhere").In("gulp").Untold("the registry is asked in a run only"),
			modtest.State("npm.removed", "@a/gulp"),
			modtest.State("npm.removed", "left-pad"),
		}}.Run(t)
}
