package nftables

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	const family, filter, chain, rule = "family=ipv4", "table=filter", "chain=None", "rule=None"
	spec := func(name, doc string, f modules.ExecFunc, params ...string) modules.ExecSpec {
		return modules.NewExec("nftables."+name, doc, f, params...)
	}
	looks := []modules.ExecSpec{
		spec("version", "The version of nft.", version),
		spec("build_rule", "Writes a rule as nft takes it; with full the text true, the whole command.", buildRule,
			"table=None", chain, "command=None", "position=''", "full=None", family, "**kwargs"),
		spec("get_saved_rules", "The lines of the file of saved rules, or of another one.", getSaved, "conf_file=None"),
		spec("list_tables", "The tables of a family.", listTables, family),
		spec("get_rules", "The tables of a family with their rules, each as nft lists it.", getRules, family),
		spec("get_rules_json", "The tables, chains and rules of a family, as nft shows them in JSON.", getRulesJSON, family),
		spec("get_rule_handle", "The handle of a rule.", getHandle, filter, chain, rule, family),
		spec("get_policy", "The policy of a chain.", getPolicy, filter, chain, family),
		spec("check", "Whether a chain has a rule, given in nft's words.", checkRule, filter, chain, rule, family),
		spec("check_chain", "Whether a table has a chain.", checkChain, filter, chain, family),
		spec("check_table", "Whether there is a table.", checkTable, "table=None", family),
	}
	return append(looks, modules.Writing(
		spec("save", "Writes all rules to a file. The answer is its text.", saveRules, "filename=None", family),
		spec("new_table", "Makes a table.", newTable, "table", family),
		spec("delete_table", "Deletes a table with all that it has.", deleteTable, "table", family),
		spec("new_chain", "Makes a chain.", newChain, filter, chain, "table_type=None", "hook=None", "priority=None", family),
		spec("delete_chain", "Deletes an empty chain.", deleteChain, filter, chain, family),
		spec("append", "Appends a rule, given in nft's words, that a chain lacks.", appendRule, filter, chain, rule, family),
		spec("insert", "Inserts a rule, given in nft's words, that a chain lacks.", insertRule, filter, chain,
			"position=None", rule, family),
		spec("delete", "Deletes a rule by its handle or in nft's words.", deleteRule, "table", chain, "position=None", rule,
			family),
		spec("flush", "Empties a chain, or all chains of a table.", flushRules, filter, "chain=''", family),
		spec("set_policy", "Sets the policy of a base chain.", setPolicy, filter, chain, "policy=None", family),
	)...)
}

// answer is what Salt's functions give: a sentence, and whether it went well.
func answer(good bool, format string, args ...any) *value.Dict {
	return value.DictOf("comment", value.Str(fmt.Sprintf(format, args...)), "result", value.Bool(good))
}

// A place is the table and the chain of a call.
type place struct {
	rule Rule
	call *modules.Call
}

func at(c *modules.Call) *place {
	return &place{Rule{Net: Net{c.Str("family")}, Table: c.Str("table"), Chain: c.Str("chain")}, c}
}

// lacks says what a call lacks, "" where it has all.
func (p *place) lacks(names ...string) string {
	for _, name := range names {
		if !value.Truth(p.call.Arg(name)) {
			return strings.ToUpper(name[:1]) + name[1:] + " needs to be specified"
		}
	}
	return ""
}

// in is " in table filter in family ipv4", what most answers end in.
func (p *place) in() string {
	return fmt.Sprintf("in table %s in family %s", p.rule.Table, p.rule.Family)
}

// gone is the answer where the table or the chain of a call is not there, nil where they are.
func (p *place) gone(ctx context.Context) (*value.Dict, error) {
	_, err := p.rule.chain(ctx, p.call.Host)
	if text, ok := refused(err); ok {
		return answer(false, "%s", text), nil
	}
	return nil, err
}

// does gives nft a command; the answer is one of two sentences.
func (p *place) does(ctx context.Context, line, well, ill string) (value.Value, error) {
	err := do(ctx, p.call.Host, line)
	if text, ok := refused(err); ok {
		return answer(false, "%s", ill+" "+text), nil
	}
	return answer(true, "%s", well), err
}

func version(ctx context.Context, c *modules.Call) (value.Value, error) {
	out, err := ask(ctx, c.Host, "", "--version")
	if err != nil {
		return nil, err
	}
	words := strings.Fields(string(out.Stdout) + " ? ?")
	return value.Str(words[1]), nil
}

func buildRule(_ context.Context, c *modules.Call) (value.Value, error) {
	said := func(comment, rule string) (value.Value, error) {
		return value.DictOf("comment", value.Str(comment), "rule", value.Str(rule),
			"result", value.Bool(comment == "" || strings.HasPrefix(comment, "Success"))), nil
	}
	for key := range c.Extra().All() {
		if name := value.String(key); !slices.Contains(known(), name) {
			return nil, fmt.Errorf("build_rule() got an unexpected keyword argument '%s'", name)
		}
	}
	text, err := spell(c.Extra())
	if err != nil {
		return nil, err
	}
	rule, p := text, at(c)
	if full := c.Str("full"); c.Arg("full") != value.Bool(true) && (full == "True" || full == "true") {
		if lacking := p.lacks("table", "chain", "command"); lacking != "" {
			return said(lacking, text)
		}
		verb := c.Str("command")
		if slices.Contains([]string{"Insert", "insert", "INSERT"}, verb) {
			verb = "insert"
			if c.Bool("position") {
				rule = "position " + c.Str("position") + " " + text
			}
		}
		rule = "nft " + p.rule.line(verb, rule)
	}
	if rule == "" {
		return said("", "")
	}
	return said("Successfully built rule", rule)
}

func getSaved(_ context.Context, c *modules.Call) (value.Value, error) {
	file := c.Str("conf_file")
	if file == "" {
		var err error
		if file, err = usual(c.Env); err != nil {
			return nil, err
		}
	}
	text, err := c.ReadText(file)
	list := value.NewList()
	for line := range strings.Lines(text + "\n") { // whose end ReadText takes off
		if bare := strings.TrimSpace(line); bare != "" && bare[0] != '#' {
			list.Items = append(list.Items, value.Str(line))
		}
	}
	return list, err
}

func listTables(ctx context.Context, c *modules.Call) (value.Value, error) {
	list := value.NewList()
	all, err := now(ctx, c.Host, told(c.Host))
	if err != nil {
		return nil, err
	}
	for _, t := range all.tables {
		if t.Family == spoken(c.Str("family")) {
			list.Items = append(list.Items, value.DictOf("family", value.Str(t.Family), "name", value.Str(t.Name),
				"handle", value.Int(t.Handle)))
		}
	}
	return list, nil
}

func getRules(ctx context.Context, c *modules.Call) (value.Value, error) {
	texts, err := lists(ctx, c.Host, spoken(c.Str("family")))
	return modules.TextList(texts), err
}

func getRulesJSON(ctx context.Context, c *modules.Call) (value.Value, error) {
	out, err := ask(ctx, c.Host, "", "--numeric", "--numeric", "--numeric", "--json", "list", "ruleset",
		spoken(c.Str("family")))
	if err == nil {
		err = refusal(out)
	}
	if err != nil || len(out.Stdout) == 0 {
		return value.NewList(), err
	}
	var doc struct{ Nftables json.RawMessage }
	if err := json.Unmarshal(out.Stdout, &doc); err != nil {
		return nil, fmt.Errorf("read what nft says: %w", err)
	}
	return value.ParseJSON(string(doc.Nftables))
}

func getHandle(ctx context.Context, c *modules.Call) (value.Value, error) {
	p := at(c)
	same, lacking, err := p.same(ctx)
	if err != nil || lacking != nil {
		return lacking, err
	}
	return value.DictOf("result", value.Bool(true), "handle", value.Str(strconv.Itoa(same.Handle))), nil
}

// same is the rule of a chain that a call means, or the answer where there is none.
func (p *place) same(ctx context.Context) (*rule, *value.Dict, error) {
	if lacking := p.lacks("chain", "rule"); lacking != "" {
		return nil, answer(false, "%s", lacking), nil
	}
	if gone, err := p.gone(ctx); gone != nil || err != nil {
		return nil, gone, err
	}
	rules, err := p.rule.found(ctx, p.call.Host, p.call.Str("rule"))
	if _, ok := refused(err); ok || err == nil && len(rules) == 0 { // what is no rule is not there
		return nil, answer(false, "Rule %s in chain %s %s does not exist", p.call.Str("rule"), p.rule.Chain, p.in()), nil
	}
	if err != nil {
		return nil, nil, err
	}
	return &rules[0], nil, nil
}

func getPolicy(ctx context.Context, c *modules.Call) (value.Value, error) {
	if !c.Bool("chain") {
		return value.Str("Error: Chain needs to be specified"), nil
	}
	found, err := findChain(ctx, c)
	if err != nil || found == nil || found.Policy == "" {
		return value.None, err
	}
	return value.Str(found.Policy), nil
}

func findChain(ctx context.Context, c *modules.Call) (*chain, error) {
	all, err := now(ctx, c.Host, told(c.Host))
	if err != nil {
		return nil, err
	}
	return all.chain(spoken(c.Str("family")), c.Str("table"), c.Str("chain")), nil
}

func checkRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	p := at(c)
	_, lacking, err := p.same(ctx)
	if err != nil || lacking != nil {
		return lacking, err
	}
	return answer(true, "Rule %s in chain %s %s exists", c.Str("rule"), p.rule.Chain, p.in()), nil
}

func checkChain(ctx context.Context, c *modules.Call) (value.Value, error) {
	p := at(c)
	if lacking := p.lacks("chain"); lacking != "" {
		return answer(false, "%s", lacking), nil
	}
	found, err := findChain(ctx, c)
	if err != nil || found == nil {
		return answer(false, "Chain %s %s does not exist", p.rule.Chain, p.in()), err
	}
	return answer(true, "Chain %s %s exists", p.rule.Chain, p.in()), nil
}

func checkTable(ctx context.Context, c *modules.Call) (value.Value, error) {
	if lacking := at(c).lacks("table"); lacking != "" {
		return answer(false, "%s", lacking), nil
	}
	t := Table{c.Str("table"), Net{c.Str("family")}}
	there, err := t.there(ctx, c.Host)
	if !there || err != nil {
		return answer(false, "%s", t.say("Table %s in family %s does not exist")), err
	}
	return answer(true, "%s", t.say("Table %s in family %s exists")), nil
}
