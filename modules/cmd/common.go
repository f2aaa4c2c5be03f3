package cmd

import (
	"context"
	"errors"
	"fmt"
	"os"
	"os/user"
	"strconv"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// A common is the arguments that all states of the package take.
type common struct {
	Name            string        `arg:"name" doc:"The command, with its arguments."`
	Cwd             string        `arg:"cwd" doc:"The directory to run it in; by default the home of the user who runs it."`
	Root            string        `arg:"root" doc:"A directory to run it in as its root (chroot)."`
	RunAs           string        `arg:"runas" doc:"The user to run it as."`
	Group           string        `arg:"group" doc:"The group to run it as."`
	Password        string        `arg:"password" doc:"Accepted, without effect on Linux."`
	Shell           string        `arg:"shell" doc:"The shell that reads it; /bin/sh by default."`
	Env             environ       `arg:"env" doc:"Variables to add to its environment."`
	CleanEnv        bool          `arg:"clean_env" doc:"Whether it starts from an empty environment."`
	PrependPath     string        `arg:"prepend_path" doc:"Directories to put before those of PATH."`
	Stateful        statefulness  `arg:"stateful" doc:"Whether its last line says what it changed: changed=yes comment='...', or JSON. A list with test_name names a command that tells it in test mode."`
	Umask           string        `arg:"umask" doc:"The mask of file modes, in octal."`
	OutputLoglevel  string        `arg:"output_loglevel" default:"debug" doc:"Accepted; the output is in the result."`
	HideOutput      bool          `arg:"hide_output" doc:"Whether to leave its output out of the result."`
	Timeout         time.Duration `arg:"timeout" doc:"Seconds after which it is ended."`
	IgnoreTimeout   bool          `arg:"ignore_timeout" doc:"Whether being ended for its time is a success."`
	UseVT           bool          `arg:"use_vt" doc:"Accepted, without effect."`
	SuccessRetcodes codes         `arg:"success_retcodes" doc:"Exit codes beside 0 that are a success."`
	SuccessStdout   []string      `arg:"success_stdout" doc:"Texts whose presence in its output makes it a success."`
	SuccessStderr   []string      `arg:"success_stderr" doc:"Texts whose presence in its error output makes it a success."`
	Background      bool          `arg:"bg" doc:"Whether to leave it running and not to wait for it."`
	Stdin           string        `arg:"stdin" doc:"What it reads."`
	PythonShell     bool          `arg:"python_shell" default:"true" doc:"Accepted: there is always a shell."`
	ResetLocale     bool          `arg:"reset_system_locale" default:"true" doc:"Whether it runs in the C locale."`
	Rstrip          bool          `arg:"rstrip" default:"true" doc:"Whether white space at the end of its output is cut."`
}

// RunsCommand says that it is not run beside others on its own account.
func (*common) RunsCommand() {}

// NeedsRoot says that only root runs commands as somebody else, or in another root.
func (c *common) NeedsRoot(*modules.Env) bool {
	if c.Root != "" || c.Group != "" {
		return true
	}
	if c.RunAs == "" {
		return false
	}
	me, err := user.LookupId(strconv.Itoa(os.Geteuid()))
	return err != nil || me.Username != c.RunAs
}

func (c *common) invocation(text string) *invocation {
	return &invocation{text: text, cwd: c.Cwd, root: c.Root, runas: c.RunAs, group: c.Group, shell: c.Shell, umask: c.Umask, env: c.Env,
		prependPath: c.PrependPath, stdin: c.Stdin, cleanEnv: c.CleanEnv, hide: c.HideOutput, background: c.Background,
		keepWS: !c.Rstrip, keepLocale: !c.ResetLocale, ignoreTimeout: c.IgnoreTimeout, timeout: c.Timeout,
		okCodes: c.SuccessRetcodes, okStdout: c.SuccessStdout, okStderr: c.SuccessStderr}
}

// forecast says that the command would run, or what its test_name says.
func (c *common) forecast(ctx context.Context, h host.Reader, would string) (state.Forecast, error) {
	f := state.Forecast{Pending: true, Action: true, Comment: would}
	// The command of test_name is made for test mode, and is not to run otherwise: the one case of asking for it.
	if c.Stateful.testName == "" || !h.Preview() {
		return f, nil
	}
	in := c.invocation(c.Stateful.testName)
	in.reads = true
	o, err := in.run(ctx, h)
	if err != nil {
		return f, err
	}
	changes, comment, err := reinterpret(o)
	f.Changes, f.Comment, f.Pending = changes, comment, changes != nil && changes.Len() > 0
	if err == nil && o.code != 0 {
		err = errors.New(comment)
	}
	return f, err
}

// workable says why the command cannot run where it is to.
func (c *common) workable(h host.Reader) error {
	if c.Cwd == "" || c.Root != "" {
		return nil
	}
	if info, err := h.Stat(c.Cwd); err != nil || !info.IsDir() {
		return fmt.Errorf("Desired working directory %q is not available", c.Cwd) //nolint:staticcheck // Salt's words
	}
	return nil
}

// applied is the outcome as a state's result.
func (c *common) applied(o outcome, comment string, h host.Host) (state.Applied, error) {
	// A command may have changed anything: accounts, what is in PATH.
	h.Invalidate("accounts")
	h.Invalidate("path")
	a := state.Applied{Changes: o.changes(), Comment: comment}
	var err error
	if o.code != 0 {
		err = errors.New(comment)
	}
	if c.Stateful.on {
		changes, said, bad := reinterpret(o)
		a.Changes, a.Comment = changes, said
		if bad != nil || err != nil {
			err = errors.New(said)
		}
	}
	return a, err
}
