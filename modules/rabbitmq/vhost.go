package rabbitmq

import (
	"context"
	"crypto/rand"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// randomText is a password that nobody knows.
func randomText() string { return rand.Text() }

// Vhost keeps a virtual host there, or away.
type Vhost struct {
	Name string `arg:"name,required" doc:"The virtual host."`

	present bool
}

func vhostSpec(present bool) modules.StateSpec {
	s := modules.StateSpec{Name: "rabbitmq_vhost.absent",
		Doc:     "Keeps a virtual host of RabbitMQ away, with all that it holds.",
		Example: "/app:\n  rabbitmq_vhost.absent: []", New: func() modules.StateFunc { return &Vhost{present: present} }}
	if present {
		s.Name, s.Doc = "rabbitmq_vhost.present", "Keeps a virtual host of RabbitMQ there."
		s.Example = "/app:\n  rabbitmq_vhost.present: []"
	}
	return s
}

// Validate finds what is no virtual host.
func (v *Vhost) Validate() []modules.Fault { return dashed("name", v.Name) }

// Act makes the virtual host, or deletes it.
func (v *Vhost) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b := &broker{h: h}
	all, err := b.list(ctx, "list_vhosts", "name")
	if err != nil {
		return state.Effect{}, err
	}
	thing, was, verb, then := "vhost "+v.Name, "is not present.", "delete_vhost", "absent"
	e := state.Effect{Changes: oldNew(value.Str(v.Name), value.Str("")),
		Preview: fmt.Sprintf("Virtual Host '%s' will be removed.", v.Name)}
	if v.present {
		was, verb, then = "already exists.", "add_vhost", "present"
		e.Changes = oldNew(value.Str(""), value.Str(v.Name))
		e.Preview = fmt.Sprintf("Virtual Host '%s' will be created.", v.Name)
	}
	if there(h, thing, find(all, "name", v.Name) != nil) == v.present {
		return state.Settled(fmt.Sprintf("Virtual Host '%s' %s", v.Name, was)), nil
	}
	return done(&e, deed(ctx, h, thing, then, func(ctx context.Context) (err error) {
		e.Comment, err = b.ctl(ctx, h, verb, v.Name)
		return err
	}))
}
