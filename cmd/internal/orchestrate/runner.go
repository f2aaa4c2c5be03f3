package orchestrate

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Runner is salt.runner.
type Runner struct {
	Name   string      `arg:"name,required,word" doc:"The runner: state.orchestrate, salt.cmd, http.query, cache.grains, mine.get, manage.up, and others that need no master."`
	Arg    *value.List `arg:"arg,text" doc:"The arguments."`
	Kwarg  *value.Dict `arg:"kwarg,text" doc:"The keyword arguments; they may stand beside the name as well."`
	Mods   value.Value `arg:"mods,text" doc:"The SLS files of state.orchestrate."`
	Pillar *value.Dict `arg:"pillar,text" doc:"The pillar of state.orchestrate, which lies over that of this machine."`
	Env    string      `arg:"saltenv,word" doc:"The environment of its SLS files."`
	Rest   *value.Dict `arg:"**,text"`

	c *Conductor
}

func (c *Conductor) runnerSpec() modules.StateSpec {
	return modules.StateSpec{Name: "salt.runner",
		Doc: "Carries a runner out on this machine: another orchestration as a rule.",
		Example: "database:\n  salt.runner:\n    - name: state.orchestrate\n    - mods: orch.database\n    - pillar: " +
			"{cluster: a}",
		New: func() modules.StateFunc { return &Runner{c: c} }}
}

// call is what is called.
func (r *Runner) call() *runnerCall {
	kwargs := value.NewDict(4)
	for _, d := range []*value.Dict{r.Kwarg, r.Rest} {
		if d == nil {
			continue
		}
		for k, v := range d.All() {
			_ = kwargs.Set(k, v)
		}
	}
	for _, a := range []struct {
		key  string
		v    value.Value
		give bool
	}{{"mods", r.Mods, r.Mods != nil}, {"pillar", r.Pillar, r.Pillar != nil},
		{"saltenv", value.Str(r.Env), r.Env != ""}} {
		if a.give {
			kwargs.SetStr(a.key, a.v)
		}
	}
	call := &runnerCall{c: r.c, name: r.Name, kwargs: kwargs}
	if r.Arg != nil {
		call.args = r.Arg.Items
	}
	return call
}

// Validate finds a runner that there is not, and what is wrong with an orchestration that it stands for.
func (r *Runner) Validate() []modules.Fault { return r.call().check("name") }

// Act carries it out. A preview of an orchestration previews that. Salt differs: its preview carries no runner out, so
// that nobody sees what the steps below it would do.
func (r *Runner) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	call := r.call()
	e := state.Effect{Pending: true, Once: true,
		Preview: fmt.Sprintf("Runner function '%s' would be executed.", r.Name)}
	err := h.Do(ctx, host.Deed{What: "run " + r.Name, On: host.Nothing,
		Do: func(ctx context.Context) error {
			v, ok, err := call.run(ctx, env, false)
			if err != nil {
				return fmt.Errorf("Runner function '%s' failed.\n%w", r.Name, err) //nolint:staticcheck // Salt's words
			}
			e.Changes = value.DictOf("return", v)
			if !ok {
				return fmt.Errorf("Runner function '%s' failed.%s", r.Name, call.why(v)) //nolint:staticcheck // likewise
			}
			e.Comment = fmt.Sprintf("Runner function '%s' executed.", r.Name)
			return nil
		}, Foretell: func(host.Host) error {
			if !env.Told || !call.nested() {
				return nil
			}
			v, ok, err := call.run(ctx, env, true)
			if err == nil && !ok {
				err = fmt.Errorf("Runner function '%s' would fail.%s", r.Name, call.why(v)) //nolint:staticcheck // likewise
			}
			if e.Pending = err == nil && pendingIn(v); e.Pending {
				e.Changes = value.DictOf("return", v)
			} else if err == nil {
				e.Comment = e.Preview
			}
			return err
		}})
	return e, err
}

// Wheel is salt.wheel: there are no keys of minions, and no other wheel function has a meaning.
type Wheel struct {
	Name string      `arg:"name,required,word" doc:"The wheel function."`
	Rest *value.Dict `arg:"**,text"`
}

// Validate refuses it.
func (w *Wheel) Validate() []modules.Fault {
	return []modules.Fault{{Arg: "name", Msg: fmt.Sprintf("wheel function '%s' is a Salt master's, and there is none",
		w.Name),
		Hint: "machines are reached by ssh, whose keys are sshd's and yours: leave the state out; a machine that is to be " +
			"forgotten is taken out of the roster"}}
}

// Act is never reached.
func (w *Wheel) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Effect{}, errors.New("there is no Salt master")
}

func (c *Conductor) wheelSpec() modules.StateSpec {
	return modules.StateSpec{Name: "salt.wheel", Doc: "Is refused: wheel functions are a Salt master's.",
		Example: "accept:\n  salt.wheel:\n    - name: key.accept\n    - match: web1",
		New:     func() modules.StateFunc { return &Wheel{} }}
}

// WaitForEvent is salt.wait_for_event: there is no bus of events.
type WaitForEvent struct {
	Name string      `arg:"name,required,word" doc:"The tag of the event."`
	Rest *value.Dict `arg:"**,text"`
}

// Validate refuses it.
func (w *WaitForEvent) Validate() []modules.Fault {
	return []modules.Fault{{Arg: "name", Msg: fmt.Sprintf("nobody sends the event '%s': there is no Salt master", w.Name),
		Hint: "a salt.function test.ping with expect_minions: true and retry: {attempts: 30, interval: 10} waits until " +
			"machines are back"}}
}

// Act is never reached.
func (w *WaitForEvent) Act(context.Context, *modules.Env, host.Host) (state.Effect, error) {
	return state.Effect{}, errors.New("there is no Salt master")
}

func (c *Conductor) waitSpec() modules.StateSpec {
	return modules.StateSpec{Name: "salt.wait_for_event", Doc: "Is refused: events are a Salt master's.",
		Example: "back:\n  salt.wait_for_event:\n    - name: salt/minion/*/start\n    - id_list: [web1]",
		New:     func() modules.StateFunc { return &WaitForEvent{} }}
}
