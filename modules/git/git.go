// Package git keeps checkouts of git repositories and git's configuration, through the git command.
package git

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "git", States: []modules.StateSpec{latestSpec(), clonedSpec(), presentSpec(),
		configSetSpec(), configUnsetSpec()}, Execs: execSpecs()}
}

// A repo runs git in one folder, as one user.
type repo struct {
	dir      string
	user     string
	identity []string // private keys for ssh
	account  *account // for an address
	looks    bool     // it writes nothing, and runs no hooks
	wary     bool     // it runs no hooks
	owner    bool     // the user is the owner of the repository, whom nobody named
	safe     bool     // the repository is root's, and somebody else works in it
}

// looking is the repo for commands that only look.
func (r repo) looking() repo {
	r.looks, r.wary = true, true
	return r
}

// An account is for the address of a repository. It is in git's environment, which only its user can read, and in no
// file.
//
// Salt differs: it writes the account into the repository's configuration, and into git's arguments.
type account struct{ url, with string }

func accountFor(url, user, password string) *account {
	if user == "" && password == "" {
		return nil
	}
	with, err := withAccount(url, textOrNone(user), textOrNone(password))
	if err != nil {
		return nil
	}
	return &account{url: url, with: with}
}

// environ makes git ask nothing, and ssh use the given keys only. A look leaves the index and the known hosts as they
// are.
func (r repo) environ() []string {
	settings := [][2]string{{"protocol.ext.allow", "never"}}
	if r.safe {
		settings = append(settings, [2]string{"safe.directory", r.dir})
	}
	if r.wary {
		settings = append(settings, [2]string{"core.fsmonitor", "false"}, [2]string{"core.hooksPath", "/dev/null"})
	}
	ssh := "ssh -o BatchMode=yes -o StrictHostKeyChecking=accept-new"
	if r.account != nil {
		settings = append(settings, [2]string{"url." + r.account.with + ".insteadOf", r.account.url})
	}
	if r.looks {
		// new ones go to the first
		ssh += " -o UpdateHostKeys=no -o 'UserKnownHostsFile=/dev/null ~/.ssh/known_hosts ~/.ssh/known_hosts2'"
	}
	// as root, git takes a repository of SUDO_UID's for its own
	env := []string{"SUDO_UID=", "GIT_TERMINAL_PROMPT=0", "LC_ALL=C.UTF-8",
		fmt.Sprintf("GIT_CONFIG_COUNT=%d", len(settings))}
	for i, s := range settings {
		env = append(env, fmt.Sprintf("GIT_CONFIG_KEY_%d=%s", i, s[0]), fmt.Sprintf("GIT_CONFIG_VALUE_%d=%s", i, s[1]))
	}
	if r.looks {
		env = append(env, "GIT_OPTIONAL_LOCKS=0")
	}
	for _, key := range r.identity {
		ssh += " -i " + value.ShellQuote(key)
	}
	if len(r.identity) > 0 {
		ssh += " -o IdentitiesOnly=yes"
	}
	return append(env, "GIT_SSH_COMMAND="+ssh)
}

// cmd is the command, as it may be run where the repository is.
func (r repo) cmd(h host.Reader, args []string) (repo, host.Cmd) {
	r = r.owned(h)
	words := []string{"git"}
	if r.dir != "" {
		words = append(words, "-C", r.dir)
	}
	return r, host.Cmd{Args: append(words, args...), Env: r.environ(), RunAs: r.user}
}

// ask runs a command that only looks. ok is false when git says no.
func (r repo) ask(ctx context.Context, h host.Reader, args ...string) (text string, ok bool, err error) {
	_, cmd := r.looking().cmd(h, args)
	out, err := h.Query(ctx, cmd)
	if err != nil {
		return "", false, fmt.Errorf("git %s: %w", args[0], err)
	}
	return strings.TrimSpace(string(out.Stdout)), out.Code == 0, nil
}

// must is ask where a no is an error.
func (r repo) must(ctx context.Context, h host.Reader, args ...string) (string, error) {
	r, cmd := r.looking().cmd(h, args)
	out, err := h.Query(ctx, cmd)
	if err != nil {
		return "", fmt.Errorf("git %s: %w", args[0], err)
	}
	if out.Code != 0 {
		return "", r.told(failure(args[0], out))
	}
	return strings.TrimSpace(string(out.Stdout)), nil
}

// do runs a command that changes the checkout.
func (r repo) do(ctx context.Context, h host.Host, args ...string) error {
	r, cmd := r.cmd(h, args)
	out, err := h.Run(ctx, cmd)
	if err != nil {
		return fmt.Errorf("git %s: %w", args[0], err)
	}
	if out.Code != 0 {
		return r.told(failure(args[0], out))
	}
	return nil
}

// failure is git's last fatal line, or the last reference that it refused.
func failure(verb string, out *host.Output) error {
	why := ""
	for line := range strings.Lines(string(out.Stderr)) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "fatal:") || strings.HasPrefix(line, "error:") || strings.HasPrefix(line, "! [") ||
			why == "" {
			why = line
		}
	}
	if why == "" {
		why = fmt.Sprintf("it ended with exit code %d", out.Code)
	}
	return errors.New("git " + verb + ": " + strings.TrimPrefix(strings.TrimPrefix(why, "fatal: "), "error: "))
}

// change does what changes a repository or a checkout. A preview cannot tell what is there afterwards.
func change(ctx context.Context, h host.Host, what, path string, do func() error) error {
	return h.Do(ctx, host.Deed{What: what, On: host.FactPath, Do: func(context.Context) error { return do() },
		Foretell: func(o host.Host) error {
			o.Promise(host.Fact{Kind: host.FactPath, Name: path, Value: "unknown"})
			return nil
		}})
}
