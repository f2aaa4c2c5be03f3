package pip

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

func TestRequirements(t *testing.T) {
	tests := []struct {
		text, version string
		name          string
		met           bool
	}{
		{"requests", "2.0", "requests", true}, {"Foo.Bar==1.0", "1.0.0", "foo-bar", true}, {"x>=1.2,<2", "1.10", "x", true},
		{"x>=1.2,<2", "2.0", "x", false},
		{"x~=1.4", "1.9", "x", true}, {"x~=1.4", "2.0", "x", false}, {"x==1.*", "1.7", "x", true},
		{"x!=1.*", "1.7", "x", false}, {"x[extra] >= 1", "1.0rc1", "x", false},
		{"x>1.0", "1.0.post1", "x", true}, {"x<1.0", "1.0.dev3", "x", true}, {"git+https://e.org/x.git", "", "", true},
		{"./local", "", "", true},
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
	if strings.HasSuffix(c.Args[0], "/bin/python") {
		return &host.Output{Stdout: []byte("Python 3.11.2\n")}, nil
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
	case c.Args[1] == "list", c.Args[1] == "freeze":
		return &host.Output{Stdout: data}, nil
	case c.Args[1] == "uninstall":
		set(normal(c.Args[3]), "")
	case strings.Contains(line, "nowhere"):
		return &host.Output{Code: 1, Stderr: []byte("ERROR: No matching distribution found for nowhere\n")}, nil
	default:
		if i := slices.Index(c.Args, "-r"); i > 0 {
			for _, f := range []string{"/srv/app/" + c.Args[i+1], c.Args[i+1]} {
				text, _ := m.ReadFile(f)
				line += string(text)
			}
		}
		for _, n := range []string{"requests", "flask"} {
			there := strings.Contains(string(data), n) && !strings.Contains(line, "--upgrade") &&
				!strings.Contains(line, n+">=3")
			if strings.Contains(line, n) && !there {
				set(n, "3.1")
			}
		}
	}
	m.MustWrite(file, strings.Join(have, "\n"), 0o755)
	return &host.Output{}, nil
}

// sources are files of requirements in the file roots.
type sources struct{ modules.Files }

func (sources) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	text, ok := map[string]string{
		"salt://app/all.txt":      "--no-binary :all:\n-r more/web.txt # the rest\n",
		"salt://app/more/web.txt": "flask \\\n  --hash=sha256:00\n",
		"salt://app/loop.txt":     "-r loop.txt\n",
	}[source]
	if !ok {
		return nil, fmt.Errorf("%s is not there", source)
	}
	return []byte(text), nil
}

func withFiles(*testing.T) *modules.Env {
	return &modules.Env{Files: sources{}, Low: &state.Low{}, Cache: modules.NewCache(), Progress: func(string) {}}
}

func TestFilesOfRequirements(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/srv/a.txt", "requests>=2\n-r sub/b.txt\n", 0o644)
	m.MustWrite("/srv/sub/b.txt", "-c limits.txt\nflask\n", 0o644)
	p := &Installed{Requirements: []string{"a.txt, salt://app/all.txt"}, Common: Common{Cwd: "/srv"}}
	got, err := p.wanted(t.Context(), withFiles(t), m)
	if want := "requests>=2 flask flask"; err != nil || strings.Join(texts(got), " ") != want {
		t.Errorf("%v %v, want %s", texts(got), err, want)
	}
	if _, err := (&Installed{Requirements: []string{"salt://app/loop.txt"}}).wanted(t.Context(), withFiles(t),
		m); err == nil {
		t.Error("a file that includes itself is read")
	}
}

// TestExecs: what is installed, and what is done to it.
func TestExecs(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	m := hosttest.NewMemory()
	m.Script = func(c host.Cmd) (*host.Output, error) { return tools(m, c) }
	m.MustWrite("/srv/env/bin/pip", "", 0o755)
	m.MustWrite("/srv/env/lib/list", "requests==2.5\nFlask==1.0", 0o755)
	for _, tt := range []struct{ name, args, want string }{
		{"list", "", "{'requests': '2.5', 'Flask': '1.0'}"},
		{"list", "prefix=fl", "{'Flask': '1.0'}"},
		{"is_installed", "pkgname=flask", "True"},
		{"upgrade_available", "pkg=requests", "True"},
		{"uninstall", "pkgs=requests", "{'retcode': 0, 'stdout': '', 'stderr': ''}"},
		{"is_installed", "pkgname=requests", "False"},
		{"install", "pkgs=requests", "{'retcode': 0, 'stdout': 'All packages were successfully installed', 'stderr': ''}"},
		{"is_installed", "pkgname=requests", "True"},
		{"list", "prefx=fl", "list() got an unexpected keyword argument 'prefx'"},
	} {
		kwargs := value.DictOf("bin_env", value.Str("/srv/env"))
		if k, v, ok := strings.Cut(tt.args, "="); ok {
			kwargs.SetStr(k, value.Str(v))
		}
		v, err := reg.Call(t.Context(), withFiles(t), m, "pip."+tt.name, nil, kwargs)
		got := fmt.Sprint(err)
		if err == nil {
			got = value.Repr(v)
		}
		if got != tt.want {
			t.Errorf("pip.%s %s: %s, want %s", tt.name, tt.args, got, tt.want)
		}
	}
}

func TestConformance(t *testing.T) {
	modtest.Suite{Family: Family(), Env: withFiles, Beyond: []string{"/srv/env/lib"},
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
			modtest.State("pip.installed", "files", "requirements", []string{"salt://app/all.txt", "requirements.txt"}, "cwd",
				"/srv/app", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "lost", "requirements", "requirements.txt", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "up", "pkgs", []string{"requests"}, "upgrade", true, "bin_env", "/srv/env"),
			modtest.State("pip.installed", "git+https://example.org/flask.git", "bin_env", "/srv/env"),
			modtest.State("pip.installed", "nowhere", "bin_env",
				"/srv/env").In("an environment").Untold("the index is asked in a run only"),
			modtest.State("pip.removed", "Requests", "bin_env", "/srv/env"),
			modtest.State("pip.removed", "flask", "bin_env", "/srv/env"),
			modtest.State("virtualenv.managed", "/srv/env"),
			modtest.State("virtualenv.managed", "/srv/env", "pip_pkgs", []string{"flask"}),
			modtest.State("virtualenv.managed", "/srv/env", "user", "nobody-here"),
			modtest.State("virtualenv.managed", "/srv/env", "clear", true, "pip_pkgs", []string{"flask"}),
			modtest.State("virtualenv.managed", "/srv/env", "requirements", "requirements.txt", "cwd", "/srv/app",
				"pip_pkgs", []string{"flask"}),
		}}.Run(t)
}

func TestRelativeRequirementsEnd(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/usr/bin/pip3", "", 0o755)
	ctx, done := context.WithTimeout(t.Context(), time.Minute)
	defer done()
	end := make(chan error, 1)
	go func() {
		_, err := (&Installed{Requirements: []string{"requirements.txt"}}).Act(ctx, &modules.Env{}, host.NewOverlay(m))
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

// TestManagedChanges: what an environment got and lost is shown as pip writes it.
func TestManagedChanges(t *testing.T) {
	m := hosttest.NewMemory()
	m.Script = func(c host.Cmd) (*host.Output, error) { return tools(m, c) }
	m.MustWrite("/usr/bin/python3", "", 0o755)
	suite := modtest.Suite{Family: Family(), Env: withFiles}
	for _, tt := range []struct {
		args []any
		want string
	}{
		{nil, "Created new virtualenv {'new': 'Python 3.11.2'}"},
		{[]any{"pip_pkgs", []string{"flask"}}, "virtualenv exists {'packages': {'new': ['flask==3.1'], 'old': ''}}"},
		{[]any{"pip_pkgs", []string{"flask"}}, "virtualenv exists {}"},
		{[]any{"clear", true}, "Cleared existing virtualenv {'cleared_packages': ['flask==3.1'], 'old': 'Python 3.11.2', " +
			"'new': 'Python 3.11.2'}"},
	} {
		e, err := suite.One(t, m, modtest.State("virtualenv.managed", "/srv/env", tt.args...))
		if got := e.Comment + " " + value.Repr(e.Changes); err != nil || got != tt.want {
			t.Errorf("%v: %s %v, want %s", tt.args, got, err, tt.want)
		}
	}
	for _, tt := range []struct {
		v    Venv
		want string
	}{
		{Venv{}, "python3 -m venv x"}, {Venv{Python: "python3.9", Clear: true}, "python3.9 -m venv --clear x"},
		{Venv{VenvBin: "virtualenv", Python: "python3.9", Never: true, Extra: []string{"/a"}, System: true},
			"virtualenv --python=python3.9 --extra-search-dir=/a --never-download --system-site-packages x"},
	} {
		if got := strings.Join(tt.v.maker(m, "x"), " "); got != tt.want {
			t.Errorf("%+v: %s, want %s", tt.v, got, tt.want)
		}
	}
	x := modtest.Execs{Family: Family(), Host: m}
	x.Table(t, [][4]string{
		{"virtualenv.create", `["/srv/other"]`, "", "{'retcode': 0, 'stdout': '', 'stderr': ''}"},
		{"virtualenv.create", `["/srv/other"]`, `{"venv_bin": "pyvenv", "prompt": "x"}`,
			"error: The `prompt`(`--prompt`) option is not supported by 'pyvenv'"},
		{"virtualenv.get_site_packages", `["/srv/none"]`, "",
			"error: Path '/srv/none' does not appear to be a virtualenv: bin/python not found."},
		{"virtualenv.get_distribution_path", `["/srv/env", "flask"]`, "", "'Python 3.11.2'"},
	})
}

// TestPasswordsAreInNoWord: what all users can see of a command has no password of an index.
func TestPasswordsAreInNoWord(t *testing.T) {
	m := hosttest.NewMemory()
	m.MustWrite("/usr/bin/pip3", "", 0o755)
	p := &Installed{Index: "https://me:pw1@index.example/simple", ExtraIndex: "https://index.example/other",
		FindLinks: "https://token@links.example", Common: Common{Proxy: "http://me:p%w2@proxy.example:3128"}}
	c, err := p.cmd(m, p.args([]requirement{{text: "flask", name: "flask"}}, nil)...)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("pip3 install --extra-index-url https://index.example/other flask", strings.Join(c.Args, " ")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	want := []string{"PIP_INDEX_URL=https://me:pw1@index.example/simple", "PIP_FIND_LINKS=https://token@links.example",
		"PIP_PROXY=http://me:p%w2@proxy.example:3128"}
	if diff := cmp.Diff(want, c.Env[len(c.Env)-3:]); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
