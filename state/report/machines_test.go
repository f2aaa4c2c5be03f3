package report

import (
	"bufio"
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/run"
	"github.com/gostate/gostate/state/value"
)

// What a step of an orchestration changed on other machines is shown as a run there would show it, in each form for
// people.
func TestMachines(t *testing.T) {
	v, err := value.ParseJSON(`{"out": "highstate", "ret": {"web1": {
		"file_|-app_|-/etc/app_|-managed": {"result": true, "changes": {"diff": "New file"}, "comment": "File updated",
			"__run_num__": 1, "duration": 1.5, "start_time": "10:00:00.000000"},
		"pkg_|-app_|-app_|-installed": {"result": false, "changes": {}, "comment": "no such package", "__run_num__": 0}},
		"web2": ["SLS 'x' not found"]}}`)
	if err != nil {
		t.Fatal(err)
	}
	low := &state.Low{Module: "salt", Func: "state", ID: "step", Name: "step"}
	r := &run.Report{Results: []*state.Result{{Low: low, ID: "step", Func: "state", Outcome: state.Failed,
		Comment: "Run failed on minions: web1", Changes: v.(*value.Dict)}}, Duration: time.Second}
	show := func(write func(*bufio.Writer, *run.Report, *Options)) string {
		var b bytes.Buffer
		w := bufio.NewWriter(&b)
		write(w, r, &Options{Verbose: true, NoProfile: true, Zone: time.UTC})
		w.Flush()
		return b.String()
	}
	full := show(writeHighstate)
	for _, want := range []string{"\n              web1:\n", "ID: app\n",
		"Function: pkg.installed",
		"Comment: no such package", "Summary for web1", "SLS 'x' not found"} {
		if !strings.Contains(full, want) {
			t.Errorf("%s\nlacks %q", full, want)
		}
	}
	if strings.Index(full, "pkg.installed") > strings.Index(full, "file.managed") {
		t.Errorf("not in the order of the run there:\n%s", full)
	}
	brief := show(writeBrief)
	for _, want := range []string{"    web1:\n      ! app  pkg.installed\n", "      + app (/etc/app)  file.managed\n",
		"    web2:\n"} {
		if !strings.Contains(brief, want) {
			t.Errorf("%s\nlacks %q", brief, want)
		}
	}
}
