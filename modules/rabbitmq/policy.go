package rabbitmq

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Policy keeps a policy.
type Policy struct {
	Name       string      `arg:"name,required" doc:"The policy."`
	Pattern    string      `arg:"pattern,required" doc:"The names of queues and exchanges that it is for."`
	Definition value.Value `arg:"definition,required,text" doc:"What it says: JSON, or a map."`
	Priority   int         `arg:"priority" doc:"Which of several policies counts: that of the highest priority."`
	Vhost      string      `arg:"vhost" default:"/" doc:"The virtual host."`
	RunAs      string      `arg:"runas,word" doc:"Who runs rabbitmqctl."`
	ApplyTo    string      `arg:"apply_to" doc:"What it is for: queues, exchanges, all."`
}

func policySpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rabbitmq_policy.present", Doc: "Keeps a policy of RabbitMQ.",
		Example: "HA:\n  rabbitmq_policy.present:\n    - pattern: '.*'\n    - definition: '{\"max-length\": 100}'",
		New:     func() modules.StateFunc { return &Policy{} },
	}
}

// Validate finds a definition that is no JSON.
func (p *Policy) Validate() []modules.Fault {
	out := dashed("name", p.Name)
	if _, _, err := p.definition(); err != nil {
		out = append(out, modules.Fault{Arg: "definition", Msg: "the definition is no JSON",
			Hint: "write a map, or JSON in quotes"})
	}
	return out
}

// definition is what it says, and its text.
func (p *Policy) definition() (value.Value, string, error) {
	if s, ok := p.Definition.(value.Str); ok {
		v, err := value.ParseJSON(string(s))
		return v, string(s), err
	}
	if _, ok := p.Definition.(*value.Dict); !ok {
		return nil, "", fmt.Errorf("no map")
	}
	s, err := value.DumpsJSON(p.Definition, value.JSONOptions{})
	return p.Definition, s, err
}

// differs names what of a policy is not as it is to be, in Salt's words.
func (p *Policy) differs(now *value.Dict, want value.Value) (out []string) {
	is, _ := now.GetStr("definition")
	if s, ok := is.(value.Str); ok {
		is, _ = value.ParseJSON(string(s))
	}
	if text(now, "pattern") != p.Pattern {
		out = append(out, "Pattern")
	}
	if is == nil || !value.Equal(is, want) {
		out = append(out, "Definition")
	}
	if p.ApplyTo != "" && text(now, "apply-to") != p.ApplyTo {
		out = append(out, "Applyto")
	}
	if text(now, "priority") != strconv.Itoa(p.Priority) {
		out = append(out, "Priority")
	}
	return out
}

// Act sets the policy.
func (p *Policy) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b, thing := &broker{h, p.RunAs}, "policy "+p.Vhost+" "+p.Name
	if err := unclear(h, thing); err != nil {
		return state.Effect{}, err
	}
	want, definition, err := p.definition()
	if err != nil {
		return state.Effect{}, err
	}
	now, err := b.policy(ctx, p.Vhost, p.Name)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: oldNew(value.NewDict(0), value.Str(p.Name)),
		Preview: fmt.Sprintf("Policy %s %s is set to be created", p.Vhost, p.Name)}
	if now != nil && there(h, thing, true) {
		diff := p.differs(now, want)
		if diff == nil {
			return state.Settled(fmt.Sprintf("Policy %s %s is already present", p.Vhost, p.Name)), nil
		}
		e.Changes, e.Preview = oldNew(shown(now), modules.TextList(diff)),
			fmt.Sprintf("Policy %s %s is set to be updated", p.Vhost, p.Name)
	}
	words := []string{"set_policy", "-p", p.Vhost, "--priority", strconv.Itoa(p.Priority)}
	if p.ApplyTo != "" {
		words = append(words, "--apply-to", p.ApplyTo)
	}
	return done(&e, deed(ctx, h, thing, "present", func(ctx context.Context) (err error) {
		e.Comment, err = b.ctl(ctx, h, append(words, p.Name, p.Pattern, definition)...)
		return err
	}))
}

// shown is a policy as Salt shows it.
func shown(d *value.Dict) *value.Dict {
	return value.DictOf("pattern", value.Str(text(d, "pattern")), "apply_to", value.Str(text(d, "apply-to")),
		"definition", value.Str(text(d, "definition")), "priority", value.Str(text(d, "priority")))
}

// policy is a policy of a virtual host, nil where there is none. A virtual host that this run makes has none.
func (b *broker) policy(ctx context.Context, vhost, name string) (*value.Dict, error) {
	all, err := b.list(ctx, "list_policies", "-p", vhost)
	if _, coming := b.h.Fact(host.FactBroker, "vhost "+vhost); err != nil && coming {
		return nil, nil
	}
	return find(all, "name", name), err
}

// PolicyAbsent keeps a policy away.
type PolicyAbsent struct {
	Name  string `arg:"name,required" doc:"The policy."`
	Vhost string `arg:"vhost" default:"/" doc:"The virtual host."`
	RunAs string `arg:"runas,word" doc:"Who runs rabbitmqctl."`
}

func policyAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rabbitmq_policy.absent", Doc: "Keeps a policy of RabbitMQ away.", Example: "HA:\n  rabbitmq_policy.absent: []",
		New: func() modules.StateFunc { return &PolicyAbsent{} },
	}
}

// Validate finds what is no policy.
func (p *PolicyAbsent) Validate() []modules.Fault { return dashed("name", p.Name) }

// Act clears the policy.
// Salt differs: of a virtual host other than / it finds no policy, and it sets one with apply_to in every run.
func (p *PolicyAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b, thing := &broker{h, p.RunAs}, "policy "+p.Vhost+" "+p.Name
	now, err := b.policy(ctx, p.Vhost, p.Name)
	if err != nil || !there(h, thing, now != nil) {
		return state.Settled(fmt.Sprintf("Policy '%s %s' is not present.", p.Vhost, p.Name)), err
	}
	e := state.Effect{Changes: value.DictOf("new", value.Str(""), "old", value.Str(p.Name)), Comment: "Deleted",
		Preview: fmt.Sprintf("Policy '%s %s' will be removed.", p.Vhost, p.Name)}
	return done(&e, deed(ctx, h, thing, "absent", func(ctx context.Context) error {
		_, err := b.ctl(ctx, h, "clear_policy", "-p", p.Vhost, p.Name)
		return err
	}))
}
