package sysctl

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps one setting.
type Present struct {
	Name   string `arg:"name,required" doc:"the setting: net.ipv4.ip_forward"`
	Value  string `arg:"value,required" doc:"its value"`
	Config string `arg:"config" doc:"the file that sets it at boot; /etc/sysctl.d/99-salt.conf when not given"`
	Ignore bool   `arg:"ignore" doc:"a setting that the kernel does not have is no failure"`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "sysctl.present",
		Doc:     "Keeps a kernel setting, now and at boot.",
		Example: "net.ipv4.ip_forward:\n  sysctl.present:\n    - value: 1",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Locks keeps other changes of the file out.
func (*Present) Locks() []string { return []string{"sysctl"} }

// NeedsRoot is true: only root may change the kernel's settings.
func (*Present) NeedsRoot(*modules.Env) bool { return true }

func (p *Present) config() string {
	if p.Config == "" {
		return "/etc/sysctl.d/99-salt.conf"
	}
	return p.Config
}

// proc is where the kernel shows a setting. A name with slashes keeps its dots (net/ipv4/conf/eth0.5/forwarding).
func proc(name string) string {
	if strings.Contains(name, "/") {
		return "/proc/sys/" + name
	}
	return "/proc/sys/" + strings.ReplaceAll(name, ".", "/")
}

func fields(text string) string { return strings.Join(strings.Fields(text), " ") }

// A finding is what is not as wanted.
type finding struct {
	kernel bool // the running value differs
	file   []string
	write  bool // the file differs; file has its lines as they have to be
}

func (p *Present) find(h host.Reader) (finding, error) {
	var f finding
	now, err := h.ReadFile(proc(p.Name))
	switch {
	case errors.Is(err, fs.ErrNotExist) && !p.Ignore:
		return f, fmt.Errorf("the kernel has no setting %s (%s does not exist)", p.Name, proc(p.Name))
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return f, fmt.Errorf("read %s: %w", p.Name, err)
	default:
		f.kernel = fields(string(now)) != fields(p.Value)
	}
	data, err := h.ReadFile(p.config())
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return f, fmt.Errorf("read %s: %w", p.config(), err)
	}
	if text := strings.TrimSuffix(string(data), "\n"); text != "" {
		f.file = strings.Split(text, "\n")
	}
	found := false
	for i, l := range f.file {
		key, val, ok := strings.Cut(strings.TrimSpace(l), "=")
		if !ok || strings.TrimPrefix(strings.TrimSpace(key), "-") != p.Name {
			continue
		}
		found = true
		if fields(val) != fields(p.Value) {
			f.file[i], f.write = p.Name+" = "+p.Value, true
		}
	}
	if !found {
		f.file, f.write = append(f.file, p.Name+" = "+p.Value), true
	}
	return f, nil
}

// Check says whether the kernel or the file would change.
func (p *Present) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	f, err := p.find(h)
	if err != nil {
		return state.Forecast{}, err
	}
	if !f.kernel && !f.write {
		return state.Forecast{Comment: fmt.Sprintf("Sysctl value %s = %s is already set", p.Name, p.Value)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf(p.Name, value.Str(p.Value)),
		Comment: fmt.Sprintf("Sysctl option %s set to be changed to %s", p.Name, p.Value)}, nil
}

// Apply sets the kernel first: a value that it refuses is not written for the next boot.
func (p *Present) Apply(ctx context.Context, _ *modules.Env, h host.Host, fc state.Forecast) (state.Applied, error) {
	f, err := p.find(h)
	if err != nil {
		return state.Applied{}, err
	}
	if f.kernel {
		out, err := h.Run(ctx, host.Cmd{Args: []string{"sysctl", "-w", p.Name + "=" + p.Value}})
		if err != nil {
			return state.Applied{}, fmt.Errorf("run sysctl: %w", err)
		}
		if out.Code != 0 || strings.Contains(string(out.Stderr), "ermission denied") {
			return state.Applied{}, errors.New(strings.TrimSpace(string(out.Stderr)))
		}
	}
	if f.write {
		if err := p.write(h, f.file); err != nil {
			return state.Applied{}, err
		}
	}
	return state.Applied{Changes: fc.Changes, Comment: fmt.Sprintf("Updated sysctl value %s = %s", p.Name, p.Value)}, nil
}

func (p *Present) write(h host.Host, lines []string) error {
	dir := path.Dir(p.config())
	if _, err := h.Stat(dir); errors.Is(err, fs.ErrNotExist) {
		if err := h.Mkdir(dir, host.Attr{Mode: 0o755, HasMode: true, UID: -1, GID: -1}); err != nil {
			return fmt.Errorf("make %s: %w", dir, err)
		}
	}
	a := host.KeepAttr()
	if _, err := h.Stat(p.config()); err != nil {
		a = host.Attr{Mode: 0o644, HasMode: true, UID: -1, GID: -1}
	}
	if err := h.WriteFile(p.config(), strings.NewReader(strings.Join(lines, "\n")+"\n"), a); err != nil {
		return fmt.Errorf("write %s: %w", p.config(), err)
	}
	return nil
}
