package pip

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
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

func TestInstalled(t *testing.T) {
	tests := []struct {
		name    string
		args    []any
		changes string // "" when nothing changes
		ran     string
	}{
		{"requests", nil, "", ""},
		{"requests>=3", nil, "{'requests==3.1': 'Installed'}", "/v/bin/pip install requests>=3"},
		{"many", []any{"pkgs", value.NewList(value.Str("requests"), value.Str("flask"))}, "{'flask==3.1': 'Installed'}", "/v/bin/pip install flask"},
		{"file", []any{"requirements", value.Str("/req.txt")}, "{'flask==3.1': 'Installed'}", "/v/bin/pip install -r /req.txt"},
		{"up", []any{"pkgs", value.NewList(value.Str("requests")), "upgrade", value.Bool(true)}, "{'requests==3.1': 'Installed'}", "/v/bin/pip install --upgrade requests"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			h := host.NewMemory()
			h.MustWrite("/v/bin/pip", "", 0o755)
			h.MustWrite("/req.txt", "# all\nrequests >= 2\nflask # web\n", 0o644)
			have := map[string]string{"requests": "2.5"}
			ran := ""
			h.Script = func(c host.Cmd) (*host.Output, error) {
				line := strings.Join(c.Args, " ")
				switch {
				case strings.Contains(line, "--outdated") && have["requests"] == "2.5":
					return &host.Output{Stdout: []byte(`[{"name": "Requests", "version": "2.5", "latest_version": "3.1"}]`)}, nil
				case strings.Contains(line, "--outdated"):
					return &host.Output{Stdout: []byte(`[]`)}, nil
				case strings.Contains(line, " list "):
					out := ""
					for n, v := range have {
						out += n + "==" + v + "\n"
					}
					return &host.Output{Stdout: []byte(out)}, nil
				}
				ran = line
				for _, n := range []string{"requests", "flask"} {
					if strings.Contains(line, n) || n == "flask" && strings.Contains(line, "-r") {
						have[n] = "3.1"
					}
				}
				return &host.Output{}, nil
			}
			spec := installedSpec()
			fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: tt.name, Args: value.DictOf(append(tt.args, "bin_env", value.Str("/v"))...)})
			if fn == nil {
				t.Fatal(diags[0])
			}
			env := &modules.Env{Progress: func(string) {}}
			ctx := context.Background()
			f, err := modtest.Of(fn).Check(ctx, env, h)
			if err != nil {
				t.Fatal(err)
			}
			changes := ""
			if f.Pending {
				a, err := modtest.Of(fn).Apply(ctx, env, h, f)
				if err != nil {
					t.Fatal(err)
				}
				changes = value.Repr(a.Changes)
				if again, err := modtest.Of(fn).Check(ctx, env, h); err != nil || again.Pending {
					t.Errorf("does not converge: %+v %v", again, err)
				}
			}
			if d := cmp.Diff([]string{tt.changes, tt.ran}, []string{changes, ran}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestVirtualenv(t *testing.T) {
	h := host.NewMemory()
	h.Script = func(c host.Cmd) (*host.Output, error) {
		if c.Args[0] == "python3" {
			h.MustWrite("/v/bin/python", "", 0o755)
			h.MustWrite("/v/bin/pip", "", 0o755)
		}
		if c.Args[0] == "/v/bin/pip" && c.Args[1] == "install" {
			h.MustWrite("/v/flask", "", 0o644)
		}
		if _, err := h.Stat("/v/flask"); err == nil {
			return &host.Output{Stdout: []byte("flask==3.1\n")}, nil
		}
		return &host.Output{}, nil
	}
	spec := managedSpec()
	fn, diags := modules.Bind(&spec, &state.Low{ID: "x", Name: "/v", Args: value.DictOf("pip_pkgs", value.NewList(value.Str("flask")))})
	if fn == nil {
		t.Fatal(diags[0])
	}
	env := &modules.Env{Progress: func(string) {}}
	f, err := modtest.Of(fn).Check(context.Background(), env, h)
	if err != nil || !f.Pending {
		t.Fatalf("%+v %v", f, err)
	}
	a, err := modtest.Of(fn).Apply(context.Background(), env, h, f)
	if err != nil || value.Repr(a.Changes) != "{'new': '/v', 'packages': {'new': {'flask==3.1': 'Installed'}}}" {
		t.Errorf("%s %v", value.Repr(a.Changes), err)
	}
	if f, err := modtest.Of(fn).Check(context.Background(), env, h); err != nil || f.Pending {
		t.Errorf("does not converge: %+v %v", f, err)
	}
}
