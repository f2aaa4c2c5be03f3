package requisite

import (
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
)

// lows makes low states of lines "module ID [name=N] [sls=S] kind:ref ...", a ref being "module=target" or "target".
func lows(t *testing.T, lines ...string) []*state.Low {
	t.Helper()
	kinds := map[string]state.KindRow{}
	for _, r := range state.Kinds() {
		kinds[r.Key] = r
	}
	var out []*state.Low
	for n, line := range lines {
		words := strings.Fields(line)
		l := &state.Low{Module: words[0], ID: words[1], Name: words[1], Func: "nop", SLS: "a", Env: "base", Index: n,
			Pos: diag.Pos{File: "a.sls", Line: n + 1, Col: 1}}
		for i, w := range words[2:] {
			key, rest, _ := strings.Cut(w, ":")
			module, target, ok := strings.Cut(rest, "=")
			if !ok {
				module, target = "id", rest
			}
			switch {
			case key == "name":
				l.Name = rest
			case key == "sls":
				l.SLS = rest
			case key == "stage":
				l.SetMeta().Stage = rest
			case key == "listen_in", key == "before", key == "notify":
				kind := map[string]state.Kind{"listen_in": state.Listen, "before": state.Require, "notify": state.Subscribe}[key]
				l.In = append(l.In, state.Requisite{Kind: kind, In: true, To: state.Ref{Module: module, Target: target},
					Pos: diag.Pos{File: "a.sls", Line: n + 1, Col: i + 5}})
			default:
				r, known := kinds[key]
				if !known {
					t.Fatalf("no kind %q", key)
				}
				l.Reqs = append(l.Reqs, state.Requisite{Kind: r.Kind, Mode: r.Mode, To: state.Ref{Module: module, Target: target},
					Pos: diag.Pos{File: "a.sls", Line: n + 1, Col: i + 5}})
			}
		}
		out = append(out, l)
	}
	list(out)
	return out
}

// list notes what has a state as prereq, as Compile does.
func list(low []*state.Low) {
	for _, l := range low {
		for _, q := range l.Reqs {
			if q.Kind != state.Prereq {
				continue
			}
			for _, to := range low {
				named := q.To.Target == to.SLS && q.To.Module == "sls" || (q.To.Target == to.ID || q.To.Target == to.Name) &&
					(q.To.Module == to.Module || q.To.Module == "id")
				if named {
					to.Prerequired = append(to.Prerequired, state.ReqItem{Module: l.Module, Target: l.ID})
				}
			}
		}
	}
}

func order(p *Plan) string {
	var ids []string
	for _, l := range p.Order {
		ids = append(ids, l.ID)
	}
	return strings.Join(ids, " ")
}

func TestOrder(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"as listed", []string{"t a", "t b", "t c"}, "a b c"},
		{"moves only what it must", []string{"t a require:t=d", "t b", "t c", "t d"}, "d a b c"},
		{"depth first, as written", []string{"t a require:t=c require:t=b", "t b require:t=d", "t c", "t d"}, "c d b a"},
		{"by name", []string{"t a require:t=/etc/x", "t b name:/etc/x"}, "b a"},
		{"bare", []string{"t a require:b", "u b"}, "b a"},
		{"another module", []string{"t a require:u=b", "t b", "u b"}, "b a b"},
		{"pattern", []string{"t a require:t=b*", "t c", "t b1", "t b2"}, "b1 b2 a c"},
		{"SLS", []string{"t a require:sls=n*", "t b", "t c sls:net", "t d sls:net"}, "c d a b"},
		{"prereq", []string{"t a", "t b require:t=d", "t c prereq:t=b", "t d"}, "a d c b"},
		{"prereq earlier", []string{"t c prereq:t=b", "t b require:t=d", "t d"}, "d c b"},
		{"prereq chain", []string{"t a", "t b prereq:t=a", "t c prereq:t=b"}, "c b a"},
		{"listen says nothing", []string{"t a listen:t=b", "t b"}, "a b"},
		{"use says nothing", []string{"t a use:t=b", "t b"}, "a b"},
		{"onfail_all", []string{"t a onfail_all:t=b", "t b"}, "b a"},
	} {
		t.Run(c.name, func(t *testing.T) {
			p, diags := Resolve(lows(t, c.lines...), Options{})
			if err := diags.Err(); err != nil {
				t.Fatal(err)
			}
			if got := order(p); got != c.want {
				t.Errorf("order %q, want %q", got, c.want)
			}
		})
	}
}

func TestFaults(t *testing.T) {
	for _, c := range []struct {
		name  string
		lines []string
		want  string
	}{
		{"missing", []string{"pkg httpd", "t a require:pkg=htpd"},
			"a.sls:2:5: 'require' of ID 'a' in SLS 'a' names 'pkg: htpd', which does not exist (did you mean 'pkg: httpd'?)"},
		{"missing in another module", []string{"pkg httpd", "t a require:t=httpd"},
			"a.sls:2:5: 'require' of ID 'a' in SLS 'a' names 't: httpd', which does not exist (did you mean 'pkg: httpd'?)"},
		{"missing bare", []string{"t a watch:gone"}, "a.sls:1:5: 'watch' of ID 'a' in SLS 'a' names 'gone', which does not " +
			"exist (include the SLS that declares it)"},
		{"missing module", []string{"t a onfail_all:pkg=httpd"},
			"a.sls:1:5: 'onfail_all' of ID 'a' in SLS 'a' names 'pkg: httpd', which does not exist (no state of module 'pkg' " +
				"is part of this run; include the SLS that declares it)"},
		{"missing SLS", []string{"t a sls:web require:sls=netwrk"},
			"a.sls:1:6: 'require' of ID 'a' in SLS 'web' names 'sls: netwrk', which does not exist (add 'netwrk' to include)"},
		{"missing pattern", []string{"t a require:t=b*"}, "a.sls:1:5: 'require' of ID 'a' in SLS 'a' names 't: b*', which " +
			"does not exist (include the SLS that declares it)"},
		{"missing listen", []string{"t a listen:t=gone"}, "a.sls:1:5: 'listen' of ID 'a' in SLS 'a' names 't: gone', which " +
			"does not exist (include the SLS that declares it)"},
		{"two missing", []string{"t a require:t=gone", "t b prereq:t=lost"},
			"a.sls:1:5: 'require' of ID 'a' in SLS 'a' names 't: gone', which does not exist (include the SLS that declares " +
				"it)\n" +
				"a.sls:2:5: 'prereq' of ID 'b' in SLS 'a' names 't: lost', which does not exist (include the SLS that declares it)"},
		{"itself", []string{"t a require:t=a"}, "a.sls:1:5: requisite cycle: t: a -> t: a (remove one of these requisites)"},
		{"two", []string{"t a require:t=b", "t b watch:t=a"},
			"a.sls:1:5: requisite cycle: t: a -> t: b -> t: a (remove one of these requisites)"},
		{"the shortest of a knot", []string{"t a require:t=b", "t b require:t=c", "t c require:t=d",
			"t d require:t=a require:t=c"},
			"a.sls:3:5: requisite cycle: t: c -> t: d -> t: c (remove one of these requisites)"},
		{"prereq", []string{"t a prereq:t=b require:t=b", "t b"},
			"a.sls:1:6: requisite cycle: t: a -> t: b -> t: a (remove one of these requisites)"},
		{"through an SLS", []string{"t a require:sls=n", "t b sls:n require:t=a"},
			"a.sls:1:5: requisite cycle: t: a -> t: b -> t: a (remove one of these requisites)"},
		{"two knots", []string{"t a require:t=a", "t b onfail:t=c", "t c onchanges:t=b"},
			"a.sls:1:5: requisite cycle: t: a -> t: a (remove one of these requisites)\n" +
				"a.sls:2:5: requisite cycle: t: b -> t: c -> t: b (remove one of these requisites)"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, diags := Resolve(lows(t, c.lines...), Options{Known: []string{"netwrk"}})
			var got []string
			for _, d := range diags.All {
				got = append(got, d.Error()+" ("+d.Hint+")")
				if strings.Contains(d.Msg, "cycle") && len(d.Related) == 0 {
					t.Error("the edges have no places")
				}
			}
			if diff := cmp.Diff(c.want, strings.Join(got, "\n")); diff != "" {
				t.Errorf("(-want +got):\n%s", diff)
			}
		})
	}
}

func TestLenient(t *testing.T) {
	p, diags := Resolve(lows(t, "t a require:t=gone", "t b listen_in:t=lost"), Options{Lenient: true})
	if diags.HasErrors() || len(diags.All) != 2 {
		t.Errorf("diagnostics %v", diags.All)
	}
	if p.Groups[0][0].Targets[0].Set != NotFound || order(p) != "a b" {
		t.Errorf("plan %+v", p.Groups)
	}
	if _, diags := Resolve(lows(t, "t b listen_in:t=lost"), Options{Strict: true}); !diags.HasErrors() {
		t.Error("strict: a missing listen_in is no error")
	}
}

func TestWatchWithoutModWatch(t *testing.T) {
	p, _ := Resolve(lows(t, "t x", "t y", "f a require_any:t=y watch:t=x require:t=y"),
		Options{HasModWatch: func(m string) bool { return m != "f" }})
	var got []string
	for _, g := range p.Groups[2] {
		for l, q := range p.States(g.Targets) {
			got = append(got, g.Kind.Key(g.Mode)+" "+l.ID+" as "+q.Kind.Key(q.Mode))
		}
	}
	want := []string{"require y as require", "require x as watch", "require_any y as require_any"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestListens(t *testing.T) {
	p, _ := Resolve(lows(t, "t a listen:t=c", "t b", "t c listen_in:t=b listen_in:t=a", "u c"), Options{})
	var got []string
	for _, l := range p.Listens {
		for to := range p.States(l.Targets) {
			got = append(got, l.Low.ID+" to "+to.Module+" "+to.ID)
		}
	}
	if diff := cmp.Diff([]string{"a to t c", "b to t c", "a to t c"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if len(p.Listeners) != 2 || p.Listeners[0].Low.ID != "a" {
		t.Errorf("listeners %v", p.Listeners)
	}
}

func TestListenTakesPatterns(t *testing.T) {
	p, diags := Resolve(lows(t, "t a listen:t=b*", "t b1", "t b2"), Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if n := len(p.Sets[p.Listens[0].Targets[0].Set]); n != 2 {
		t.Errorf("the pattern means %d states", n)
	}
}

// TestSetsAreShared: equal references cost one set, whatever their number.
func TestSetsAreShared(t *testing.T) {
	var lines []string
	for i := range 100 {
		lines = append(lines, fmt.Sprintf("t n%d sls:net", i), fmt.Sprintf("t a%d require:sls=net require:t=n1*", i))
	}
	p, diags := Resolve(lows(t, lines...), Options{})
	if err := diags.Err(); err != nil {
		t.Fatal(err)
	}
	if len(p.Sets) != 2 {
		t.Errorf("%d sets", len(p.Sets))
	}
}

// TestDeepChains would overflow a recursive walk.
func TestDeepChains(t *testing.T) {
	const n = 100_000
	for _, s := range shapes()[1:3] {
		low, diags := state.Compile(s.high(n), state.CompileOptions{})
		p, more := Resolve(low, Options{})
		diags.Add(more.All...)
		if err := diags.Err(); err != nil {
			t.Fatal(err)
		}
		first, last := p.Order[0].ID, p.Order[n-1].ID
		if s.name == "forward chain" {
			first, last = last, first
		}
		if first != id(0) || last != id(n-1) {
			t.Errorf("%s: from %s to %s", s.name, p.Order[0].ID, p.Order[n-1].ID)
		}
	}
}

// TestTable has one line per row.
func TestTable(t *testing.T) {
	for _, r := range state.Kinds() {
		if got := state.KindOf(r.Kind, r.Mode); got != r {
			t.Errorf("state.KindOf(%v, %v) = %+v", r.Kind, r.Mode, got)
		}
		if r.Kind.Key(r.Mode) != r.Key {
			t.Errorf("key %q of %+v", r.Kind.Key(r.Mode), r)
		}
		if r.Before && r.After {
			t.Errorf("%s is before and after", r.Key)
		}
	}
}

func TestNeeded(t *testing.T) {
	p, _ := Resolve(lows(t, "t a", "t b require:t=c", "t c prereq:t=d", "t d require:t=e", "t e", "t f prereq:t=b",
		"t g require:t=b"), Options{})
	var got []string
	for _, l := range p.Needed(func(l *state.Low) bool { return l.ID == "b" }) {
		got = append(got, l.ID)
	}
	if diff := cmp.Diff("b c d e f", strings.Join(got, " ")); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}
