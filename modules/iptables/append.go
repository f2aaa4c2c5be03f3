package iptables

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Append keeps a rule in a chain, at its end when it is missing.
type Append struct{ Rule }

func appendSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "iptables.append",
		Doc: "Keeps a rule in a chain, at its end when it is missing. All other arguments are the options of iptables, " +
			"without their dashes: a list for several values, an empty text for an option without one, ! before what is " +
			"negated. connstate is --state, if and of are the interfaces.",
		Example: "web:\n  iptables.append:\n    - chain: INPUT\n    - protocol: tcp\n    - match: [state, comment]\n" +
			"    - connstate: NEW\n    - dport: 80\n    - comment: Web\n    - jump: ACCEPT\n    - save: true",
		New: func() modules.StateFunc { return &Append{} },
	}
}

// Act appends the rule.
func (a *Append) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return a.put(ctx, env, h, 'A', 0, "(%[2]s) for %[1]s")
}

// put puts the rule into the chain where it lacks it, and saves. Salt's comments end in the kind of addresses and the
// command, in the order of the tail.
func (r *Rule) put(ctx context.Context, env *modules.Env, h host.Host, verb byte, position int,
	tail string) (state.Effect,
	error) {
	d, rule, command, err := r.putting(ctx, h, verb, position)
	if err != nil {
		return state.Effect{}, err
	}
	said := "iptables rule for " + r.Name + " %s " + fmt.Sprintf(tail, r.Family, command)
	present, complaint, err := r.present(ctx, h, rule)
	switch {
	case err != nil:
		return state.Effect{}, err
	case present:
		return r.settled(ctx, env, h, fmt.Sprintf(said, "already set"), command)
	case complaint != "":
		return state.Effect{}, r.refused(command, complaint)
	}
	if err := d.do(ctx, h); err != nil {
		return state.Effect{}, r.refused(command, err.Error())
	}
	e := state.Effect{Changes: value.DictOf("locale", value.Str(r.Name)), Foretold: none(),
		Preview: fmt.Sprintf(said, "needs to be set"),
		Comment: fmt.Sprintf("Set iptables rule for %s to: %s for %s", r.Name, command, r.Family)}
	out, err := r.keep(ctx, env, h)
	if out != "" {
		e.Comment = fmt.Sprintf("Set and saved iptables rule %s for %s\n%s\n%s", r.Name, r.Family, command, out)
	}
	return e, err
}

// putting is the deed of a rule that goes to a place, 0 for the end, with the rule and the command as it is shown.
func (r *Rule) putting(ctx context.Context, h host.Reader, verb byte, position int) (d deed, rule, command string,
	err error) {
	shown, real := "", ""
	if position != 0 {
		at, err := place(ctx, h, r.Net, r.Chain, position)
		if err != nil {
			return d, "", "", err
		}
		shown, real = strconv.Itoa(position), strconv.Itoa(at)+" "
	}
	rule, command, err = r.spelled(h, verb, shown)
	return deed{r.Family, r.Table, verb, r.Chain, real + rule}, rule, command, err
}

// settled saves the rules where the file has others, which is no change in Salt's eyes.
//
// Salt differs: it does so in test mode, too, and fails where there is no file yet.
func (r *Rule) settled(ctx context.Context, env *modules.Env, h host.Host,
	comment, command string) (state.Effect, error) {
	e := state.Settled(comment)
	stale, err := stale(ctx, env, h, r.Family, r.Save)
	if err != nil || !stale {
		return e, err
	}
	e.Once = true // so that it is done although nothing changes
	out, err := r.keep(ctx, env, h)
	e.Comment += fmt.Sprintf("\nSaved iptables rule %s for %s\n%s\n%s", r.Name, r.Family, command, out)
	return e, err
}
