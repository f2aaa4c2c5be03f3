package gitroots

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A repo is the cached copy of a remote.
type repo struct {
	*remote
	c   *Cache
	dir string // of all that is kept of it
	// commits are objects that are known to be commits.
	commits map[string]bool
}

// ask runs git in the copy, and gives what it prints, or to gets that.
func (r *repo) ask(ctx context.Context, stdin []byte, to io.Writer, args ...string) (string, error) {
	cmd := host.Cmd{Args: append([]string{"git", "--git-dir=" + r.dir + "/repo.git"}, args...), Env: r.environ(),
		ClearEnv: true, Stdin: stdin, To: to, Dir: r.dir}
	out, err := r.c.Machine.Query(ctx, cmd)
	switch {
	case err != nil && ctx.Err() != nil:
		return "", context.Cause(ctx)
	case err != nil:
		return "", err
	case out.Code != 0:
		return "", errors.New(why(args[0], string(out.Stderr), out.Code))
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

// why is git's fatal line, the reason for which it ended.
func why(verb, text string, code int) string {
	last := ""
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if rest, ok := strings.CutPrefix(line, "fatal: "); ok {
			if strings.HasPrefix(rest, "detected dubious ownership") {
				return "the repository belongs to another user: git config --global --add safe.directory PATH trusts it"
			}
			if last == "" || !strings.HasPrefix(rest, "Could not read from remote") {
				last = rest
			}
		} else if line != "" && last == "" {
			last = strings.TrimPrefix(line, "error: ")
		}
	}
	if last == "" {
		return fmt.Sprintf("git %s ended with exit code %d", verb, code)
	}
	return last
}

// helper answers git's question for an account from its environment, which only its user can read.
const helper = `!f() { test "$1" = get && printf 'username=%s\npassword=%s\n' "$GOSTATE_GIT_USER" ` +
	`"$GOSTATE_GIT_PASSWORD"; }; f`

// environ is git's environment: none of git's own variables of this process, no hooks, no programs of the repository,
// known protocols only, and no questions. The address stands here, since arguments are for everybody to read.
func (r *repo) environ() []string {
	settings := [][2]string{{"core.hooksPath", "/dev/null"}, {"core.fsmonitor", "false"}, {"protocol.ext.allow", "never"},
		{"gc.autoDetach", "false"}, {"maintenance.autoDetach", "false"}, {"submodule.recurse", "false"},
		{"remote.origin.url", r.url}, {"http.sslVerify", fmt.Sprint(!r.noVerify)},
		{"remote.origin.followRemoteHEAD", "never"}}
	for _, s := range r.specs() {
		settings = append(settings, [2]string{"remote.origin.fetch", s})
	}
	if r.user != "" && r.scheme != "ssh" {
		at := "credential." + r.scheme + "://" + r.host + ".helper"
		settings = append(settings, [2]string{at, ""}, [2]string{at, helper})
	}
	env := append(inherited(), "GIT_ALLOW_PROTOCOL=file:git:http:https:ssh", "GIT_TERMINAL_PROMPT=0", "GIT_ASKPASS=true",
		"SSH_ASKPASS_REQUIRE=never", "LC_ALL=C.UTF-8", "SUDO_UID=", "GIT_SSH_COMMAND="+r.ssh(),
		"GOSTATE_GIT_USER="+r.user, "GOSTATE_GIT_PASSWORD="+r.password, fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings)))
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[1]))
	}
	return env
}

// inherited is the environment of this process, without git's own variables: in a hook they name another repository.
func inherited() (out []string) {
	for _, kv := range os.Environ() {
		if !strings.HasPrefix(kv, "GIT_") || strings.HasPrefix(kv, "GIT_SSL_") ||
			strings.HasPrefix(kv, "GIT_CONFIG_GLOBAL=") || strings.HasPrefix(kv, "GIT_CONFIG_SYSTEM=") ||
			strings.HasPrefix(kv, "GIT_CONFIG_NOSYSTEM=") {
			out = append(out, kv)
		}
	}
	return out
}

// ssh is the command that git reaches a host by. Keys of hosts that are new are remembered in the cache.
func (r *repo) ssh() string {
	known := `UserKnownHostsFile="` + r.c.Dir + `/known_hosts" ~/.ssh/known_hosts ~/.ssh/known_hosts2`
	text := "ssh -o BatchMode=yes -o ConnectTimeout=20 -o StrictHostKeyChecking=accept-new -o UpdateHostKeys=no -o " +
		value.ShellQuote(known)
	if r.key != "" {
		text += " -o IdentitiesOnly=yes -i " + value.ShellQuote(r.key)
	}
	return text
}

// specs are the references that are fetched.
func (r *repo) specs() []string {
	if len(r.refspecs) > 0 {
		return r.refspecs
	}
	return []string{"+refs/heads/*:refs/remotes/origin/*", "+refs/tags/*:refs/tags/*"}
}
