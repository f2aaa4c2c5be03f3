package service

import (
	"context"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// A fake is a service manager in memory. It notes what it was told to do.
type fake struct {
	units map[string]*Unit
	did   []string
	// broken makes a start succeed and leave the service down.
	broken bool
}

func (f *fake) Canonical(name string) string { return canonical(name) }

func (f *fake) Unit(_ context.Context, _ host.Reader, unit string) (Unit, error) {
	if u := f.units[unit]; u != nil {
		return *u, nil
	}
	return Unit{ID: unit, Load: "not-found", Active: "inactive"}, nil
}

func (f *fake) Units(context.Context, host.Reader) ([]Unit, error) {
	var out []Unit
	for _, u := range f.units {
		out = append(out, *u)
	}
	return out, nil
}

func (f *fake) Refuses(context.Context, host.Reader, string, string) error { return nil }

func (f *fake) Do(_ context.Context, _ host.Host, verb Verb, unit string, _ bool) error {
	f.did = append(f.did, string(verb)+" "+unit)
	u := f.units[unit]
	if u == nil {
		return fmt.Errorf("no unit %s", unit)
	}
	u.Active = "active"
	if verb == Stop || f.broken {
		u.Active = "inactive"
	}
	return nil
}

func (f *fake) Files(_ context.Context, h host.Host, verb FileVerb, unit string, runtime bool) error {
	f.did = append(f.did, string(verb)+" "+unit)
	u := f.units[unit]
	switch verb {
	case Enable:
		u.FileState = "enabled"
	case Disable:
		u.FileState = "disabled"
	case Unmask:
		u.FileState, u.Load = "disabled", "loaded"
		return h.Remove(maskDir(runtime) + unit)
	case Mask:
		u.FileState, u.Load = "masked", "masked"
		if runtime {
			u.FileState = "masked-runtime"
		}
		return h.Symlink("/dev/null", maskDir(runtime)+unit)
	}
	return nil
}

func (f *fake) ReloadManager(context.Context, host.Host) error {
	f.did = append(f.did, "daemon-reload")
	return nil
}

// newBench is a machine in memory with the units.
func newBench(units ...Unit) (*fake, *hosttest.Memory, *modules.Env) {
	f, h := &fake{units: map[string]*Unit{}}, hosttest.NewMemory()
	h.MustMkdir("/etc/systemd/system")
	for _, u := range units {
		if u.Load == "" {
			u.Load = "loaded"
		}
		f.units[u.ID] = &u
		if u.FileState == "masked" {
			if err := h.Symlink("/dev/null", maskDir(false)+u.ID); err != nil {
				panic(err)
			}
		}
	}
	env := &modules.Env{Cache: modules.NewCache(), Progress: func(string) {}, Low: &state.Low{}}
	modules.Get(env.Cache, providerKey{}, func() chosen { return chosen{f, nil} })
	return f, h, env
}

func bind(t *testing.T, spec modules.StateSpec, name string, args ...any) modules.StateFunc {
	t.Helper()
	fn, diags := modules.Bind(&spec, &state.Low{ID: name, Name: name, Args: value.DictOf(args...)})
	if fn == nil {
		t.Fatal(diags[0])
	}
	return fn
}

// An effect is what became of a state: what the preview said, what was done, what the run said.
type effect struct{ Preview, Did, Comment, Changes, Err string }

// try checks, applies where that is asked for, and checks that a second look finds nothing to do.
func try(t *testing.T, fn modules.StateFunc, f *fake, h *hosttest.Memory, env *modules.Env) effect {
	t.Helper()
	ctx := context.Background()
	fc, err := modtest.Of(fn).Check(ctx, env, h)
	if err != nil {
		return effect{Err: err.Error()}
	}
	if !fc.Pending {
		return effect{Preview: fc.Comment}
	}
	if len(f.did) > 0 {
		t.Errorf("the check did %v", f.did)
	}
	a, err := modtest.Of(fn).Apply(ctx, env, h, fc)
	e := effect{Preview: fc.Comment, Did: strings.Join(f.did, ", "), Comment: a.Comment}
	if a.Changes != nil {
		e.Changes = value.Repr(a.Changes)
	}
	if err != nil {
		e.Err = err.Error()
		return e
	}
	if again, err := modtest.Of(fn).Check(ctx, env, h); !fc.Action && (err != nil || again.Pending) {
		t.Errorf("does not converge: %+v %v", again, err)
	}
	return e
}

func TestStates(t *testing.T) {
	up := Unit{ID: "web.service", Active: "active", FileState: "enabled"}
	down := Unit{ID: "web.service", Active: "inactive", FileState: "disabled"}
	yes, no := value.Bool(true), value.Bool(false)
	tests := []struct {
		name string
		unit Unit
		spec modules.StateSpec
		args []any
		want effect
	}{
		{"running", up, runningSpec(), nil, effect{Preview: "The service web is already running"}},
		{"start", down, runningSpec(), nil, effect{"Service web is set to start", "start web.service", "Started service web",
			"{'web': True}", ""}},
		{"start and enable", down, runningSpec(), []any{"enable", yes},
			effect{"Service web is set to start", "start web.service, enable web.service",
				"Service web has been enabled, and is running", "{'web': True}", ""}},
		{"only enable", Unit{ID: "web.service", Active: "active", FileState: "disabled"}, runningSpec(), []any{"enable", yes},
			effect{"Service web set to be enabled", "enable web.service",
				"Service web has been enabled, and is in the desired state", "{'web': True}", ""}},
		{"running and disable", up, runningSpec(), []any{"enable", no},
			effect{"Service web set to be disabled", "disable web.service",
				"Service web has been disabled, and is in the desired state", "{'web': True}", ""}},
		{"static needs no enabling", Unit{ID: "web.service", Active: "active", FileState: "static"}, runningSpec(),
			[]any{"enable", yes},
			effect{Preview: "The service web is already running"}},
		{"static cannot be disabled", Unit{ID: "web.service", Active: "inactive", FileState: "static"}, disabledSpec(), nil,
			effect{Preview: "Service web is static: it has no [Install] section, so there is nothing to disable"}},
		{"masked", Unit{ID: "web.service", Load: "masked", Active: "inactive", FileState: "masked"}, runningSpec(), nil,
			effect{Err: "the service web is masked, so it cannot be started; unmask: true unmasks it"}},
		{"unmask", Unit{ID: "web.service", Load: "masked", Active: "inactive", FileState: "masked"}, runningSpec(),
			[]any{"unmask", yes},
			effect{"Service web is set to start", "unmask web.service, start web.service", "Service web was unmasked",
				"{'web': True}", ""}},
		{"unmask what runs", Unit{ID: "web.service", Load: "masked", Active: "active", FileState: "masked"}, runningSpec(),
			[]any{"unmask", yes}, effect{"Service web set to be unmasked", "unmask web.service", "Service web was unmasked",
				"{'web': True}", ""}},
		{"changed unit file", Unit{ID: "web.service", Active: "inactive", FileState: "disabled", NeedReload: true},
			runningSpec(), nil,
			effect{"Service web is set to start", "daemon-reload, start web.service", "Started service web", "{'web': True}",
				""}},
		{"dead", down, deadSpec(), nil, effect{Preview: "The service web is already dead"}},
		{"stop", up, deadSpec(), nil, effect{"Service web is set to be killed", "stop web.service", "Service web was killed",
			"{'web': False}", ""}},
		{"stop and disable", up, deadSpec(), []any{"enable", no},
			effect{"Service web is set to be killed", "stop web.service, disable web.service",
				"Service web has been disabled, and is dead", "{'web': True}", ""}},
		{"enabled", up, enabledSpec(), nil, effect{Preview: "Service web is already enabled, and is in the desired state"}},
		{"enable", down, enabledSpec(), nil,
			effect{"Service web set to be enabled", "enable web.service",
				"Service web has been enabled, and is in the desired state", "{'web': True}", ""}},
		{"mask", up, maskedSpec(), nil,
			effect{"Service web would be masked", "mask web.service", "Service web was masked",
				"{'masked': {'old': False, 'new': True}}", ""}},
		{"not masked", up, unmaskedSpec(), nil, effect{Preview: "Service web was already unmasked"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, h, env := newBench(tt.unit)
			if d := cmp.Diff(tt.want, try(t, bind(t, tt.spec, "web", tt.args...), f, h, env)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestMissing(t *testing.T) {
	f, h, env := newBench()
	h.MustWrite("/lib/systemd/system/apache2.service", "", 0o644)
	got := try(t, bind(t, runningSpec(), "apach2"), f, h, env)
	if want := "The named service apach2 is not available; did you mean apache2?"; got.Err != want {
		t.Errorf("error %q, want %q", got.Err, want)
	}
	if got := try(t, bind(t, deadSpec(), "apach2"), f, h,
		env); got.Preview != "The named service apach2 is not available" {
		t.Errorf("dead: %+v", got)
	}
	if got := try(t, bind(t, runningSpec(), "getty@"), f, h, env); !strings.Contains(got.Err, "is not available") {
		t.Errorf("template: %+v", got)
	}
	f.units["getty@.service"] = &Unit{ID: "getty@.service", Load: "loaded"}
	if got := try(t, bind(t, runningSpec(), "getty@"), f, h,
		env); got.Err != "getty@ is a template: name an instance such as getty@NAME.service" {
		t.Errorf("template: %+v", got)
	}
}

// TestFailsToStart: a service that does not stay up is a failure without changes, and starts at boot all the same, as
// in Salt.
func TestFailsToStart(t *testing.T) {
	for _, tt := range []struct {
		args []any
		want effect
	}{
		{nil, effect{Preview: "Service web is set to start", Did: "start web.service", Changes: "{}"}},
		{[]any{"enable", value.Bool(true)}, effect{Preview: "Service web is set to start",
			Did: "start web.service, enable web.service", Changes: "{'web': True}"}},
	} {
		f, h, env := newBench(Unit{ID: "web.service", Active: "inactive"})
		f.broken = true
		got := try(t, bind(t, runningSpec(), "web", tt.args...), f, h, env)
		if !strings.HasPrefix(got.Err, "Service web failed to start") {
			t.Errorf("%+v", got)
		}
		got.Err = ""
		if d := cmp.Diff(tt.want, got); d != "" {
			t.Errorf("(-want +got):\n%s", d)
		}
	}
}

// TestTwoMasks: a service may be masked twice, and each mask is seen and undone for itself.
func TestTwoMasks(t *testing.T) {
	f, h, env := newBench(Unit{ID: "web.service", Load: "masked", Active: "inactive", FileState: "masked"})
	h.MustMkdir("/run/systemd/system")
	if got := try(t, bind(t, maskedSpec(), "web", "runtime", value.Bool(true)), f, h,
		env); got.Changes != "{'runtime masked': {'old': False, 'new': True}}" {
		t.Errorf("%+v", got)
	}
	over := host.NewOverlay(h)
	for _, spec := range []modules.StateSpec{unmaskedSpec(), runningSpec()} {
		e, err := bind(t, spec, "web").Act(context.Background(), env, over)
		if masked := spec.Name == "service.running"; (err != nil) != masked || e.Alters() == masked {
			t.Errorf("%s: %+v %v", spec.Name, e, err)
		}
	}
	if e, err := bind(t, runningSpec(), "web", "unmask_runtime", value.Bool(true)).Act(context.Background(), env,
		over); err != nil || !e.Alters() {
		t.Errorf("%+v %v", e, err)
	}
}

// TestScripted: of a service that systemd made of a script in /etc/init.d, the script's links say whether it starts at
// boot.
func TestScripted(t *testing.T) {
	f, h, env := newBench(Unit{ID: "web.service", Active: "active", FileState: "generated"})
	h.MustWrite("/etc/init.d/web", "", 0o755)
	enabled := bind(t, runningSpec(), "web", "enable", value.Bool(true))
	if e, err := enabled.Act(context.Background(), env, host.NewOverlay(h)); err != nil || !e.Alters() {
		t.Errorf("without a link: %+v %v", e, err)
	}
	h.MustWrite("/etc/rc3.d/S01web", "", 0o755)
	if got := try(t, enabled, f, h, env); got.Preview != "The service web is already running" {
		t.Errorf("with a link: %+v", got)
	}
}

// TestNotRead: of a unit that systemd has not read yet the links say whether it starts at boot; its package has started
// it.
func TestNotRead(t *testing.T) {
	tests := []struct{ file, link, want string }{
		{"/etc/init.d/web", "/etc/rc2.d/S01web", "Service web is set to be killed"},
		{"/etc/init.d/web", "/etc/rc2.d/K01web", "The service web is already dead"},
		{"/lib/systemd/system/web.service", "/etc/systemd/system/multi-user.target.wants/web.service",
			"Service web is set to be killed"},
		{"/etc/systemd/system/web.service", "/etc/systemd/system/multi-user.target.wants/web.service",
			"Service web set to be disabled"},
		{"/etc/systemd/system/web.service", "", "The service web is already dead"},
	}
	for _, tt := range tests {
		_, h, env := newBench()
		h.MustWrite(tt.file, "", 0o755)
		if tt.link != "" {
			h.MustWrite(tt.link, "", 0o644)
		}
		e, err := bind(t, deadSpec(), "web", "enable", value.Bool(false)).Act(context.Background(), env, host.NewOverlay(h))
		if e.Preview == "" {
			e.Preview = e.Comment
		}
		if err != nil || e.Preview != tt.want {
			t.Errorf("%s %s: %q %v, want %q", tt.file, tt.link, e.Preview, err, tt.want)
		}
	}
}

// TestPreview follows promises: a package that would come, a unit file that would be written, a service that would be
// stopped.
func TestPreview(t *testing.T) {
	ctx := context.Background()
	_, h, env := newBench(Unit{ID: "old.service", Active: "active", FileState: "enabled"})
	h.Promise(host.Fact{Kind: host.FactPackage, Name: "web", Value: "1.0"},
		host.Fact{Kind: host.FactUnit, Name: "*", Value: "unknown"})
	f, err := modtest.Of(bind(t, runningSpec(), "web", "enable", value.Bool(true))).Check(ctx, env, h)
	if err != nil || !f.Pending || f.Comment != "Service web is set to start" {
		t.Errorf("of a promised package: %+v %v", f, err)
	}
	h.Promise(f.Effects...)
	f, err = modtest.Of(bind(t, runningSpec(), "web").(modules.Watcher).ModWatch()).Check(ctx, env, h)
	if err != nil || f.Comment != "Service is set to be restarted" {
		t.Errorf("a watch on what would be started: %+v %v", f, err)
	}
	if f, err = modtest.Of(bind(t, deadSpec(), "web")).Check(ctx, env, h); err != nil || !f.Pending {
		t.Errorf("stopping what would be started: %+v %v", f, err)
	}
	if f, err = modtest.Of(bind(t, deadSpec(), "stranger")).Check(ctx, env, h); err != nil || f.Pending {
		t.Errorf("stopping what no package is named like: %+v %v", f, err)
	}
	_, h, env = newBench()
	h.MustWrite("/etc/systemd/system/job@.service", "[Service]\n", 0o644)
	if f, err = modtest.Of(bind(t, runningSpec(), "job@one")).Check(ctx, env, h); err != nil || !f.Pending {
		t.Errorf("of a unit file that systemd has not seen: %+v %v", f, err)
	}
}

// TestFresh: a service that its package started before it was configured is restarted, and that is this state's change.
func TestFresh(t *testing.T) {
	f, h, env := newBench(Unit{ID: "web.service", Active: "active", FileState: "enabled"})
	h.Promise(host.Fact{Kind: host.FactUnit, Name: "web.service", Value: "new"})
	want := effect{"Service web is set to start", "restart web.service", "Service web is already enabled, and is running",
		"{'web': True}", ""}
	if d := cmp.Diff(want, try(t, bind(t, runningSpec(), "web", "enable", value.Bool(true)), f, h, env)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

func TestWatch(t *testing.T) {
	up := Unit{ID: "web.service", Active: "active", FileState: "enabled"}
	yes := value.Bool(true)
	tests := []struct {
		name string
		unit Unit
		spec modules.StateSpec
		args []any
		want effect
	}{
		{"restart", up, runningSpec(), nil, effect{"Service is set to be restarted", "restart web.service",
			"Service restarted", "{'web': True}", ""}},
		{"reload", up, runningSpec(), []any{"reload", yes},
			effect{"Service is set to be reloaded", "reload web.service", "Service reloaded", "{'web': True}", ""}},
		{"force reload", up, runningSpec(), []any{"reload", yes, "force", yes},
			effect{"Service is set to be forcefully reloaded", "reload-or-restart web.service", "Service forcefully reloaded",
				"{'web': True}", ""}},
		{"full restart", up, runningSpec(), []any{"full_restart", yes},
			effect{"Service is set to be restarted", "restart web.service", "Service restarted", "{'web': True}", ""}},
		{"start", Unit{ID: "web.service", Active: "failed"}, runningSpec(), nil,
			effect{"Service is set to be started", "stop web.service, start web.service", "Service started", "{'web': True}",
				""}},
		{"new unit file", Unit{ID: "web.service", Active: "active", NeedReload: true}, runningSpec(), nil,
			effect{"Service is set to be restarted", "daemon-reload, restart web.service", "Service restarted", "{'web': True}",
				""}},
		{"dead", up, deadSpec(), nil, effect{"Service is set to be stopped", "stop web.service", "Service stopped",
			"{'web': True}", ""}},
		{"enabled", up, enabledSpec(), nil, effect{Err: "Unable to trigger watch for service.enabled"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			f, h, env := newBench(tt.unit)
			fn := bind(t, tt.spec, "web", tt.args...).(modules.Watcher).ModWatch()
			if d := cmp.Diff(tt.want, try(t, fn, f, h, env)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

// TestWatchLooksAgain: a service that does not run after its restart is a failure.
func TestWatchLooksAgain(t *testing.T) {
	f, h, env := newBench(Unit{ID: "web.service", Active: "active"})
	f.broken = true
	fn := bind(t, runningSpec(), "web").(modules.Watcher).ModWatch()
	if e, err := fn.Act(t.Context(), env, h); err == nil || len(f.did) != 1 {
		t.Errorf("%+v %v, did %v", e, err, f.did)
	}
}

func TestEnabledIsRefused(t *testing.T) {
	spec := runningSpec()
	_, diags := modules.Bind(&spec, &state.Low{ID: "web", Name: "web", Args: value.DictOf("enabled", value.Bool(true))})
	if len(diags) != 1 || diags[0].Hint != `did you mean "enable"?` {
		t.Errorf("%v", diags)
	}
}

func TestCanonical(t *testing.T) {
	for name, want := range map[string]string{"web": "web.service", "cups.socket": "cups.socket", "a.b": "a.b.service",
		"getty@tty1": "getty@tty1.service"} {
		if got := canonical(name); got != want {
			t.Errorf("%q is %q, want %q", name, got, want)
		}
	}
}

func TestSystemctl(t *testing.T) {
	h := hosttest.NewMemory()
	h.Script = func(c host.Cmd) (*host.Output, error) {
		switch line := strings.Join(c.Args, " "); {
		case strings.Contains(line, " show "):
			return &host.Output{Stdout: []byte("Id=web.service\nLoadState=loaded\nActiveState=active\nSubState=running\nUnitFileState=enabled\nNeedDaemonReload=yes\nCanReload=no\n")}, nil
		case strings.HasSuffix(line, " start -- web.service"):
			return &host.Output{Code: 1, Stderr: []byte("Job for web.service failed.\nSee more.\n")}, nil
		}
		return &host.Output{}, nil
	}
	s := systemctl{root: "/"}
	u, err := s.Unit(context.Background(), h, "web.service")
	want := Unit{ID: "web.service", Load: "loaded", Active: "active", Sub: "running", FileState: "enabled",
		NeedReload: true}
	if d := cmp.Diff(want, u); d != "" || err != nil {
		t.Errorf("%v (-want +got):\n%s", err, d)
	}
	if err := s.Do(context.Background(), h, Start, "web.service", true); err == nil ||
		err.Error() != "systemctl start -- web.service: Job for web.service failed." {
		t.Errorf("error %v", err)
	}
}

// TestForetold: what a preview leaves is what the manager would leave, and it fails where the manager would.
func TestForetold(t *testing.T) {
	ctx := context.Background()
	_, h, env := newBench(Unit{ID: "web.service", Active: "active", FileState: "enabled"},
		Unit{ID: "own.service", FileState: "enabled"})
	h.MustWrite("/etc/systemd/system/own.service", "[Service]\n", 0o644)
	h.MustMkdir("/etc/systemd/system/multi-user.target.wants")
	if err := h.Symlink("/lib/systemd/system/web.service",
		"/etc/systemd/system/multi-user.target.wants/web.service"); err != nil {
		t.Fatal(err)
	}
	over := host.NewOverlay(h)
	var got []string
	for _, s := range []struct {
		spec modules.StateSpec
		name string
	}{{maskedSpec(), "own"}, {maskedSpec(), "web"}, {enabledSpec(), "web"}, {unmaskedSpec(), "web"},
		{unmaskedSpec(), "web"}, {enabledSpec(), "web"},
		{deadSpec(), "web"}, {runningSpec(), "web"}, {runningSpec(), "web"}} {
		e, err := bind(t, s.spec, s.name).Act(ctx, env, over)
		said := e.Preview
		if err != nil {
			said = err.Error()
		} else if !e.Alters() {
			said = e.Comment
		}
		got = append(got, said)
	}
	want := []string{
		"Failed to mask unit: File /etc/systemd/system/own.service already exists.", "Service web would be masked",
		"Failed to enable unit: Unit file web.service is masked.", "Service web would be unmasked",
		"Service web was already unmasked",
		"Service web is already enabled, and is in the desired state", "Service web is set to be killed",
		"Service web is set to start",
		"The service web is already running",
	}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestOneCommand: a unit that is one command which ends cannot be kept running, which a preview says.
func TestOneCommand(t *testing.T) {
	h := hosttest.NewMemory()
	h.Script = func(host.Cmd) (*host.Output, error) {
		return &host.Output{Stdout: []byte("Type=oneshot\nRemainAfterExit=no\n")}, nil
	}
	if err := (systemctl{}).Refuses(context.Background(), h, "start", "job.service"); err == nil ||
		err.Error() != "Service job failed to start: it starts and ends at once" {
		t.Errorf("error %v", err)
	}
	if err := (systemctl{root: "/mnt"}).Refuses(context.Background(), h, "stop", "job.service"); err == nil {
		t.Error("a service of a tree can be stopped")
	}
}

// TestNotWaitedFor: a start or a stop that is not waited for is not looked at again: it may still be on its way.
func TestNotWaitedFor(t *testing.T) {
	ctx, block := context.Background(), value.Bool(true)
	_, h, env := newBench(Unit{ID: "up.service", Active: "active"}, Unit{ID: "down.service", Active: "inactive"})
	for _, fn := range []modules.StateFunc{bind(t, runningSpec(), "down", "no_block", block),
		bind(t, deadSpec(), "up", "no_block", block)} {
		if e, err := fn.Act(ctx, env, h); err != nil || !e.Once {
			t.Errorf("%+v %v", e, err)
		}
		if e, err := fn.Act(ctx, env, h); err != nil || e.Once || e.Alters() {
			t.Errorf("the second time: %+v %v", e, err)
		}
	}
}
