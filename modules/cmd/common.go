package cmd

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// A common is the arguments that all states of the package take.
type common struct {
	Name            string        `arg:"name,command" doc:"The command, with its arguments."`
	Cwd             string        `arg:"cwd,path" doc:"The directory to run it in; by default the home of the user who runs it."`
	Root            string        `arg:"root,path" doc:"A directory to run it in as its root (chroot)."`
	RunAs           string        `arg:"runas,word" doc:"The user to run it as."`
	Group           string        `arg:"group,word" doc:"The group to run it as."`
	Password        string        `arg:"password,secret" doc:"Accepted, without effect on Linux."`
	Shell           string        `arg:"shell,path" doc:"The shell that reads it; /bin/sh by default."`
	Env             environ       `arg:"env,env" doc:"Variables to add to its environment."`
	CleanEnv        bool          `arg:"clean_env" doc:"Whether it starts from an empty environment."`
	PrependPath     string        `arg:"prepend_path,path" doc:"Directories to put before those of PATH."`
	Stateful        statefulness  `arg:"stateful,text" doc:"Whether its last line says what it changed: changed=yes comment='...', or JSON. A list with test_name names a command that tells it in test mode."`
	Umask           string        `arg:"umask" doc:"The mask of file modes, in octal."`
	OutputLoglevel  string        `arg:"output_loglevel" default:"debug" doc:"Accepted; the output is in the result."`
	HideOutput      bool          `arg:"hide_output" doc:"Whether to leave its output out of the result."`
	Timeout         time.Duration `arg:"timeout" doc:"Seconds after which it is ended."`
	IgnoreTimeout   bool          `arg:"ignore_timeout" doc:"Whether being ended for its time is a success."`
	UseVT           bool          `arg:"use_vt" doc:"Accepted, without effect."`
	SuccessRetcodes codes         `arg:"success_retcodes" doc:"Exit codes beside 0 that are a success."`
	SuccessStdout   []string      `arg:"success_stdout,text" doc:"Texts whose presence in its output makes it a success."`
	SuccessStderr   []string      `arg:"success_stderr,text" doc:"Texts whose presence in its error output makes it a success."`
	Background      bool          `arg:"bg" doc:"Whether to leave it running and not to wait for it."`
	Stdin           string        `arg:"stdin,text" doc:"What it reads."`
	// Salt differs: it fails with a TypeError where python_shell is given.
	PythonShell bool `arg:"python_shell" default:"true" doc:"Accepted: there is always a shell."`
	ResetLocale bool `arg:"reset_system_locale" default:"true" doc:"Whether it runs in the C locale."`
	Rstrip      bool `arg:"rstrip" default:"true" doc:"Whether white space at the end of its output is cut."`
}

// NeedsRootOn says that only root runs commands as somebody else, or in another root.
func (c *common) NeedsRootOn(h host.Reader) bool {
	if c.Root != "" || c.Group != "" {
		return true
	}
	if c.RunAs == "" {
		return false
	}
	me, err := h.UserByID(host.IdentityOf(h).UID)
	return err != nil || me.Name != c.RunAs
}

func (c *common) invocation(text string) *invocation {
	return &invocation{text: text, cwd: c.Cwd, root: c.Root, runas: c.RunAs, group: c.Group, shell: c.Shell,
		umask: c.Umask, env: c.Env,
		prependPath: c.PrependPath, stdin: c.Stdin, cleanEnv: c.CleanEnv, hide: c.HideOutput, background: c.Background,
		keepWS: !c.Rstrip, keepLocale: !c.ResetLocale, ignoreTimeout: c.IgnoreTimeout, timeout: c.Timeout,
		okCodes: c.SuccessRetcodes, okStdout: c.SuccessStdout, okStderr: c.SuccessStderr}
}

// act does, once, what start starts. An overlay is told that it would run, and that nobody knows what it leaves.
func (c *common) act(ctx context.Context, env *modules.Env, h host.Host, what string,
	start func(context.Context) (outcome, error)) (state.Effect, error) {
	if err := c.workable(h); err != nil {
		return state.Effect{Once: true}, err
	}
	e := state.Effect{Comment: what + " run", Preview: what + " would have been executed", Pending: true, Once: true}
	err := h.Do(ctx, host.Deed{What: what, On: host.Anything, Do: func(ctx context.Context) error {
		o, err := start(ctx)
		// A command may have changed anything: accounts, what is in PATH.
		h.Invalidate("accounts")
		h.Invalidate("path")
		if err != nil {
			e.Comment = ""
			return err
		}
		if err = c.report(&e, o); o.timedOut {
			e.Comment = what + " timed out after " + seconds(c.Timeout) + " s"
			if err != nil {
				err = errors.New(e.Comment)
			}
		}
		return err
	}, Foretell: func(o host.Host) error {
		promise(env, o)
		return c.foretell(ctx, o, &e)
	}})
	return e, err
}

// workable says why the command cannot run as it is to.
func (c *common) workable(h host.Reader) error {
	if info, err := h.Stat(c.Cwd); c.Cwd != "" && c.Root == "" && (err != nil || !info.IsDir()) {
		return fmt.Errorf("Desired working directory %q is not available", c.Cwd) //nolint:staticcheck // Salt's words
	}
	if _, err := h.User(c.RunAs); c.RunAs != "" && err != nil {
		return fmt.Errorf("User '%s' is not available", c.RunAs) //nolint:staticcheck // Salt's words
	}
	if _, err := h.Group(c.Group); c.Group != "" && err != nil {
		return fmt.Errorf("Group '%s' is not available", c.Group) //nolint:staticcheck // as Salt says of a user
	}
	if _, err := h.LookPath(c.Shell); c.Shell != "" && c.Root == "" && err != nil {
		return fmt.Errorf("The shell %s is not available", c.Shell) //nolint:staticcheck // Salt's words
	}
	return nil
}

// promise leaves in doubt what the command is to make.
func promise(env *modules.Env, o host.Host) {
	if env.Low == nil {
		return
	}
	for _, path := range env.Low.Opts().Creates {
		if _, err := o.Lstat(path); err != nil {
			o.Promise(host.Fact{Kind: host.FactPath, Name: path, Value: "unknown"})
		}
	}
}

// foretell lets the command of test_name say what would change. It is made for test mode, and is not to run otherwise:
// the one case of asking for it.
func (c *common) foretell(ctx context.Context, o host.Host, e *state.Effect) error {
	if c.Stateful.testName == "" || !o.Preview() {
		return nil
	}
	in := c.invocation(c.Stateful.testName)
	in.reads = true
	said, err := in.run(ctx, o)
	if e.Preview = ""; err != nil {
		e.Comment = ""
		return err
	}
	err = c.report(e, said)
	e.Pending = false // but for the changes
	return err
}

// report puts the outcome into the effect, as the command tells it itself where it is stateful.
func (c *common) report(e *state.Effect, o outcome) (err error) {
	e.Changes = o.changes()
	if c.Stateful.on {
		e.Changes, e.Comment, err = reinterpret(o)
	}
	if o.code != 0 || err != nil {
		return errors.New(e.Comment)
	}
	return nil
}
