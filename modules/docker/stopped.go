package docker

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Stopped keeps containers stopped.
type Stopped struct {
	Name          string      `arg:"name,required,word" doc:"The container."`
	Containers    []string    `arg:"containers,word" doc:"Several containers."`
	Shutdown      *int        `arg:"shutdown_timeout" doc:"How many seconds they may take to stop."`
	Unpause       bool        `arg:"unpause" doc:"Also those that are paused."`
	ErrorOnAbsent bool        `arg:"error_on_absent" default:"true" doc:"Fails where one does not exist."`
	NoEffect      value.Value `arg:"client_timeout,text" doc:"No effect."`
}

func stoppedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "docker_container.stopped", Doc: "Keeps containers stopped.",
		Example: "web:\n  docker_container.stopped:\n    - shutdown_timeout: 20", AnyArgs: true,
		New: func() modules.StateFunc { return &Stopped{} },
	}
}

// Act stops them.
func (s *Stopped) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := connect(env, h)
	if err != nil {
		return state.Effect{}, err
	}
	targets := s.Containers
	if targets == nil {
		targets = []string{s.Name}
	}
	in := map[string][]string{}
	for _, t := range targets {
		word, err := c.does(ctx, t)
		if err != nil {
			return state.Effect{}, err
		}
		in[word] = append(in[word], t)
	}
	var faults []string
	if s.ErrorOnAbsent && in["absent"] != nil {
		faults = append(faults, "The following container(s) are absent: "+strings.Join(in["absent"], ", "))
	}
	if !s.Unpause && in["paused"] != nil {
		faults = append(faults, "The following container(s) are paused: "+strings.Join(in["paused"], ", "))
	}
	if faults != nil {
		return state.Effect{}, errors.New(strings.Join(faults, ". "))
	}
	run := append(in["running"], in["paused"]...)
	if run == nil {
		return state.Settled(idle(targets, in["absent"] != nil)), nil
	}
	return s.stop(ctx, h, c, run)
}

func idle(targets []string, absent bool) string {
	out := "All specified containers are "
	if len(targets) == 1 {
		out = fmt.Sprintf("Container '%s' is ", targets[0])
	}
	if absent {
		out += "absent or "
	}
	return out + "not running"
}

func (s *Stopped) stop(ctx context.Context, h host.Host, c *client, run []string) (state.Effect, error) {
	names := strings.Join(run, ", ")
	e := state.Effect{Changes: value.NewDict(len(run)), Foretold: value.NewDict(0), Pending: true,
		Comment: "The following container(s) were stopped: " + names,
		Preview: "The following container(s) will be stopped: " + names}
	for _, name := range run {
		err := deed(ctx, h, "stop", "container "+name, "stopped", func(ctx context.Context) error {
			d, err := c.container(ctx, name)
			if err != nil {
				return err
			}
			was := stateOf(d)
			if was == "paused" {
				if _, err := c.call(ctx, http.MethodPost, "/containers/"+text(d, "Id")+"/unpause", nil); err != nil {
					return err
				}
			}
			e.Changes.SetStr(name, value.DictOf("result", value.Bool(true), "state", value.DictOf("old", value.Str(was), "new",
				value.Str("stopped"))))
			return c.stop(ctx, text(d, "Id"), s.Shutdown)
		})
		if err != nil {
			return e, err
		}
	}
	return e, nil
}

// does is what a container does: Salt's word, or absent.
func (c *client) does(ctx context.Context, name string) (string, error) {
	if then := promised(c.h, "container "+name); then != "" {
		return then, nil
	}
	d, err := c.container(ctx, name)
	if err != nil {
		return "", err
	}
	if d == nil {
		return "absent", nil
	}
	return stateOf(d), nil
}
