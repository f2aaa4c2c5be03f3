package nftables

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func saveRules(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := store(ctx, c.Env, c.Host, c.Str("filename"))
	return value.Str(text), err
}

func newTable(ctx context.Context, c *modules.Call) (value.Value, error) {
	t := Table{c.Str("table"), Net{c.Str("family")}}
	if lacking := at(c).lacks("table"); lacking != "" {
		return answer(false, "%s", lacking), nil
	}
	if there, err := t.there(ctx, c.Host); there || err != nil {
		return answer(true, "%s", t.say("Table %s in family %s exists")), err
	}
	return at(c).does(ctx, t.line("add"), t.say("Table %s in family %s created"),
		t.say("Table %s in family %s could not be created"))
}

func deleteTable(ctx context.Context, c *modules.Call) (value.Value, error) {
	t := Table{c.Str("table"), Net{c.Str("family")}}
	if lacking := at(c).lacks("table"); lacking != "" {
		return answer(false, "%s", lacking), nil
	}
	if there, err := t.there(ctx, c.Host); !there || err != nil {
		return answer(false, "%s", t.say("Table %s in family %s does not exist")), err
	}
	return at(c).does(ctx, t.line("delete"), t.say("Table %s in family %s deleted"),
		t.say("Table %s in family %s could not be deleted"))
}

func newChain(ctx context.Context, c *modules.Call) (value.Value, error) {
	if lacking := at(c).lacks("chain"); lacking != "" {
		return answer(false, "%s", lacking), nil
	}
	p := &ChainPresent{Chain{c.Str("chain"), c.Str("table"), Net{c.Str("family")}}, c.Str("table_type"), c.Str("hook"),
		c.Str("priority")}
	all, err := now(ctx, c.Host, told(c.Host))
	if err != nil {
		return nil, err
	}
	if all.chain(p.nft(), p.Table, p.Name) != nil {
		return answer(false, "%s", p.say("Chain %s in table %s in family %s already exists")), nil
	}
	why, err := all.newChain(ctx, c.Host, p)
	if why != "" || err != nil {
		return answer(false, "%s", why), err
	}
	return answer(true, "%s", p.say("Chain %s in table %s in family %s created")), nil
}

func deleteChain(ctx context.Context, c *modules.Call) (value.Value, error) {
	p := at(c)
	if lacking := p.lacks("chain"); lacking != "" {
		return answer(false, "%s", lacking), nil
	}
	if gone, err := p.gone(ctx); gone != nil || err != nil {
		return gone, err
	}
	said := fmt.Sprintf("Chain %s %s ", p.rule.Chain, p.in())
	return p.does(ctx, chainGone(p.rule.nft(), p.rule.Table, p.rule.Chain), said+"deleted", said+"could not be deleted")
}

func appendRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	return at(c).put(ctx, "add", "")
}

func insertRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	before := ""
	if c.Bool("position") {
		before = "position " + c.Str("position") + " "
	}
	return at(c).put(ctx, "insert", before)
}

// put adds the rule of a call where the chain lacks it.
func (p *place) put(ctx context.Context, verb, before string) (value.Value, error) {
	text := p.call.Str("rule")
	same, lacking, err := p.same(ctx)
	switch {
	case err != nil:
		return nil, err
	case same != nil:
		return answer(false, "Rule %s chain %s %s already exists", text, p.rule.Chain, p.in()), nil
	case p.lacks("chain", "rule") != "":
		return lacking, nil
	}
	if gone, err := p.gone(ctx); gone != nil || err != nil {
		return gone, err
	}
	real, err := uttered(text)
	if err != nil {
		return nil, err
	}
	end := fmt.Sprintf("%q chain %s %s.", text, p.rule.Chain, p.in())
	return p.does(ctx, p.rule.line(verb, before+real), "Added rule "+end, "Failed to add rule "+end)
}

// deleteRule deletes by a handle, or the first rule of a text.
//
// Salt differs: it deletes nothing, see delete.go.
func deleteRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	p, text, handle := at(c), c.Str("rule"), c.Str("position")
	if c.Bool("position") && c.Bool("rule") {
		return answer(false, "Only specify a position or a rule, not both"), nil
	}
	d := &Delete{Rule: p.rule}
	if handle == "" {
		same, lacking, err := p.same(ctx)
		if err != nil {
			return nil, err
		}
		if same == nil {
			gone, err := p.gone(ctx)
			if gone == nil && err == nil && p.lacks("chain", "rule") == "" {
				lacking = answer(false, "Rule %s chain %s %s does not exist", text, p.rule.Chain, p.in())
			}
			return lacking, err
		}
		if same.Handle == 0 {
			return answer(true, `Deleted rule "%s" in chain %s %s.`, text, p.rule.Chain, p.in()), d.remove(ctx, c.Host, *same)
		}
		handle = fmt.Sprint(same.Handle)
	}
	return p.does(ctx, p.rule.line("delete", "handle "+handle),
		fmt.Sprintf(`Deleted rule "%s" in chain %s %s.`, text, p.rule.Chain, p.in()),
		fmt.Sprintf(`Failed to delete rule "%s" in chain %s  %s`, text, p.rule.Chain, p.in()))
}

func flushRules(ctx context.Context, c *modules.Call) (value.Value, error) {
	p := at(c)
	said := fmt.Sprintf("rules from table %s in family %s.", p.rule.Table, p.rule.Family)
	if p.rule.Chain != "" {
		if gone, err := p.gone(ctx); gone != nil || err != nil {
			return gone, err
		}
		said = fmt.Sprintf("rules from chain %s %s.", p.rule.Chain, p.in())
	} else if found, err := (&Table{p.rule.Table, p.rule.Net}).there(ctx, c.Host); !found || err != nil {
		return answer(false, "Table %s in family %s does not exist", p.rule.Table, p.rule.Family), err
	}
	return p.does(ctx, flushLine(p.rule.nft(), p.rule.Table, p.rule.Chain), "Flushed "+said, "Failed to flush "+said)
}

func setPolicy(ctx context.Context, c *modules.Call) (value.Value, error) {
	for _, name := range []string{"chain", "policy"} {
		if lacking := at(c).lacks(name); lacking != "" {
			return value.Str("Error: " + lacking), nil
		}
	}
	found, err := findChain(ctx, c)
	if err != nil || found == nil || found.Hook == "" {
		return value.Bool(false), err
	}
	err = do(ctx, c.Host, policyLine(found, c.Str("policy")))
	if _, ok := refused(err); ok {
		return value.Bool(false), nil
	}
	return value.Bool(true), err
}
