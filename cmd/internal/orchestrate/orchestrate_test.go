package orchestrate

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/cmd/internal/roster"
	"github.com/gostate/gostate/cmd/internal/session"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/value"
)

// fake are machines that answer what they are told, by SLS or function: "changed", "same", "failed", "refused",
// "silent"; else a value. Those of a function in JSON.
type fake struct {
	t       *testing.T
	hosts   []*roster.Host
	answers map[string]string

	mu  sync.Mutex // guards log
	log []string
}

func newFake(t *testing.T, answers map[string]string) *fake {
	f := &fake{t: t, answers: answers}
	for _, id := range []string{"db1", "web1", "web2", "web3"} {
		f.hosts = append(f.hosts, &roster.Host{ID: id, Groups: []string{id[:len(id)-1]},
			Grains: value.DictOf("role", value.Str(id[:len(id)-1]))})
	}
	return f
}

func (f *fake) Target(_ context.Context, kind, target string) (ids []string, err error) {
	found, err := roster.Match(f.hosts, kind, target, roster.Facts{})
	for _, h := range found {
		ids = append(ids, h.ID)
	}
	return ids, err
}

func (f *fake) Grains(id string) *value.Dict {
	i := slices.IndexFunc(f.hosts, func(h *roster.Host) bool { return h.ID == id })
	return f.hosts[i].Grains
}

func (f *fake) Run(_ context.Context, w *Work, ids []string, told func(int)) ([]Answer, error) {
	what := strings.Join(w.SLS, ",") + w.Function
	if w.Top {
		what = "top" + w.TopFile
	}
	f.mu.Lock()
	line := what + " on " + strings.Join(ids, ",")
	if w.Test {
		line += " test"
	}
	if w.Pillar != nil {
		line += " " + value.Repr(w.Pillar)
	}
	f.log = append(f.log, line)
	f.mu.Unlock()
	var out []Answer
	for i, id := range ids {
		told(i + 1)
		answer, ok := f.answers[what+" "+id]
		if !ok {
			answer = f.answers[what]
		}
		out = append(out, f.answer(id, answer, w.Test))
	}
	return out, nil
}

func (f *fake) answer(id, word string, test bool) Answer {
	a := Answer{ID: id}
	switch word {
	case "silent":
		a.Err = errors.New("no answer: nothing listens there")
		return a
	case "refused":
		a.Return = value.NewList(value.Str("SLS 'x' not found"))
		return a
	case "changed", "same", "failed":
	default:
		text := word
		if code, rest, ok := strings.Cut(word, ":"); ok && code == "1" {
			a.Retcode, text = 1, rest
		}
		v, err := value.ParseJSON(text)
		if err != nil {
			f.t.Fatalf("answer %q: %v", word, err)
		}
		a.Return = v
		return a
	}
	one := value.DictOf("result", value.Bool(word != "failed"))
	one.SetStr("changes", value.NewDict(0))
	one.SetStr("comment", value.Str("it "+word))
	if word == "changed" {
		one.SetStr("changes", value.DictOf("x", value.Int(1)))
		if test {
			one.SetStr("result", value.None)
		}
	}
	a.Return = value.DictOf("file_|-f_|-/f_|-managed", one)
	return a
}

// conduct runs an orchestration of the files and gives what came of each state, one line each, or what was said.
func conduct(t *testing.T, m Machines, files map[string]string, test bool, sls ...string) string {
	t.Helper()
	dir := t.TempDir()
	for name, text := range files {
		at := filepath.Join(dir, name)
		if err := errors.Join(os.MkdirAll(filepath.Dir(at), 0o755), os.WriteFile(at, []byte(text), 0o644)); err != nil {
			t.Fatal(err)
		}
	}
	var said bytes.Buffer
	p := &session.Process{In: strings.NewReader(""), Out: report.NewScreen(&said), Err: report.NewScreen(&said),
		Abort: t.Context(), Begin: func() error { return nil }}
	defer p.Close()
	o := session.Options{ConfigDir: filepath.Join(dir, "etc"), FileRoots: []string{dir}, Root: "/", ID: "here",
		PillarRoots: []string{filepath.Join(dir, "pillar")},
		StateDir:    filepath.Join(dir, "state"), Test: test, TestSet: true, Out: "json", NoColor: true}
	if err := os.Mkdir(o.PillarRoots[0], 0o755); err != nil && !os.IsExist(err) {
		t.Fatal(err)
	}
	stage := &Stage{Machines: func(*session.Session) Machines { return m }}
	s, err := stage.Open(p, o)
	if err == nil {
		err = s.Apply(t.Context(), session.Request{SLS: sls}, "orchestrate")
	}
	if err != nil {
		return strings.ReplaceAll(err.Error(), dir, "")
	}
	return lines(t, said.String())
}

// lines are the results of a run, one state a line: its ID, result, comment and changes.
func lines(t *testing.T, text string) string {
	t.Helper()
	v, err := value.ParseJSON(text[strings.Index(text, "{"):])
	if err != nil {
		t.Fatalf("%v in %s", err, text)
	}
	local, _ := v.(*value.Dict).GetStr("local")
	results := resultsByNumber(local.(*value.Dict))
	var b strings.Builder
	for _, r := range results {
		get := func(key string) value.Value { v, _ := r.GetStr(key); return v }
		changes := value.Repr(get("changes"))
		if d, ok := get("changes").(*value.Dict); ok && d.Has(value.Str("out")) {
			ret, _ := d.GetStr("ret")
			changes = "states of"
			for id := range ret.(*value.Dict).All() {
				changes += " " + value.String(id)
			}
		}
		fmt.Fprintf(&b, "%s %s %s %s\n", value.String(get("__id__")), value.Repr(get("result")),
			value.Repr(get("comment")), changes)
	}
	return b.String()
}

func resultsByNumber(d *value.Dict) []*value.Dict {
	out := make([]*value.Dict, d.Len())
	for _, v := range d.All() {
		r := v.(*value.Dict)
		n, _ := r.GetStr("__run_num__")
		out[n.(value.Int)] = r
	}
	return out
}

func TestStates(t *testing.T) {
	const two = "{salt.state: [{tgt: 'web[12]'}, {sls: app}"
	for _, c := range []struct{ name, sls, answers, test, want string }{
		{"changed", "a: " + two + "]}", "changed", "",
			"a True 'States ran successfully. Updating web1, web2.' states of web1 web2\n"},
		{"same", "a: " + two + "]}", "same", "",
			"a True 'States ran successfully. No changes made to web1, web2.' {}\n"},
		{"one failed", "a: " + two + "]}", "same,web2=failed", "",
			`a False 'Run failed on minions: web2\nweb2: file.managed f: it failed' states of web2` + "\n"},
		{"one may fail", "a: " + two + ", {fail_minions: web2}]}", "same,web2=failed", "",
			`a True 'States ran successfully. Updating web2. No changes made to web1.\nweb2: file.managed f: it failed' ` +
				"states of web2\n"},
		{"some may fail", "a: " + two + ", {allow_fail: 1}]}", "same,web2=failed", "",
			`a True 'States ran successfully. Updating web2. No changes made to web1.\nweb2: file.managed f: it failed' ` +
				"states of web2\n"},
		{"refused", "a: " + two + "]}", "same,web1=refused", "",
			`a False "Run failed on minions: web1\nweb1: SLS 'x' not found" states of web1` + "\n"},
		{"silent", "a: " + two + "]}", "same,web1=silent", "",
			`a False 'Run failed on minions: web1\nweb1: no answer: nothing listens there' states of web1` + "\n"},
		{"not expected", "a: " + two + ", {expect_minions: false}]}", "same,web1=silent", "",
			"a True 'States ran successfully. No changes made to web2.' {}\n"},
		{"nothing came", "a: " + two + "]}", "{}", "",
			`a False 'Run failed on minions: web1, web2\nweb1: it has no states\nweb2: it has no states' states of web1 web2` +
				"\n"},
		{"preview", "a: " + two + "]}", "changed,web2=same", "test",
			"a None 'States ran successfully. Updating web1. No changes made to web2.' states of web1\n"},
		{"preview of nothing", "a: " + two + "]}", "same", "test",
			"a True 'States ran successfully. No changes made to web1, web2.' {}\n"},
		{"preview of a failure", "a: " + two + "]}", "failed", "test",
			`a False 'Run failed on minions: web1, web2\nweb1: file.managed f: it failed\nweb2: file.managed f: it failed' ` +
				"states of web1 web2\n"},
		{"nobody, and none is expected", "a: {salt.state: [{tgt: 'x*'}, {sls: app}, {expect_minions: false}]}", "same", "",
			"a True 'States ran successfully.' {}\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, answersOf(c.answers))
			got := conduct(t, f, map[string]string{"o.sls": c.sls}, c.test != "", "o")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// answersOf reads "same,web2=failed".
func answersOf(text string) map[string]string {
	out := map[string]string{}
	for _, w := range strings.Split(text, ",") {
		if id, word, ok := strings.Cut(w, "="); ok {
			out["app "+id] = word
			continue
		}
		out["app"] = w
	}
	return out
}

func TestFunctions(t *testing.T) {
	for _, c := range []struct{ name, args, answer, want string }{
		{"all well", "", `"x"`, "f True 'Function ran successfully. Function test.f ran on web1.' {'ret': {'web1': 'x'}}\n"},
		{"a code", "", `1:"x"`, `f False 'Running function test.f failed on minions: web1 Function test.f ran on web1.\n` +
			`web1: x' {'ret': {'web1': 'x'}}` + "\n"},
		{"false", "", "false", `f False 'Running function test.f failed on minions: web1 Function test.f ran on web1.\n` +
			`web1: False' {'ret': {'web1': False}}` + "\n"},
		{"false that may be", ", {fail_minions: [web1]}", "false",
			"f True 'Function ran successfully. Function test.f ran on web1.' {'ret': {'web1': False}}\n"},
		{"judged good", ", {fail_function: test.echo}", `"x"`,
			"f True 'Function ran successfully. Function test.f ran on web1.' {'ret': {'web1': 'x'}}\n"},
		{"judged bad", ", {fail_function: test.echo}", `""`,
			`f False 'Running function test.f failed on minions: web1 Function test.f ran on web1.\nweb1: ' ` +
				"{'ret': {'web1': ''}}\n"},
		{"silent", "", "silent", `f False 'No minions responded\nweb1: no answer: nothing listens there' {}` + "\n"},
		{"silent and expected", ", {expect_minions: true}", "silent",
			`f False 'Running function test.f failed on minions: web1 Function test.f ran on web1.\n` +
				`web1: no answer: nothing listens there' {'ret': {'web1': False}}` + "\n"},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := newFake(t, map[string]string{"test.f": c.answer})
			got := conduct(t, f, map[string]string{"o.sls": "f: {salt.function: [{name: test.f}, {tgt: web1}" + c.args +
				"]}"}, false, "o")
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Error(diff)
			}
		})
	}
}

// A preview calls no function, and does nothing on machines but preview.
func TestPreviewDoesNothing(t *testing.T) {
	f := newFake(t, map[string]string{"app": "changed", "later": "failed", "other": "failed"})
	got := conduct(t, f, map[string]string{"o.sls": `
a: {salt.state: [{tgt: web1}, {sls: app}]}
b: {salt.function: [{name: test.f}, {tgt: db1}]}
c: {salt.state: [{tgt: web1}, {sls: later}]}
d: {salt.state: [{tgt: db1}, {sls: later}]}
e: {salt.state: [{tgt: web2}, {sls: other}]}
`}, true, "o")
	want := `a None 'States ran successfully. Updating web1.' states of web1
b None 'Function test.f would be executed on target db1' {}
c None 'cannot tell until salt.state a is applied' {}
d None 'cannot tell until salt.function b is applied' {}
e False 'Run failed on minions: web2\nweb2: file.managed f: it failed' states of web2
`
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
	log := []string{"app on web1 test", "later on web1 test", "later on db1 test", "other on web2 test"}
	if diff := cmp.Diff(log, f.log); diff != "" {
		t.Error(diff)
	}
}

// Each step is asked for once in a run, though a run looks before it acts.
func TestRequisites(t *testing.T) {
	f := newFake(t, map[string]string{"app": "changed", "bad,app": "failed", "top": "same",
		"test.f": "true"})
	dir := t.TempDir()
	got := conduct(t, f, map[string]string{"o.sls": strings.ReplaceAll(`
last: {salt.state: [{tgt: web1}, {sls: app}, {require: [{salt: first}]}]}
first: {salt.state: [{tgt: 'role:db'}, {tgt_type: grain}, {highstate: true}, {pillar: {a: 1}}]}
broken: {salt.state: [{tgt: N@web}, {tgt_type: compound}, {sls: [bad, app]}]}
mend: {salt.function: [{name: test.f}, {tgt: 'db1,web2'}, {tgt_type: list}, {onfail: [{salt: broken}]}]}
never: {salt.function: [{name: test.f}, {tgt: db1}, {require: [{salt: broken}]}]}
here: {file.managed: [{name: DIR/f}, {contents: x}, {onchanges: [{salt: last}]}]}
`, "DIR", dir)}, false, "o")
	for _, want := range []string{"mend True", "never False 'One or more requisite failed", "here True"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
	log := []string{"top on db1 {'a': 1}", "app on web1", "bad,app on web1,web2,web3", "test.f on db1,web2"}
	if diff := cmp.Diff(log, f.log); diff != "" {
		t.Error(diff)
	}
}

func TestWrong(t *testing.T) {
	for _, c := range []struct{ sls, want string }{
		{"a: {salt.state: [{tgt: 'wbe*'}, {sls: app}]}", "target 'wbe*' (glob) means no machine of the roster"},
		{"a: {salt.state: [{tgt: 'G@'}, {tgt_type: compound}, {sls: app}]}", "target"},
		{"a: {salt.state: [{tgt: web1}]}", "No highstate or sls specified"},
		{"a: {salt.state: [{tgt: web1}, {sls: x}, {allow_fail: few}]}", "takes a whole number"},
		{"a: {salt.function: [{name: test.f}, {tgt: x}]}", "means no machine"},
		{"a: {salt.wheel: [{name: key.accept}, {match: x}]}", "wheel function 'key.accept' is a Salt master's"},
		{"a: {salt.wait_for_event: [{name: x}, {id_list: [a]}]}", "nobody sends the event 'x'"},
		{"a: {salt.runner: [{name: cloud.profile}]}", "runner 'cloud.profile' is a Salt master's"},
		{"a: {salt.runner: [{name: state.orch}, {mods: nowhere}]}", "SLS 'nowhere' not found"},
		{"a: {salt.runner: [{name: state.orch}, {mods: o}]}", "the orchestration o calls itself"},
		{"a: {salt.parallel_runners: [{runners: {x: [{name: jobs.active}]}}]}", "x: runner 'jobs.active'"},
		{"{% set x = salt['saltutil.runner']('jobs.active') %}", "runner 'jobs.active' is a Salt master's"},
	} {
		f := newFake(t, map[string]string{"app": "same"})
		got := conduct(t, f, map[string]string{"o.sls": "ok: {salt.state: [{tgt: web1}, {sls: app}]}\n" + c.sls}, false, "o")
		if !strings.Contains(got, c.want) || len(f.log) > 0 {
			t.Errorf("%s:\n%s\nlacks %q, or something was done: %v", c.sls, got, c.want, f.log)
		}
	}
}

func TestRunners(t *testing.T) {
	files := map[string]string{"inner.sls": "in: {salt.state: [{tgt: {{ pillar.where }}}, {sls: app}]}", "o.sls": `
{% for id in salt['saltutil.runner']('cache.grains', tgt='role:web', tgt_type='grain') %}
{{ id }}: {salt.runner: [{name: state.orchestrate}, {mods: inner}, {pillar: {where: {{ id }}}}]}
{% endfor %}
echo: {salt.runner: [{name: salt.cmd}, {arg: [test.echo, hello]}]}
sync: {salt.runner: [{name: saltutil.sync_all}]}
`}
	f := newFake(t, map[string]string{"app": "changed", "app web2": "failed", "app web3": "same"})
	got := conduct(t, f, files, false, "o")
	for _, want := range []string{"web1 True \"Runner function 'state.orchestrate' executed.\"",
		`web2 False "Runner function 'state.orchestrate' failed.\nhere_master: salt.state in: Run failed on minions: web2`,
		"web3 True", "sync True", `echo True "Runner function 'salt.cmd' executed." {'return': 'hello'}`} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
	f = newFake(t, f.answers)
	got = conduct(t, f, files, true, "o")
	for _, want := range []string{"web1 None", "web2 False", "web3 True", "echo None", "sync None"} {
		if !strings.Contains(got, want) {
			t.Errorf("%s\nlacks %q", got, want)
		}
	}
	if strings.Join(f.log, ";") != "app on web1 test;app on web2 test;app on web3 test" {
		t.Error(f.log)
	}
}

func TestParallelRunners(t *testing.T) {
	files := map[string]string{"inner.sls": "in: {salt.state: [{tgt: {{ pillar.where }}}, {sls: app}]}", "o.sls": `
all:
  salt.parallel_runners:
    - runners:
        a: [{name: state.orchestrate}, {kwarg: {mods: inner, pillar: {where: web1}}}]
        b: [{name: state.orch}, {kwarg: {mods: inner, pillar: {where: web2}}}]
`}
	f := newFake(t, map[string]string{"app": "changed"})
	got := conduct(t, f, files, false, "o")
	if !strings.HasPrefix(got, "all True 'All runner functions executed successfully.' {'a': {'here_master': ") {
		t.Error(got)
	}
	f.answers["app web2"] = "failed"
	got = conduct(t, f, files, false, "o")
	if !strings.HasPrefix(got, `all False 'Runner b failed.\nb: here_master: salt.state in: Run failed on minions: web2`) {
		t.Error(got)
	}
	f.log = nil
	if got = conduct(t, f, files, true, "o"); !strings.HasPrefix(got, "all False") || !strings.Contains(f.log[0], "test") {
		t.Error(got, f.log)
	}
}

// A subset is the same each time, and in the order of the roster.
func TestSubset(t *testing.T) {
	ids := []string{"web1", "web2", "web3", "web4", "web5"}
	one, again := subset(ids, 3), subset(ids, 3)
	if len(one) != 3 || !slices.Equal(one, again) || !slices.IsSorted(one) {
		t.Error(one, again)
	}
}

// Templates ask machines, and the run does with their answers what it does with others.
func TestAsks(t *testing.T) {
	sls := `
{% set run = salt['saltutil.runner'] %}
up: {test.nop: [{name: '{{ run('manage.up', tgt='*') | join(',') }}'}]}
down: {test.nop: [{name: '{{ run('manage.status')['down'] | join(',') }}'}]}
mine: {test.nop: [{name: '{{ run('mine.get', tgt='N@web', fun='ip', tgt_type='compound') | length }}'}]}
`
	f := newFake(t, map[string]string{"test.ping": "true", "test.ping db1": "silent", "mine.get web1": `{"web1": "a"}`,
		"mine.get web2": `{"web2": "b"}`, "mine.get": "{}"})
	var names []string
	m := &noting{f, &names}
	conduct(t, m, map[string]string{"o.sls": sls + "see: {salt.state: [{tgt: '{{ run('mine.get', tgt='*web1', fun='ip')['web1'] " +
		"}}'}, " +
		"{sls: app}, {expect_minions: false}]}"}, true, "o")
	want := []string{"glob *", "glob *", "compound N@web", "glob *web1", "glob a"}
	if len(names) < len(want) || !slices.Equal(names[:len(want)], want) {
		t.Errorf("got %q, want %q", names, want)
	}
	f.answers["mine.get web2"] = "silent"
	if got := conduct(t, f, map[string]string{"o.sls": sls}, false, "o"); !strings.Contains(got,
		"the mine of web2: no answer") {
		t.Error(got)
	}
}

// noting notes the targets that are asked for.
type noting struct {
	*fake
	targets *[]string
}

func (n *noting) Target(ctx context.Context, kind, target string) ([]string, error) {
	*n.targets = append(*n.targets, kind+" "+target)
	return n.fake.Target(ctx, kind, target)
}
