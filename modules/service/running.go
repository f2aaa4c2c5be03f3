package service

import (
	"context"
	"fmt"
	"time"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Common are the arguments that running and dead share.
type Common struct {
	Name   string        `arg:"name,required" doc:"the service: a systemd unit, \".service\" may be left out"`
	Enable *bool         `arg:"enable" doc:"whether it starts at boot; left as it is when not given"`
	Sig    string        `arg:"sig" doc:"text to look for among the processes; systemd knows its services without it"`
	Delay  time.Duration `arg:"init_delay" doc:"seconds to wait after a start or stop before looking again"`
	Wait   time.Duration `arg:"timeout" doc:"seconds in which the service may reach the wanted state after the job has ended"`
	NoBlk  bool          `arg:"no_block" doc:"do not wait for systemd's job"`
	// Enabled is a common mistake for enable.
	Enabled value.Value `arg:"enabled" doc:"an error: the argument is called enable"`
}

// Watching are the arguments that say how a service reacts to a watch.
type Watching struct {
	Reload      bool `arg:"reload" doc:"on a watch, reload the service in place of a restart"`
	Restart     bool `arg:"restart" default:"true" doc:"on a watch, restart the service: the default"`
	FullRestart bool `arg:"full_restart" doc:"on a watch, stop and start the service"`
	Force       bool `arg:"force" doc:"with reload: restart it where it cannot reload"`
}

// Validate refuses enabled, which Salt users write for enable.
func (c *Common) Validate() []modules.Fault {
	if c.Enabled == nil {
		return nil
	}
	return []modules.Fault{{Arg: "enabled", Msg: fmt.Sprintf("service %s uses the option \"enabled\", which does not exist", c.Name), Hint: `did you mean "enable"?`}}
}

// Locks keeps other service states out while this one works.
func (*Common) Locks() []string { return []string{"service"} }

// NeedsRoot is true: only root may start services.
func (*Common) NeedsRoot(*modules.Env) bool { return true }

// Running keeps a service running.
type Running struct {
	Common
	Watching
	Unmask        bool `arg:"unmask" doc:"unmask the service when it is masked"`
	UnmaskRuntime bool `arg:"unmask_runtime" doc:"unmask the service when it is masked until the next boot"`
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

func (r *Running) plan(ctx context.Context, h host.Reader, s *sight) (runPlan, error) {
	if !s.found && !s.promised {
		return runPlan{}, s.missing(h)
	}
	if template(s.unit) {
		return runPlan{}, fmt.Errorf("%s is a template: name an instance such as %s", s.name, instanceOf(s.unit))
	}
	p := runPlan{start: !s.running || s.fresh}
	if s.masked {
		p.unmask = r.Unmask || r.UnmaskRuntime
		if p.start && !p.unmask {
			return p, fmt.Errorf("the service %s is masked, so it cannot be started; unmask: true unmasks it", s.name)
		}
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
		return !s.enabled, false
	}
	return false, s.enabled && (s.now.Disableable() || !s.found)
}

func (p runPlan) pending() bool { return p.unmask || p.start || p.enable || p.disable }

// Check says whether it would be started, enabled or disabled.
func (r *Running) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	s, err := look(ctx, env, h, r.Name)
	if err != nil {
		return state.Forecast{}, err
	}
	p, err := r.plan(ctx, h, s)
	if err != nil {
		return state.Forecast{}, err
	}
	if !p.pending() {
		return state.Forecast{Comment: fmt.Sprintf("The service %s is already running", r.Name)}, nil
	}
	f := state.Forecast{Pending: true, Changes: value.DictOf(r.Name, value.Bool(true)),
		Effects: s.promise(true, (s.enabled || p.enable) && !p.disable, s.masked && !p.unmask)}
	switch {
	case p.start:
		f.Comment = fmt.Sprintf("Service %s is set to start", r.Name)
	case p.enable:
		f.Comment = fmt.Sprintf("Service %s set to be enabled", r.Name)
	case p.disable:
		f.Comment = fmt.Sprintf("Service %s set to be disabled", r.Name)
	default:
		f.Comment = fmt.Sprintf("Service %s set to be unmasked", r.Name)
	}
	return f, nil
}

// Apply unmasks, starts, then enables or disables.
func (r *Running) Apply(ctx context.Context, env *modules.Env, h host.Host, _ state.Forecast) (state.Applied, error) {
	s, err := look(ctx, env, h, r.Name)
	if err != nil {
		return state.Applied{}, err
	}
	p, err := r.plan(ctx, h, s)
	if err != nil {
		return state.Applied{}, err
	}
	done := state.Applied{Changes: value.DictOf(r.Name, value.Bool(true)), Comment: "Started service " + r.Name}
	if p.unmask {
		if err := unmask(ctx, h, s, r.UnmaskRuntime && !r.Unmask); err != nil {
			return state.Applied{}, err
		}
		done.Comment = fmt.Sprintf("Service %s was unmasked", r.Name)
	}
	if p.start {
		if err := r.start(ctx, env, h, s); err != nil {
			return state.Applied{}, err
		}
	}
	return done, r.boot(ctx, h, s, p, &done)
}

// start starts the service. One that its package started before it was configured is restarted: Salt differs: Salt leaves it
// as the package started it, so that its preview ("would start") and its run do not agree.
func (r *Running) start(ctx context.Context, env *modules.Env, h host.Host, s *sight) error {
	verb := Start
	if s.fresh && s.running {
		verb = Restart
	}
	env.Progress(string(verb) + " " + r.Name)
	if err := s.reloadManager(ctx, h); err != nil {
		return err
	}
	if err := s.provider.Do(ctx, h, verb, s.unit, !r.NoBlk); err != nil {
		return err
	}
	h.Promise(host.Fact{Kind: host.FactUnit, Name: s.unit, Value: "known"})
	if r.NoBlk {
		return nil
	}
	return r.await(ctx, h, s, true)
}

// await looks again after a start or stop, for as long as the state allows.
func (c *Common) await(ctx context.Context, h host.Reader, s *sight, running bool) error {
	if err := sleep(ctx, c.Delay); err != nil {
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
			return fmt.Errorf("Service %s failed to die: systemd says it is %s (%s)", c.Name, u.Active, u.Sub)
		case waited >= c.Wait && u.Active == "inactive":
			return fmt.Errorf("Service %s failed to start: it started and ended at once; `journalctl -u %s` tells more", c.Name, s.unit)
		case waited >= c.Wait:
			return fmt.Errorf("Service %s failed to start: systemd says it is %s (%s)", c.Name, u.Active, u.Sub)
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

// boot enables or disables, and words the comment as Salt does.
func (r *Running) boot(ctx context.Context, h host.Host, s *sight, p runPlan, done *state.Applied) error {
	is := "is in the desired state"
	if p.start {
		is = "is running"
	}
	switch {
	case p.enable:
		done.Comment = fmt.Sprintf("Service %s has been enabled, and %s", r.Name, is)
		return s.provider.Files(ctx, h, Enable, s.real(), false)
	case p.disable:
		done.Comment = fmt.Sprintf("Service %s has been disabled, and %s", r.Name, is)
		return s.provider.Files(ctx, h, Disable, s.real(), false)
	case p.start && r.Enable != nil && *r.Enable:
		done.Comment = fmt.Sprintf("Service %s is already enabled, and is running", r.Name)
	case p.start && r.Enable != nil:
		done.Comment = fmt.Sprintf("Service %s is already disabled, and is running", r.Name)
	}
	return nil
}

// reloadManager makes systemd read its files again when one of the unit's changed, or the unit is new.
func (s *sight) reloadManager(ctx context.Context, h host.Host) error {
	if !s.found || s.now.NeedReload || s.now.Load == "masked" {
		return s.provider.ReloadManager(ctx, h)
	}
	return nil
}

func instanceOf(unit string) string {
	base, rest, _ := cutAt(unit)
	return base + "@NAME" + rest
}
