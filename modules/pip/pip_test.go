package pip

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

func TestRequirements(t *testing.T) {
	tests := []struct {
		text, version string
		name          string
		met           bool
	}{
		{"requests", "2.0", "requests", true}, {"Foo.Bar==1.0", "1.0.0", "foo-bar", true}, {"x>=1.2,<2", "1.10", "x", true}, {"x>=1.2,<2", "2.0", "x", false},
		{"x~=1.4", "1.9", "x", true}, {"x~=1.4", "2.0", "x", false}, {"x==1.*", "1.7", "x", true}, {"x!=1.*", "1.7", "x", false}, {"x[extra] >= 1", "1.0rc1", "x", false},
		{"x>1.0", "1.0.post1", "x", true}, {"x<1.0", "1.0.dev3", "x", true}, {"git+https://e.org/x.git", "", "", true}, {"./local", "", "", true},
		{"x>=1; python_version < '3'", "1", "x", true},
	}
	for _, tt := range tests {
		r := parseRequirement(tt.text)
		if r.name != tt.name || r.met(tt.version) != tt.met {
			t.Errorf("%q with %q: name %q, met %t", tt.text, tt.version, r.name, r.met(tt.version))
		}
	}
}

// tools are a python3 that makes environments and a pip in each, which keeps what is installed in a file.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[0] == "python3" {
		for _, f := range []string{"/bin/python", "/bin/pip", "/lib/list"} {
			m.MustWrite(c.Args[len(c.Args)-1]+f, "", 0o755)
		}
		return &host.Output{}, nil
	}
	file := strings.TrimSuffix(c.Args[0], "/bin/pip") + "/lib/list"
	data, err := m.ReadFile(file)
	if err != nil {
		return nil, err
	}
	have := strings.Fields(string(data))
	old := slices.Contains(have, "requests==2.5")
	set := func(name, version string) {
		have = slices.DeleteFunc(have, func(l string) bool { return strings.HasPrefix(l, name+"==") })
		if version != "" {
			have = append(have, name+"=="+version)
		}
	}
	line := strings.Join(c.Args, " ")
	switch {
	case strings.Contains(line, "--outdated") && old:
		return &host.Output{Stdout: []byte(`[{"name": "Requests", "version": "2.5", "latest_version": "3.1"}]`)}, nil
	case strings.Contains(line, "--outdated"):
		return &host.Output{Stdout: []byte(`[]`)}, nil
	case c.Args[1] == "list":
		return &host.Output{Stdout: data}, nil
	case c.Args[1] == "uninstall":
		set(normal(c.Args[3]), "")
	case strings.Contains(line, "nowhere"):
		return &host.Output{Code: 1, Stderr: []byte("ERROR: No matching distribution found for nowhere\n")}, nil
	default:
		if i := slices.Index(c.Args, "-r"); i > 0 {
			text, _ := m.ReadFile("/srv/app/" + c.Args[i+1])
			line += string(text)
		}
		for _, n := range []string{"requests", "flask"} {
			there := strings.Contains(string(data), n) && !strings.Contains(line, "--upgrade") && !strings.Contains(line, n+">=3")
			if strings.Contains(line, n) && !there {
				set(n, "3.1")
			}
		}
	}
	m.MustWrite(file, strings.Join(have, "\n"), 0o755)
	return &host.Output{}, nil
}

func TestConformance(t *testing.T) {
	modtest.Suite{Family: Family(), Beyond: []string{"/srv/env/lib"},
		Situations: modtest.Situations{
			"nothing": modtest.Memory(tools, nil),
			"python":  modtest.Memory(tools, func(m *hosttest.Memory) { m.MustWrite("/usr/bin/python3", "", 0o755) }),
			"an environment": modtest.Memory(tools, func(m *hosttest.Memory) {
				m.MustWrite("/srv/env/bin/python", "", 0o755)
				m.MustWrite("/srv/env/bin/pip", "", 0o755)
				m.MustWrite("/srv/env/lib/list", "requests==2.5", 0o755)
				m.MustWrite("/srv/app/requirements.txt", "# all\nrequests >= 2\nflask # web\n", 0o644)
			}),
		},
		Deeds: []modtest.Deed{
			modtest.State("pip.installed", "requests"),
			modtest.State("pip.installed", "requests", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "requests>=3", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "many", "pkgs", []string{"requests", "flask"}, "bin_env", "/srv/env"),
			modtest.State("pip.installed", "file", "requirements", "requirements.txt", "cwd", "/srv/app", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "lost", "requirements", "requirements.txt", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "up", "pkgs", []string{"requests"}, "upgrade", true, "bin_env", "/srv/env"),
			modtest.State("pip.installed", "git+https://example.org/flask.git", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "nowhere", "bin_env", "/srv/env").In("an environment").Untold("the index is asked in a run only"),
			modtest.State("pip.removed", "Requests", "bin_env", "/srv/env"),
			modtest.State("pip.removed", "flask", "bin_env", "/srv/env"),
			modtest.State("virtualenv.managed", "/srv/env"),
			modtest.State("virtualenv.managed", "/srv/env", "pip_pkgs", []string{"flask"}),
			modtest.State("virtualenv.managed", "/srv/env", "user", "nobody-here"),
		}}.Run(t)
}

func TestRelativeRequirementsEnd(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/usr/bin/pip3", "", 0o755)
	ctx, done := context.WithTimeout(t.Context(), 10*time.Second)
	defer done()
	end := make(chan error, 1)
	go func() {
		_, err := (&Installed{Requirements: "requirements.txt"}).Act(ctx, &modules.Env{}, host.NewOverlay(m))
		end <- err
	}()
	select {
	case err := <-end:
		if err == nil {
			t.Error("requirements that are not there are none")
		}
	case <-ctx.Done():
		t.Fatal(fmt.Errorf("it hangs"))
	}
}
