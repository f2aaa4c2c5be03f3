package service

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Common are the arguments that running and dead share.
type Common struct {
	Name   string        `arg:"name,required,file" doc:"The service: a systemd unit, \".service\" may be left out."`
	Enable *bool         `arg:"enable" doc:"Whether it starts at boot; left as it is when not given."`
	Sig    string        `arg:"sig,text" doc:"Text to look for among the processes; systemd knows its services without it."`
	Delay  time.Duration `arg:"init_delay" doc:"Seconds to wait after a start or stop before looking again."`
	Wait   time.Duration `arg:"timeout" doc:"Seconds in which the service may reach the wanted state after the job has ended."`
	NoBlk  bool          `arg:"no_block" doc:"Do not wait for systemd's job."`
	// Enabled is a common mistake for enable.
	Enabled value.Value `arg:"enabled" doc:"An error: the argument is called enable."`
}

// Watching are the arguments that say how a service reacts to a watch.
type Watching struct {
	Reload      bool `arg:"reload" doc:"On a watch, reload the service in place of a restart."`
	Restart     bool `arg:"restart" default:"true" doc:"On a watch, restart the service: the default."`
	FullRestart bool `arg:"full_restart" doc:"Of other service managers; systemd's restart stops and starts."`
	Force       bool `arg:"force" doc:"With reload: restart it where it cannot reload."`
}

// Validate refuses enabled, which Salt users write for enable.
func (c *Common) Validate() []modules.Fault {
	if c.Enabled == nil {
		return nil
	}
	return []modules.Fault{{Arg: "enabled", Msg: fmt.Sprintf("service %s uses the option \"enabled\", which does not exist", c.Name), Hint: `did you mean "enable"?`}}
}

// NeedsRoot is true: only root may start services.
func (*Common) NeedsRoot(*modules.Env) bool { return true }

// Running keeps a service running.
type Running struct {
	Common
	Watching
	Uncover
}

func runningSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "service.running",
		Doc:  "Keeps a service running.\n\nA watch restarts it, or reloads it with reload: true.",
		Example: `nginx:
  service.running:
    - enable: true
    - reload: true
    - watch:
      - file: /etc/nginx/nginx.conf`,
		New:     func() modules.StateFunc { return &Running{} },
		AnyArgs: true,
	}
}

// A runPlan is what it takes to have a service running as wanted.
type runPlan struct {
	unmask, start, enable, disable bool
}

func (r *Running) plan(h host.Reader, s *sight) (runPlan, error) {
	if !s.now.Exists() && !s.promised {
		return runPlan{}, s.missing(h)
	}
	if template(s.unit) {
		return runPlan{}, fmt.Errorf("%s is a template: name an instance such as %s", s.name, instanceOf(s.unit))
	}
	p := runPlan{start: !s.now.Running() || s.fresh, unmask: r.hidden(h, s)}
	if p.start && !p.unmask && s.now.Masked() {
		return p, fmt.Errorf("the service %s is masked, so it cannot be started; unmask: true unmasks it", s.name)
	}
	p.enable, p.disable = wantEnable(r.Enable, s)
	return p, nil
}

// wantEnable says whether the service has to be enabled or disabled.
func wantEnable(want *bool, s *sight) (enable, disable bool) {
	switch {
	case want == nil:
		return false, false
	case *want:
		return !s.now.Enabled(), false
	}
	return false, s.now.Disableable()
}

// pending says whether there is something to do. Salt differs: where a service runs and is only unmasked, it shows no
// change.
func (p runPlan) pending() bool { return p.unmask || p.start || p.enable || p.disable }

// Act unmasks, starts, then enables or disables. A service that starts and does not stay up is enabled all the same, as
// in Salt; one that is refused is not.
func (r *Running) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	s, err := look(ctx, env, h, r.Name)
	if err != nil {
		return state.Effect{}, err
	}
	p, err := r.plan(h, s)
	if err != nil {
		return state.Effect{}, err
	}
	if !p.pending() {
		return state.Settled(fmt.Sprintf("The service %s is already running", r.Name)), nil
	}
	if err := r.uncover(ctx, h, s); err != nil {
		return state.Effect{}, err
	}
	var down fallen
	if p.start {
		if err := r.start(ctx, env, h, s); err != nil && !errors.As(err, &down) {
			return state.Effect{}, err
		}
	}
	if err := s.boot(ctx, h, p.enable, p.disable); err != nil {
		return r.started(p), &state.PropertyError{Name: "enabled", Err: err}
	}
	if down != "" {
		return down.effect(r.Name, p.enable || p.disable), down
	}
	e := state.Effect{Changes: value.DictOf(r.Name, value.Bool(true)), Comment: r.comment(p), Preview: p.preview(r.Name),
		Properties: p.properties(), Once: r.NoBlk && p.start} // what is not waited for may still be on its way
	if p.start { // as in Salt, since nobody knows before whether it stays up
		e.Foretold = value.NewDict(0)
	}
	return e, nil
}

// started is what was done where the service could not be enabled or disabled.
func (r *Running) started(p runPlan) state.Effect {
	if p.enable, p.disable = false, false; !p.pending() {
		return state.Effect{}
	}
	return state.Effect{Changes: value.DictOf(r.Name, value.Bool(true)), Properties: p.properties(), Once: true}
}

// properties are what is changed, one by one.
func (p runPlan) properties() []state.Property {
	var out []state.Property
	for _, c := range []struct {
		name   string
		change bool
		to     bool
	}{{"masked", p.unmask, false}, {"running", p.start, true}, {"enabled", p.enable, true},
		{"enabled", p.disable, false}} {
		if c.change {
			out = append(out, state.Property{Name: c.name, Before: value.Bool(!c.to), After: value.Bool(c.to)})
		}
	}
	return out
}

// fallen is the error of a service that was started or stopped and is not what that makes of it.
type fallen string

func (f fallen) Error() string { return string(f) }

// effect is what was done in vain; it is, at every run.
func (f fallen) effect(name string, boot bool) state.Effect {
	e := state.Effect{Changes: value.NewDict(0), Pending: true, Once: true}
	if boot {
		e.Changes.SetStr(name, value.Bool(true))
	}
	return e
}

// start starts the service. One that its package started before it was configured is restarted: Salt differs: Salt
// leaves it as the package started it, so that its preview ("would start") and its run do not agree.
func (r *Running) start(ctx context.Context, env *modules.Env, h host.Host, s *sight) error {
	verb := Start
	if s.fresh && s.now.Running() {
		verb = Restart
	}
	env.Progress(string(verb) + " " + r.Name)
	err := r.job(ctx, h, s, true, verb)
	if err == nil {
		h.Promise(host.Fact{Kind: host.FactUnit, Name: s.unit, Value: "known"})
	}
	return err
}

// job has the manager do something to the service and, unless it is not to block, waits until the service runs, or does
// not.
func (c *Common) job(ctx context.Context, h host.Host, s *sight, running bool, verbs ...Verb) error {
	return s.deed(ctx, h, string(verbs[len(verbs)-1]), func(ctx context.Context) error {
		if running {
			if err := s.reloadManager(ctx, h); err != nil {
				return err
			}
		}
		for _, v := range verbs {
			if err := s.provider.Do(ctx, h, v, s.unit, !c.NoBlk); err != nil {
				return err
			}
		}
		if c.NoBlk {
			return nil
		}
		return c.await(ctx, h, s, running)
	}, s.reaches(running))
}

// reaches is what an overlay takes for a start or a stop.
func (s *sight) reaches(running bool) func(host.Host) error {
	return func(host.Host) error {
		s.now.Active = map[bool]string{true: "active", false: "inactive"}[running]
		return nil
	}
}

// settling is how long a service that was just started has to be up to count as running: one that dies at once is up
// for a moment.
const settling = 50 * time.Millisecond

// await looks again after a start or stop, for as long as the state allows.
func (c *Common) await(ctx context.Context, h host.Reader, s *sight, running bool) error {
	delay := c.Delay
	if running {
		delay = max(delay, settling)
	}
	if err := sleep(ctx, delay); err != nil {
		return err
	}
	for waited := time.Duration(0); ; waited += 200 * time.Millisecond {
		u, err := s.provider.Unit(ctx, h, s.unit)
		switch {
		case err != nil:
			return err
		case u.Running() == running:
			return nil
		case waited >= c.Wait && !running:
			return fallen(fmt.Sprintf("Service %s failed to die: systemd says it is %s (%s)", c.Name, u.Active, u.Sub))
		case waited >= c.Wait && u.Active == "inactive":
			return fallen(fmt.Sprintf("Service %s failed to start: it started and ended at once; `journalctl -u %s` tells more",
				c.Name, s.unit))
		case waited >= c.Wait:
			return fallen(fmt.Sprintf("Service %s failed to start: systemd says it is %s (%s)", c.Name, u.Active, u.Sub))
		}
		if err := sleep(ctx, 200*time.Millisecond); err != nil {
			return err
		}
	}
}

func sleep(ctx context.Context, d time.Duration) error {
	if d <= 0 {
		return ctx.Err()
	}
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// boot enables or disables.
func (s *sight) boot(ctx context.Context, h host.Host, enable, disable bool) error {
	switch {
	case enable:
		return s.files(ctx, h, Enable, false)
	case disable:
		return s.files(ctx, h, Disable, false)
	}
	return nil
}

// comment words what was done as Salt does.
func (r *Running) comment(p runPlan) string {
	is := "is in the desired state"
	if p.start {
		is = "is running"
	}
	switch {
	case p.enable:
		return fmt.Sprintf("Service %s has been enabled, and %s", r.Name, is)
	case p.disable:
		return fmt.Sprintf("Service %s has been disabled, and %s", r.Name, is)
	case p.start && r.Enable != nil && *r.Enable:
		return fmt.Sprintf("Service %s is already enabled, and is running", r.Name)
	case p.start && r.Enable != nil:
		return fmt.Sprintf("Service %s is already disabled, and is running", r.Name)
	case p.unmask:
		return fmt.Sprintf("Service %s was unmasked", r.Name)
	}
	return "Started service " + r.Name
}

func (p runPlan) preview(name string) string {
	switch {
	case p.start:
		return fmt.Sprintf("Service %s is set to start", name)
	case p.enable:
		return fmt.Sprintf("Service %s set to be enabled", name)
	case p.disable:
		return fmt.Sprintf("Service %s set to be disabled", name)
	}
	return fmt.Sprintf("Service %s set to be unmasked", name)
}

// reloadManager makes systemd read its files again when one of the unit's changed, or the unit is new.
func (s *sight) reloadManager(ctx context.Context, h host.Host) error {
	if !s.now.Exists() || s.now.NeedReload || s.now.Load == "masked" {
		return s.provider.ReloadManager(ctx, h)
	}
	return nil
}

func instanceOf(unit string) string {
	base, rest, _ := cutAt(unit)
	return base + "@NAME" + rest
}
