package nftables

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Delete keeps a rule out of a chain.
type Delete struct {
	Rule
	Position int `arg:"position" doc:"The handle of the rule: only that one is deleted, if it is the rule that the other arguments make; without any, whatever it is."`
}

func deleteSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "nftables.delete",
		Doc:  "Keeps a rule out of a chain, however often it is there. " + ruleDoc,
		Example: "no telnet:\n  nftables.delete:\n    - table: filter\n    - chain: input\n    - proto: tcp\n" +
			"    - dport: 23\n    - jump: accept",
		New: func() modules.StateFunc { return &Delete{} },
	}
}

// Act deletes the rule.
//
// Salt differs: it gives nft no handle that nft understands, so that each deletion fails.
func (d *Delete) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	text, err := spell(d.args())
	if err != nil {
		return state.Effect{}, err
	}
	gone := 0
	for ; ; gone++ {
		some, err := d.some(ctx, h, text)
		if _, ok := refused(err); ok { // what is no rule, or has no chain, is not there
			break
		}
		if err != nil {
			return state.Effect{}, err
		}
		if len(some) == 0 {
			break
		}
		if err := d.remove(ctx, h, some[0]); err != nil {
			return state.Effect{}, fmt.Errorf("Failed to delete nftables rule for %s.\nAttempted rule was %s: %w", d.Name,
				text, err) //nolint:staticcheck // Salt's words
		}
	}
	if gone == 0 {
		return state.Settled(fmt.Sprintf("nftables rule for %s already absent for %s (%s)", d.Name, d.Family, text)), nil
	}
	e := changed(d.Name, fmt.Sprintf("Delete nftables rule for %s %s", d.Name, text),
		fmt.Sprintf("nftables rule for %s needs to be deleted for %s (%s)", d.Name, d.Family, text))
	if saves(d.Save) {
		e.Comment = fmt.Sprintf("Deleted and Saved nftables rule for %s for %s%s", d.Name, text, d.Family)
		err = save(ctx, env, h, "")
	}
	return e, err
}

// some are the rules to delete.
func (d *Delete) some(ctx context.Context, h host.Reader, text string) ([]rule, error) {
	var all []rule
	switch {
	case text != "":
		var err error
		if all, err = d.found(ctx, h, text); err != nil {
			return nil, err
		}
	case d.Position == 0:
		return nil, fmt.Errorf("the rule is empty: it has neither a match nor a target")
	default:
		c, err := d.chain(ctx, h)
		if err != nil {
			return nil, err
		}
		all = c.rules
	}
	return slices.DeleteFunc(slices.Clone(all), func(r rule) bool {
		return d.Position != 0 && r.Handle != d.Position
	}), nil
}

// remove deletes a rule; one that an earlier state of a preview would add, it leaves out of that preview.
func (d *Delete) remove(ctx context.Context, h host.Host, r rule) error {
	if r.Handle != 0 {
		return do(ctx, h, d.line("delete", fmt.Sprintf("handle %d", r.Handle)))
	}
	return deed(ctx, h, "delete rule", func(o host.Host) error {
		tell(o, slices.Delete(told(o), r.told, r.told+1))
		return nil
	})
}
