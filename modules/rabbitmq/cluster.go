package rabbitmq

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

// Joined keeps the server in a cluster.
type Joined struct {
	Name  string `arg:"name,required,text" doc:"The name of the state."`
	Host  string `arg:"host,required,word" doc:"A host of the cluster."`
	User  string `arg:"user,word" default:"rabbit" doc:"The name of its node before the @."`
	RAM   bool   `arg:"ram_node" doc:"It keeps what it knows in memory alone."`
	RunAs string `arg:"runas,word" default:"root" doc:"Who runs rabbitmqctl."`
}

func joinedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "rabbitmq_cluster.joined", Doc: "Keeps the RabbitMQ server in the cluster of another host.",
		Example: "cluster:\n  rabbitmq_cluster.joined:\n    - host: mq1.example\n    - user: rabbit",
		New:     func() modules.StateFunc { return &Joined{} },
	}
}

// Validate finds what is no node.
func (j *Joined) Validate() []modules.Fault { return dashed("user", j.User) }

// Act stops the server's work, joins, and starts it again, also where joining failed.
// Salt differs: where joining fails it leaves the server stopped.
func (j *Joined) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	b, node := &broker{h, j.RunAs}, j.User+"@"+j.Host
	status, err := b.ask(ctx, "cluster_status", "-q", "--formatter", "json")
	if err != nil {
		return state.Effect{}, err
	}
	if there(h, "cluster "+node, strings.Contains(value.Repr(status), "'"+node+"'")) {
		return state.Settled("Already in cluster"), nil
	}
	e := state.Effect{Changes: oldNew(value.Str(""), value.Str(node)),
		Preview: fmt.Sprintf("Node is set to join cluster %s", node)}
	words := []string{"join_cluster", node}
	if j.RAM {
		words = []string{"join_cluster", "--ram", node}
	}
	return done(&e, deed(ctx, h, "cluster "+node, "present", func(ctx context.Context) error {
		if _, err := b.ctl(ctx, h, "stop_app"); err != nil {
			return err
		}
		said, err := b.ctl(ctx, h, words...)
		e.Comment = said
		_, again := b.ctl(ctx, h, "start_app")
		return errors.Join(err, again)
	}))
}
