package requisite

import (
	"fmt"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"github.com/gostate/gostate/state"
)

// given is what a state of a test makes and needs.
type given struct {
	makes []state.Thing
	needs []state.Need
}

func related(of []given) func(int, *state.Relations) {
	return func(i int, r *state.Relations) {
		for _, m := range of[i].makes {
			r.Make(m.Kind, m.Name)
		}
		for _, n := range of[i].needs {
			r.Need(n.Tie, n.Name)
		}
	}
}

// edges are the automatic relationships of a plan as "who -> on what (why)".
func edges(p *Plan) []string {
	out := []string{}
	for _, l := range p.Low {
		for _, g := range p.Groups[l.Index] {
			if g.Mode != state.Automatic {
				continue
			}
			for to, q := range p.States(g.Targets) {
				out = append(out, fmt.Sprintf("%s -> %s (%s)", l.ID, to.ID, q.Tie.Said()))
			}
		}
	}
	return out
}

func leftOut(p *Plan) []string {
	out := []string{}
	for _, e := range p.LeftOut {
		out = append(out, fmt.Sprintf("%s -> %s (%s)", p.Low[e.From].ID, p.Low[e.To].ID, e.Req.Tie.Said()))
	}
	return out
}

func TestAutomatic(t *testing.T) {
	dir := func(p string) given {
		return given{[]state.Thing{{Kind: state.ThingPath, Name: p}}, []state.Need{{Tie: state.TieDirectory, Name: p}}}
	}
	with := func(g given, needs ...state.Need) given { g.needs = append(g.needs, needs...); return g }
	thing := func(k state.ThingKind, name string, needs ...state.Need) given {
		return given{[]state.Thing{{Kind: k, Name: name}}, needs}
	}
	need := func(tie state.Tie, name string) state.Need { return state.Need{Tie: tie, Name: name} }
	tests := []struct {
		name    string
		of      []given
		reqs    map[int][]state.Requisite // ID "s0", ...
		sls     []string
		stages  []string // of each state
		want    []string
		leftOut []string
	}{
		{name: "nearest above", of: []given{dir("/a/b/c/f"), dir("/a"), dir("/a/b/"), dir("/ab"), dir("/")},
			want: []string{"s0 -> s2 (its directory)", "s1 -> s4 (its directory)", "s2 -> s1 (its directory)",
				"s3 -> s4 (its directory)"}},
		{name: "nothing managed", of: []given{dir("/a/f"), dir("/b/f")}},
		{name: "relative", of: []given{dir("/d"), with(given{}, need(state.TieTarget, "d"), need(state.TieCwd, "."))}},
		{name: "owner and group", of: []given{with(given{}, need(state.TieOwner, "bob"), need(state.TieGroup, "web"),
			need(state.TieOwner, "1000")), thing(state.ThingUser, "bob", need(state.TieMember, "web")),
			thing(state.ThingGroup, "web")},
			want: []string{"s0 -> s1 (its owner)", "s0 -> s2 (its group)", "s1 -> s2 (a group that it is in)"}},
		{name: "a mount between", of: []given{dir("/mnt/x/f"), dir("/mnt/x"),
			with(thing(state.ThingMount, "/mnt/x"), need(state.TieFolder, "/mnt/x"), need(state.TieDirectory, "/mnt/x")),
			with(thing(state.ThingMount, "/mnt/x/y"), need(state.TieFolder, "/mnt/x/y"),
				need(state.TieDirectory, "/mnt/x/y"))},
			want: []string{"s0 -> s1 (its directory)", "s0 -> s2 (its directory)",
				"s2 -> s1 (the folder that it is mounted on)", "s3 -> s1 (its directory)", "s3 -> s2 (its directory)"}},
		{name: "two make it", of: []given{dir("/d"), dir("/d/f"), dir("/d")},
			want: []string{"s1 -> s0 (its directory)", "s1 -> s2 (its directory)"}},
		{name: "a link to itself", of: []given{with(dir("/l"), need(state.TieTarget, "/l/x"))}},
		{name: "links to each other", of: []given{with(dir("/a"), need(state.TieTarget, "/b")),
			with(dir("/b"), need(state.TieTarget, "/a"))},
			want: []string{"s1 -> s0 (what it leads to)"}, leftOut: []string{"s0 -> s1 (what it leads to)"}},
		{name: "the package of the SLS", of: []given{thing(state.ThingPackage, "nginx"), thing(state.ThingPackage, "vim"),
			with(given{}, need(state.TiePackage, "nginx")), with(given{}, need(state.TiePackage, "ssh"))},
			want: []string{"s2 -> s0 (its package)"}},
		{name: "the only package of the SLS", of: []given{{makes: []state.Thing{{Kind: state.ThingPackage, Name: "openssh"},
			{Kind: state.ThingPackage, Name: "more"}}}, with(given{}, need(state.TiePackage, "ssh"))},
			want: []string{"s1 -> s0 (its package)"}},
		{name: "a package of another SLS", of: []given{thing(state.ThingPackage, "ssh"),
			with(given{}, need(state.TiePackage, "ssh"))}, sls: []string{"a", "b"}},
		{name: "files of a unit", of: []given{dir("/etc/systemd/system/a.service"),
			dir("/etc/systemd/system/a.service.d/x.conf"), dir("/lib/systemd/system/b@.service"), dir("/etc/init.d/c"),
			dir("/etc/systemd/system/d.timer"), dir("/etc/systemd/user/a.service"),
			with(given{}, need(state.TieUnit, "a.service"), need(state.TieUnit, "b@.service"),
				need(state.TieUnit, "c.service"), need(state.TieUnit, "d.timer"))},
			want: []string{"s6 -> s0 (its unit file)", "s6 -> s1 (its unit file)", "s6 -> s2 (its unit file)",
				"s6 -> s3 (its unit file)", "s6 -> s4 (its unit file)"}},
		{name: "said already", of: []given{dir("/d"), dir("/d/f")}, reqs: map[int][]state.Requisite{1: {on("s0")}}},
		{name: "an onfail of what it stands on", of: []given{dir("/d"), dir("/d/f")},
			reqs: map[int][]state.Requisite{1: {{Kind: state.Onfail, To: state.Ref{Module: "t", Target: "s0"}}}}},
		{name: "what is written wins", of: []given{dir("/d/f"), dir("/d")}, reqs: map[int][]state.Requisite{1: {on("s0")}},
			leftOut: []string{"s0 -> s1 (its directory)"}},
		{name: "a circle over others", of: []given{dir("/d/f"), dir("/d"), {}, {}},
			reqs:    map[int][]state.Requisite{1: {on("s2")}, 2: {on("s3")}, 3: {on("s0")}},
			leftOut: []string{"s0 -> s1 (its directory)"}},
		{name: "a circle of two that are automatic", of: []given{dir("/d/f"), dir("/d"), with(dir("/e/f"),
			need(state.TieTarget, "/d/f")), with(dir("/e"), need(state.TieTarget, "/d"))},
			reqs:    map[int][]state.Requisite{1: {on("s2")}},
			want:    []string{"s0 -> s1 (its directory)", "s2 -> s3 (its directory)"},
			leftOut: []string{"s2 -> s0 (what it leads to)", "s3 -> s1 (what it leads to)"}},
		{name: "against the stages", of: []given{dir("/d/e/f"), dir("/d/e"), dir("/d"), dir("/d/g")},
			stages: []string{"pre", "main", "pre", "main"}, leftOut: []string{"s0 -> s1 (its directory)"}},
		{name: "one of two is left out", of: []given{dir("/d"), dir("/d/f"), dir("/d")},
			reqs: map[int][]state.Requisite{0: {on("s1")}},
			want: []string{"s1 -> s2 (its directory)"}, leftOut: []string{"s1 -> s0 (its directory)"}},
		{name: "a prereq is written, too", of: []given{dir("/d/f"), dir("/d")},
			reqs: map[int][]state.Requisite{0: {{Kind: state.Prereq, To: state.Ref{Module: "t", Target: "s1"}}}},
			want: []string{}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var low []*state.Low
			for i := range tt.of {
				l := &state.Low{Module: "t", ID: fmt.Sprintf("s%d", i), Name: fmt.Sprintf("s%d", i), Env: "base", SLS: "x",
					Index: i, Reqs: tt.reqs[i]}
				if tt.stages != nil {
					l.SetMeta().Stage = tt.stages[i]
				}
				if tt.sls != nil {
					l.SLS = tt.sls[i]
				}
				low = append(low, l)
			}
			list(low)
			opts := Options{Relate: related(tt.of)}
			if tt.stages != nil {
				opts.Stages = []string{"pre", "main"}
			}
			p, diags := Resolve(low, opts)
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(append([]string{}, tt.want...), edges(p)); diff != "" {
				t.Errorf("kept (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(append([]string{}, tt.leftOut...), leftOut(p)); diff != "" {
				t.Errorf("left out (-want +got):\n%s", diff)
			}
		})
	}
}

func on(id string) state.Requisite {
	return state.Requisite{Kind: state.Require, To: state.Ref{Module: "t", Target: id}}
}

// TestAutomaticProperties draws states with requisites of all kinds and with things that they make and need.
func TestAutomaticProperties(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		low := anyLow(t)
		of := make([]given, len(low))
		paths := []string{"/a", "/a/b", "/a/b/c", "/b", "/b/a"}
		for i := range of {
			for range rapid.IntRange(0, 2).Draw(t, "makes") {
				of[i].makes = append(of[i].makes, state.Thing{Name: rapid.SampledFrom(paths).Draw(t, "makes")})
			}
			for range rapid.IntRange(0, 3).Draw(t, "needs") {
				tie := rapid.SampledFrom([]state.Tie{state.TieDirectory, state.TieTarget, state.TieFolder}).Draw(t, "tie")
				of[i].needs = append(of[i].needs, state.Need{Tie: tie, Name: rapid.SampledFrom(paths).Draw(t, "needs")})
			}
		}
		without, _ := Resolve(low, Options{Lenient: true})
		p, _ := Resolve(low, Options{Lenient: true, Relate: related(of)})
		again, _ := Resolve(low, Options{Lenient: true, Relate: related(of)})
		if diff := cmp.Diff([][]string{{order(p)}, edges(p), leftOut(p)},
			[][]string{{order(again)}, edges(again), leftOut(again)}); diff != "" {
			t.Fatalf("resolved twice, it differs:\n%s", diff)
		}
		if len(p.Cycles) > 0 && len(without.Cycles) == 0 {
			t.Fatalf("%d cycles without, %d with automatic relationships: %v", len(without.Cycles), len(p.Cycles),
				p.Cycles)
		}
		place := permutation(t, p)
		keepOnlyReal(t, p)
		if len(p.Cycles) > 0 {
			return
		}
		if !slices.ContainsFunc(p.PrereqOf, func(of []int32) bool { return len(of) > 0 }) {
			closeCircles(t, p)
		}
		for _, l := range low {
			for _, g := range p.Groups[l.Index] {
				for to := range p.States(g.Targets) {
					if g.Mode == state.Automatic && place[to.Index] >= place[l.Index] {
						t.Fatalf("%s stands on %s, which runs later", l.ID, to.ID)
					}
				}
			}
		}
		anySteps(t, p)
	})
}

// TestLongCircles: one relationship of a circle of links is left out, whichever way they lead, in time that grows as it
// does: the square of 20,000 would be half a minute.
func TestLongCircles(t *testing.T) {
	const n = 20_000
	for _, step := range []int{1, n - 1} {
		low := make([]*state.Low, n)
		for i := range low {
			id := fmt.Sprintf("s%d", i)
			low[i] = &state.Low{Module: "t", ID: id, Name: id, Env: "base", SLS: "x", Index: i}
		}
		p, _ := Resolve(low, Options{Relate: func(i int, r *state.Relations) {
			r.Make(state.ThingPath, fmt.Sprintf("/l%d", i))
			r.Need(state.TieTarget, fmt.Sprintf("/l%d", (i+step)%n))
		}})
		if len(p.LeftOut) != 1 || len(edges(p)) != n-1 || len(p.Cycles) > 0 {
			t.Errorf("links to the %d-th behind them: %d left out, %d kept, %d circles", step, len(p.LeftOut), len(edges(p)),
				len(p.Cycles))
		}
	}
}

// closeCircles checks that what was left out would close a circle.
func closeCircles(t *rapid.T, p *Plan) {
	w := newWalk(p)
	for _, e := range p.LeftOut {
		seen, queue := map[int32]bool{e.To: true}, []int32{e.To}
		for len(queue) > 0 {
			x := queue[0]
			queue = queue[1:]
			for k := int32(0); ; k++ {
				c, ok := w.child(x, k)
				if !ok {
					break
				}
				if c != NotFound && !seen[c] {
					seen[c] = true
					queue = append(queue, c)
				}
			}
		}
		if !seen[e.From] && !seen[w.n+e.From] {
			t.Fatalf("%s -> %s was left out, and closes no circle", p.Low[e.From].ID, p.Low[e.To].ID)
		}
	}
}

// keepOnlyReal checks that no target of a group is one that was left out.
func keepOnlyReal(t *rapid.T, p *Plan) {
	for _, groups := range p.Groups {
		for _, g := range groups {
			if g.Mode == state.Automatic && (len(g.Targets) == 0 ||
				slices.ContainsFunc(g.Targets, func(t Target) bool { return t.Set == NotFound })) {
				t.Fatalf("a group of what was left out: %v", g)
			}
		}
	}
}
