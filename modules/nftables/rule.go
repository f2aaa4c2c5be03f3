package nftables

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Rule is what append, insert and delete take.
type Rule struct {
	Name string `arg:"name,required,text" doc:"The name of the state. It is no part of the rule."`
	Net
	Table string      `arg:"table,required,word" doc:"The table."`
	Chain string      `arg:"chain,required,word" doc:"The chain."`
	Save  value.Value `arg:"save" doc:"Writes all rules to /etc/nftables, or to salt-all-in-one.nft in it where that is a directory."`
	Rest  *value.Dict `arg:"**"`
}

// known are the arguments that make a rule, and those that Salt takes and leaves out of it.
func known() []string {
	return strings.Fields("if of proto state connstate icmp-type pkttype counter saddr source daddr destination dport " +
		"sport dports sports jump target j redirect-to to-port to-ports to-source to-destination reject-with match")
}

// Validate refuses what cannot be a rule.
//
// Salt differs: it leaves out an argument that it does not know, so that a rule with a slip in it takes more packets
// than it says.
func (r *Rule) Validate() []modules.Fault {
	var faults []modules.Fault
	for key := range r.args().All() {
		if name := value.String(key); !slices.Contains(known(), name) {
			faults = append(faults, modules.Fault{Arg: name, Msg: fmt.Sprintf("no argument of a rule is named %q: it would "+
				"be left out of it", name), Hint: "the arguments are " + strings.Join(known(), ", ")})
		}
	}
	if _, err := spell(r.args()); err != nil {
		faults = append(faults, modules.Fault{Arg: "name", Msg: err.Error()})
	}
	return faults
}

func (r *Rule) args() *value.Dict {
	if r.Rest == nil {
		return value.NewDict(0)
	}
	return r.Rest
}

// line is the command of a verb on the chain.
func (r *Rule) line(verb string, rest ...string) string {
	return strings.Join(append([]string{verb, "rule", r.nft(), r.Table, r.Chain}, rest...), " ")
}

// found are the rules of the chain that do what a text says. A complaint is nft's about the text.
func (r *Rule) found(ctx context.Context, h host.Reader, text string) ([]rule, error) {
	text, err := uttered(text)
	if err != nil {
		return nil, err
	}
	c, err := r.chain(ctx, h)
	if err != nil {
		return nil, err
	}
	have, want, err := codes(ctx, h, c, text)
	if err != nil {
		return nil, err
	}
	var out []rule
	for i, code := range have {
		if code == want && code != "" {
			out = append(out, c.rules[i])
		}
	}
	return out, nil
}

// chain is the rule's; one that is not there is a complaint, in Salt's words.
func (r *Rule) chain(ctx context.Context, h host.Reader) (*chain, error) {
	all, err := now(ctx, h, told(h))
	if err != nil {
		return nil, err
	}
	if all.table(r.nft(), r.Table) == nil {
		return nil, complaint(fmt.Sprintf("Table %s in family %s does not exist", r.Table, r.Family))
	}
	if c := all.chain(r.nft(), r.Table, r.Chain); c != nil {
		return c, nil
	}
	return nil, complaint(fmt.Sprintf("Chain %s in table %s in family %s does not exist", r.Chain, r.Table, r.Family))
}

// put puts the rule into the chain where it lacks it, and saves. The tail has the rule and the family, in the order in
// which Salt says them; place is where an inserted one goes.
func (r *Rule) put(ctx context.Context, env *modules.Env, h host.Host, verb, place, tail string) (state.Effect, error) {
	text, err := spell(r.args())
	if err != nil {
		return state.Effect{}, err
	}
	failed := func(why string) error {
		return fmt.Errorf("Failed to set nftables rule for %s.\nAttempted rule was %s for %s.\n%s", r.Name, text, r.Family,
			why) //nolint:staticcheck // Salt's words
	}
	if text == "" {
		return state.Effect{}, failed("Rule needs to be specified")
	}
	said := "nftables rule for " + r.Name + " %s " + fmt.Sprintf(tail, text, r.Family)
	same, err := r.found(ctx, h, text)
	if why, ok := refused(err); ok {
		return state.Effect{}, failed(why)
	}
	if err != nil || len(same) > 0 {
		return state.Settled(fmt.Sprintf(said, "already set")), err
	}
	real, err := uttered(text)
	if err == nil {
		err = do(ctx, h, r.line(verb, strings.TrimSpace(place+" "+real)))
	}
	if why, ok := refused(err); ok {
		err = failed(why)
	}
	if err != nil {
		return state.Effect{}, err
	}
	e := changed(r.Name, fmt.Sprintf("Set nftables rule for %s to: %s for %s", r.Name, text, r.Family),
		fmt.Sprintf(said, "needs to be set"))
	if saves(r.Save) {
		e.Comment = fmt.Sprintf("Set and Saved nftables rule for %s to: %s for %s", r.Name, text, r.Family)
		err = save(ctx, env, h, "")
	}
	return e, err
}
