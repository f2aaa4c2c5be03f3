package run_test

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/file"
	"github.com/gostate/gostate/modules/group"
	"github.com/gostate/gostate/modules/user"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// TestPropertyAutomatic: automatic relationships change nothing of what a tree comes to that converges without them,
// and never keep a tree from running. Each state says all that it wants: what a makedirs leaves open is the order's.
// Trees in which what is written contradicts what states stand on are not meant.
func TestPropertyAutomatic(t *testing.T) {
	registry, err := modules.New(file.Family(), user.Family(), group.Family())
	if err != nil {
		t.Fatal(err)
	}
	converging, moved := 0, 0
	check := func(rt *rapid.T) {
		low := drawMachine(rt)
		bound := make([]modules.StateFunc, len(low))
		for i, l := range low {
			spec, _ := registry.Lookup(l.Module, l.Func)
			fn, faults := modules.Bind(spec, l)
			if fn == nil {
				rt.Fatalf("%s: %v", l.Fun(), faults)
			}
			bound[i] = fn
		}
		plain, bad := requisite.Resolve(low, requisite.Options{})
		if bad.HasErrors() {
			return // a cycle of what is written
		}
		auto, bad := requisite.Resolve(low, requisite.Options{Relate: func(i int, r *state.Relations) {
			modules.Relate(low[i], bound[i], r)
		}})
		if err := bad.Err(); err != nil {
			rt.Fatal(err)
		}
		if len(auto.LeftOut) > 0 {
			return // what is written contradicts the machine: /srv requires /srv/a, which only a third state's makedirs saves
		}
		want, ok := comesTo(plain, bound)

		if !ok {
			return
		}
		converging++
		if !slices.Equal(plain.Order, auto.Order) {
			moved++
		}
		got, ok := comesTo(auto, bound)
		if !ok {
			rt.Fatalf("it converges without automatic relationships only:\n%s", got)
		}
		if diff := cmp.Diff(want, got); diff != "" {
			rt.Fatalf("(-without +with automatic relationships):\n%s", diff)
		}
	}
	for range 3 { // a third of the trees converges, and in a quarter of these something moves
		rapid.Check(t, check)
	}
	if moved == 0 {
		t.Errorf("of %d trees that converged none ran in another order: this tests nothing", converging)
	}
}

// comesTo runs a plan twice on a new machine and gives what is there then, and whether the second run had nothing to do
// and nothing failed.
func comesTo(plan *requisite.Plan, bound []modules.StateFunc) (string, bool) {
	m, quiet := machineWithAccounts(), true
	var failed strings.Builder
	for n := range 2 {
		rep := run.Run(context.Background(), run.Config{Plan: plan, Bound: bound, Host: m, Env: noEnv})
		for _, r := range rep.Results {
			if r.Outcome != state.Succeeded || n > 0 && r.Changed() {
				quiet = false
				fmt.Fprintf(&failed, "%d: %s: %s\n", n, r.ID, r.Comment)
			}
		}
	}
	if !quiet {
		return failed.String(), false
	}
	return tree(m, "/"), true
}

// tree is all that is below a directory.
func tree(h host.Reader, dir string) string {
	var b strings.Builder
	entries, _ := h.ReadDir(dir)
	for _, e := range entries {
		p := path.Join(dir, path.Base(e.Path))
		i, err := h.Lstat(p)
		if err != nil {
			continue
		}
		text, _ := h.ReadFile(p)
		target, _ := h.Readlink(p)
		fmt.Fprintf(&b, "%s %v %d:%d %q -> %q\n", p, i.Mode, i.UID, i.GID, text, target)
		if i.IsDir() {
			b.WriteString(tree(h, p))
		}
	}
	return b.String()
}

// machineWithAccounts knows useradd and groupadd, as far as the states of drawMachine call them.
func machineWithAccounts() *hosttest.Memory {
	m := hosttest.NewMemory()
	m.MustWrite("/etc/shadow", "root:*:19000:0:99999:7:::\n", 0o640)
	for _, tool := range []string{"useradd", "groupadd"} {
		m.MustWrite("/usr/bin/"+tool, "", 0o755)
	}
	m.Script = func(c host.Cmd) (*host.Output, error) {
		words := c.Args
		name, option := words[len(words)-1], func(o string) string {
			if i := slices.Index(words, o); i >= 0 {
				return words[i+1]
			}
			return ""
		}
		add := func(p, line string) {
			old, _ := m.ReadFile(p)
			m.MustWrite(p, string(old)+line+"\n", 0o644)
			m.Invalidate("accounts")
		}
		switch words[0] {
		case "groupadd":
			add("/etc/group", fmt.Sprintf("%s:x:%s:", name, option("-g")))
		case "useradd":
			add("/etc/passwd", fmt.Sprintf("%s:x:%s:%s::/home/%s:/bin/sh", name, option("-u"), option("-g"), name))
			add("/etc/shadow", name+":!:19000:0:99999:7:::")
		default:
			return nil, fmt.Errorf("no %s here", words[0])
		}
		return &host.Output{}, nil
	}
	m.Invalidate("")
	return m
}

// drawMachine draws files, directories, links, users and groups, in any order, some with requisites.
func drawMachine(t *rapid.T) []*state.Low {
	var low []*state.Low
	add := func(fun, name string, args ...any) {
		l := &state.Low{ID: name, Name: name, SLS: "a", Env: "base", Args: value.DictOf(args...)}
		l.Module, l.Func, _ = strings.Cut(fun, ".")
		low = append(low, l)
	}
	add("group.present", "staff", "gid", value.Int(2000))
	add("user.present", "alice", "uid", value.Int(2001), "gid", value.Int(2000), "createhome", value.Bool(false))
	owner := func() []any {
		if rapid.IntRange(0, 2).Draw(t, "owner") > 0 { // whoever makes directories on the way leaves them to root
			return []any{"user", value.Str("root"), "group", value.Str("root"), "makedirs", value.Bool(true)}
		}
		return []any{"user", value.Str("alice"), "group", value.Str("staff")}
	}
	paths := []string{"/srv", "/srv/a", "/srv/a/b", "/srv/l", "/srv/a/b/c", "/srv/a/b/f", "/srv/d", "/srv/l/x"}
	for i, p := range paths {
		kind := rapid.IntRange(0, 3).Draw(t, p)
		switch {
		case kind == 3 && i > 3: // else a makedirs would leave a directory open, to whoever comes first
		case kind == 2 && i > 2:
			target := rapid.SampledFrom(append(paths, "nowhere", "/nowhere", "a")).Draw(t, "target")
			add("file.symlink", p, append(owner(), "target", value.Str(target))...)
		case kind == 0 || i < 4:
			add("file.directory", p, append(owner(), "mode", value.Str("0750"))...)
		default:
			add("file.managed", p, append(owner(), "mode", value.Str("0640"), "contents", value.Str(p))...)
		}
	}
	if rapid.Bool().Draw(t, "shuffled") {
		low = rapid.Permutation(low).Draw(t, "order")
	}
	for i, l := range low {
		l.Index = i
		if rapid.IntRange(0, 5).Draw(t, "requires") == 0 {
			to := low[rapid.IntRange(0, len(low)-1).Draw(t, "to")]
			if to != l {
				l.Reqs = []state.Requisite{{Kind: state.Require, To: state.Ref{Module: to.Module, Target: to.ID}}}
			}
		}
	}
	return low
}
