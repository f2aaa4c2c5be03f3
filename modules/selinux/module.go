package selinux

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// Module keeps a module of the policy switched on or off.
type Module struct {
	root
	Name    string `arg:"name,required,word" doc:"The module."`
	State   string `arg:"module_state,word" default:"Enabled" doc:"What it is to be: enabled or disabled."`
	Version string `arg:"version,word" default:"any" doc:"The version that it has to have. The tools of today know none."`
	Install bool   `arg:"install" doc:"Installs the module where it is missing."`
	Source  string `arg:"source,word" doc:"The file to install, a path or a salt:// source; by default the name."`
	Remove  bool   `arg:"remove" doc:"Removes the module."`
}

func moduleSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.module",
		Doc: "Keeps a module of the policy enabled or disabled, installs it where it is missing, or removes it. One that is " +
			"there is not installed again.",
		Example: "myapp:\n  selinux.module:\n    - install: true\n    - source: /usr/share/selinux/packages/myapp.pp",
		New:     func() modules.StateFunc { return &Module{} },
	}
}

func moduleState(word string) string {
	switch strings.ToLower(word) {
	case "1", "on", "yes", "true", "enabled":
		return "enabled"
	case "0", "off", "no", "false", "disabled":
		return "disabled"
	}
	return ""
}

// Validate refuses what contradicts itself.
func (m *Module) Validate() []modules.Fault {
	var out []modules.Fault
	if m.Install && m.Remove {
		out = append(out, modules.Fault{Arg: "remove", Msg: "Cannot install and remove at the same time"})
	}
	if moduleState(m.State) == "" {
		out = append(out, modules.Fault{Arg: "module_state", Msg: fmt.Sprintf("%s is not a valid state for the %s module.",
			m.State, m.Name), Hint: "enabled or disabled"})
	}
	return out
}

// UsesSources is the source, so that one that is missing is reported before the run.
func (m *Module) UsesSources() []modules.SourceUse {
	if !m.Install {
		return nil
	}
	return []modules.SourceUse{{Arg: "source", Any: []string{m.source()}}}
}

// mods are the modules: "enabled" or "disabled" by their names.
func mods(ctx context.Context, h host.Reader) (names []string, all map[string]string, err error) {
	lines, err := list(ctx, h, "semodule", "-lfull")
	all = make(map[string]string, len(lines))
	for _, l := range lines { // priority name kind [disabled]
		f := strings.Fields(l)
		if len(f) < 3 {
			continue
		}
		names = append(names, f[1])
		all[f[1]] = "enabled"
		if len(f) == 4 {
			all[f[1]] = "disabled"
		}
	}
	for _, f := range h.Facts(host.FactSELinux) {
		if name, ok := strings.CutPrefix(f.Name, "module "); ok {
			if all[name] = f.Value; f.Value == "absent" {
				delete(all, name)
			}
		}
	}
	return names, all, err
}

// Act installs, removes or switches the module.
//
// Salt differs: it installs and removes in test mode, too, installs in each run, and shows no changes of any of it.
func (m *Module) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	_, all, err := mods(ctx, h)
	now, there := all[m.Name]
	want := moduleState(m.State)
	switch {
	case err != nil:
		return state.Effect{}, err
	case m.Remove && !there:
		return state.Settled(fmt.Sprintf("Module %s is already absent", m.Name)), nil
	case m.Remove:
		return remove(ctx, h, m.Name)
	case !there && m.Install && want == "enabled":
		return install(ctx, env, h, m.Name, m.source())
	case !there && m.Install:
		if _, err := install(ctx, env, h, m.Name, m.source()); err != nil {
			return state.Effect{}, err
		}
	case !there:
		return state.Effect{}, host.Missing("Module %s is not available", m.Name)
	case m.Version != "any":
		return state.Effect{}, fmt.Errorf("Module version is None and does not match the desired version of %s or you are "+
			"using semodule >= 2.4", m.Version) //nolint:staticcheck // Salt's words
	}
	if now == want {
		return state.Settled(fmt.Sprintf("Module %s is in the desired state", m.Name)), nil
	}
	err = change(ctx, h, []string{"semodule", map[string]string{"enabled": "-e", "disabled": "-d"}[want], m.Name},
		fact("module "+m.Name, want, nil))
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to set the Module %s to %s: %w", m.Name, m.State, err) //nolint:staticcheck // Salt's
	}
	return state.Effect{Changes: none(), Pending: true,
		Comment: fmt.Sprintf("Module %s has been set to %s", m.Name, m.State),
		Preview: fmt.Sprintf("Module %s is set to be toggled to %s", m.Name, m.State)}, nil
}

func (m *Module) source() string {
	if m.Source == "" {
		return m.Name
	}
	return m.Source
}

func remove(ctx context.Context, h host.Host, name string) (state.Effect, error) {
	err := change(ctx, h, []string{"semodule", "-r", name}, fact("module "+name, "absent", nil))
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to remove module %s: %w", name, err) //nolint:staticcheck // Salt's words
	}
	return state.Effect{Changes: none(), Pending: true, Comment: fmt.Sprintf("Module %s has been removed", name),
		Preview: fmt.Sprintf("Module %s is set to be removed", name)}, nil
}

// install installs a module from a file, which has its name. A source is written to a file for that long.
func install(ctx context.Context, env *modules.Env, h host.Host, name, source string) (state.Effect, error) {
	err := load(ctx, env, h, name, source)
	if err != nil {
		return state.Effect{}, fmt.Errorf("Failed to install module %s: %w", source, err) //nolint:staticcheck // Salt's words
	}
	return state.Effect{Changes: none(), Pending: true, Comment: fmt.Sprintf("Module %s has been installed", source),
		Preview: fmt.Sprintf("Module %s is set to be installed", source)}, nil
}

func load(ctx context.Context, env *modules.Env, h host.Host, name, source string) error {
	leaves := fact("module "+name, "enabled", nil)
	if !strings.HasPrefix(source, "salt://") {
		if _, err := h.Stat(source); err != nil {
			return err
		}
		return change(ctx, h, []string{"semodule", "-i", source}, leaves)
	}
	data, err := modules.Rendered{}.Read(ctx, env, source)
	if err != nil {
		return err
	}
	file := "/var/lib/selinux/" + path.Base(source)
	if _, err := h.Lstat(file); err == nil {
		return fmt.Errorf("%s is in the way", file)
	}
	if err := h.WriteFile(file, bytes.NewReader(data), host.Attr{Mode: 0o600, HasMode: true}); err != nil {
		return err
	}
	err = change(ctx, h, []string{"semodule", "-i", file}, leaves)
	return errors.Join(err, h.Remove(file))
}

// ModuleFile is what module_install and module_remove take.
type ModuleFile struct {
	root
	Name string `arg:"name,required,word" doc:"The file to install, NAME.pp; or the module to remove."`

	remove bool
}

func installSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.module_install", Doc: "Keeps the module of a file installed. One of its name is not installed again.",
		Example: "/usr/share/selinux/packages/myapp.pp:\n  selinux.module_install: []",
		New:     func() modules.StateFunc { return &ModuleFile{} },
	}
}

func removeSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "selinux.module_remove", Doc: "Keeps a module away.", Example: "myapp:\n  selinux.module_remove: []",
		New: func() modules.StateFunc { return &ModuleFile{remove: true} },
	}
}

// Act installs or removes the module.
func (m *ModuleFile) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	if m.remove {
		return (&Module{Name: m.Name, Remove: true}).Act(ctx, env, h)
	}
	name, _, _ := strings.Cut(path.Base(m.Name), ".")
	return (&Module{Name: name, Source: m.Name, State: "enabled", Version: "any", Install: true}).Act(ctx, env, h)
}
