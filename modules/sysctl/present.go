package sysctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps one setting.
type Present struct {
	Name   string `arg:"name,required" doc:"The setting: net.ipv4.ip_forward."`
	Value  string `arg:"value,required" doc:"Its value."`
	Config string `arg:"config" default:"/etc/sysctl.d/99-salt.conf" doc:"The file that sets it at boot."`
	Ignore bool   `arg:"ignore" doc:"A setting that the kernel does not have is no failure."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "sysctl.present",
		Doc:     "Keeps a kernel setting, now and at boot.",
		Example: "net.ipv4.ip_forward:\n  sysctl.present:\n    - value: 1",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// NeedsRoot is true: only root may change the kernel's settings.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

// proc is where the kernel shows a setting. A name with slashes keeps its dots (net/ipv4/conf/eth0.5/forwarding).
func proc(name string) string {
	if strings.Contains(name, "/") {
		return "/proc/sys/" + name
	}
	return "/proc/sys/" + strings.ReplaceAll(name, ".", "/")
}

func fields(text string) string { return strings.Join(strings.Fields(text), " ") }

// differs says whether the running kernel has another value.
func (p *Present) differs(h host.Reader) (bool, error) {
	now, err := h.ReadFile(proc(p.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist) && p.Ignore:
		return false, nil
	case errors.Is(err, fs.ErrNotExist):
		return false, host.Missing("the kernel has no setting %s (%s does not exist)", p.Name, proc(p.Name))
	case err != nil:
		return false, fmt.Errorf("read %s: %w", p.Name, err)
	}
	return fields(string(now)) != fields(p.Value), nil
}

// noted gives the lines of the file with the setting, and whether they change.
func (p *Present) noted(lines []string) (out []string, changed bool) {
	found := false
	for i, l := range lines {
		key, val, ok := strings.Cut(strings.TrimSpace(l), "=")
		if !ok || strings.TrimPrefix(strings.TrimSpace(key), "-") != p.Name {
			continue
		}
		found = true
		if fields(val) != fields(p.Value) {
			lines[i], changed = p.Name+" = "+p.Value, true
		}
	}
	if !found {
		return append(lines, p.Name+" = "+p.Value), true
	}
	return lines, changed
}

// Act sets the kernel first: a value that it refuses is not written for the next boot.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	kernel, err := p.differs(h)
	if err != nil {
		return state.Effect{}, err
	}
	lines, err := modules.ReadLines(h, p.Config)
	if err != nil {
		return state.Effect{}, err
	}
	lines, file := p.noted(lines)
	if !kernel && !file {
		return state.Settled(fmt.Sprintf("Sysctl value %s = %s is already set", p.Name, p.Value)), nil
	}
	if kernel {
		if err := p.set(ctx, h); err != nil {
			return state.Effect{}, err
		}
	}
	e := state.Effect{Changes: value.DictOf(p.Name, value.Str(p.Value)), Comment: fmt.Sprintf("Updated sysctl value %s = %s", p.Name, p.Value),
		Preview: fmt.Sprintf("Sysctl option %s set to be changed to %s", p.Name, p.Value)}
	if file {
		err = modules.WriteLines(h, p.Config, lines)
	}
	return e, err
}

// set sets the running kernel. Of a setting that may not be written sysctl complains, and ends well.
func (p *Present) set(ctx context.Context, h host.Host) error {
	tool := modules.Tool{On: host.Kernel, Args: []string{"sysctl", "-w", p.Name + "=" + p.Value}, Foretell: func(o host.Host) error {
		return o.WriteFile(proc(p.Name), strings.NewReader(p.Value+"\n"), host.KeepAttr())
	}}
	if err := tool.Run(ctx, h); err != nil {
		return err
	}
	if still, err := p.differs(h); err != nil || still {
		return errors.Join(fmt.Errorf("the kernel did not take %s = %s", p.Name, p.Value), err)
	}
	return nil
}
