package cmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/fnmatch"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// params are the parameters that all functions which run a command take.
func params(first ...string) []string {
	return append(first, "cwd=", "stdin=", "runas=", "group=", "shell=", "python_shell=", "env=", "clean_env=False",
		"template=",
		"rstrip=True", "umask=", "output_encoding=", "output_loglevel=debug", "log_callback=", "hide_output=False",
		"timeout:seconds=",
		"reset_system_locale=True", "ignore_retcode=False", "saltenv=", "use_vt=False", "bg=False", "password=",
		"encoded_cmd=False",
		"raise_err=False", "prepend_path=", "success_retcodes=", "success_stdout:list=", "success_stderr:list=", "**kwargs")
}

func execs() []modules.ExecSpec {
	command := func(name, doc string, combine bool, give func(outcome) value.Value) modules.ExecSpec {
		doc += " Without python_shell there is a shell where it is typed, and none in templates."
		return modules.ExecSpec{Name: name, Class: modules.Commands, Doc: doc, Params: params("cmd"),
			Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
				o, err := execute(ctx, c, combine)
				if err != nil {
					return nil, err
				}
				return give(o), nil
			}}
	}
	stdout := func(o outcome) value.Value { return value.Str(o.stdout) }
	stderr := func(o outcome) value.Value { return value.Str(o.stderr) }
	all := func(o outcome) value.Value { return o.changes() }
	code := func(o outcome) value.Value { return value.Int(o.code) }
	shell := params("cmd")
	shell[slices.Index(shell, "python_shell=")] = "python_shell=True"
	rendering := params("source", "args=")
	rendering[slices.Index(rendering, "template=")] = "template=jinja"
	inLang := append([]string{"lang", "code", "cwd=", "args="}, params()[1:]...)
	return []modules.ExecSpec{
		command("cmd.run", "Run a command; gives its output and errors together.", true, stdout),
		{Name: "cmd.shell", Class: modules.Commands, Doc: "Run a command in a shell; gives its output and errors together.",
			Params: shell, Fn: func(ctx context.Context, c *modules.Call) (value.Value, error) {
				o, err := execute(ctx, c, true)
				return stdout(o), err
			}},
		command("cmd.run_stdout", "Run a command; gives its output.", false, stdout),
		command("cmd.run_stderr", "Run a command; gives its errors.", false, stderr),
		command("cmd.run_all", "Run a command; gives a map of pid, retcode, stdout and stderr.", false, all),
		command("cmd.retcode", "Run a command; gives its exit code.", false, code),
		{Name: "cmd.run_bg", Class: modules.Commands, Doc: "Start a command and leave it running; gives a map with its pid.",
			Params: params("cmd"), Fn: runBackground},
		{Name: "cmd.script", Class: modules.Commands, Doc: "Fetch a script and run it; gives a map of pid, retcode, stdout " +
			"and stderr.", Params: params("source", "args="), Fn: scriptAll},
		{Name: "cmd.script_retcode", Class: modules.Commands, Doc: "Fetch a script and run it; gives its exit code.",
			Params: rendering, Fn: scriptCode},
		{Name: "cmd.exec_code", Class: modules.Commands, Doc: "Run code in the interpreter of the given name; gives its " +
			"output.", Params: inLang, Fn: execCode},
		{Name: "cmd.exec_code_all", Class: modules.Commands,
			Doc:    "Run code in the interpreter of the given name; gives a map of pid, retcode, stdout and stderr.",
			Params: inLang, Fn: execCodeAll},
		{Name: "cmd.which", Doc: "The path of a command, None when there is none.", Params: []string{"cmd"}, Fn: which},
		{Name: "cmd.which_bin", Doc: "The path of the first command of a list that there is, None when there is none.",
			Params: []string{"cmds:list"}, Fn: whichBin},
		{Name: "cmd.has_exec", Doc: "Whether there is a command.", Params: []string{"cmd"}, Fn: hasExec},
		{Name: "cmd.shells", Doc: "The shells of /etc/shells.", Fn: shells},
	}
}

// invocationOf reads the parameters of a call. Commands of templates run in test mode as well, as in Salt: they are to
// look only.
func invocationOf(c *modules.Call, text value.Value) (*invocation, error) {
	in := &invocation{cwd: c.Str("cwd"), stdin: c.Str("stdin"), runas: c.Str("runas"), group: c.Str("group"),
		shell: c.Str("shell"),
		umask: c.Str("umask"), cleanEnv: c.Bool("clean_env"), hide: c.Bool("hide_output"), background: c.Bool("bg"),
		keepWS: !c.Bool("rstrip"), keepLocale: !c.Bool("reset_system_locale"), prependPath: c.Str("prepend_path"),
		okStdout: c.Strs("success_stdout"), okStderr: c.Strs("success_stderr"), reads: true}
	in.timeout = c.Seconds("timeout")
	var err error
	switch env := c.Arg("env").(type) {
	case *value.Dict, *value.List: // anything else Salt ignores
		if in.env, err = environment(env); err != nil {
			return nil, value.Raise("SaltInvocationError", "env %v", err)
		}
	}
	if v := c.Arg("success_retcodes"); v != value.Value(value.None) {
		var l codes
		if err := l.BindValue(v); err != nil {
			return nil, value.Raise("SaltInvocationError", "success_retcodes %v", err)
		}
		in.okCodes = l
	}
	if l, ok := text.(*value.List); ok {
		if in.args, err = modules.Texts(l); err != nil {
			return nil, value.Raise("SaltInvocationError", "cmd %v", err)
		}
		return in, nil
	}
	in.text = value.String(text)
	if !inShell(c) {
		if in.args, err = modules.Words(in.text); err != nil {
			return nil, value.Raise("ValueError", "%v", err)
		}
	}
	return in, nil
}

// inShell says whether a shell reads the command. Where python_shell is not given, Salt gives one to what is typed on
// the command line, to cmd.shell, and with `cmd_safe: false` in the configuration; templates and states get none.
func inShell(c *modules.Call) bool {
	if v := c.Arg("python_shell"); v != value.Value(value.None) {
		return value.Truth(v)
	}
	if c.Typed {
		return true
	}
	safe, ok := c.Opts.Dict().GetStr("cmd_safe")
	return ok && safe == value.Value(value.Bool(false))
}

// commandOf is the invocation of the parameter cmd, rendered where there is a template.
func commandOf(ctx context.Context, c *modules.Call) (*invocation, error) {
	text := c.Arg("cmd")
	engine := c.Str("template")
	render := func(s string) (string, error) {
		out, err := c.Templates.Render(ctx, engine, c.Str("cmd"), []byte(s), "", c.ChosenEnv(), value.NewDict(0))
		return string(out), err
	}
	if engine != "" {
		s, err := render(c.Str("cmd"))
		if err != nil {
			return nil, value.Raise("CommandExecutionError", "Failed to execute cmd with error: %v", err)
		}
		text = value.Str(s)
	}
	in, err := invocationOf(c, text)
	if err != nil {
		return nil, err
	}
	if engine != "" {
		if in.cwd, err = render(in.cwd); err != nil {
			return nil, value.Raise("CommandExecutionError", "Failed to execute cmd with error: %v", err)
		}
	}
	if c.Typed && !permitted(c.Opts.Dict(), in.shown()) {
		return nil, value.Raise("CommandExecutionError", `The shell command "%s" is not permitted`, in.shown())
	}
	return in, nil
}

// permitted says whether the lists cmd_blacklist_glob and cmd_whitelist_glob of the configuration let a typed command
// run.
func permitted(opts *value.Dict, text string) bool {
	listed := func(option string) (matches, given bool) {
		v, _ := opts.GetStr(option)
		globs, err := modules.Texts(v)
		if v == nil || err != nil {
			return false, false
		}
		return slices.ContainsFunc(globs, func(g string) bool { return fnmatch.Match(g, text) }), len(globs) > 0
	}
	bad, _ := listed("cmd_blacklist_glob")
	good, limited := listed("cmd_whitelist_glob")
	return !bad && (good || !limited)
}

func execute(ctx context.Context, c *modules.Call, combine bool) (outcome, error) {
	in, err := commandOf(ctx, c)
	if err != nil {
		return outcome{}, err
	}
	in.combine = combine
	note(c, "info", "executing command %q", in.shown())
	o, err := in.run(ctx, c.Host)
	if err != nil {
		return outcome{}, value.Raise("CommandExecutionError", "%v", err)
	}
	if c.Retcode != nil && !c.Bool("ignore_retcode") {
		*c.Retcode = o.code
	}
	if o.code != 0 && !c.Bool("ignore_retcode") {
		note(c, "error", "command %q failed with exit code %d", in.shown(), o.code)
		if c.Bool("raise_err") {
			return o, value.Raise("CommandExecutionError", "Command '%s' failed with return code: %d", in.shown(), o.code)
		}
	}
	return o, nil
}

func note(c *modules.Call, level, format string, args ...any) {
	c.Log(level, fmt.Sprintf(format, args...))
}

func runBackground(ctx context.Context, c *modules.Call) (value.Value, error) {
	in, err := commandOf(ctx, c)
	if err != nil {
		return nil, err
	}
	in.background = true
	o, err := in.run(ctx, c.Host)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	return value.DictOf("pid", value.Int(o.pid)), nil
}

func scriptOutcome(ctx context.Context, c *modules.Call) (outcome, error) {
	in, err := invocationOf(c, value.Str(""))
	if err != nil {
		return outcome{}, err
	}
	in.args = nil
	source, saltenv := c.Str("source"), c.Str("saltenv")
	if saltenv == "" {
		saltenv = cmp.Or(c.SaltEnv, "base")
	}
	text, err := c.Files.Fetch(ctx, source, saltenv)
	if err == nil && c.Str("template") != "" {
		text, err = c.Templates.Render(ctx, c.Str("template"), source, text, "", saltenv, value.NewDict(0))
	}
	if err != nil {
		note(c, "error", "script %s: %v", source, err)
		return outcome{code: 1, missing: true}, nil
	}
	args := c.Str("args")
	if !inShell(c) {
		words, err := modules.Words(args)
		if err != nil {
			return outcome{}, value.Raise("ValueError", "%v", err)
		}
		for i := range words {
			words[i] = value.ShellQuote(words[i])
		}
		args = strings.Join(words, " ")
	}
	run := runScript
	if in.reads = c.Host.Preview(); in.reads {
		run = previewScript
	}
	o, err := run(ctx, c.Host, in, source, text, args)
	if err != nil {
		return o, value.Raise("CommandExecutionError", "%v", err)
	}
	return o, nil
}

func scriptAll(ctx context.Context, c *modules.Call) (value.Value, error) {
	o, err := scriptOutcome(ctx, c)
	if err != nil {
		return nil, err
	}
	return o.changes(), nil
}

func scriptCode(ctx context.Context, c *modules.Call) (value.Value, error) {
	o, err := scriptOutcome(ctx, c)
	return value.Int(o.code), err
}

func runCode(ctx context.Context, c *modules.Call) (outcome, error) {
	args, err := modules.Texts(c.Arg("args"))
	if err != nil || c.Arg("args") == value.Value(value.None) {
		args = nil
	}
	in, err := invocationOf(c, value.Str(""))
	if err != nil {
		return outcome{}, err
	}
	// The code goes in on standard input: no file is needed, so it works in test mode too. python -, ruby -, perl -, sh
	// -s.
	lang := c.Str("lang")
	flag := "-"
	if strings.HasSuffix(lang, "sh") {
		flag = "-s"
	}
	in.args, in.stdin = append([]string{lang, flag}, args...), c.Str("code")
	o, err := in.run(ctx, c.Host)
	if err != nil {
		return o, value.Raise("CommandExecutionError", "%v", err)
	}
	return o, nil
}

func execCode(ctx context.Context, c *modules.Call) (value.Value, error) {
	o, err := runCode(ctx, c)
	return value.Str(o.stdout), err
}

func execCodeAll(ctx context.Context, c *modules.Call) (value.Value, error) {
	o, err := runCode(ctx, c)
	if err != nil {
		return nil, err
	}
	return o.changes(), nil
}

func lookPath(h host.Reader, name string) (string, bool) {
	p, err := h.LookPath(name)
	return p, err == nil && p != ""
}

func which(_ context.Context, c *modules.Call) (value.Value, error) {
	if p, ok := lookPath(c.Host, c.Str("cmd")); ok {
		return value.Str(p), nil
	}
	return value.None, nil
}

func whichBin(_ context.Context, c *modules.Call) (value.Value, error) {
	for _, name := range c.Strs("cmds") {
		if p, ok := lookPath(c.Host, name); ok {
			return value.Str(p), nil
		}
	}
	return value.None, nil
}

func hasExec(_ context.Context, c *modules.Call) (value.Value, error) {
	_, ok := lookPath(c.Host, c.Str("cmd"))
	return value.Bool(ok), nil
}

func shells(_ context.Context, c *modules.Call) (value.Value, error) {
	text, err := c.Host.ReadFile("/etc/shells")
	if err != nil {
		return value.NewList(), nil
	}
	l := value.NewList()
	for _, line := range strings.Split(string(text), "\n") {
		if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
			l.Items = append(l.Items, value.Str(line))
		}
	}
	return l, nil
}
