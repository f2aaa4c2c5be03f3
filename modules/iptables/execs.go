package iptables

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	const family = "family=ipv4"
	looks := []modules.ExecSpec{
		modules.NewExec("iptables.version", "The version of iptables.", version, family),
		modules.NewExec("iptables.build_rule", "Writes a rule as iptables takes it; with full, the whole command.", buildRule,
			"table=filter", "chain=None", "command=None", "position=''", "full=None", family, "**kwargs"),
		modules.NewExec("iptables.get_rules", "The rules as they are: tables, chains, and their rules as maps of options.",
			getRules, family),
		modules.NewExec("iptables.get_saved_rules", "The rules that are loaded at boot, or those of a file.", getSaved,
			"conf_file=None", family),
		modules.NewExec("iptables.get_policy", "The policy of a chain.", getPolicy, "table=filter", "chain=None", family),
		modules.NewExec("iptables.get_saved_policy", "The policy of a chain at boot, or in a file.", getSavedPolicy,
			"table=filter", "chain=None", "conf_file=None", family),
		modules.NewExec("iptables.check", "Whether a chain has a rule, given in iptables' words.", checkRule,
			"table=filter", "chain=None", "rule=None", family),
		modules.NewExec("iptables.check_chain", "Whether a table has a chain.", checkChain, "table=filter", "chain=None",
			family),
	}
	change := func(name, doc string, f modules.ExecFunc, params ...string) modules.ExecSpec {
		return modules.NewExec("iptables."+name, doc, f, append(params, family)...)
	}
	return append(looks, modules.Writing(
		change("set_policy", "Sets the policy of a chain.", setPolicy, "table=filter", "chain=None", "policy=None"),
		change("save", "Writes the rules where they are loaded at boot, or to a file.", saveRules, "filename=None"),
		change("new_chain", "Makes a chain.", chainDeed('N'), "table=filter", "chain=None"),
		change("delete_chain", "Deletes an empty chain.", chainDeed('X'), "table=filter", "chain=None"),
		change("append", "Appends a rule, given in iptables' words, that a chain lacks.", appendRule, "table=filter",
			"chain=None", "rule=None"),
		change("insert", "Inserts a rule, given in iptables' words, that a chain lacks.", insertRule, "table=filter",
			"chain=None", "position=None", "rule=None"),
		change("delete", "Deletes a rule by its place or in iptables' words.", deleteRule, "table", "chain=None",
			"position=None", "rule=None"),
		change("flush", "Empties a chain, or all chains of a table.", flushChain, "table=filter", "chain=''"),
	)...)
}

func net(c *modules.Call) Net { return Net{Table: c.Str("table"), Family: c.Str("family")} }

// missing is Salt's answer to a call that lacks something, "" where it has all.
func missing(c *modules.Call, names ...string) value.Value {
	for _, name := range names {
		if value.Truth(c.Arg(name)) {
			continue
		}
		text := "Error: " + strings.ToUpper(name[:1]) + name[1:] + " needs to be specified"
		if name == "position" {
			text += " or use append (-A)"
		}
		return value.Str(text)
	}
	return nil
}

func version(ctx context.Context, c *modules.Call) (value.Value, error) {
	path, err := full(c.Host, c.Str("family"))
	if err != nil {
		return nil, err
	}
	out, err := ask(ctx, c.Host, path, "--version")
	if err != nil {
		return nil, err
	}
	words := strings.Fields(string(out.Stdout) + " ?")
	return value.Str(words[min(1, len(words)-1)]), nil
}

func buildRule(_ context.Context, c *modules.Call) (value.Value, error) {
	rule, err := spell(c.Extra())
	if err != nil {
		return value.Str("Error: protocol must be specified"), nil
	}
	if !c.Bool("full") {
		return value.Str(rule), nil
	}
	if text := missing(c, "table", "chain", "command"); text != nil {
		return text, nil
	}
	flag := c.Str("command")
	if flag = "--" + flag; strings.Contains("ACDIRLSFZNXPE", c.Str("command")) {
		flag = flag[1:]
	}
	path, err := full(c.Host, c.Str("family"))
	return value.Str(strings.Join([]string{path, "--wait", "-t", c.Str("table"), flag, c.Str("chain"), c.Str("position"),
		rule}, " ")), err
}

func getRules(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := save(ctx, c.Host, c.Str("family"))
	return parse(text).dict(text), err
}

// ofFile are the rules of a file, by default those for the boot.
func ofFile(c *modules.Call) (rules, string, error) {
	file := c.Str("conf_file")
	if file == "" {
		var err error
		if file, err = bootFile(c.Env, c.Str("family")); err != nil {
			return nil, "", err
		}
	}
	text, err := c.ReadText(file)
	return parse(text), text, err
}

func getSaved(_ context.Context, c *modules.Call) (value.Value, error) {
	all, text, err := ofFile(c)
	return all.dict(text), err
}

func getPolicy(ctx context.Context, c *modules.Call) (value.Value, error) {
	if text := missing(c, "chain"); text != nil {
		return text, nil
	}
	all, err := now(ctx, c.Host, c.Str("family"))
	return policyOf(c, all), err
}

func getSavedPolicy(_ context.Context, c *modules.Call) (value.Value, error) {
	if text := missing(c, "chain"); text != nil {
		return text, nil
	}
	all, _, err := ofFile(c)
	return policyOf(c, all), err
}

func policyOf(c *modules.Call, all rules) value.Value {
	if p := all.policy(c.Str("table"), c.Str("chain")); p != "" {
		return value.Str(p)
	}
	return value.None
}

// had says whether a chain has a rule of a call.
func had(ctx context.Context, c *modules.Call) (bool, error) {
	there, _, err := (&Rule{Net: net(c), Chain: c.Str("chain")}).present(ctx, c.Host, c.Str("rule"))
	return there, err
}

func checkRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	if text := missing(c, "chain", "rule"); text != nil {
		return text, nil
	}
	there, err := had(ctx, c)
	return value.Bool(there), err
}

func checkChain(ctx context.Context, c *modules.Call) (value.Value, error) {
	if text := missing(c, "chain"); text != nil {
		return text, nil
	}
	all, err := now(ctx, c.Host, c.Str("family"))
	return value.Bool(err == nil && all.has(c.Str("table"), c.Str("chain"))), err
}

// act does a deed; the answer is iptables' complaint, "" for none.
func act(ctx context.Context, c *modules.Call, verb byte, rest string) (string, error) {
	n := net(c)
	err := deed{n.Family, n.Table, verb, c.Str("chain"), rest}.do(ctx, c.Host)
	if err == nil || errors.Is(err, host.ErrPreview) || host.IsUnknown(err) {
		return "", err
	}
	return err.Error(), nil
}

func saveRules(ctx context.Context, c *modules.Call) (value.Value, error) {
	var to value.Value = value.Bool(true)
	if c.Bool("filename") {
		to = c.Arg("filename")
	}
	said, err := keep(ctx, c.Env, c.Host, c.Str("family"), to)
	return value.Str(said), err
}

func setPolicy(ctx context.Context, c *modules.Call) (value.Value, error) {
	if text := missing(c, "chain", "policy"); text != nil {
		return text, nil
	}
	text, err := act(ctx, c, 'P', c.Str("policy"))
	return value.Str(text), err
}

func chainDeed(verb byte) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		if text := missing(c, "chain"); text != nil {
			return text, nil
		}
		if text, err := act(ctx, c, verb, ""); text != "" || err != nil {
			return value.Str(text), err
		}
		return value.Bool(true), nil
	}
}

func appendRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	if text := missing(c, "chain", "rule"); text != nil {
		return text, nil
	}
	if there, err := had(ctx, c); there || err != nil {
		return value.Bool(false), err
	}
	text, err := act(ctx, c, 'A', c.Str("rule"))
	return value.Bool(text == ""), err
}

func insertRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	if text := missing(c, "chain", "position", "rule"); text != nil {
		return text, nil
	}
	at, err := place(ctx, c.Host, net(c), c.Str("chain"), c.Int("position", 1))
	if err != nil {
		return nil, err
	}
	if there, err := had(ctx, c); there || err != nil {
		return value.Bool(false), err
	}
	text, err := act(ctx, c, 'I', strconv.Itoa(at)+" "+c.Str("rule"))
	return value.Str(text), err
}

func deleteRule(ctx context.Context, c *modules.Call) (value.Value, error) {
	rule := c.Str("rule")
	if c.Bool("position") {
		if rule != "" {
			return value.Str("Error: Only specify a position or a rule, not both"), nil
		}
		rule = c.Str("position")
	}
	text, err := act(ctx, c, 'D', rule)
	return value.Str(text), err
}

func flushChain(ctx context.Context, c *modules.Call) (value.Value, error) {
	text, err := act(ctx, c, 'F', "")
	return value.Str(text), err
}
