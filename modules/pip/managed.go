package pip

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Managed keeps a virtual environment there, with its packages.
type Managed struct {
	Installed
	VenvBin  string      `arg:"venv_bin" alias:"virtualenv_bin?" doc:"What makes the environment; python3 -m venv when not given."`
	Python   string      `arg:"python" doc:"The Python of the environment."`
	System   bool        `arg:"system_site_packages" doc:"It sees the system's packages too."`
	Pip      []string    `arg:"pip_pkgs" doc:"The packages that it has."`
	PipUp    bool        `arg:"pip_upgrade" doc:"Upgrade the packages."`
	Clear    bool        `arg:"clear" doc:"Make it anew."`
	VenvRest value.Value `arg:"distribute" alias:"prompt,extra_search_dir,never_download,pip_download,pip_download_cache,pip_exists_action,pip_no_cache_dir,pip_cache_dir,no_chown,runas" doc:"No effect."`
}

func managedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "virtualenv.managed",
		Doc:     "Keeps a Python virtual environment there, with the packages of a file of requirements or of a list.",
		Example: "/srv/app/venv:\n  virtualenv.managed:\n    - requirements: salt://app/requirements.txt\n    - user: app",
		New:     func() modules.StateFunc { return &Managed{} },
		AnyArgs: true,
	}
}

// inside is the state of the packages in the environment, nil when it asks for none.
func (m *Managed) inside() *Installed {
	if m.Requirements == nil && m.Pip == nil {
		return nil
	}
	i := m.Installed
	i.BinEnv, i.Pkgs, i.Upgrade, i.apart = m.Name, m.Pip, m.PipUp, true
	return &i
}

// Act makes it and installs the packages. What a new one holds is not known before.
func (m *Managed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	_, err := h.Stat(m.Name + "/bin/python")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m.create(ctx, env, h)
	case err != nil:
		return state.Effect{}, fmt.Errorf("look at %s: %w", m.Name, err)
	}
	i := m.inside()
	if i == nil {
		return state.Settled("virtualenv exists"), nil
	}
	e, err := i.Act(ctx, env, h)
	if e.Alters() {
		e.Changes = value.DictOf("packages", value.DictOf("new", e.Changes))
		e.Foretold = e.Changes
	}
	e.Comment = "virtualenv exists"
	return e, err
}

func (m *Managed) create(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	args := m.maker()
	if _, err := h.LookPath(args[0]); err != nil {
		return state.Effect{}, fmt.Errorf("make the virtual environment %s: %w", m.Name, err)
	}
	if _, err := h.User(m.User); m.User != "" && err != nil {
		return state.Effect{}, fmt.Errorf("make the virtual environment %s as %s: %w", m.Name, m.User, err)
	}
	e := state.Effect{Changes: value.DictOf("new", value.Str(m.Name)), Foretold: value.DictOf("new", value.Str(m.Name)),
		Comment: "Created new virtualenv",
		Preview: fmt.Sprintf("Virtualenv %s is set to be created", m.Name)}
	return e, h.Do(ctx, host.Deed{What: "make the virtual environment " + m.Name, On: host.FactLibrary,
		Do: func(ctx context.Context) error {
			out, err := h.Run(ctx, host.Cmd{Args: args, RunAs: m.User, Env: []string{"LC_ALL=C.UTF-8"}})
			if err == nil && out.Code != 0 {
				err = errors.New(reason(out))
			}
			if err != nil {
				return fmt.Errorf("make the virtual environment %s: %w", m.Name, err)
			}
			if i := m.inside(); i != nil {
				return i.fill(ctx, env, h, e.Changes)
			}
			return nil
		},
		Foretell: func(o host.Host) error {
			o.Promise(host.Fact{Kind: host.FactPath, Name: m.Name, Value: "unknown"})
			return nil
		}})
}

// fill installs the packages of a new environment.
func (p *Installed) fill(ctx context.Context, env *modules.Env, h host.Host, changes *value.Dict) error {
	lack, err := p.lacking(ctx, env, h)
	if err != nil || len(lack) == 0 {
		return err
	}
	new, err := p.install(ctx, env, h, lack)
	if new != nil {
		changes.SetStr("packages", value.DictOf("new", new))
	}
	return err
}

// maker is the command that makes it.
func (m *Managed) maker() []string {
	args := []string{"python3", "-m", "venv"}
	switch {
	case m.VenvBin != "" && m.VenvBin != "pyvenv":
		args = []string{m.VenvBin}
		if m.Python != "" {
			args = append(args, "--python", m.Python)
		}
	case m.Python != "":
		args[0] = m.Python
	}
	if m.System {
		args = append(args, "--system-site-packages")
	}
	if m.Clear {
		args = append(args, "--clear")
	}
	return append(args, m.Name)
}
