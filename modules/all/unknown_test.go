package all

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

// TestUnknownArguments calls every execution function with a keyword that none has: it is refused before anything is
// done. Those that take any keyword are listed with what they do with it.
func TestUnknownArguments(t *testing.T) {
	want := slices.Concat(
		strings.Fields("pkg.mod_repo saltutil.cmd saltutil.runner saltutil.wheel"), // not offered, whatever is given
		// ignored, as in Salt: what its own ways of asking want
		strings.Fields("http.query http.wait_for_successful_query"),
		strings.Fields("cmd.exec_code cmd.exec_code_all cmd.retcode cmd.run cmd.run_all cmd.run_bg cmd.run_stderr "+
			"cmd.run_stdout cmd.script cmd.script_retcode cmd.shell"), // ignored, as in Salt: what its own kinds of runs want
		strings.Fields("ip.build_interface ip.build_routes"), // ignored, as in Salt: what other systems take
		strings.Fields("file.find"),                          // its answer is that the option is none, as in Salt
		// handed on
		strings.Fields("cp.get_template iptables.build_rule mine.send slsutil.deserialize slsutil.renderer "+
			"slsutil.serialize state.single "+
			"test.try"),
		strings.Fields("sys.list_functions sys.list_returner_functions sys.list_runner_functions "+
			"sys.list_state_functions"), // ignored: Salt says that garbage may come
		strings.Fields("test.arg test.arg_clean test.arg_repr test.arg_type test.kwarg test.nop test.raise_exception "+
			"test.tty"), // given back, or of no use
	)
	var open []string
	for _, f := range Families() {
		for _, e := range f.Execs {
			if slices.ContainsFunc(samples(), func(v value.Value) bool { return takesUnknown(t, e, v) }) {
				open = append(open, e.Name)
			}
		}
	}
	slices.Sort(want)
	slices.Sort(open)
	if diff := cmp.Diff(want, open); diff != "" {
		t.Errorf("functions that take an unknown keyword (-want +got):\n%s", diff)
	}
}

func takesUnknown(t *testing.T, e modules.ExecSpec, arg value.Value) bool {
	t.Helper()
	asked, err := call(t, e, arg, value.DictOf("no_such_argument", value.Int(1)))
	return asked || err == nil || !strings.Contains(err.Error(), "no_such_argument")
}
