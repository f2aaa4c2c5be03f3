package pkg

import (
	"cmp"
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// newBench is a machine in memory with an apt, on which these are installed.
func newBench(apt fakeApt, packages ...string) (*hosttest.Memory, *modules.Env) {
	m := hosttest.NewMemory()
	status(m, packages...)
	m.MustWrite("/var/lib/apt/lists/x_Packages", "", 0o644)
	m.Script = func(c host.Cmd) (*host.Output, error) { return apt.tools(m, c) }
	return m, &modules.Env{Cache: modules.NewCache(), Progress: func(string) {}, Low: &state.Low{}}
}

// installCalls counts the calls of apt-get install: simulations, or installations.
func installCalls(m *hosttest.Memory, simulated bool) (n int) {
	for _, c := range m.Ran {
		if slices.Contains(c.Args, "install") && slices.Contains(c.Args, "-s") == simulated {
			n++
		}
	}
	return n
}

func bind(t *testing.T, spec modules.StateSpec, name string, args *value.Dict) modules.StateFunc {
	t.Helper()
	fn, diags := modules.Bind(&spec, &state.Low{ID: name, Name: name, Module: "pkg", Func: "installed", Args: args})
	if fn == nil {
		t.Fatal(diags[0])
	}
	return fn
}

func TestInstalledComments(t *testing.T) {
	offers := fakeApt{offers: map[string][]string{"vim": {"2:9.1", "2:9.0"}, "git": {"2.40"}, "new": {"1.0"}}}
	list := func(vs ...value.Value) value.Value { return value.NewList(vs...) }
	tests := []struct {
		name    string
		args    *value.Dict
		pending bool
		comment string
		err     string
	}{
		{"there", nil, false, "All specified packages are already installed", ""},
		{"absent", value.DictOf("pkgs", list(value.Str("new"), value.Str("vim"))), true,
			"The following packages would be installed/updated: new", ""},
		{"version", value.DictOf("version", value.Str("2:9.0")), false,
			"All specified packages are already installed and are at the desired version", ""},
		{"without epoch", value.DictOf("version", value.Str("9.0"), "ignore_epoch", value.Bool(true)), false,
			"All specified packages are already installed and are at the desired version", ""},
		{"newer", value.DictOf("version", value.Str(">=2:9.1")), true,
			"The following packages would be installed/updated: vim=2:9.1", ""},
		{"latest", value.DictOf("version", value.Str("latest")), true,
			"The following packages would be installed/updated: vim=2:9.1", ""},
		{"latest is there", value.DictOf("pkgs", list(value.DictOf("git", value.Str("latest")))), false,
			"All specified packages are already installed and are at the desired version", ""},
		{"older is refused by none", value.DictOf("version", value.Str("3")), false, "",
			"no version of vim is 3: the sources have 2:9.1, 2:9.0"},
		{"unknown", value.DictOf("pkgs", list(value.Str("gti"))), false, "",
			"Unable to locate package gti; did you mean git?"},
		{"updates allowed", value.DictOf("version", value.Str("1.0"), "allow_updates", value.Bool(true)), false,
			"All specified packages are already installed and are at the desired version", ""},
		{"none", value.DictOf("pkgs", list()), false, "No packages to install provided", ""},
		{"arch", value.DictOf("pkgs", list(value.Str("git:amd64"))), false, "All specified packages are already installed",
			""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			m, env := newBench(offers, "vim 2:9.0", "git 2.40")
			e, err := bind(t, installedSpec(), "vim", tt.args).Act(context.Background(), env, host.Forecast(m))
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %s", err, tt.err)
				}
				return
			}
			if comment := cmp.Or(e.Preview, e.Comment); err != nil || e.Alters() != tt.pending || comment != tt.comment {
				t.Errorf("alters %t, comment %q, error %v", e.Alters(), comment, err)
			}
		})
	}
}

func TestInstalledAppliesOnce(t *testing.T) {
	m, env := newBench(hello())
	env.Kept = modules.NewCache()
	fn := bind(t, installedSpec(), "tools", value.DictOf("pkgs", value.NewList(value.Str("app"), value.Str("vim"))))
	for _, h := range []host.Host{host.Forecast(m), m, host.Forecast(m)} {
		if _, err := fn.Act(context.Background(), env, h); err != nil {
			t.Fatal(err)
		}
	}
	if s, i := installCalls(m, true), installCalls(m, false); s != 1 || i != 1 {
		t.Errorf("%d simulations and %d installations: %v", s, i, m.Ran)
	}
	asked := 0
	for _, c := range m.Ran {
		if slices.Contains(c.Args, "policy") {
			asked++
		}
	}
	if slices.ContainsFunc(m.Ran, func(c host.Cmd) bool { return slices.Contains(c.Args, "update") }) {
		t.Error("lists of today are fetched again")
	}
	if asked != 1 {
		t.Errorf("the sources are asked %d times in one attempt", asked)
	}
}

func TestAggregateInstallsTogetherAndReportsApart(t *testing.T) {
	m, env := newBench(hello())
	ctx := context.Background()
	first, second := bind(t, installedSpec(), "vim", nil), bind(t, installedSpec(), "hello", nil)
	first.(modules.Aggregator).Aggregate(ctx, env, []modules.StateFunc{second})
	var got []string
	for _, fn := range []modules.StateFunc{first, second} {
		if e, err := fn.Act(ctx, env, host.Forecast(m)); err != nil || !e.Alters() {
			t.Fatalf("forecast: %+v %v", e, err)
		}
		e, err := fn.Act(ctx, env, m)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, value.Repr(e.Changes))
		if e, err := fn.Act(ctx, env, host.Forecast(m)); err != nil || e.Alters() {
			t.Errorf("does not converge: %+v %v", e, err)
		}
	}
	if d := gocmp.Diff([]string{"{'vim': {'old': '', 'new': '2:9.1'}}", "{'hello': {'old': '', 'new': '2.0'}}"},
		got); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	if n := installCalls(m, false); n != 1 {
		t.Errorf("%d installations: %v", n, m.Ran)
	}
}

func TestNewPackagesMayBringAnything(t *testing.T) {
	m, env := newBench(hello(), "hello 1.0")
	for name, brings := range map[string]bool{"hello": false, "app": true} {
		over := host.Forecast(m)
		fn := bind(t, installedSpec(), name, value.DictOf("version", value.Str("latest")))
		if e, err := fn.Act(context.Background(), env, over); err != nil || !e.Alters() {
			t.Fatalf("%+v %v", e, err)
		}
		_, units := over.Fact(host.FactUnit, "*")
		_, commands := over.Fact(host.FactCommand, "*")
		if units != brings || commands != brings {
			t.Errorf("%s: units %t, commands %t", name, units, commands)
		}
	}
}

func TestListsAreFetchedAgainForNewSources(t *testing.T) {
	m, env := newBench(hello())
	ctx := context.Background()
	act := func(name string) error {
		_, err := bind(t, installedSpec(), name, nil).Act(ctx, env, m)
		return err
	}
	_ = m.RemoveAll("/var/lib/apt/lists")
	if err := act("vim"); err != nil {
		t.Fatal(err)
	}
	time.Sleep(5 * time.Millisecond) // the clock of files
	m.MustWrite("/etc/apt/sources.list.d/new.list", "", 0o644)
	for range 2 {
		if err := act("app"); err != nil {
			t.Fatal(err)
		}
	}
	n := 0
	for _, c := range m.Ran {
		if slices.Contains(c.Args, "update") {
			n++
		}
	}
	if n != 2 {
		t.Errorf("the lists were fetched %d times", n)
	}
}

// TestAggregateOfLists: beside a list of packages one that is given by name comes, too.
func TestAggregateOfLists(t *testing.T) {
	m, env := newBench(hello())
	list := value.DictOf("pkgs", value.NewList(value.Str("vim")))
	first, second := bind(t, installedSpec(), "tools", list), bind(t, installedSpec(), "hello", nil)
	first.(modules.Aggregator).Aggregate(t.Context(), env, []modules.StateFunc{second})
	if e, err := first.Act(t.Context(), env, m); err != nil ||
		value.Repr(e.Changes) != "{'vim': {'old': '', 'new': '2:9.1'}}" {
		t.Errorf("%s %v", value.Repr(e.Changes), err)
	}
	if db, err := readDatabase(m, "/var/lib/dpkg"); err != nil || db.Version("hello") != "2.0" {
		t.Errorf("hello is not there: %v", err)
	}
}

// TestProvided: what another package provides is there, and cannot be held.
func TestProvided(t *testing.T) {
	m, env := newBench(hello(), "mta 1.0")
	raw, _ := m.ReadFile("/var/lib/dpkg/status")
	m.MustWrite("/var/lib/dpkg/status", strings.Replace(string(raw), "Package: mta\n", "Package: mta\nProvides: mail\n",
		1),
		0o644)
	if e, err := bind(t, installedSpec(), "mail", nil).Act(t.Context(), env, m); err != nil || e.Alters() ||
		len(m.Ran) > 0 {
		t.Errorf("%+v %v, ran %v", e, err, m.Ran)
	}
}

// TestAnotherIsBroken: where all that was asked for is there, what apt says of another package is a warning.
func TestAnotherIsBroken(t *testing.T) {
	m, env := newBench(hello())
	apt := m.Script
	m.Script = func(c host.Cmd) (*host.Output, error) {
		out, err := apt(c)
		if slices.Contains(c.Args, "install") && !slices.Contains(c.Args, "-s") {
			out.Code, out.Stderr = 100, []byte("E: Sub-process /usr/bin/dpkg returned an error code (1)\n")
		}
		return out, err
	}
	e, err := bind(t, installedSpec(), "vim", nil).Act(t.Context(), env, m)
	if err != nil || len(e.Warnings) != 1 || value.Repr(e.Changes) != "{'vim': {'old': '', 'new': '2:9.1'}}" {
		t.Errorf("%v, warnings %v, %v", value.Repr(e.Changes), e.Warnings, err)
	}
}

// TestVerified: a package with a changed file is installed anew.
func TestVerified(t *testing.T) {
	m, env := newBench(hello(), "hello 2.0")
	apt := m.Script
	m.Script = func(c host.Cmd) (*host.Output, error) {
		if c.Args[0] == "dpkg" && c.Args[1] == "--verify" {
			return &host.Output{Stdout: []byte("??5?????? c /etc/hello\n??5??????   /usr/bin/hello\n")}, nil
		}
		return apt(c)
	}
	fn := bind(t, installedSpec(), "hello", value.DictOf("pkg_verify", value.Bool(true)))
	if e, err := fn.Act(t.Context(), env, m); err != nil || !e.Alters() || installCalls(m, false) != 1 {
		t.Errorf("%+v %v", e, err)
	}
}

// TestUptodateOfSome upgrades those of pkgs, and no others.
func TestUptodateOfSome(t *testing.T) {
	m, env := newBench(hello(), "hello 1.0", "vim 2:9.0")
	fn := bind(t, uptodateSpec(), "some", value.DictOf("pkgs", value.NewList(value.Str("vim"))))
	if e, err := fn.Act(t.Context(), env, m); err != nil ||
		value.Repr(e.Changes) != "{'vim': {'old': '2:9.0', 'new': '2:9.1'}}" {
		t.Errorf("%v %v", value.Repr(e.Changes), err)
	}
}

func TestHeldIsNotChanged(t *testing.T) {
	m, env := newBench(hello(), "vim 2:9.0 hold")
	_, err := bind(t, installedSpec(), "vim", value.DictOf("version", value.Str("2:9.1"))).Act(context.Background(), env,
		host.Forecast(m))
	if err == nil || err.Error() != "the package vim is held at version 2:9.0; update_holds: true changes held packages" {
		t.Errorf("error %v", err)
	}
	if e, err := bind(t, latestSpec(), "vim", nil).Act(t.Context(), env, m); err != nil || e.Alters() {
		t.Errorf("latest: %+v %v", e, err)
	}
}

// TestChanges: the shapes of Salt's changes.
func TestChanges(t *testing.T) {
	yes, no := value.Bool(true), value.Bool(false)
	pkgs := value.From([]string{"hello", "vim"})
	for _, tt := range []struct {
		spec      modules.StateSpec
		installed []string
		args      *value.Dict
		want      string
	}{
		{heldSpec(), []string{"hello 1.0"}, nil, "{'hello': {'name': 'hello', 'changes': {'old': 'install', 'new': " +
			"'hold'}, 'result': True, 'comment': 'Package hello is now being held.'}}"},
		{unheldSpec(), []string{"hello 1.0 hold"}, nil, "{'hello': {'name': 'hello', 'changes': {'old': 'hold', 'new': " +
			"'install'}, 'result': True, 'comment': 'Package hello is no longer being held.'}}"},
		{installedSpec(), []string{"hello 1.0"}, value.DictOf("hold", yes), "{'hello': {'old': 'install', 'new': 'hold'}}"},
		{installedSpec(), []string{"hello 1.0"}, value.DictOf("hold", yes, "version", value.Str("2.0")),
			"{'hello': {'old': '1.0\\ninstall', 'new': '2.0\\nhold'}}"},
		{installedSpec(), nil, value.DictOf("hold", yes), "{'hello': {'old': 'install', 'new': '2.0\\nhold'}}"},
		{installedSpec(), []string{"hello 1.0"}, value.DictOf("hold", yes, "pkgs", pkgs),
			"{'vim': {'old': 'install', 'new': '2:9.1\\nhold'}, 'hello': {'new': 'hold'}}"},
		{installedSpec(), []string{"hello 1.0 hold"}, value.DictOf("hold", no),
			"{'hello': {'old': 'hold', 'new': 'install'}}"},
		{installedSpec(), []string{"hello 1.0 purge"}, nil, "{'purge_desired': {'hello': {'old': '1.0', 'new': ''}}}"},
		{removedSpec(), []string{"hello 1.0"}, nil, "{'hello': {'old': '1.0', 'new': ''}}"},
		{removedSpec(), []string{"hello 1.0"}, value.DictOf("version", value.Str("<2")),
			"{'hello': {'old': '1.0', 'new': ''}}"},
		{purgedSpec(), []string{"hello 1.0"}, nil, "{'installed': {'hello': {'old': '1.0', 'new': ''}}, 'removed': {}}"},
		{purgedSpec(), []string{"hello 1.0 config-files"}, nil,
			"{'installed': {}, 'removed': {'hello': {'old': '1.0', 'new': ''}}}"},
	} {
		m, env := newBench(hello(), tt.installed...)
		for _, h := range []host.Host{host.Forecast(m), m} {
			if e, err := bind(t, tt.spec, "hello", tt.args).Act(context.Background(), env, h); err != nil ||
				value.Repr(e.Changes) != tt.want {
				t.Errorf("%s of %v: %v, %v; want %s", tt.spec.Name, tt.installed, value.Repr(e.Changes), err, tt.want)
			}
		}
	}
}

// TestHeldStaysHeld: what is held is held again after it was changed, as apt forgets it, unless it is to be released.
func TestHeldStaysHeld(t *testing.T) {
	for _, args := range []*value.Dict{
		value.DictOf("version", value.Str("2:9.1"), "update_holds", value.Bool(true)),
		value.DictOf("version", value.Str("2:9.1"), "update_holds", value.Bool(true), "hold", value.Bool(true)),
	} {
		m, env := newBench(hello(), "vim 2:9.0 hold")
		if _, err := bind(t, installedSpec(), "vim", args).Act(context.Background(), env, m); err != nil {
			t.Fatal(err)
		}
		if db, err := readDatabase(m, "/var/lib/dpkg"); err != nil || db.Version("vim") != "2:9.1" || !db.Held("vim") {
			t.Errorf("%v: %+v %v", value.Repr(args), db.Get("vim"), err)
		}
	}
}

// TestDownloaded shows what came.
func TestDownloaded(t *testing.T) {
	m, env := newBench(hello())
	e, err := bind(t, downloadedSpec(), "vim", nil).Act(t.Context(), env, m)
	if err != nil || value.Repr(e.Changes) != "{'vim': {'old': '', 'new': '2:9.1'}}" {
		t.Errorf("%v %v", value.Repr(e.Changes), err)
	}
}

// TestHeldNeedsThePackage: dpkg keeps no mark for what is not there.
func TestHeldNeedsThePackage(t *testing.T) {
	m, env := newBench(hello())
	if e, err := bind(t, heldSpec(), "vim", nil).Act(t.Context(), env, m); err == nil || e.Alters() {
		t.Errorf("%+v %v", e, err)
	}
}

// TestNotDownloaded: what apt says that it downloaded and that is not there is a failure.
func TestNotDownloaded(t *testing.T) {
	m, env := newBench(hello())
	m.Script = func(c host.Cmd) (*host.Output, error) {
		if slices.Contains(c.Args, "--download-only") {
			return &host.Output{}, nil
		}
		return hello().tools(m, c)
	}
	if e, err := bind(t, downloadedSpec(), "vim", nil).Act(context.Background(), env, m); err == nil || e.Changes != nil {
		t.Errorf("%+v %v", e, err)
	}
}

// TestFreshLists: a preview takes lists that were just fetched for what the run will fetch; older ones it knows nothing
// of.
func TestFreshLists(t *testing.T) {
	for age, known := range map[time.Duration]bool{time.Minute: true, time.Hour: false} {
		m, env := newBench(hello(), "vim 2:9.1")
		for _, f := range []string{"/var/lib/apt/lists", "/var/lib/apt/lists/x_Packages"} {
			if err := m.Chtimes(f, time.Now().Add(-age), time.Now().Add(-age)); err != nil {
				t.Fatal(err)
			}
		}
		over := host.NewOverlay(m)
		e, err := bind(t, latestSpec(), "vim", value.DictOf("refresh", value.Bool(true))).Act(context.Background(), env, over)
		if sure := over.Doubt() == nil; err != nil || e.Alters() || sure != known {
			t.Errorf("lists of %v: %+v %v, sure %t", age, e, err, sure)
		}
	}
}
