package cmd

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func machine(t testing.TB) host.Host {
	t.Helper()
	h, err := host.NewOS("/")
	if err != nil {
		t.Fatal(err)
	}
	return h
}

// bind makes a state function from JSON arguments.
func bind(t testing.TB, fun, name, args string) modules.StateFunc {
	t.Helper()
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	v, err := value.ParseJSON(args)
	if err != nil {
		t.Fatal(err)
	}
	spec, bad := reg.Lookup("cmd", fun)
	if bad != nil {
		t.Fatal(bad)
	}
	fn, diags := modules.Bind(spec, &state.Low{ID: "x", Name: name, Module: "cmd", Func: fun, Args: v.(*value.Dict)})
	if fn == nil {
		t.Fatal(diags)
	}
	return fn
}

// result is what a run gives: changes without the process id, comment, failure. A forecast that fails is the run's
// failure.
func result(t testing.TB, fn modules.StateFunc, env *modules.Env) (changes, comment string, failed bool) {
	t.Helper()
	h := machine(t)
	e, err := fn.Act(context.Background(), env, host.Forecast(h))
	if !e.Once || err == nil && !e.Pending {
		t.Fatalf("the forecast is %+v, %v", e, err)
	}
	foretold := err
	e, err = fn.Act(context.Background(), env, h)
	if foretold != nil && (err == nil || err.Error() != foretold.Error()) {
		t.Fatalf("the forecast fails with %v, the run with %v", foretold, err)
	}
	if e.Changes != nil {
		e.Changes.Delete(value.Str("pid"))
		b, _ := value.DumpsJSON(e.Changes, value.JSONOptions{})
		changes = b
	}
	comment = e.Comment
	if err != nil {
		comment = err.Error()
	}
	return changes, comment, err != nil
}

func TestRun(t *testing.T) {
	t.Setenv("SHELL", "/bin/false") // which is not asked
	dir := t.TempDir()
	for _, c := range []struct {
		name, cmd, args  string
		changes, comment string
		failed           bool
	}{
		{"output", "echo out; echo err >&2", `{}`, `{"retcode": 0, "stdout": "out", "stderr": "err"}`, "", false},
		{"failure", "exit 3", `{}`, `{"retcode": 3, "stdout": "", "stderr": ""}`, "", true},
		{"cwd", "pwd", `{"cwd": "` + dir + `"}`, `{"retcode": 0, "stdout": "` + dir + `", "stderr": ""}`, "", false},
		{"cwd that is not there", "pwd", `{"cwd": "/nonexistent"}`, ``,
			`Desired working directory "/nonexistent" is not available`, true},
		{"environment as a list", "echo $A $B", `{"env": [{"A": 1}, {"B": "b c"}]}`,
			`{"retcode": 0, "stdout": "1 b c", "stderr": ""}`, "", false},
		{"environment as a map", "echo $A", `{"env": {"A": "x"}}`, `{"retcode": 0, "stdout": "x", "stderr": ""}`, "", false},
		{"the locale is reset", "echo $LC_MESSAGES", `{}`, `{"retcode": 0, "stdout": "C", "stderr": ""}`, "", false},
		{"prepend_path", "echo ${PATH%%:*}", `{"prepend_path": "/my/bin"}`,
			`{"retcode": 0, "stdout": "/my/bin", "stderr": ""}`, "", false},
		{"another shell", "echo ${BASH_VERSION:+bash}", `{"shell": "/bin/bash"}`,
			`{"retcode": 0, "stdout": "bash", "stderr": ""}`, "", false},
		{"python_shell", "echo a | tr a b", `{"python_shell": false}`, `{"retcode": 0, "stdout": "b", "stderr": ""}`, "",
			false},
		{"success_retcodes", "exit 4", `{"success_retcodes": [4]}`, `{"retcode": 0, "stdout": "", "stderr": ""}`, "", false},
		{"success_retcodes as a number", "exit 4", `{"success_retcodes": 4}`, `{"retcode": 0, "stdout": "", "stderr": ""}`,
			"", false},
		{"success_stdout", "echo all is well; exit 1", `{"success_stdout": ["is well"]}`,
			`{"retcode": 0, "stdout": "all is well", "stderr": ""}`, "", false},
		{"success_stderr", "echo fine >&2; exit 1", `{"success_stderr": "fine"}`,
			`{"retcode": 0, "stdout": "", "stderr": "fine"}`, "", false},
		{"hide_output", "echo secret", `{"hide_output": true}`, `{"retcode": 0, "stdout": "", "stderr": ""}`, "", false},
		{"timeout", "sleep 9", `{"timeout": 0.1}`, `{"retcode": 1, "stdout": "sleep 9 : Timed out after 0.1 seconds", "stderr": ""}`,
			`Command "sleep 9" timed out after 0.1 s`, true},
		{"timeout after some output", "echo so far; echo so good >&2; sleep 9", `{"timeout": 0.3}`,
			`{"retcode": 1, "stdout": "so far\necho so far; echo so good >&2; sleep 9 : Timed out after 0.3 seconds", "stderr": "so good"}`,
			`Command "echo so far; echo so good >&2; sleep 9" timed out after 0.3 s`, true},
		{"ignore_timeout", "sleep 9", `{"timeout": 0.1, "ignore_timeout": true}`,
			`{"retcode": 0, "stdout": "sleep 9 : Timed out after 0.1 seconds", "stderr": ""}`,
			`Command "sleep 9" timed out after 0.1 s`, false},
		{"umask", "umask", `{"umask": "077"}`, `{"retcode": 0, "stdout": "0077", "stderr": ""}`, "", false},
		{"stdin", "cat", `{"stdin": "in"}`, `{"retcode": 0, "stdout": "in", "stderr": ""}`, "", false},
		{"bytes that are no text", `printf 'a\377b'`, `{}`, `{"retcode": 0, "stdout": "a` + "\uFFFD" + `b", "stderr": ""}`,
			"", false},
		{"stateful without a change", "echo changed=no comment=still", `{"stateful": true}`, ``, "still", false},
		{"stateful with a change", `echo working; echo "changed=yes comment='it moved' n=1"`, `{"stateful": true}`,
			`{"changed": "yes", "n": "1", "retcode": 0, "stdout": "working", "stderr": ""}`, "it moved", false},
		{"stateful JSON", `echo '{"changed": true, "comment": "json", "n": 1}'`, `{"stateful": true}`,
			`{"changed": true, "n": 1, "retcode": 0, "stdout": "", "stderr": ""}`, "json", false},
		{"stateful on one line", "echo changed=yes", `{"stateful": true}`,
			`{"changed": "yes", "retcode": 0, "stdout": "changed=ye", "stderr": ""}`, "", false},
		{"stateful that cannot be read", "echo what is this", `{"stateful": true}`,
			`{"retcode": 0, "stdout": "what is this", "stderr": ""}`,
			"Failed parsing script output! Stdout must be JSON or a line of name=value pairs.", true},
		{"stateful that fails", "echo changed=yes; exit 1", `{"stateful": true}`,
			`{"changed": "yes", "retcode": 1, "stdout": "changed=ye", "stderr": ""}`, "", true},
	} {
		t.Run(c.name, func(t *testing.T) {
			changes, comment, failed := result(t, bind(t, "run", c.cmd, c.args), &modules.Env{})
			want := c.comment
			if want == "" && !strings.Contains(c.args, "stateful") {
				want = `Command "` + c.cmd + `" run`
			}
			got := strings.NewReplacer(`\ufffd`, "\uFFFD").Replace(changes)
			if d := cmp.Diff([]any{c.changes, want, c.failed}, []any{got, comment, failed}); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestPreview(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	for _, c := range []struct {
		name, args, comment, err string
		pending                  bool
	}{
		{"touch " + mark, `{}`, `Command "touch ` + mark + `" would have been executed`, "", true},
		{"touch " + mark, `{"stateful": [{"test_name": "echo changed=no comment=fine"}]}`, "fine", "", false},
		{"touch " + mark, `{"stateful": [{"test_name": "echo changed=yes comment=would"}]}`, "would", "", true},
		{"touch " + mark, `{"stateful": [{"test_name": "exit 4"}]}`, "", "", false},
		{"touch " + mark, `{"cwd": "/nonexistent"}`, "", `Desired working directory "/nonexistent" is not available`, false},
		{"touch " + mark, `{"runas": "nobody-here"}`, "", "User 'nobody-here' is not available", false},
		{"touch " + mark, `{"group": "nobody-here"}`, "", "Group 'nobody-here' is not available", false},
		{"touch " + mark, `{"shell": "/bin/no-shell"}`, "", "The shell /bin/no-shell is not available", false},
	} {
		o := host.NewOverlay(machine(t))
		e, err := bind(t, "run", c.name, c.args).Act(context.Background(), &modules.Env{}, o)
		said := ""
		if err != nil {
			said = err.Error()
		}
		comment := e.Preview
		if comment == "" {
			comment = e.Comment
		}
		if d := cmp.Diff([]any{c.comment, c.err, c.pending}, []any{comment, said, e.Alters()}); d != "" || !e.Once {
			t.Errorf("%s: (-want +got):\n%s", c.args, d)
		}
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the preview ran the command")
	}
}

// TestTestName: the command of test_name is run in a preview, and never before a run.
func TestTestName(t *testing.T) {
	mark := filepath.Join(t.TempDir(), "mark")
	fn := bind(t, "run", "true", `{"stateful": [{"test_name": "touch `+mark+`"}]}`)
	if _, err := fn.Act(context.Background(), &modules.Env{}, host.Forecast(machine(t))); err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(mark); err == nil {
		t.Error("the forecast of a run ran the command of test_name")
	}
}

// TestCreates: what a command is to make is in doubt after its preview, also for who does not require it.
func TestCreates(t *testing.T) {
	dir := t.TempDir()
	there, made := filepath.Join(dir, "there"), filepath.Join(dir, "made")
	if err := os.WriteFile(there, []byte("known"), 0o644); err != nil {
		t.Fatal(err)
	}
	low := &state.Low{}
	low.SetOpts().Creates = []string{there, made}
	o := host.NewOverlay(machine(t))
	if _, err := bind(t, "run", "make", `{}`).Act(context.Background(), &modules.Env{Low: low}, o); err != nil {
		t.Fatal(err)
	}
	if text, err := o.ReadFile(there); err != nil || string(text) != "known" {
		t.Errorf("what was there before gives %q, %v", text, err)
	}
	for _, path := range []string{made, made + "/below"} {
		if _, err := o.Lstat(path); !host.IsUnknown(err) {
			t.Errorf("%s gives %v", path, err)
		}
	}
}

func TestWait(t *testing.T) {
	fn := bind(t, "wait", "echo fired", `{}`)
	if e, err := fn.Act(context.Background(), &modules.Env{}, host.Forecast(machine(t))); err != nil || e.Alters() ||
		e.Once {
		t.Errorf("the forecast is %+v, %v", e, err)
	}
	changes, comment, failed := result(t, fn.(modules.Watcher).ModWatch(), &modules.Env{})
	if changes != `{"retcode": 0, "stdout": "fired", "stderr": ""}` || comment != `Command "echo fired" run` || failed {
		t.Errorf("got %s, %s, %v", changes, comment, failed)
	}
}

// sources are files by their name.
type sources map[string]string

func (s sources) Fetch(_ context.Context, source, _ string) ([]byte, error) {
	text, ok := s[source]
	if !ok {
		return nil, errors.New("not found in /srv/salt")
	}
	return []byte(text), nil
}

func (sources) Exists(string, string) (file, dir bool)               { return false, false }
func (sources) List(string, string) ([]modules.SourceFile, error)    { return nil, nil }
func (sources) Hash(context.Context, string, string) (string, error) { return "", nil }
func (sources) Mode(string, string) (uint32, error)                  { return 0, nil }

func TestScript(t *testing.T) {
	env := &modules.Env{Files: sources{"salt://web/a b.sh": "#!/bin/sh\necho $# $1 $A\npwd\n"}}
	dir := t.TempDir()
	changes, comment, failed := result(t, bind(t, "script", "a.sh one two",
		`{"source": "salt://web/a b.sh", "env": {"A": "a"}, "cwd": "`+dir+`"}`), env)
	want := `{"retcode": 0, "stdout": "2 one a\n` + dir + `", "stderr": ""}`
	if d := cmp.Diff([]any{want, "Command 'a.sh one two' run", false}, []any{changes, comment, failed}); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	_, comment, failed = result(t, bind(t, "script", "salt://gone.sh", `{}`), env)
	if !failed || comment != "Unable to cache script salt://gone.sh from saltenv 'base': not found in /srv/salt" {
		t.Errorf("got %q", comment)
	}
	if left, _ := filepath.Glob("/tmp/gostate-*/a b.sh"); len(left) > 0 {
		t.Errorf("the script is still there: %v", left)
	}
}

func TestExecs(t *testing.T) {
	reg, err := modules.New(Family())
	if err != nil {
		t.Fatal(err)
	}
	h := host.NewOverlay(machine(t))
	for _, c := range []struct {
		name, args, kwargs, want string
	}{
		{"cmd.run", `["echo a | tr a b; echo c >&2"]`, `{"python_shell": true}`, `"b\nc"`},
		{"cmd.shell", `["echo a | tr a b; echo c >&2"]`, `{}`, `"b\nc"`},
		{"cmd.shell", `["echo a  | b"]`, `{"python_shell": false}`, `"a | b"`},
		{"cmd.run", `["echo a  | $HOME"]`, `{}`, `"a | $HOME"`},
		{"cmd.run_stdout", `["echo a  | b"]`, `{}`, `"a | b"`},
		{"cmd.retcode", `["false || true"]`, `{}`, `1`},
		{"cmd.run", `["echo", "/"]`, `{"python_shell": false}`, `""`},
		{"cmd.run", `["echo 'a  b' | c"]`, `{"python_shell": false}`, `"a  b | c"`},
		{"cmd.run", `[["echo", "a  b"]]`, `{}`, `"a  b"`},
		{"cmd.shell", `["echo $A"]`, `{"env": {"A": "x"}}`, `"x"`},
		{"cmd.shell", `["echo a"]`, `{"env": "[{'A': 'x'}]"}`, `"a"`},
		{"cmd.shell", `["echo a"]`, `{"env": 5}`, `"a"`},
		{"cmd.run_stdout", `["echo a; echo c >&2"]`, `{"python_shell": true}`, `"a"`},
		{"cmd.run_stderr", `["echo a; echo c >&2"]`, `{"python_shell": true}`, `"c"`},
		{"cmd.shell", `["echo a; exit 2"]`, `{}`, `"a"`},
		{"cmd.retcode", `["exit 2"]`, `{"python_shell": true}`, `2`},
		{"cmd.has_exec", `["sh"]`, `{}`, `true`},
		{"cmd.has_exec", `["no-such-command"]`, `{}`, `false`},
		{"cmd.which", `["no-such-command"]`, `{}`, `null`},
		{"cmd.exec_code", `["sh", "echo hi"]`, `{}`, `"hi"`},
	} {
		t.Run(c.name+c.args, func(t *testing.T) {
			args, _ := value.ParseJSON(c.args)
			kwargs, _ := value.ParseJSON(c.kwargs)
			v, err := reg.Call(context.Background(), &modules.Env{}, h, c.name, args.(*value.List).Items, kwargs.(*value.Dict))
			if err != nil {
				t.Fatal(err)
			}
			got, _ := value.DumpsJSON(v, value.JSONOptions{})
			if got != c.want {
				t.Errorf("got %s, want %s", got, c.want)
			}
		})
	}
	if _, err := reg.Call(context.Background(), &modules.Env{}, h, "cmd.run", []value.Value{value.Str("false")},
		value.DictOf("raise_err", value.Bool(true))); err == nil {
		t.Error("raise_err raises nothing")
	}
	if _, err := reg.Call(context.Background(), &modules.Env{}, h, "cmd.run",
		[]value.Value{value.Str("no-such-command -a")}, nil); err == nil {
		t.Error("a command that is not there is no error where no shell says so")
	}
	for what, env := range map[string]*modules.Env{
		"typed":           {Typed: true},
		"cmd_safe: false": {Opts: modtest.Dict(t, `{"cmd_safe": false}`)},
	} {
		v, err := reg.Call(context.Background(), env, h, "cmd.run", []value.Value{value.Str("echo a | tr a b")}, nil)
		if err != nil || v != value.Value(value.Str("b")) {
			t.Errorf("%s: got %v, %v; want the shell's b", what, v, err)
		}
	}
}

// upper renders to capital letters.
type upper struct{}

func (upper) Render(_ context.Context, _, _ string, text []byte, _, _ string, _ *value.Dict) ([]byte, error) {
	return bytes.ToUpper(text), nil
}

// TestScriptFunctions: on the machine and in a preview, where the script runs as well.
func TestScriptFunctions(t *testing.T) {
	env := &modules.Env{Templates: upper{}, Files: sources{"salt://a.sh": "#!/bin/sh\necho \"$# $1 $A\"\ncat\n"}}
	for _, h := range []host.Host{machine(t), host.NewOverlay(machine(t))} {
		modtest.Execs{Family: Family(), Env: env, Host: h}.Table(t, [][4]string{
			{"cmd.script_retcode", `["salt://a.sh"]`, `{"template": null}`, "0"},
			{"cmd.script", `["salt://none"]`, "", "{'pid': 0, 'retcode': 1, 'stdout': '', 'stderr': '', 'cache_error': True}"},
			{"cmd.script_retcode", `["salt://none"]`, "", "1"},
			{"cmd.run", `["echo {}"]`, `{"template": "jinja", "cwd": "/"}`,
				`error: Unable to run command "ECHO {}": run: "ECHO" ` +
					`is not installed`},
			{"cmd.exec_code", `["sh", "echo $A; pwd"]`, `{"env": {"A": "a"}, "cwd": "/"}`, `'a\n/'`},
		})
		v, err := modtest.Execs{Family: Family(), Env: env, Host: h}.Value(t, "cmd.script",
			[]value.Value{value.Str("salt://a.sh"), value.Str("'x y' $A")},
			value.DictOf("env", value.DictOf("A", value.Str("a")), "stdin", value.Str("in")))
		if err != nil {
			t.Fatal(err)
		}
		if out, _ := v.(*value.Dict).GetStr("stdout"); out != value.Value(value.Str("2 x y a\nin")) {
			t.Errorf("the script says %s", value.Repr(v))
		}
	}
	if left, _ := filepath.Glob("/tmp/*/a.sh"); len(left) > 0 {
		t.Errorf("the script is still there: %v", left)
	}
}

// TestPermitted: what is typed may be kept from running by the configuration.
func TestPermitted(t *testing.T) {
	for config, want := range map[string]string{
		`{"cmd_blacklist_glob": ["echo *"]}`:                            `error: The shell command "echo a" is not permitted`,
		`{"cmd_whitelist_glob": ["ls"]}`:                                `error: The shell command "echo a" is not permitted`,
		`{"cmd_whitelist_glob": ["echo*"], "cmd_blacklist_glob": "ls"}`: "'a'",
	} {
		env := &modules.Env{Typed: true, Opts: modtest.Dict(t, config)}
		x := modtest.Execs{Family: Family(), Env: env, Host: machine(t)}
		if got := x.Call(t, "cmd.run", `["echo a"]`, ""); got != want {
			t.Errorf("%s: got %s, want %s", config, got, want)
		}
	}
}

func TestShlex(t *testing.T) {
	for _, c := range []struct {
		text string
		want []string
		bad  bool
	}{
		{`a 'b c' "d \"e\" \n" f\ g`, []string{"a", "b c", `d "e" \n`, "f g"}, false},
		{`a=''b ""`, []string{"a=b", ""}, false},
		{"", nil, false},
		{`'open`, nil, true},
		{`end\`, nil, true},
	} {
		got, err := modules.Words(c.text)
		if d := cmp.Diff(c.want, got); (err != nil) != c.bad || !c.bad && d != "" {
			t.Errorf("%q: %v (-want +got):\n%s", c.text, err, d)
		}
	}
}

func TestBadArguments(t *testing.T) {
	reg, _ := modules.New(Family())
	spec, _ := reg.State("cmd.run")
	for _, args := range []string{`{"env": "A"}`, `{"env": [["A"]]}`, `{"stateful": [{"x": 1}]}`,
		`{"success_retcodes": ["x"]}`} {
		var m map[string]any
		if err := json.Unmarshal([]byte(args), &m); err != nil {
			t.Fatal(err)
		}
		v, _ := value.ParseJSON(args)
		if fn, _ := modules.Bind(spec, &state.Low{ID: "x", Name: "true", Module: "cmd", Func: "run",
			Args: v.(*value.Dict)}); fn != nil {
			t.Errorf("%s is taken", args)
		}
	}
}
