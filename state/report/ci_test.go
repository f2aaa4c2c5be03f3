package report

import (
	"encoding/xml"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// TestMetricsGrammar: every line is a comment or a sample as Prometheus' text format has them, each metric is explained
// and typed before its samples, once, and none comes twice.
func TestMetricsGrammar(t *testing.T) {
	var b strings.Builder
	at := time.Date(2026, 11, 22, 3, 0, 0, 5e8, time.UTC)
	m := &Metrics{Version: "1 \"a\\b\"\n", Succeeded: 3, Corrective: 1, Took: 1500 * time.Millisecond, End: at,
		Success: at}
	if err := WriteMetrics(&b, m); err != nil {
		t.Fatal(err)
	}
	comment := regexp.MustCompile(`^# (HELP|TYPE) ([a-zA-Z_:][a-zA-Z0-9_:]*) (.+)$`)
	line := regexp.MustCompile(`^([a-zA-Z_:][a-zA-Z0-9_:]*)(\{[a-zA-Z_][a-zA-Z0-9_]*="(?:[^"\\\n]|\\[\\n"])*"\})? (-?[0-9.e+]+)$`)
	said, seen, current := map[string]int{}, map[string]bool{}, ""
	if !strings.HasSuffix(b.String(), "\n") {
		t.Error("the last line has no end")
	}
	for _, l := range strings.Split(strings.TrimSuffix(b.String(), "\n"), "\n") {
		if c := comment.FindStringSubmatch(l); c != nil {
			if said[c[2]]++; said[c[2]] > 2 || c[1] == "TYPE" && c[3] != "gauge" {
				t.Errorf("%q", l)
			}
			current = c[2]
			continue
		}
		s := line.FindStringSubmatch(l)
		if s == nil || s[1] != current || said[s[1]] != 2 || seen[s[1]+s[2]] {
			t.Errorf("%q is no sample of %s", l, current)
			continue
		}
		seen[s[1]+s[2]] = true
		if !strings.HasPrefix(s[1], "gostate_") || strings.HasSuffix(s[1], "_total") {
			t.Errorf("%s is no name for a gauge of ours", s[1])
		}
	}
	for _, want := range []string{`gostate_changes{class="corrective"} 1`, "gostate_run_duration_seconds 1.5",
		"gostate_last_run_timestamp_seconds 1795316400.5"} {
		if !strings.Contains(b.String(), want+"\n") {
			t.Errorf("no %q in\n%s", want, b.String())
		}
	}
	if got := LastSuccess(b.String()); !got.Equal(at) {
		t.Errorf("the last success is read as %v", got)
	}
	if got := LastSuccess("gostate_last_success_timestamp_seconds many\n"); !got.IsZero() {
		t.Errorf("nonsense is read as %v", got)
	}
}

// TestJUnit: what is written is what a reader of JUnit's XML finds.
func TestJUnit(t *testing.T) {
	low := func(id, sls string) *state.Low {
		return &state.Low{ID: id, Name: id, Module: "file", Func: "managed", SLS: sls}
	}
	result := func(l *state.Low, o state.Outcome, h state.How, comment string, changes state.Changes) *state.Result {
		return &state.Result{Low: l, ID: l.ID, Func: l.Func, Outcome: o, How: h, Comment: comment, Changes: changes,
			Duration: 1500 * time.Millisecond}
	}
	changed := value.DictOf("diff", value.Str("<new> & \x1b\n"))
	failed := result(low("b\x00", "web"), state.Failed, state.Called, "no \"such\" <thing>\nreally", nil)
	handled := result(low("h", "web"), state.Failed, state.Called, "mended", nil)
	rep := &run.Report{Results: []*state.Result{result(low("a", "web"), state.Succeeded, state.Called, "", changed),
		failed,
		result(low("c", "db"), state.Failed, state.RequireFail, "required", nil), handled,
		result(low("d", "db"), state.Succeeded, state.OnchangesOff, "not run", nil),
		result(low("e", ""), state.Pending, state.Called, "", nil),
		result(low("f", ""), state.Succeeded, state.Called, "", nil)},
		Handled: map[*state.Result]bool{handled: true}}
	var b strings.Builder
	if err := WriteJUnit(&b, rep, Options{}); err != nil {
		t.Fatal(err)
	}
	type outcome struct {
		Message string `xml:"message,attr"`
	}
	var got struct {
		Tests    int `xml:"tests,attr"`
		Failures int `xml:"failures,attr"`
		Errors   int `xml:"errors,attr"`
		Skipped  int `xml:"skipped,attr"`
		Suites   []struct {
			Name  string `xml:"name,attr"`
			Tests int    `xml:"tests,attr"`
			Cases []struct {
				Name    string   `xml:"name,attr"`
				Time    string   `xml:"time,attr"`
				Failure *outcome `xml:"failure"`
				Error   *outcome `xml:"error"`
				Skipped *outcome `xml:"skipped"`
				Out     string   `xml:"system-out"`
			} `xml:"testcase"`
		} `xml:"testsuite"`
	}
	if err := xml.Unmarshal([]byte(b.String()), &got); err != nil {
		t.Fatalf("%v in\n%s", err, b.String())
	}
	if got.Tests != 7 || got.Failures != 1 || got.Errors != 1 || got.Skipped != 2 {
		t.Errorf("counts: %+v", got)
	}
	var lines []string
	for _, s := range got.Suites {
		for _, c := range s.Cases {
			how := "passed"
			for word, o := range map[string]*outcome{"failure": c.Failure, "error": c.Error, "skipped": c.Skipped} {
				if o != nil {
					how = word + " " + o.Message
				}
			}
			lines = append(lines, s.Name+": "+c.Name+" "+c.Time+" "+how+" "+strings.Join(strings.Fields(c.Out), " "))
		}
	}
	want := []string{"web: file.managed a 1.500 passed diff: <new> & \\x1b",
		"web: file.managed b\ufffd 1.500 failure no \"such\" <thing> ", "web: file.managed h 1.500 skipped mended ",
		"db: file.managed c 1.500 error required ", "db: file.managed d 1.500 skipped not run ",
		"command line: file.managed e 1.500 passed would change", "command line: file.managed f 1.500 passed "}
	if d := cmp.Diff(want, lines); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}
