package report_test

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/report"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// preview is a report of a preview with one result of each kind.
func preview() *run.Report {
	fresh := &state.Result{Low: low("file", "managed", "/etc/motd", "/etc/motd"), Outcome: state.Pending,
		Comment: "The file /etc/motd is set to be changed\nNote: No changes made, actual changes may\nbe different due to " +
			"other " +
			"states.", Changes: value.DictOf("newfile", value.Str("/etc/motd")),
		Sample: "幅が二倍になる文字 and cafe\u0301\n\tmake\n" + strings.Repeat("line\n", 30)}
	edit := &state.Result{Low: low("file", "managed", "/etc/app.conf", "/etc/app.conf"), Outcome: state.Pending,
		Comment: "The file /etc/app.conf is set to be changed",
		Changes: value.DictOf("diff", value.Str("--- \n+++ \n@@ -1 +1,60 @@\n-old\n"+strings.Repeat("+new\n", 60)))}
	gone := &state.Result{Low: low("file", "absent", "/etc/old", "/etc/old"), Outcome: state.Pending,
		Comment: "File /etc/old is set for removal", Changes: value.DictOf("removed", value.Str("/etc/old"))}
	open := &state.Result{Low: low("file", "copy", "/opt/out", "/opt/out"), Outcome: state.Pending, Doubt: "cmd.run make",
		Comment: "cannot tell until cmd.run make is applied"}
	pkg := &state.Result{Low: low("pkg", "installed", "tools", "vim"), Outcome: state.Pending,
		Comment: "The following packages would be installed/updated: vim",
		Changes: value.DictOf("vim", value.DictOf("old", value.Str(""), "new", value.Str("2:9.0")))}
	bad := &state.Result{Low: low("user", "present", "web", "web"), Outcome: state.Failed, Comment: "no shell \x1b[31m"}
	held := &state.Result{Low: low("test", "nop", "held", "held"), How: state.Conditional}
	rep := &run.Report{Preview: true, Duration: 1234 * time.Millisecond,
		Results: []*state.Result{fresh, edit, gone, open, pkg, bad, held, {Low: low("test", "nop", "as-is", "as-is")}}}
	for _, r := range rep.Results {
		r.ID, r.Func = r.Low.ID, r.Low.Func
	}
	return rep
}

// long is a report of 300 states, of which one failed with much output and a dozen because of it.
func long() *run.Report {
	rep := &run.Report{Duration: 65 * time.Second}
	var out strings.Builder
	for i := range 400 {
		fmt.Fprintf(&out, "line %d\n", i)
	}
	bad := &state.Result{Low: low("cmd", "run", "build", "make all"), Outcome: state.Failed,
		Comment: `Command "make all" run`, Changes: value.DictOf("pid", value.Int(7), "retcode", value.Int(2), "stdout",
			value.Str(out.String()), "stderr", value.Str("no rule"))}
	for i := range 300 {
		r := &state.Result{Low: low("test", "nop", fmt.Sprint("n", i), "n"), Comment: "Success!"}
		switch {
		case i == 100:
			r = bad
		case i > 100 && i < 113:
			r.Outcome, r.How, r.Cause = state.Failed, state.RequireFail, bad
		}
		r.ID, r.Func = r.Low.ID, r.Low.Func
		rep.Results = append(rep.Results, r)
	}
	return rep
}

func TestBrief(t *testing.T) {
	for _, width := range []int{40, 80, 200} {
		for name, rep := range map[string]*run.Report{"preview": preview(), "run": example(), "long": long()} {
			var b bytes.Buffer
			o := report.Options{StateOutput: "brief", Width: width, Owed: 2}
			if err := report.Write(&b, rep, o); err != nil {
				t.Fatal(err)
			}
			golden(t, fmt.Sprintf("brief-%s-%d.txt", name, width), b.String())
			for line := range strings.Lines(b.String()) {
				if n := cells(line) - 1; n > width {
					t.Errorf("%s at %d columns: a line takes %d: %q", name, width, n, line)
				}
			}
		}
	}
	var b bytes.Buffer
	if err := report.Write(&b, preview(), report.Options{StateOutput: "brief", Width: 80, Color: true}); err != nil {
		t.Fatal(err)
	}
	golden(t, "brief-color.txt", b.String())
}

// cells is the width of a line of these tests, in which only what is beyond U+3000 is wide.
func cells(line string) (n int) {
	for _, r := range line {
		switch {
		case r == '\u0301':
		case r >= 0x3000:
			n += 2
		default:
			n++
		}
	}
	return n
}

// TestTally: whatever the results are, the figures of the last line add up to the number of states.
func TestTally(t *testing.T) {
	for name, rep := range map[string]*run.Report{"preview": preview(), "run": example(), "long": long()} {
		var b bytes.Buffer
		if err := report.Write(&b, rep, report.Options{StateOutput: "brief", NoProfile: true}); err != nil {
			t.Fatal(err)
		}
		_, line, ok := strings.Cut(b.String(), fmt.Sprintf("\n%d states: ", len(rep.Results)))
		if !ok {
			t.Fatalf("%s has no tally:\n%s", name, b.String())
		}
		line, _, _ = strings.Cut(line, "\n")
		sum := 0
		for _, part := range strings.Split(line, ", ") {
			n := 0
			if _, err := fmt.Sscanf(part, "%d ", &n); err != nil {
				t.Fatalf("%s: %q: %v", name, part, err)
			}
			sum += n
		}
		if sum != len(rep.Results) {
			t.Errorf("%s: %q adds up to %d of %d", name, line, sum, len(rep.Results))
		}
	}
}

// TestSigns: what is new has a plus, what is gone a minus, all else that changed a tilde.
func TestSigns(t *testing.T) {
	account := value.DictOf("name", value.Str("web"), "uid", value.Int(3), "fullname", value.Str(""))
	for _, c := range []struct {
		sign string
		r    *state.Result
	}{
		{"+", &state.Result{Low: low("user", "present", "web", "web"), Changes: account, Comment: "New user web created"}},
		{"~", &state.Result{Low: low("user", "present", "web", "web"), Changes: value.DictOf("uid", value.Int(4))}},
		{"+", &state.Result{Low: low("file", "managed", "/a", "/a"),
			Changes: value.DictOf("diff", value.Str("New file"), "mode",
				value.Str("0640"))}},
		{"+", &state.Result{Low: low("cron", "present", "x", "x"), Comment: "Cron x added to root's crontab",
			Changes: value.DictOf("root", value.Str("x"))}},
		{"-", &state.Result{Low: low("file", "absent", "/a", "/a"), Changes: value.DictOf("removed", value.Str("/a"))}},
		{"-", &state.Result{Low: low("pkg", "latest", "a", "a"),
			Changes: value.DictOf("a", value.DictOf("old", value.Str("1"),
				"new", value.Str("")))}},
		{"~", &state.Result{Low: low("pkg", "latest", "a", "a"),
			Changes: value.DictOf("a", value.DictOf("old", value.Str("1"),
				"new", value.Str("2")))}},
		{"~", &state.Result{Low: low("file", "append", "/a", "/a"), Changes: value.DictOf("diff",
			value.Str("--- \n\n+++ \n\n@@ -1 +1,2 @@\n\n a\n+b\n"))}},
	} {
		c.r.ID, c.r.Func = c.r.Low.ID, c.r.Low.Func
		var b bytes.Buffer
		if err := report.Write(&b, &run.Report{Results: []*state.Result{c.r}},
			report.Options{StateOutput: "brief"}); err != nil {
			t.Fatal(err)
		}
		if !strings.HasPrefix(b.String(), c.sign+" ") || strings.Contains(b.String(), "fullname") ||
			strings.Contains(b.String(), "---") {
			t.Errorf("want %s:\n%s", c.sign, b.String())
		}
	}
}

func TestWould(t *testing.T) {
	for said, want := range map[string]string{
		"Group webapp set to be added":             "Group webapp would be added",
		"Service web is set to start":              "Service web would start",
		"Symlink /a to /b is set for creation":     "Symlink /a to /b would be created",
		"User web set for removal":                 "User web would be removed",
		"The keys of user web are set to be moved": "The keys of user web would be moved",
		"Network will be created":                  "Network would be created",
		"The file /a is set to be changed\nNote: No changes made, actual changes may\nbe different due to other states.": "The " +
			"file /a would be changed",
	} {
		if got := report.Would(said); got != want {
			t.Errorf("%q becomes %q, want %q", said, got, want)
		}
	}
}
