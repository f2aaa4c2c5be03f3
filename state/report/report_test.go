package report_test

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

var update = flag.Bool("update", false, "rewrite the golden files")

// golden compares with testdata/NAME.
func golden(t *testing.T, name, got string) {
	t.Helper()
	path := filepath.Join("testdata", name)
	if *update {
		if err := os.WriteFile(path, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff(string(want), got); d != "" {
		t.Errorf("%s (-want +got):\n%s", path, d)
	}
}

func low(module, fun, id, name string) *state.Low {
	return &state.Low{ID: id, Name: name, Module: module, Func: fun, SLS: "web", Env: "base",
		Pos: diag.Pos{File: "/srv/salt/web.sls", Line: 4, Col: 3}}
}

// example is a report with one result of each kind.
func example() *run.Report {
	start := time.Date(2024, 5, 6, 12, 0, 0, 123456000, time.UTC)
	clean := &state.Result{Low: low("test", "nop", "quiet", "quiet"), Comment: "Success!", Ran: true}
	changed := &state.Result{Low: low("file", "managed", "/etc/motd", "/etc/motd"), Comment: "File /etc/motd updated",
		Ran: true,
		Changes: value.DictOf("diff", value.Str("--- \n+++ \n@@ -1 +1 @@\n-old\n+new\n context\n"), "mode",
			value.Str("0644"))}
	ran := &state.Result{Low: low("cmd", "run", "reload", "systemctl reload web"),
		Comment: "Command \"systemctl reload web\" run", Ran: true,
		Outcome: state.Failed, Warnings: []string{"a warning that is long enough to be broken into more than one line of " +
			"the terminal"},
		Changes: value.DictOf("pid", value.Int(12), "retcode", value.Int(1), "stdout", value.Str(""), "stderr",
			value.Str("no such unit\nsorry"))}
	follows := &state.Result{Low: low("service", "running", "web", "web"), Outcome: state.Failed, How: state.RequireFail,
		Cause: ran, Ran: true,
		Comment: "One or more requisite failed: web.reload"}
	pending := &state.Result{Low: low("pkg", "installed", "tools", "vim"), Outcome: state.Pending,
		Comment: "would be installed:\nvim", Ran: true}
	skipped := &state.Result{Low: low("test", "nop", "never", "never"), How: state.OnfailOff,
		Comment: "State was not run because onfail req did not change"}
	listener := &state.Result{Low: low("service", "running", "web", "web"), ID: "listener_web", Func: "mod_watch",
		How: state.Listened, Ran: true, Comment: "Service restarted"}
	rep := &run.Report{Results: []*state.Result{clean, changed, ran, follows, pending, skipped, listener},
		NotRun: []*state.Low{low("test", "nop", "left", "left")}, Stopped: ran}
	for i, r := range rep.Results {
		r.RunNum, r.Start, r.Duration = i, start.Add(time.Duration(i)*time.Second), time.Duration(i)*1234*time.Microsecond
		if r.ID == "" {
			r.ID, r.Func = r.Low.ID, r.Low.Func
		}
	}
	return rep
}

func TestHighstate(t *testing.T) {
	for _, mode := range []string{"full", "terse", "mixed", "changes", "full_id", "terse_id"} {
		var b bytes.Buffer
		o := report.Options{StateOutput: mode, Verbose: true, Zone: time.UTC}
		if err := report.Write(&b, example(), o); err != nil {
			t.Fatal(err)
		}
		golden(t, mode+".txt", b.String())
	}
	for name, o := range map[string]report.Options{
		"quiet":   {},
		"filter":  {StateOutput: "filter", Verbose: true, Exclude: []string{"True"}, Terse: []string{"None"}},
		"color":   {Verbose: true, Color: true, NoProfile: true, Percent: true},
		"tabular": {StateOutput: "terse", Verbose: true, Tabular: true},
	} {
		var b bytes.Buffer
		o.Zone = time.UTC
		if err := report.Write(&b, example(), o); err != nil {
			t.Fatal(err)
		}
		golden(t, name+".txt", b.String())
	}
}

func TestJSON(t *testing.T) {
	var b bytes.Buffer
	if err := report.Write(&b, example(), report.Options{Format: "json", Zone: time.UTC}); err != nil {
		t.Fatal(err)
	}
	golden(t, "report.json", b.String())
	var doc map[string]map[string]map[string]any
	if err := json.Unmarshal(b.Bytes(), &doc); err != nil {
		t.Fatal(err)
	}
	got := doc["local"]["service_|-listener_web_|-web_|-mod_watch"]
	if got["__run_num__"] != 6.0 || got["result"] != true || got["__sls__"] != "web" {
		t.Errorf("the listener's result is %v", got)
	}
}

func TestEmptyRun(t *testing.T) {
	var b bytes.Buffer
	if err := report.Write(&b, &run.Report{}, report.Options{}); err != nil {
		t.Fatal(err)
	}
	want := "local:\n\nSummary for local\n-----------\nSucceeded: 0\nFailed:   0\n-----------\nTotal states run:    " +
		"0\nTotal run time:  0.000 ms\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if err := report.Write(&b, &run.Report{}, report.Options{Format: "xml"}); err == nil {
		t.Error("an unknown format is no error")
	}
}

func TestNested(t *testing.T) {
	v := value.DictOf("b", value.NewList(value.Str("x"), value.NewList(value.Int(1), value.Int(2)),
		value.DictOf("k", value.None)),
		"a", value.Str("two\nlines"), "c", value.DictOf("empty", value.NewList(), "f", value.Float(1.5), "t",
			value.Bool(true)))
	var b bytes.Buffer
	if err := report.WriteValue(&b, v, report.Options{}); err != nil {
		t.Fatal(err)
	}
	want := `local:
    ----------
    a:
        two
        lines
    b:
        - x
        |_
          - 1
          - 2
        |_
          ----------
          k:
              None
    c:
        ----------
        empty:
        f:
            1.5
        t:
            True
`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestEscapes: what a command printed cannot steer the terminal.
func TestEscapes(t *testing.T) {
	rep := example()
	rep.Results[0].Comment = "\x1b[2Jgone"
	rep.Results[1].Changes = value.DictOf("\x1b[31m", value.Str("\x1b]0;title\a"))
	var b bytes.Buffer
	if err := report.Write(&b, rep, report.Options{Verbose: true}); err != nil {
		t.Fatal(err)
	}
	if strings.Contains(b.String(), "\x1b") {
		t.Errorf("an escape got through: %q", b.String())
	}
}

func TestExitCode(t *testing.T) {
	low, audited := &state.Low{}, &state.Low{}
	audited.SetMeta().Audit = true
	ok, changed := &state.Result{Low: low}, &state.Result{Low: low, Changes: value.DictOf("a", value.Int(1))}
	failed, pending := &state.Result{Low: low, Outcome: state.Failed}, &state.Result{Low: low, Outcome: state.Pending}
	noop := &state.Result{Low: low, Outcome: state.Pending, Noop: true}
	found := &state.Result{Low: audited, Changes: value.DictOf("a", value.Int(1))}
	for _, c := range []struct {
		name            string
		rep             *run.Report
		plain, detailed int
	}{
		{"nothing", &run.Report{}, 0, 0},
		{"no change", &run.Report{Results: []*state.Result{ok}}, 0, 0},
		{"a change", &run.Report{Results: []*state.Result{ok, changed}}, 0, 2},
		{"a pending change", &run.Report{Results: []*state.Result{pending}, Preview: true}, 0, 2},
		{"what noop held back", &run.Report{Results: []*state.Result{noop}}, 0, 0},
		{"what an audit found", &run.Report{Results: []*state.Result{found}}, 0, 0},
		{"a failure", &run.Report{Results: []*state.Result{ok, failed}}, 2, 4},
		{"both", &run.Report{Results: []*state.Result{changed, failed}}, 2, 6},
		{"a handled failure", &run.Report{Results: []*state.Result{changed, failed},
			Handled: map[*state.Result]bool{failed: true}}, 0, 2},
		{"an interrupt", &run.Report{Results: []*state.Result{ok}, Interrupted: true}, 2, 4},
	} {
		t.Run(c.name, func(t *testing.T) {
			if p, d := report.ExitCode(c.rep, false), report.ExitCode(c.rep, true); p != c.plain || d != c.detailed {
				t.Errorf("got %d and %d, want %d and %d", p, d, c.plain, c.detailed)
			}
		})
	}
}

func TestDiagnostics(t *testing.T) {
	l := &diag.List{}
	l.Add(diag.Errorf(diag.Pos{File: "web.sls", Line: 2, Col: 6}, "unknown module 'fil'").WithHint("did you mean %q?",
		"file"))
	l.Add(diag.Errorf(diag.Pos{File: "gone.sls", Line: 2, Col: 6}, "cannot be read"))
	warn := diag.Errorf(diag.Pos{File: "web.sls", Line: 3, Col: 2}, "two of them")
	warn.Severity = diag.Warning
	warn.Related = []diag.Related{{Pos: diag.Pos{File: "web.sls", Line: 1, Col: 1}, Msg: "the other one"}}
	l.Add(warn)
	source := func(file string) ([]byte, error) {
		if file != "web.sls" {
			return nil, os.ErrNotExist
		}
		return []byte("a:\n  b: fil.managed\n\tc: d\n"), nil
	}
	var b bytes.Buffer
	if err := report.WriteDiagnostics(&b, l, report.DiagnosticOptions{Source: source}); err != nil {
		t.Fatal(err)
	}
	want := "error: web.sls:2:6: unknown module 'fil'\n    2 |   b: fil.managed\n      |      ^\nhint: did you mean " +
		"\"file\"?\n" +
		"error: gone.sls:2:6: cannot be read\n" +
		"warning: web.sls:3:2: two of them\n    3 | \tc: d\n      | \t^\n  web.sls:1:1: the other one\n2 errors, 1 warning\n"
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	b.Reset()
	if err := report.WriteDiagnostics(&b, l, report.DiagnosticOptions{JSON: true}); err != nil {
		t.Fatal(err)
	}
	first, _, _ := strings.Cut(b.String(), "\n")
	wantJSON := `{"severity":"error","file":"web.sls","line":2,"column":6,"message":"unknown module 'fil'","hint":"did you mean \"file\"?"}`
	if first != wantJSON {
		t.Errorf("got %s, want %s", first, wantJSON)
	}
}

// drawings are what a progress drew, one by one.
type drawings chan string

func (d drawings) Write(p []byte) (int, error) {
	d <- string(p)
	return len(p), nil
}

func TestProgress(t *testing.T) {
	drawn := make(drawings, 100)
	report.WithProgress(drawn, 30, func(p *report.Progress) {
		l := low("pkg", "installed", "tools-with-a-very-long-name", "x")
		p.Event(run.Event{Low: l, Done: 2, Total: 9})
		p.Say(l, "the lock of dpkg")
		drawn <- <-drawn // it is there once at least
	})
	close(drawn)
	last := ""
	for last = range drawn {
		if !regexp.MustCompile(`^(\r3/9 \ds pkg\.installed tools-wi)?(\r)?\x1b\[K$`).MatchString(last) {
			t.Errorf("got %q", last)
		}
	}
	if last != "\r\x1b[K" {
		t.Errorf("it ends with %q", last)
	}
}
