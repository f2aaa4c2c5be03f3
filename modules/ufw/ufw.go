// Package ufw keeps rules and policies of ufw, the uncomplicated firewall, as the ufw formula calls them.
//
// Whether a rule is there, ufw says itself when it is asked to try (--dry-run); whether it is on and what its policies
// are, its files say.
package ufw

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "ufw", States: []modules.StateSpec{enabledSpec(),
		policySpec("incoming", "DEFAULT_INPUT_POLICY"), policySpec("outgoing", "DEFAULT_OUTPUT_POLICY"),
		ruleSpec("allow", "allow", "Lets packets in that the rule takes."),
		ruleSpec("allowed", "allow", "Is another name of ufw.allow."),
		ruleSpec("deny", "deny", "Refuses packets that the rule takes: the rule comes before all others."),
		ruleSpec("limit", "limit", "Lets packets in that the rule takes, unless they come too often.")}}
}

const (
	switchFile = "/etc/ufw/ufw.conf"
	policyFile = "/etc/default/ufw"
)

// root is embedded by the states.
type root struct{}

// NeedsRoot is true: ufw works for root alone.
func (root) NeedsRoot(*modules.Env) bool { return true }

// changed is the effect of a change, in the formula's shape.
func changed(name, done string, changes *value.Dict, would string) state.Effect {
	return state.Effect{Changes: changes, Comment: name + done, Preview: name + would, Foretold: value.NewDict(0)}
}

// run runs ufw, or leaves in a preview what it would have done. What it says is the answer.
func run(ctx context.Context, h host.Host, foretell func(o host.Host) error, words ...string) (said string, err error) {
	err = h.Do(ctx, host.Deed{What: "ufw " + strings.Join(words, " "), On: host.FactFirewall,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, command(words...))
			if err != nil {
				return fmt.Errorf("run ufw: %w", err)
			}
			said = string(out.Stdout)
			return modules.Complaint("ufw", out)
		}, Foretell: foretell})
	return said, err
}

func command(words ...string) host.Cmd {
	return host.Cmd{Args: append([]string{"ufw"}, words...), Env: []string{"LC_ALL=C.UTF-8"}}
}

// installed is an error where there is no ufw.
func installed(h host.Reader) error {
	if _, err := h.LookPath("ufw"); err != nil {
		return host.Missing("ufw is not installed: %w", err)
	}
	return nil
}

// setting is the value of KEY=value in a file of ufw's, without quotes; "" where there is none.
func setting(h host.Reader, file, key string) (string, error) {
	lines, err := modules.ReadLines(h, file)
	for _, l := range lines {
		if v, ok := strings.CutPrefix(l, key+"="); ok {
			return strings.Trim(v, `"'`), err
		}
	}
	return "", err
}

// set sets KEY=value in a file of ufw's, as ufw would.
func set(o host.Host, file, key, val string) error {
	lines, err := modules.ReadLines(o, file)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for i, l := range lines {
		if strings.HasPrefix(l, key+"=") {
			lines[i] = key + "=" + val
			return modules.WriteLines(o, file, lines)
		}
	}
	return modules.WriteLines(o, file, append(lines, key+"="+val))
}
