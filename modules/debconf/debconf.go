// Package debconf keeps answers to the questions that Debian packages ask.
package debconf

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "debconf", States: []modules.StateSpec{setSpec(), setFileSpec()}}
}

// An answer is one line for debconf-set-selections.
type answer struct{ owner, question, kind, value string }

func (a answer) String() string {
	return strings.TrimRight(strings.Join([]string{a.owner, a.question, a.kind, a.value}, " "), " ")
}

// current are the answers of a package: question to value. Only debconf-get-selections, which is a tool of its own,
// tells passwords.
func current(ctx context.Context, h host.Reader, owner string) (map[string]string, error) {
	if _, err := h.LookPath("debconf-get-selections"); err == nil {
		return selections(ctx, h, owner)
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"debconf-show", owner}, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("ask debconf about %s: %w", owner, err)
	}
	return shownAnswers(string(out.Stdout)), nil
}

// shownAnswers reads what debconf-show prints.
func shownAnswers(text string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(text) {
		q, v, ok := strings.Cut(strings.TrimSpace(strings.TrimLeft(line, "* ")), ":")
		if ok {
			m[q] = strings.TrimSpace(v)
		}
	}
	return m
}

const omitted = "(password omitted)"

func selections(ctx context.Context, h host.Reader, owner string) (map[string]string, error) {
	out, err := h.Query(ctx, host.Cmd{Args: []string{"debconf-get-selections"}, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return nil, fmt.Errorf("ask debconf for its answers: %w", err)
	}
	return selectionsOf(string(out.Stdout), owner), nil
}

// selectionsOf are the answers of a package in what debconf-get-selections prints.
func selectionsOf(text, owner string) map[string]string {
	m := map[string]string{}
	for line := range strings.Lines(text) {
		if f := strings.SplitN(strings.TrimRight(line, "\n"), "\t", 4); len(f) == 4 && f[0] == owner {
			m[f[1]] = f[3]
		}
	}
	return m
}

// differing are the answers that are not as wanted, those of other states' promises included. A password that
// debconf does not tell counts as answered.
func differing(ctx context.Context, h host.Reader, wanted []answer) ([]answer, error) {
	known := map[string]map[string]string{}
	var out []answer
	for _, a := range wanted {
		if known[a.owner] == nil {
			m, err := current(ctx, h, a.owner)
			if err != nil {
				return nil, err
			}
			known[a.owner] = m
		}
		now, there := known[a.owner][a.question]
		if f, ok := h.Fact(host.FactDebconf, a.owner+" "+a.question); ok {
			now, there = f.Value, true
		}
		if !there || now != a.value && !(a.kind == "password" && now == omitted) {
			out = append(out, a)
		}
	}
	return out, nil
}

// settle sets the answers that are not as wanted; done words how many were set. Salt differs: it shows the password in
// test mode, and no changes of debconf.set_file.
func settle(ctx context.Context, h host.Host, wanted []answer, done func(n int) string) (state.Effect, error) {
	todo, err := differing(ctx, h, wanted)
	if err != nil || len(todo) == 0 {
		return state.Settled("All specified answers are already set"), err
	}
	e := state.Effect{Changes: value.NewDict(len(todo)), Foretold: value.NewDict(len(todo)), Comment: done(len(todo)),
		Preview: "The answers of debconf would be set"}
	for _, a := range todo {
		e.Changes.SetStr(a.question, value.Str(a.shown()))
		e.Foretold.SetStr(a.question, value.Str("New value: "+a.shown()))
	}
	return e, h.Do(ctx, host.Deed{What: "set answers of debconf", On: host.FactDebconf,
		Do: func(ctx context.Context) error { return set(ctx, h, todo) },
		Foretell: func(o host.Host) error {
			for _, a := range todo {
				o.Promise(host.Fact{Kind: host.FactDebconf, Name: a.owner + " " + a.question, Value: a.value})
			}
			return nil
		}})
}

func (a answer) shown() string {
	if a.kind == "password" {
		return "(password hidden)"
	}
	return a.value
}

// set sets the answers, those after one that ends in a backslash apart: in one text it would swallow the next.
func set(ctx context.Context, h host.Host, todo []answer) error {
	for len(todo) > 0 {
		n := slices.IndexFunc(todo, func(a answer) bool { return strings.HasSuffix(a.String(), `\`) })
		if n++; n == 0 {
			n = len(todo)
		}
		if err := setTogether(ctx, h, todo[:n]); err != nil {
			return err
		}
		todo = todo[n:]
	}
	return nil
}

func setTogether(ctx context.Context, h host.Host, todo []answer) error {
	var b strings.Builder
	for _, a := range todo {
		b.WriteString(a.String() + "\n")
	}
	out, err := h.Run(ctx, host.Cmd{Args: []string{"debconf-set-selections"}, Stdin: []byte(b.String()),
		Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return fmt.Errorf("run debconf-set-selections: %w", err)
	}
	if out.Code != 0 {
		return errors.New("debconf-set-selections: " + strings.TrimSpace(string(out.Stderr)))
	}
	return nil
}

// tool is embedded by the states.
type tool struct{}

// NeedsRoot is true: only root may change answers.
func (tool) NeedsRoot(*modules.Env) bool { return true }
