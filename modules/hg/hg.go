// Package hg keeps checkouts of Mercurial repositories, with the hg command.
package hg

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "hg", States: []modules.StateSpec{latestSpec()}, Execs: execs()}
}

// A repo runs hg in one folder, as one user.
type repo struct {
	dir, user string
	identity  string   // a private key for ssh
	opts      []string // more options for pull and clone
}

// keyed are the options for the key, and those that are given.
func (r repo) keyed() []string {
	words := r.opts
	if r.identity != "" {
		words = append([]string{"--ssh", "ssh -i " + r.identity}, words...)
	}
	return words
}

func (r repo) cmd(words ...string) host.Cmd {
	return host.Cmd{Args: append([]string{"hg", "--noninteractive"}, words...), Dir: r.dir, RunAs: r.user,
		Env: []string{"LC_ALL=C.UTF-8", "HGPLAIN=1"}}
}

// ask runs a command that only looks; code 1 is hg's way to say that there is nothing. hg keeps caches even then, of
// the other repository too: in a preview it works where nothing that is written lasts.
func (r repo) ask(ctx context.Context, h host.Reader, words ...string) (text string, some bool, err error) {
	c := r.cmd(words...)
	c.Users = true
	out, err := h.Query(ctx, c)
	if err != nil {
		return "", false, fmt.Errorf("run hg: %w", err)
	}
	if out.Code > 1 {
		return "", false, failure(out)
	}
	return strings.TrimRight(string(out.Stdout), "\n"), out.Code == 0, nil
}

// do runs a command that changes the checkout.
func (r repo) do(ctx context.Context, h host.Host, words ...string) (string, error) {
	out, err := h.Run(ctx, r.cmd(words...))
	if err != nil {
		return "", fmt.Errorf("run hg: %w", err)
	}
	if out.Code != 0 {
		return "", failure(out)
	}
	return strings.TrimRight(string(out.Stdout), "\n"), nil
}

func failure(out *host.Output) error {
	text := strings.TrimSpace(string(out.Stderr))
	if text == "" {
		text = strings.TrimSpace(string(out.Stdout))
	}
	return errors.New("Hg command failed: " + text) //nolint:staticcheck // Salt's words
}

// revision is the hash of a revision in the folder, "" where hg knows none; with changes of the folder a + follows.
func (r repo) revision(ctx context.Context, h host.Reader, rev string, long bool) (string, error) {
	words := []string{"id", "-i"}
	if long {
		words = append(words, "--debug")
	}
	text, some, err := r.ask(ctx, h, append(words, "-r", rev)...)
	if err != nil && strings.HasPrefix(err.Error(), "Hg command failed") || !some {
		return "", nil
	}
	return text, err
}
