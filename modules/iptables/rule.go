package iptables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Rule is what append, insert and delete take.
type Rule struct {
	Name string `arg:"name,required,text" doc:"The name of the state. It is no part of the rule."`
	Net
	Chain string      `arg:"chain,required,word" doc:"The chain."`
	Save  value.Value `arg:"save" doc:"True saves all rules where they are loaded at boot (on Debian the package iptables-persistent does that); a path saves them there."`
	Rest  *value.Dict `arg:"**"`
}

// Validate refuses what cannot be a rule.
func (r *Rule) Validate() []modules.Fault {
	if _, err := spell(r.args()); err != nil {
		return []modules.Fault{{Arg: "name", Msg: err.Error()}}
	}
	return nil
}

func (r *Rule) args() *value.Dict {
	if r.Rest == nil {
		return value.NewDict(0)
	}
	return r.Rest
}

// spelled is the rule as iptables takes it, and the whole command as it is shown.
func (r *Rule) spelled(h host.Reader, verb byte, position string) (rule, command string, err error) {
	if rule, err = spell(r.args()); err != nil {
		return "", "", err
	}
	if strings.TrimSpace(rule) == "" {
		return "", "", fmt.Errorf("the rule is empty: it has neither a match nor a target")
	}
	d := deed{r.Family, r.Table, verb, r.Chain, position + " " + rule}
	command, err = d.command(h)
	return rule, strings.TrimSpace(command), err
}

// present asks iptables whether a chain has a rule, however it is written there. What it says of one that is no rule is
// the complaint.
func (r *Rule) present(ctx context.Context, h host.Reader, rule string) (there bool, complaint string, err error) {
	out, err := check(ctx, h, deed{family: r.Family, table: r.Table, chain: r.Chain, rest: rule})
	if err != nil {
		return false, "", err
	}
	if out.Code > 1 {
		complaint = strings.TrimSpace(string(out.Stderr))
	}
	if told(h, r.Family) == nil {
		return out.Code == 0, complaint, nil
	}
	all, err := now(ctx, h, r.Family)
	if err != nil {
		return false, "", err
	}
	if all.newTarget(r.Table, rule) {
		complaint = ""
	}
	return all.present(r.Table, r.Chain, rule, out.Code == 0), complaint, nil
}

// refused is the failure of a rule that iptables does not take.
func (r *Rule) refused(command, why string) error {
	why, _, _ = strings.Cut(why, "\n")
	return fmt.Errorf("Failed to set iptables rule for %s.\nAttempted rule was %s for %s: %s", r.Name, command, r.Family,
		why) //nolint:staticcheck // Salt's words
}

// present is the answer where earlier states of a preview would have changed the rules; had is iptables' of those of
// the machine.
func (r rules) present(table, name, rule string, had bool) bool {
	c := r.chain(table, name)
	return c != nil && !c.gone[rule] && (slices.Contains(c.lines, rule) || had && c.asked)
}

// newTarget says whether a rule leads to a chain that a preview would have made, which iptables does not know.
func (r rules) newTarget(table, rule string) bool {
	words, _ := modules.Words(rule)
	for _, w := range words {
		if c := r.chain(table, w); c != nil && !c.asked {
			return true
		}
	}
	return false
}

// check asks iptables for a rule: 0 it is there, 1 it is not, above the rule is no rule.
func check(ctx context.Context, h host.Reader, d deed) (*host.Output, error) {
	path, err := full(h, d.family)
	if err != nil {
		return nil, err
	}
	words, err := modules.Words(d.rest)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", d.rest, err)
	}
	if coming(h, d.family) {
		return &host.Output{Code: 1}, nil
	}
	return ask(ctx, h, append([]string{path, "-t", d.table, "-C", d.chain}, words...)...)
}

// keep saves the rules where the arguments say so. Its comment is "" where nothing was saved.
func (r *Rule) keep(ctx context.Context, env *modules.Env, h host.Host) (string, error) {
	return keep(ctx, env, h, r.Family, r.Save)
}
