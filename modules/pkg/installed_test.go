package pkg

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A bench is a machine in memory with a scripted apt: what is installed and what the sources have.
type bench struct {
	*host.Memory
	env    *modules.Env
	offers map[string][]string // newest first
	calls  []string
}

func newBench(t *testing.T, installed map[string]string, offers map[string][]string) *bench {
	t.Helper()
	b := &bench{Memory: host.NewMemory(), offers: offers}
	b.env = &modules.Env{Cache: modules.NewCache(), Progress: func(string) {}, Low: &state.Low{}}
	b.setInstalled(installed, nil)
	b.MustWrite("/var/lib/apt/lists/x_Packages", "", 0o644)
	b.Script = b.apt
	return b
}

func (b *bench) setInstalled(versions map[string]string, held []string) {
	var s strings.Builder
	s.WriteString("Package: dpkg\nStatus: install ok installed\nArchitecture: amd64\nVersion: 1.21\n\n")
	for n, v := range versions {
		want := "install"
		if slices.Contains(held, n) {
			want = "hold"
		}
		fmt.Fprintf(&s, "Package: %s\nStatus: %s ok installed\nArchitecture: amd64\nVersion: %s\n\n", n, want, v)
	}
	b.MustWrite("/var/lib/dpkg/status", s.String(), 0o644)
}

// apt answers apt-cache policy and apt-get -s, and makes apt-get install change the database.
func (b *bench) apt(c host.Cmd) (*host.Output, error) {
	line := strings.Join(c.Args, " ")
	b.calls = append(b.calls, line)
	names := c.Args[slices.Index(c.Args, "--")+1:]
	var out strings.Builder
	switch {
	case strings.Contains(line, " policy "):
		for _, n := range names {
			if vs, ok := b.offers[n]; ok {
				fmt.Fprintf(&out, "%s:\n  Candidate: %s\n  Version table:\n", n, vs[0])
				for _, v := range vs {
					fmt.Fprintf(&out, "     %s 500\n", v)
				}
			}
		}
	case strings.Contains(line, " pkgnames"):
		for n := range b.offers {
			fmt.Fprintln(&out, n)
		}
	case strings.Contains(line, " -s "):
		for _, n := range names {
			name, v := b.pick(n)
			fmt.Fprintf(&out, "Inst %s (%s x [amd64])\n", name, v)
		}
	case strings.Contains(line, " install "):
		db, _ := readDatabase(b, "/var/lib/dpkg")
		now := db.Versions()
		for _, n := range names {
			name, v := b.pick(n)
			now[name] = v
		}
		b.setInstalled(now, nil)
	}
	return &host.Output{Stdout: []byte(out.String())}, nil
}

func (b *bench) pick(spec string) (name, version string) {
	name, version, ok := strings.Cut(spec, "=")
	if !ok {
		version = b.offers[name][0]
	}
	return name, version
}

func (b *bench) called(word string) int {
	n := 0
	for _, c := range b.calls {
		if strings.Contains(c, word) {
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

func TestInstalledCheck(t *testing.T) {
	offers := map[string][]string{"vim": {"2:9.1", "2:9.0"}, "git": {"2.40"}, "new": {"1.0"}}
	list := func(vs ...value.Value) value.Value { return value.NewList(vs...) }
	tests := []struct {
		name    string
		args    *value.Dict
		pending bool
		comment string
		err     string
	}{
		{"there", nil, false, "All specified packages are already installed", ""},
		{"absent", value.DictOf("pkgs", list(value.Str("new"), value.Str("vim"))), true, "The following packages would be installed/updated: new", ""},
		{"version", value.DictOf("version", value.Str("2:9.0")), false, "All specified packages are already installed and are at the desired version", ""},
		{"without epoch", value.DictOf("version", value.Str("9.0"), "ignore_epoch", value.Bool(true)), false, "All specified packages are already installed and are at the desired version", ""},
		{"newer", value.DictOf("version", value.Str(">=2:9.1")), true, "The following packages would be installed/updated: vim=2:9.1", ""},
		{"latest", value.DictOf("version", value.Str("latest")), true, "The following packages would be installed/updated: vim=2:9.1", ""},
		{"latest is there", value.DictOf("pkgs", list(value.DictOf("git", value.Str("latest")))), false, "All specified packages are already installed and are at the desired version", ""},
		{"older is refused by none", value.DictOf("version", value.Str("3")), false, "", "no version of vim is 3: the sources have 2:9.1, 2:9.0"},
		{"unknown", value.DictOf("pkgs", list(value.Str("gti"))), false, "", "Unable to locate package gti; did you mean git?"},
		{"updates allowed", value.DictOf("version", value.Str("1.0"), "allow_updates", value.Bool(true)), false, "All specified packages are already installed and are at the desired version", ""},
		{"none", value.DictOf("pkgs", list()), false, "No packages to install provided", ""},
		{"arch", value.DictOf("pkgs", list(value.Str("git:amd64"))), false, "All specified packages are already installed", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := newBench(t, map[string]string{"vim": "2:9.0", "git": "2.40"}, offers)
			f, err := modtest.Of(bind(t, installedSpec(), "vim", tt.args)).Check(context.Background(), b.env, b)
			if tt.err != "" {
				if err == nil || err.Error() != tt.err {
					t.Fatalf("error %v, want %s", err, tt.err)
				}
				return
			}
			if err != nil || f.Pending != tt.pending || f.Comment != tt.comment {
				t.Errorf("pending %t, comment %q, error %v", f.Pending, f.Comment, err)
			}
		})
	}
}

func TestInstalledAppliesOnce(t *testing.T) {
	b := newBench(t, nil, map[string][]string{"vim": {"9.1"}, "git": {"2.40"}})
	fn := bind(t, installedSpec(), "tools", value.DictOf("pkgs", value.NewList(value.Str("vim"), value.Str("git"))))
	f, err := modtest.Of(fn).Check(context.Background(), b.env, b)
	if err != nil {
		t.Fatal(err)
	}
	a, err := modtest.Of(fn).Apply(context.Background(), b.env, b, f)
	if err != nil {
		t.Fatal(err)
	}
	want := "{'git': {'old': '', 'new': '2.40'}, 'vim': {'old': '', 'new': '9.1'}}"
	if got := value.Repr(a.Changes); got != want {
		t.Errorf("changes %s, want %s", got, want)
	}
	if again, err := modtest.Of(fn).Check(context.Background(), b.env, b); err != nil || again.Pending {
		t.Errorf("does not converge: %+v %v", again, err)
	}
	if n := b.called(" install "); n != 2 { // the simulation and the installation
		t.Errorf("%d calls of apt-get install: %v", n, b.calls)
	}
}

func TestAggregateInstallsTogetherAndReportsApart(t *testing.T) {
	b := newBench(t, nil, map[string][]string{"vim": {"9.1"}, "git": {"2.40"}})
	ctx := context.Background()
	first := bind(t, installedSpec(), "vim", nil)
	second := bind(t, installedSpec(), "git", nil)
	first.(modules.Aggregator).Aggregate(ctx, b.env, []modules.StateFunc{second})
	var got []string
	for _, fn := range []modules.StateFunc{first, second} {
		f, err := modtest.Of(fn).Check(ctx, b.env, b)
		if err != nil || !f.Pending {
			t.Fatalf("check: %+v %v", f, err)
		}
		a, err := modtest.Of(fn).Apply(ctx, b.env, b, f)
		if err != nil {
			t.Fatal(err)
		}
		got = append(got, value.Repr(a.Changes))
		if f, err := modtest.Of(fn).Check(ctx, b.env, b); err != nil || f.Pending {
			t.Errorf("does not converge: %+v %v", f, err)
		}
	}
	if d := cmp.Diff([]string{"{'vim': {'old': '', 'new': '9.1'}}", "{'git': {'old': '', 'new': '2.40'}}"}, got); d != "" {
		t.Errorf("changes (-want +got):\n%s", d)
	}
	runs := 0
	for _, c := range b.calls {
		if strings.Contains(c, " install ") && !strings.Contains(c, " -s ") {
			runs++
		}
	}
	if runs != 1 {
		t.Errorf("%d installations: %v", runs, b.calls)
	}
}

func TestPromisesAreSeen(t *testing.T) {
	b := newBench(t, map[string]string{"vim": "9.0"}, map[string][]string{"vim": {"9.1"}, "git": {"2.40"}})
	ctx := context.Background()
	git := bind(t, installedSpec(), "git", nil)
	f, err := modtest.Of(git).Check(ctx, b.env, b)
	if err != nil || !f.Pending {
		t.Fatalf("%+v %v", f, err)
	}
	b.Promise(f.Effects...)
	if f, err = modtest.Of(git).Check(ctx, b.env, b); err != nil || f.Pending {
		t.Errorf("a promised package would be installed again: %+v %v", f, err)
	}
	if _, ok := b.Fact(host.FactUnit, "*"); !ok {
		t.Error("a new package does not promise that it may bring services")
	}
	f, err = modtest.Of(bind(t, removedSpec(), "git", nil)).Check(ctx, b.env, b)
	if err != nil || !f.Pending || value.Repr(f.Changes) != "{'git': {'old': '2.40', 'new': ''}}" {
		t.Errorf("removal of a promised package: %+v %v", f, err)
	}
}

func TestHeldIsNotChanged(t *testing.T) {
	b := newBench(t, nil, map[string][]string{"vim": {"9.1", "9.0"}})
	b.setInstalled(map[string]string{"vim": "9.0"}, []string{"vim"})
	_, err := modtest.Of(bind(t, installedSpec(), "vim", value.DictOf("version", value.Str("9.1")))).Check(context.Background(), b.env, b)
	if err == nil || err.Error() != "the package vim is held at version 9.0; update_holds: true changes held packages" {
		t.Errorf("error %v", err)
	}
	f, err := modtest.Of(bind(t, installedSpec(), "vim", value.DictOf("version", value.Str("9.1"), "update_holds", value.Bool(true)))).Check(context.Background(), b.env, b)
	if err != nil || !f.Pending {
		t.Errorf("%+v %v", f, err)
	}
}
