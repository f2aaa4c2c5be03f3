package cmd

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// An invocation is one command with all that says how it runs. State functions and execution functions share it.
type invocation struct {
	text                                        string   // for the shell
	args                                        []string // in place of text, without a shell
	cwd, root, runas, group, shell, umask       string
	env                                         []string
	prependPath, stdin                          string
	cleanEnv, hide, background, combine, keepWS bool
	keepLocale, ignoreTimeout, reads            bool
	timeout                                     time.Duration
	okCodes                                     []int64
	okStdout, okStderr                          []string
}

// An outcome is what Salt's cmd.run_all tells.
type outcome struct {
	pid, code      int
	stdout, stderr string
	timedOut       bool
	missing        bool // there was no script
}

// changes are the outcome as Salt shows it.
func (o outcome) changes() *value.Dict {
	d := value.DictOf("pid", value.Int(o.pid), "retcode", value.Int(o.code), "stdout", value.Str(o.stdout), "stderr",
		value.Str(o.stderr))
	if o.missing {
		d.SetStr("cache_error", value.Bool(true))
	}
	return d
}

// run runs the command. An error means that it could not be started.
func (in *invocation) run(ctx context.Context, h host.Reader) (outcome, error) {
	c, err := in.command(h)
	if err != nil {
		return outcome{}, err
	}
	start := h.Query
	if w, ok := h.(host.Host); ok && !in.reads {
		start = w.Run
	}
	out, err := start(ctx, c)
	if err != nil {
		return outcome{}, fmt.Errorf("Unable to run command %s: %w", strconv.Quote(in.shown()), err) //nolint:staticcheck // Salt's words
	}
	return in.judge(out), nil
}

func (in *invocation) shown() string {
	if in.args != nil {
		return strings.Join(in.args, " ")
	}
	return in.text
}

// judge reads what the command left, as Salt does: trailing white space is cut, and codes or texts that the user named
// make it a success.
func (in *invocation) judge(out *host.Output) outcome {
	o := outcome{pid: out.PID, code: out.Code, stdout: in.decode(out.Stdout), stderr: in.decode(out.Stderr)}
	if out.TimedOut { // Salt differs: it shows nothing of what the command printed
		o.timedOut, o.code = true, 1
		if o.stdout != "" && !strings.HasSuffix(o.stdout, "\n") {
			o.stdout += "\n"
		}
		o.stdout += fmt.Sprintf("%s : Timed out after %s seconds", in.shown(), seconds(in.timeout))
		if in.ignoreTimeout {
			o.code = 0
		}
	}
	if slices.Contains(in.okCodes, int64(o.code)) || containsAny(o.stdout, in.okStdout) ||
		containsAny(o.stderr, in.okStderr) {
		o.code = 0
	}
	if in.hide {
		o.stdout, o.stderr = "", ""
	}
	return o
}

func seconds(d time.Duration) string { return strconv.FormatFloat(d.Seconds(), 'f', -1, 64) }

func (in *invocation) decode(b []byte) string {
	s := strings.ToValidUTF8(string(b), "\uFFFD")
	if in.keepWS {
		return s
	}
	return strings.TrimRightFunc(s, unicode.IsSpace)
}

func containsAny(text string, parts []string) bool {
	return slices.ContainsFunc(parts, func(p string) bool { return p != "" && strings.Contains(text, p) })
}

func (in *invocation) command(h host.Reader) (host.Cmd, error) {
	c := host.Cmd{Args: in.args, Dir: in.cwd, RunAs: in.runas, Group: in.group, Umask: in.umask, Timeout: in.timeout,
		Background: in.background, Combine: in.combine, ClearEnv: in.cleanEnv, Stdin: []byte(in.stdin), Reads: in.reads,
		Users: true, PrependPath: in.prependPath}
	if in.stdin == "" {
		c.Stdin = nil
	}
	if c.Args == nil {
		// Salt differs: its default shell is $SHELL of whoever started it, so that results depend on that.
		c.Args, c.Shell = []string{in.text}, cmp.Or(in.shell, "/bin/sh")
	}
	if in.root != "" {
		c.Args = append([]string{"chroot", in.root}, c.Args...)
		if c.Shell != "" {
			c.Args, c.Shell = []string{"chroot", in.root, c.Shell, "-c", in.text}, ""
		}
	}
	if c.Dir == "" {
		c.Dir = home(h, in.runas)
	}
	c.Env = in.environment()
	return c, nil
}

// home is where commands start when nothing else is said: the home of who runs them, / where there is none.
func home(h host.Reader, user string) string {
	u, err := h.User(user)
	if user == "" {
		u, err = h.UserByID(host.IdentityOf(h).UID)
	}
	if err != nil || u.Home == "" {
		return "/"
	}
	if info, err := h.Stat(u.Home); err != nil || !info.IsDir() {
		return "/"
	}
	return u.Home
}

// locale is reset for commands, so that what they print can be understood whatever the caller's language is.
var locale = [...]string{"LC_CTYPE", "LC_NUMERIC", "LC_TIME", "LC_COLLATE", "LC_MONETARY", "LC_MESSAGES", "LC_PAPER",
	"LC_NAME",
	"LC_ADDRESS", "LC_TELEPHONE", "LC_MEASUREMENT", "LC_IDENTIFICATION", "LANGUAGE"}

func (in *invocation) environment() []string {
	var env []string
	given := func(name string) (string, bool) {
		for _, kv := range slices.Backward(in.env) {
			if k, v, _ := strings.Cut(kv, "="); k == name {
				return v, true
			}
		}
		return "", false
	}
	if _, ok := given("LC_ALL"); !ok && !in.keepLocale {
		for _, name := range locale {
			if _, ok := given(name); !ok {
				env = append(env, name+"=C")
			}
		}
	}
	return append(env, in.env...)
}
