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
	VenvBin  string      `arg:"venv_bin" alias:"virtualenv_bin?" doc:"what makes the environment; python3 -m venv when not given"`
	Python   string      `arg:"python" doc:"the Python of the environment"`
	System   bool        `arg:"system_site_packages" doc:"it sees the system's packages too"`
	Pip      []string    `arg:"pip_pkgs" doc:"the packages that it has"`
	PipUp    bool        `arg:"pip_upgrade" doc:"upgrade the packages"`
	Clear    bool        `arg:"clear" doc:"make it anew"`
	VenvRest value.Value `arg:"distribute" alias:"prompt,extra_search_dir,never_download,pip_download,pip_download_cache,pip_exists_action,pip_no_cache_dir,pip_cache_dir,no_chown,runas" doc:"no effect"`
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
	if m.Requirements == "" && m.Pip == nil {
		return nil
	}
	i := m.Installed
	i.BinEnv, i.Pkgs, i.Upgrade = m.Name, m.Pip, m.PipUp
	return &i
}

// Check says whether it would be made, and what would be installed in it.
func (m *Managed) Check(ctx context.Context, env *modules.Env, h host.Reader) (state.Forecast, error) {
	_, err := h.Stat(m.Name + "/bin/python")
	switch {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return state.Forecast{}, fmt.Errorf("look at %s: %w", m.Name, err)
	case err != nil:
		return state.Forecast{Pending: true, Changes: value.DictOf("new", value.Str(m.Name)), Comment: fmt.Sprintf("Virtualenv %s is set to be created", m.Name)}, nil
	}
	if i := m.inside(); i != nil {
		f, err := i.Check(ctx, env, h)
		if err != nil || f.Pending {
			f.Changes = value.DictOf("packages", value.DictOf("new", orNone(f.Changes)))
			return f, err
		}
	}
	return state.Forecast{Comment: "virtualenv exists"}, nil
}

func orNone(d *value.Dict) value.Value {
	if d == nil {
		return value.None
	}
	return d
}

// Apply makes it and installs the packages.
func (m *Managed) Apply(ctx context.Context, env *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	done := state.Applied{Changes: value.NewDict(2), Comment: "virtualenv exists"}
	if _, err := h.Stat(m.Name + "/bin/python"); err != nil {
		if err := m.create(ctx, h); err != nil {
			return done, err
		}
		done.Changes.SetStr("new", value.Str(m.Name))
		done.Comment = "Created new virtualenv"
	}
	i := m.inside()
	if i == nil {
		return done, nil
	}
	pf, err := i.Check(ctx, env, h)
	if err != nil || !pf.Pending {
		return done, err
	}
	a, err := i.Apply(ctx, env, h, pf)
	if a.Changes != nil {
		done.Changes.SetStr("packages", value.DictOf("new", a.Changes))
	}
	return done, err
}

func (m *Managed) create(ctx context.Context, h host.Host) error {
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
	out, err := h.Run(ctx, host.Cmd{Args: append(args, m.Name), RunAs: m.User, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return fmt.Errorf("make the virtual environment %s: %w", m.Name, err)
	}
	if out.Code != 0 {
		return fmt.Errorf("make the virtual environment %s: %s", m.Name, reason(out))
	}
	return nil
}
