package iptables

import (
	"context"
	"fmt"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Delete keeps a rule out of a chain, or takes the one at a place.
type Delete struct {
	Rule
	Position int `arg:"position" doc:"The place of the rule to delete, whatever it is: in each run, the one that is there then."`
}

func deleteSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "iptables.delete",
		Doc: "Keeps a rule out of a chain. All other arguments are the options of iptables, as for iptables.append. With " +
			"a position each run deletes the rule that is there.",
		Example: "no telnet:\n  iptables.delete:\n    - chain: INPUT\n    - protocol: tcp\n    - dport: 23\n" +
			"    - jump: ACCEPT",
		New: func() modules.StateFunc { return &Delete{} },
	}
}

// Act deletes the rule.
func (d *Delete) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	rest, command, err := d.what(h)
	if err != nil {
		return state.Effect{}, err
	}
	if d.Position == 0 {
		present, _, err := d.present(ctx, h, rest) // what is no rule is not there
		if err != nil || !present {
			return state.Settled(fmt.Sprintf("iptables rule for %s already absent for %s (%s)", d.Name, d.Family,
				command)), err
		}
	}
	e := state.Effect{Changes: value.DictOf("locale", value.Str(d.Name)), Foretold: none(), Once: d.Position != 0,
		Preview: fmt.Sprintf("iptables rule for %s needs to be deleted for %s (%s)", d.Name, d.Family, command),
		Comment: fmt.Sprintf("Delete iptables rule for %s %s", d.Name, command)}
	if err := (deed{d.Family, d.Table, 'D', d.Chain, rest}).do(ctx, h); err != nil {
		return state.Effect{}, fmt.Errorf("Failed to delete iptables rule for %s.\nAttempted rule was %s: %w", d.Name,
			command,
			err) //nolint:staticcheck // Salt's words
	}
	out, err := d.keep(ctx, env, h)
	if out != "" {
		e.Comment = fmt.Sprintf("Deleted and saved iptables rule %s for %s\n%s\n%s", d.Name, d.Family, command, out)
	}
	return e, err
}

// what is deleted: a place, or a rule.
func (d *Delete) what(h host.Reader) (rest, command string, err error) {
	if d.Position == 0 {
		return d.spelled(h, 'D', "")
	}
	at := strconv.Itoa(d.Position)
	rule, err := spell(d.args())
	if err != nil {
		return "", "", err
	}
	command, err = deed{d.Family, d.Table, 'D', d.Chain, at + " " + rule}.command(h)
	return at, strings.TrimSpace(command), err
}
