package rabbitmq

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Upstream keeps an upstream of a federation.
type Upstream struct {
	Name      string      `arg:"name,required" doc:"The upstream."`
	URI       value.Value `arg:"uri,required" doc:"Its address, or a list of them."`
	Prefetch  value.Value `arg:"prefetch_count" doc:"How many messages may be on the way without an answer."`
	Reconnect value.Value `arg:"reconnect_delay" doc:"How many seconds pass before it is tried again."`
	Ack       value.Value `arg:"ack_mode" choices:"on-confirm|on-publish|no-ack" doc:"When messages are answered: on-confirm, on-publish, no-ack."`
	Trust     value.Value `arg:"trust_user_id" doc:"Takes the names of users that it gives."`
	Exchange  value.Value `arg:"exchange" doc:"The exchange there, where it has another name."`
	Hops      value.Value `arg:"max_hops" doc:"How many federations a message may go through."`
	Expires   value.Value `arg:"expires" doc:"After how many milliseconds its queue goes."`
	TTL       value.Value `arg:"message_ttl" doc:"After how many milliseconds its messages go."`
	HAPolicy  value.Value `arg:"ha_policy" doc:"The policy of its queue."`
	Queue     value.Value `arg:"queue" doc:"The queue there, where it has another name."`
	RunAs     string      `arg:"runas,word" doc:"Who runs rabbitmqctl."`
}

func upstreamSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rabbitmq_upstream.present", Doc: "Keeps an upstream of a federation of RabbitMQ; it needs the plugin " +
			"rabbitmq_federation.",
		Example: "there:\n  rabbitmq_upstream.present:\n    - uri: amqp://user@there.example\n    - max_hops: 1",
		New:     func() modules.StateFunc { return &Upstream{} },
	}
}

// Validate finds what is no upstream.
func (u *Upstream) Validate() []modules.Fault { return dashed("name", u.Name) }

// config is the upstream as RabbitMQ has it: what is false or empty is left out, as Salt does.
func (u *Upstream) config() *value.Dict {
	out := value.NewDict(4)
	for _, p := range []struct {
		key string
		v   value.Value
	}{{"uri", u.URI}, {"prefetch-count", u.Prefetch}, {"reconnect-delay", u.Reconnect}, {"ack-mode", u.Ack},
		{"trust-user-id", u.Trust}, {"exchange", u.Exchange}, {"max-hops", u.Hops}, {"expires", u.Expires},
		{"message-ttl", u.TTL}, {"ha-policy", u.HAPolicy}, {"queue", u.Queue}} {
		if p.v != nil && value.Truth(p.v) {
			out.SetStr(p.key, p.v)
		}
	}
	return out
}

// upstream is an upstream as it is, nil where there is none.
func (b *broker) upstream(ctx context.Context, name string) (*value.Dict, error) {
	all, err := b.list(ctx, "list_parameters")
	d := find(all, "name", name)
	if err != nil || d == nil || text(d, "component") != "federation-upstream" {
		return nil, err
	}
	v, _ := d.GetStr("value")
	if s, ok := v.(value.Str); ok {
		if v, err = value.ParseJSON(string(s)); err != nil {
			return nil, err
		}
	}
	config, ok := v.(*value.Dict)
	if !ok {
		return nil, fmt.Errorf("the upstream %s has no configuration", name)
	}
	return config, nil
}

// Act sets the upstream.
func (u *Upstream) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b, thing := &broker{h, u.RunAs}, "upstream "+u.Name
	if err := unclear(h, thing); err != nil {
		return state.Effect{}, err
	}
	now, err := b.upstream(ctx, u.Name)
	if err != nil {
		return state.Effect{}, err
	}
	if !there(h, thing, now != nil) {
		now = nil
	}
	want := u.config()
	action, changes := "create", oldNew(value.None, want)
	if now != nil {
		action, changes = "update", differing(now, want)
		if changes.Len() == 0 {
			return state.Settled(fmt.Sprintf("Upstream \"%s\" already present as specified.", u.Name)), nil
		}
	}
	definition, err := value.DumpsJSON(want, value.JSONOptions{})
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: changes, Comment: fmt.Sprintf("Upstream \"%s\" %sd.", u.Name, action),
		Preview: fmt.Sprintf("Upstream \"%s\" would have been %sd.", u.Name, action)}
	return done(&e, deed(ctx, h, thing, "present", func(ctx context.Context) error {
		if _, err := b.ctl(ctx, h, "set_parameter", "federation-upstream", u.Name, definition); err != nil {
			return fmt.Errorf("Error trying to %s upstream: %w", action, err) //nolint:staticcheck // Salt's words
		}
		return nil
	}))
}

// differing are the settings that differ, old and new.
func differing(now, want *value.Dict) *value.Dict {
	old, new := value.NewDict(0), value.NewDict(0)
	for k, v := range now.All() {
		if w, ok := want.Get(k); !ok || !value.Equal(v, w) {
			_ = old.Set(k, v)
		}
	}
	for k, w := range want.All() {
		if v, ok := now.Get(k); !ok || !value.Equal(v, w) {
			_ = new.Set(k, w)
		}
	}
	out := value.NewDict(2)
	if old.Len() > 0 {
		out.SetStr("old", old)
	}
	if new.Len() > 0 {
		out.SetStr("new", new)
	}
	return out
}

// UpstreamAbsent keeps an upstream away.
type UpstreamAbsent struct {
	Name  string `arg:"name,required" doc:"The upstream."`
	RunAs string `arg:"runas,word" doc:"Who runs rabbitmqctl."`
}

func upstreamAbsentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rabbitmq_upstream.absent", Doc: "Keeps an upstream of a federation of RabbitMQ away.",
		Example: "there:\n  rabbitmq_upstream.absent: []", New: func() modules.StateFunc { return &UpstreamAbsent{} },
	}
}

// Validate finds what is no upstream.
func (u *UpstreamAbsent) Validate() []modules.Fault { return dashed("name", u.Name) }

// Act clears the upstream.
func (u *UpstreamAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b, thing := &broker{h, u.RunAs}, "upstream "+u.Name
	now, err := b.upstream(ctx, u.Name)
	if err != nil || !there(h, thing, now != nil) {
		return state.Settled(fmt.Sprintf("The upstream \"%s\" is already absent.", u.Name)), err
	}
	e := state.Effect{Changes: oldNew(value.Str(u.Name), value.None),
		Comment: fmt.Sprintf("Upstream \"%s\" has been deleted.", u.Name),
		Preview: fmt.Sprintf("Upstream \"%s\" would have been deleted.", u.Name)}
	return done(&e, deed(ctx, h, thing, "absent", func(ctx context.Context) error {
		_, err := b.ctl(ctx, h, "clear_parameter", "federation-upstream", u.Name)
		return err
	}))
}
