package ufw

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Rule keeps a rule.
type Rule struct {
	root
	Name      string `arg:"name,required,text" doc:"The name of the state."`
	App       string `arg:"app" doc:"The application whose profile says what the rule takes; '*' for none."`
	Interface string `arg:"interface" doc:"The interface that packets come in on."`
	Protocol  string `arg:"protocol" choices:"any|tcp|udp|ah|esp|gre|igmp|ipv6|vrrp" doc:"The protocol."`
	FromAddr  string `arg:"from_addr" doc:"The address, network or name that packets come from."`
	FromPort  string `arg:"from_port" doc:"The port that they come from."`
	ToAddr    string `arg:"to_addr" doc:"The address that they go to."`
	ToPort    string `arg:"to_port" doc:"The port that they go to; '*' for any."`
	Comment   string `arg:"comment" doc:"A comment, in quotes where it is more than a word."`

	verb string
}

func ruleSpec(name, verb, doc string) modules.StateSpec {
	return modules.StateSpec{
		Name: "ufw." + name, Doc: doc,
		Example: "web:\n  ufw." + name + ":\n    - protocol: tcp\n    - from_addr: 10.0.0.0/8\n    - to_port: '443'",
		New:     func() modules.StateFunc { return &Rule{verb: verb} },
	}
}

// spell writes the rule as ufw takes it.
func (r *Rule) spell(ctx context.Context, h host.Reader) (string, error) {
	or := func(text string) string {
		if text == "" {
			return "any"
		}
		return text
	}
	bare := func(text string) string {
		if strings.Trim(text, `"' `) == "*" {
			return ""
		}
		return text
	}
	app, port := bare(r.App), bare(r.ToPort)
	var words []string
	switch {
	case app != "":
		words = append(words, "from", or(r.FromAddr), "to", or(r.ToAddr), "app", app)
	case r.Interface != "":
		words = append(words, "in", "on", r.Interface)
	default:
		from, err := resolve(ctx, h, or(r.FromAddr))
		if err != nil {
			return "", err
		}
		words = optional(words, "proto", r.Protocol)
		words = optional(append(words, "from", from), "port", r.FromPort)
		words = optional(append(words, "to", or(r.ToAddr)), "port", port)
	}
	return strings.Join(optional(words, "comment", r.Comment), " "), nil
}

func optional(words []string, name, text string) []string {
	if text == "" {
		return words
	}
	return append(words, name, text)
}

// resolve is the address of a name.
func resolve(ctx context.Context, h host.Reader, name string) (string, error) {
	if name == "any" || strings.ContainsAny(name[:1], "0123456789:") {
		return name, nil
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"getent", "ahostsv4", name}})
	if err != nil {
		return "", fmt.Errorf("run getent: %w", err)
	}
	if words := strings.Fields(string(out.Stdout)); len(words) > 0 {
		return words[0], nil
	}
	return "", fmt.Errorf("%s has no address", name)
}

// Act adds the rule.
func (r *Rule) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := installed(h); err != nil {
		return state.Effect{}, err
	}
	rule, err := r.spell(ctx, h)
	if err != nil {
		return state.Effect{}, err
	}
	verb := r.verb
	if verb == "deny" {
		verb = "insert 1 deny"
	}
	present, err := tried(ctx, h, verb+" "+rule)
	if errors.Is(err, errFirst) {
		verb = "deny"
		present, err = tried(ctx, h, verb+" "+rule)
	}
	if err != nil || present {
		return state.Settled(r.Name + " is already configured"), err
	}
	said, err := add(ctx, h, verb+" "+rule)
	return changed(r.Name, " "+added(said), value.DictOf("rule", value.Str(verb+" "+rule)), " would have been configured"),
		err
}

// errFirst is ufw's answer where there is no rule to put another one before.
var errFirst = errors.New("ERROR: Invalid position '1'")

// tried asks ufw what it would do with a rule: whether it is there. Earlier states of a preview count.
func tried(ctx context.Context, h host.Reader, rule string) (present bool, err error) {
	if _, ok := h.Fact(host.FactFirewall, "ufw "+rule); ok {
		return true, nil
	}
	words, err := modules.Words(rule)
	if err != nil {
		return false, fmt.Errorf("%s: %w", rule, err)
	}
	out, err := h.Query(ctx, command(append([]string{"--dry-run"}, words...)...))
	if err != nil {
		return false, fmt.Errorf("run ufw: %w", err)
	}
	text := string(out.Stdout) + string(out.Stderr)
	switch {
	case strings.Contains(text, errFirst.Error()):
		return false, errFirst
	case out.Code != 0:
		return false, modules.Complaint("ufw", out)
	}
	return strings.HasPrefix(text, "Skipping"), nil
}

func add(ctx context.Context, h host.Host, rule string) (string, error) {
	words, err := modules.Words(rule)
	if err != nil {
		return "", err
	}
	return run(ctx, h, func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactFirewall, Name: "ufw " + rule, Value: "present"})
		return nil
	}, words...)
}

// added is what ufw said that it did.
func added(said string) string {
	for _, word := range []string{"inserted", "updated"} {
		if strings.HasPrefix(said, "Rule "+word) || strings.HasPrefix(said, "Rules "+word) {
			return word
		}
	}
	return "added"
}
