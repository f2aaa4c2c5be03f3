package run_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/requisite"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// A fake is a state function made of its steps.
type fake struct {
	check func(n int, h host.Reader) (forecast, error)
	apply func(n int, h host.Host) (applied, error)
	watch *fake
	n     int   // checks so far
	m     int   // applies so far
	never error // what a forecast of applying gives
}

// A forecast is what a fake finds to do, and applied what it did.
type forecast struct {
	Pending  bool
	Changes  state.Changes
	Comment  string
	Effects  []host.Fact
	Action   bool
	Warnings []string
}

type applied struct {
	Changes  state.Changes
	Comment  string
	Warnings []string
}

// Act checks, then promises its effects to an overlay, or applies.
func (f *fake) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := f.Check(ctx, env, h)
	e := state.Effect{Changes: c.Changes, Comment: c.Comment, Warnings: c.Warnings, Pending: c.Pending, Once: c.Action}
	if err != nil || !c.Pending {
		e.Changes = nil
		return e, err
	}
	err = h.Do(ctx, host.Deed{What: "apply", Do: func(ctx context.Context) error {
		a, err := f.Apply(ctx, env, h, c)
		e.Changes, e.Warnings = a.Changes, append(e.Warnings, a.Warnings...)
		if a.Comment != "" || err != nil {
			e.Comment = a.Comment
		}
		return err
	}, Foretell: func(o host.Host) error { o.Promise(c.Effects...); return f.never }})
	return e, err
}

func (f *fake) Check(_ context.Context, _ *modules.Env, h host.Reader) (forecast, error) {
	f.n++
	if f.check == nil {
		return forecast{}, nil
	}
	return f.check(f.n, h)
}

func (f *fake) Apply(_ context.Context, _ *modules.Env, h host.Host, _ forecast) (applied, error) {
	f.m++
	if f.apply == nil {
		return applied{Changes: done()}, nil
	}
	return f.apply(f.m, h)
}

func (f *fake) ModWatch() modules.StateFunc {
	if f.watch == nil {
		return &fake{}
	}
	return f.watch
}

func done() state.Changes { return value.DictOf("new", value.Str("done")) }

// changing is pending until it is applied; acting always.
func changing() *fake {
	f := &fake{}
	f.check = func(int, host.Reader) (forecast, error) {
		return forecast{Pending: f.m == 0, Changes: done(), Comment: "would"}, nil
	}
	return f
}

func acting() *fake {
	return &fake{check: func(int, host.Reader) (forecast, error) {
		return forecast{Pending: true, Action: true, Comment: "would act"}, nil
	}}
}

func failing() *fake {
	return &fake{check: func(int, host.Reader) (forecast, error) { return forecast{}, errors.New("broken") }}
}

// A step is one state of a test's tree.
type step struct {
	id   string
	fn   modules.StateFunc
	reqs []state.Requisite
	opts state.Options
	meta state.Meta
}

func need(k state.Kind, m state.Mode, ids ...string) []state.Requisite {
	var out []state.Requisite
	for _, id := range ids {
		out = append(out, state.Requisite{Kind: k, Mode: m, To: state.Ref{Module: "fake", Target: id}})
	}
	return out
}

func planOf(t testing.TB, steps []step) (*requisite.Plan, []modules.StateFunc) {
	t.Helper()
	var low []*state.Low
	var bound []modules.StateFunc
	for i, s := range steps {
		low = append(low, &state.Low{ID: s.id, Name: s.id, Module: "fake", Func: "fun", SLS: "a", Env: "base",
			Args: value.NewDict(0), Reqs: s.reqs, Order: float64(i), Index: i})
		*low[i].SetOpts() = s.opts
		*low[i].SetMeta() = s.meta
		bound = append(bound, s.fn)
	}
	for _, l := range low { // as Compile does
		for _, q := range l.Reqs {
			for _, to := range low {
				if q.Kind == state.Prereq && q.To.Target == to.ID {
					to.Prerequired = append(to.Prerequired, state.ReqItem{Module: l.Module, Target: l.ID})
				}
			}
		}
	}
	plan, bad := requisite.Resolve(low, requisite.Options{Lenient: true})
	if len(plan.Cycles) > 0 {
		t.Fatal(bad)
	}
	return plan, bound
}

func runSteps(t testing.TB, cfg run.Config, steps ...step) *run.Report {
	t.Helper()
	cfg.Plan, cfg.Bound = planOf(t, steps)
	if cfg.Host == nil {
		cfg.Host = hosttest.NewMemory()
	}
	if cfg.Preview {
		cfg.Host = host.NewOverlay(cfg.Host)
	}
	cfg.Env = noEnv
	cfg.Sleep = func(context.Context, time.Duration) {}
	return run.Run(context.Background(), cfg)
}

// brief is "id result how[: comment]" of each result.
func brief(rep *run.Report, comments bool) []string {
	var out []string
	for _, r := range rep.Results {
		how := [...]string{"called", "watched", "listened", "conditional", "onchanges", "onfail", "prereq", "requisite",
			"not run", "left", "unscheduled"}[r.How]
		line := fmt.Sprintf("%s %s %s", r.ID, [...]string{"true", "false", "null"}[r.Outcome], how)
		if r.Changed() {
			line += " changed"
		}
		if comments {
			line += ": " + r.Comment
		}
		out = append(out, line)
	}
	for _, l := range rep.NotRun {
		out = append(out, l.ID+" left")
	}
	return out
}

// TestKinds has a row for each kind and mode of requisite, and for each thing that its targets can do.
func TestKinds(t *testing.T) {
	targets := map[string]func() *fake{"ok": func() *fake { return &fake{} }, "changed": changing, "failed": failing}
	for _, c := range []struct {
		kind    state.Kind
		mode    state.Mode
		a, b    string
		want    string // in a run
		preview string // where it differs
	}{
		{state.Require, state.All, "ok", "changed", "true called", ""},
		{state.Require, state.All, "ok", "failed", "false requisite", ""},
		{state.Require, state.Any, "ok", "failed", "true called", ""},
		{state.Require, state.Any, "failed", "failed", "false requisite", ""},
		{state.Watch, state.All, "ok", "ok", "true called", ""},
		{state.Watch, state.All, "ok", "changed", "true watched changed", "null watched changed"},
		{state.Watch, state.All, "failed", "changed", "false requisite", ""},
		{state.Watch, state.Any, "failed", "changed", "true watched changed", "null watched changed"},
		{state.Subscribe, state.All, "ok", "ok", "true called", ""},
		{state.Subscribe, state.All, "ok", "changed", "true watched changed", "null watched changed"},
		{state.Subscribe, state.All, "failed", "changed", "false requisite", ""},
		{state.Onchanges, state.All, "ok", "changed", "true called", ""},
		{state.Onchanges, state.All, "ok", "ok", "true onchanges", ""},
		{state.Onchanges, state.All, "failed", "changed", "false requisite", ""},
		{state.Onchanges, state.Any, "failed", "changed", "true called", ""},
		{state.Onchanges, state.Any, "ok", "ok", "true onchanges", ""},
		{state.Onfail, state.All, "ok", "changed", "true onfail", ""},
		{state.Onfail, state.All, "ok", "failed", "true called", ""},
		{state.Onfail, state.Any, "ok", "failed", "true called", ""},
		{state.Onfail, state.Every, "ok", "failed", "true onfail", ""},
		{state.Onfail, state.Every, "failed", "failed", "true called", ""},
		{state.Listen, state.All, "ok", "changed", "true listened changed", "null listened changed"},
		{state.Listen, state.All, "ok", "ok", "true called", ""},
	} {
		for _, preview := range []bool{false, true} {
			name := fmt.Sprintf("%s of %s and %s, preview %v", state.KindOf(c.kind, c.mode).Key, c.a, c.b, preview)
			t.Run(name, func(t *testing.T) {
				s := &fake{watch: acting()}
				s.watch.check = func(int, host.Reader) (forecast, error) {
					return forecast{Pending: true, Action: true, Changes: done()}, nil
				}
				rep := runSteps(t, run.Config{Preview: preview}, step{id: "a", fn: targets[c.a]()},
					step{id: "b", fn: targets[c.b]()},
					step{id: "s", fn: s, reqs: need(c.kind, c.mode, "a", "b")})
				want := c.want
				if preview && c.preview != "" {
					want = c.preview
				}
				lines := brief(rep, false)
				if _, got, _ := strings.Cut(lines[len(lines)-1], " "); got != want {
					t.Errorf("got %q, want %q", got, want)
				}
			})
		}
	}
}

func TestPrereq(t *testing.T) {
	for _, c := range []struct {
		name   string
		a      func() *fake
		target func() *fake
		want   []string
	}{
		{"the target would change", acting, changing, []string{"a true called changed: would act",
			"b true called changed: would"}},
		{"the target would not change", acting, func() *fake { return &fake{} },
			[]string{"a true prereq: No changes detected", "b true called: "}},
		{"the target cannot be checked", acting, failing, []string{"a false requisite: One or more requisite failed: a.b",
			"b false requisite: broken"}},
		{"the state fails", failing, changing, []string{"a false called: broken", "b null requisite: would"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := runSteps(t, run.Config{}, step{id: "a", fn: c.a(), reqs: need(state.Prereq, state.All, "b")},
				step{id: "b", fn: c.target()})
			if d := cmp.Diff(c.want, brief(rep, true)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestConvergence(t *testing.T) {
	stuck := &fake{check: func(int, host.Reader) (forecast, error) {
		return forecast{Pending: true, Changes: value.DictOf("mode", value.Str("0644"))}, nil
	}}
	rep := runSteps(t, run.Config{}, step{id: "stuck", fn: stuck},
		step{id: "after", fn: &fake{}, reqs: need(state.Require, state.All, "stuck")})
	want := []string{"stuck false called changed: did not converge: after it was applied it still differs in mode",
		"after false requisite: One or more requisite failed: a.stuck"}
	if d := cmp.Diff(want, brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if rep.Results[1].Cause != rep.Results[0] {
		t.Error("the second failure does not carry its root cause")
	}
}

func TestFailhard(t *testing.T) {
	yes := true
	for _, c := range []struct {
		name string
		cfg  run.Config
		opts state.Options
		want []string
	}{
		{"of the configuration", run.Config{Failhard: true}, state.Options{},
			[]string{"a true called changed", "b false called", "listener_z true listened", "c left", "z left"}},
		{"of the state", run.Config{}, state.Options{Failhard: &yes},
			[]string{"a true called changed", "b false called", "listener_z true listened", "c left", "z left"}},
		{"is nothing to a preview", run.Config{Failhard: true, Preview: true}, state.Options{},
			[]string{"a null called changed", "b false called", "c true called", "z true called", "listener_z true listened"}},
		{"with many jobs", run.Config{Failhard: true, Jobs: 8}, state.Options{},
			[]string{"a true called changed", "b false called", "listener_z true listened", "c left", "z left"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			rep := runSteps(t, c.cfg, step{id: "a", fn: changing()}, step{id: "b", fn: failing(), opts: c.opts},
				step{id: "c", fn: &fake{}},
				step{id: "z", fn: &fake{}, reqs: need(state.Listen, state.All, "a")})
			if d := cmp.Diff(c.want, brief(rep, false)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestReload: grains and pillar are read anew behind a state that has changed something.
func TestReload(t *testing.T) {
	var got []string
	opts := state.Options{ReloadGrains: true, ReloadPillar: true}
	runSteps(t, run.Config{Reload: func(l *state.Low) { got = append(got, l.ID) }},
		step{id: "changes", fn: changing(), opts: opts}, step{id: "is quiet", fn: &fake{}, opts: opts},
		step{id: "fails", fn: failing(), opts: opts})
	if d := cmp.Diff([]string{"changes"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestManyFailures: a result names twenty of the failures that it comes from.
func TestManyFailures(t *testing.T) {
	var steps []step
	var ids []string
	for i := range 25 {
		ids = append(ids, fmt.Sprint("f", i))
		steps = append(steps, step{id: ids[i], fn: failing()})
	}
	rep := runSteps(t, run.Config{}, append(steps, step{id: "s", fn: &fake{},
		reqs: need(state.Require, state.All, ids...)})...)
	got := rep.Results[25].Comment
	if n := strings.Count(got, "a.f"); n != 20 || !strings.HasSuffix(got, "a.f19, ...") {
		t.Errorf("%d are named: %s", n, got)
	}
}

func TestRetry(t *testing.T) {
	flaky := &fake{check: func(n int, _ host.Reader) (forecast, error) {
		if n < 3 {
			return forecast{}, fmt.Errorf("try %d", n)
		}
		return forecast{Comment: "there"}, nil
	}}
	rep := runSteps(t, run.Config{}, step{id: "a", fn: flaky,
		opts: state.Options{Retry: &state.Retry{Attempts: 5, Interval: time.Second, Until: true}}})
	want := []string{"a true called: Attempt 1: Returned a result of \"False\", with the following comment: \"try 1\"\n" +
		"Attempt 2: Returned a result of \"False\", with the following comment: \"try 2\"\nthere"}
	if d := cmp.Diff(want, brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	never := failing()
	rep = runSteps(t, run.Config{}, step{id: "a", fn: never,
		opts: state.Options{Retry: &state.Retry{Attempts: 3, Until: true}}})
	if never.n != 3 || rep.Results[0].Outcome != state.Failed {
		t.Errorf("tried %d times, result %v", never.n, rep.Results[0].Outcome)
	}
}

func TestPanic(t *testing.T) {
	bad := &fake{check: func(int, host.Reader) (forecast, error) { panic("oh no") }}
	rep := runSteps(t, run.Config{}, step{id: "a", fn: bad}, step{id: "b", fn: &fake{}})
	if d := cmp.Diff([]string{"a false called: fake.fun panicked: oh no", "b true called: "}, brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	rep = runSteps(t, run.Config{Debug: true}, step{id: "a", fn: bad})
	if !strings.Contains(rep.Results[0].Comment, "run_test.go") {
		t.Error("no stack at debug level")
	}
}

func TestInterrupt(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	first := changing()
	first.apply = func(int, host.Host) (applied, error) { cancel(); return applied{Changes: done()}, nil }
	plan, bound := planOf(t, []step{{id: "a", fn: first}, {id: "b", fn: &fake{}},
		{id: "z", fn: &fake{}, reqs: need(state.Listen, state.All, "a")}})
	rep := run.Run(ctx, run.Config{Plan: plan, Bound: bound, Host: hosttest.NewMemory(), Env: noEnv})
	if d := cmp.Diff([]string{"a true called changed", "b left", "z left"}, brief(rep, false)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if len(rep.NotCalled) != 1 || rep.NotCalled[0].ID != "z" {
		t.Errorf("the listeners that were not called are %v", rep.NotCalled)
	}
	if !rep.Interrupted || report.ExitCode(rep, false) != 2 {
		t.Errorf("interrupted: %v, exit code %d", rep.Interrupted, report.ExitCode(rep, false))
	}
}

func TestCannotTell(t *testing.T) {
	steps := func() []step {
		return []step{{id: "a", fn: changing()}, {id: "b", fn: &fake{}, reqs: need(state.Require, state.All, "a")},
			{id: "c", fn: failing(), reqs: need(state.Require, state.All, "b")}, {id: "d", fn: failing()},
			{id: "e", fn: &fake{}, reqs: need(state.Onfail, state.All, "c")}}
	}
	rep := runSteps(t, run.Config{Preview: true}, steps()...)
	want := []string{"a null called changed: would", "b true called: ",
		"c null called: cannot tell until fake.fun a is applied: broken", "d false called: broken",
		"e true onfail: State was not run because onfail req did not change"}
	if d := cmp.Diff(want, brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestMissing(t *testing.T) {
	rep := runSteps(t, run.Config{}, step{id: "a", fn: &fake{}, reqs: need(state.Require, state.All, "nowhere")})
	want := []string{"a false requisite: The following requisites were not found:\n                   require:\n        " +
		"               fake: nowhere\n"}
	if d := cmp.Diff(want, brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestNoFunction(t *testing.T) {
	rep := runSteps(t, run.Config{}, step{id: "p", fn: &fake{}, reqs: need(state.Prereq, state.All, "a")}, step{id: "a"},
		step{id: "b", fn: &fake{}, reqs: need(state.Require, state.All, "a")}, step{id: "c", fn: &fake{}})
	want := []string{"p false requisite: One or more requisite failed: a.a",
		"a false requisite: State 'fake.fun' was not found",
		"b false requisite: One or more requisite failed: a.a", "c true called: "}
	if d := cmp.Diff(want, brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestHandledFailure(t *testing.T) {
	handles := state.Options{Handles: true}
	for _, c := range []struct {
		name    string
		handler *fake
		opts    state.Options
		want    int
	}{{"by a handler that succeeds", &fake{}, handles, 0}, {"by one that fails", failing(), handles, 2},
		{"by one without onfail_stop: false", &fake{}, state.Options{}, 2}} {
		t.Run(c.name, func(t *testing.T) {
			rep := runSteps(t, run.Config{}, step{id: "a", fn: failing()},
				step{id: "b", fn: c.handler, opts: c.opts, reqs: need(state.Onfail, state.All, "a")})
			if got := report.ExitCode(rep, false); got != c.want {
				t.Errorf("exit code %d, want %d", got, c.want)
			}
		})
	}
}

func TestEvents(t *testing.T) {
	var got []string
	events := func(e run.Event) {
		word := "start"
		if e.Result != nil {
			word = "end"
		}
		got = append(got, fmt.Sprintf("%s %s %d/%d", word, e.Low.ID, e.Done, e.Total))
	}
	runSteps(t, run.Config{Events: events}, step{id: "a", fn: &fake{}}, step{id: "b", fn: &fake{}})
	if d := cmp.Diff([]string{"start a 0/2", "end a 1/2", "start b 1/2", "end b 2/2"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

type aggregator struct {
	fake
	got *[]string
	id  string
}

func (a *aggregator) Aggregate(_ context.Context, _ *modules.Env, others []modules.StateFunc) {
	for _, o := range others {
		*a.got = append(*a.got, a.id+" takes "+o.(*aggregator).id)
	}
}

func TestAggregate(t *testing.T) {
	var got []string
	agg := func(id string, reqs []state.Requisite, opts state.Options) step {
		return step{id: id, fn: &aggregator{got: &got, id: id}, reqs: reqs, opts: opts}
	}
	runSteps(t, run.Config{Aggregate: true}, agg("a", nil, state.Options{}), agg("b", nil, state.Options{}),
		agg("after", need(state.Require, state.All, "x"), state.Options{}),
		agg("maybe", nil, state.Options{Creates: []string{"/x"}}),
		step{id: "x", fn: &fake{}}, agg("last", nil, state.Options{}))
	if d := cmp.Diff([]string{"a takes b", "a takes last"}, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestFailureSaysNothingElse: what a state says that it did is not shown where it failed.
func TestFailureSaysNothingElse(t *testing.T) {
	f := changing()
	f.apply = func(int, host.Host) (applied, error) {
		return applied{Changes: done(), Comment: "everything is installed"}, errors.New("the disk is full")
	}
	rep := runSteps(t, run.Config{}, step{id: "a", fn: f})
	if d := cmp.Diff([]string{"a false called changed: the disk is full"}, brief(rep, true)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestWhatIsNotTriedChangesNothing: a state that is foretold to fail is not applied, and shows no changes.
func TestWhatIsNotTriedChangesNothing(t *testing.T) {
	for _, preview := range []bool{false, true} {
		f := changing()
		f.never = errors.New("the file is immutable")
		rep := runSteps(t, run.Config{Preview: preview}, step{id: "a", fn: f})
		if d := cmp.Diff([]string{"a false called: the file is immutable"}, brief(rep, true)); d != "" || f.m > 0 {
			t.Errorf("applied %d times (-want +got):\n%s", f.m, d)
		}
	}
}
