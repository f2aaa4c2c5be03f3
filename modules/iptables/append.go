package iptables

import (
	"context"
	"fmt"

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
	rule, command, err := a.spelled(h, 'A', "")
	if err != nil {
		return state.Effect{}, err
	}
	w := words{
		already: fmt.Sprintf("iptables rule for %s already set (%s) for %s", a.Name, command, a.Family),
		preview: fmt.Sprintf("iptables rule for %s needs to be set (%s) for %s", a.Name, command, a.Family),
		command: command,
	}
	return a.put(ctx, env, h, w, deed{a.Family, a.Table, 'A', a.Chain, rule}, rule)
}

// words are Salt's for a rule that is put into a chain.
type words struct{ already, preview, command string }

// put does the deed where the chain lacks the rule, and saves.
func (r *Rule) put(ctx context.Context, env *modules.Env, h host.Host, w words, d deed, rule string) (state.Effect,
	error) {
	present, complaint, err := r.present(ctx, h, rule)
	switch {
	case err != nil:
		return state.Effect{}, err
	case present:
		return r.settled(ctx, env, h, w)
	case complaint != "":
		return state.Effect{}, r.refused(w.command, complaint)
	}
	if err := d.do(ctx, h); err != nil {
		return state.Effect{}, r.refused(w.command, err.Error())
	}
	e := state.Effect{Changes: value.DictOf("locale", value.Str(r.Name)), Foretold: none(), Preview: w.preview,
		Comment: fmt.Sprintf("Set iptables rule for %s to: %s for %s", r.Name, w.command, r.Family)}
	out, err := r.keep(ctx, env, h)
	if out != "" {
		e.Comment = fmt.Sprintf("Set and saved iptables rule %s for %s\n%s\n%s", r.Name, r.Family, w.command, out)
	}
	return e, err
}

// settled saves the rules where the file has others, which is no change in Salt's eyes.
//
// Salt differs: it does so in test mode, too, and fails where there is no file yet.
func (r *Rule) settled(ctx context.Context, env *modules.Env, h host.Host, w words) (state.Effect, error) {
	e := state.Settled(w.already)
	stale, err := stale(ctx, env, h, r.Family, r.Save)
	if err != nil || !stale {
		return e, err
	}
	e.Once = true // so that it is done although nothing changes
	out, err := r.keep(ctx, env, h)
	e.Comment += fmt.Sprintf("\nSaved iptables rule %s for %s\n%s\n%s", r.Name, r.Family, w.command, out)
	return e, err
}
