package pip

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Managed keeps a virtual environment there, with its packages.
type Managed struct {
	Installed
	Venv
	Pip      []string    `arg:"pip_pkgs" doc:"The packages that it has."`
	PipUp    bool        `arg:"pip_upgrade" doc:"Upgrade the packages."`
	PipAnew  bool        `arg:"pip_ignore_installed" doc:"Install beside what is there, at every run."`
	PipExist string      `arg:"pip_exists_action" doc:"What pip does with a path that is there: s, i, w or b."`
	PipNoC   bool        `arg:"pip_no_cache_dir" doc:"Without pip's cache."`
	PipCache string      `arg:"pip_cache_dir" doc:"Where pip keeps its cache."`
	VenvRest value.Value `arg:"distribute" alias:"pip_download,pip_download_cache,no_chown,runas" doc:"No effect."`
}

func managedSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "virtualenv.managed",
		Doc:     "Keeps a Python virtual environment there, with the packages of a file of requirements or of a list.",
		Example: "/srv/app/venv:\n  virtualenv.managed:\n    - requirements: salt://app/requirements.txt\n    - user: app",
		New:     func() modules.StateFunc { return &Managed{} },
		Aliases: []string{"virtualenv.manage"}, AnyArgs: true,
	}
}

// Validate finds what virtualenv and pyvenv do not take.
func (m *Managed) Validate() []modules.Fault {
	if what := m.refused(); what != "" {
		return []modules.Fault{{Arg: what, Msg: fmt.Sprintf("the %s option is not supported by %q", what, m.VenvBin)}}
	}
	return nil
}

// inside is the state of the packages in the environment, nil when it asks for none.
func (m *Managed) inside() *Installed {
	if m.Requirements == nil && m.Pip == nil {
		return nil
	}
	i := m.Installed
	i.BinEnv, i.Pkgs, i.Upgrade, i.apart = m.Name, m.Pip, m.PipUp, true
	i.Ignore, i.NoCache, i.CacheDir, i.Exists = m.PipAnew, m.PipNoC, m.PipCache, m.PipExist
	return &i
}

// Act makes it and installs the packages. What a new one holds is not known before.
func (m *Managed) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	_, err := h.Stat(m.Name + "/bin/python")
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return m.create(ctx, env, h, "created")
	case err != nil:
		return state.Effect{}, fmt.Errorf("look at %s: %w", m.Name, err)
	case m.Clear:
		return m.create(ctx, env, h, "cleared")
	}
	e := state.Settled("virtualenv exists")
	i := m.inside()
	if i == nil {
		return e, nil
	}
	lack, err := i.lacking(ctx, env, h)
	if err != nil || len(lack) == 0 {
		return e, err
	}
	e.Changes.SetStr("packages", value.DictOf("new", value.From(texts(lack)), "old", value.Str("")))
	e.Foretold, e.Once = e.Changes, i.unknowable(lack)
	e.Preview = fmt.Sprintf("Python package(s) set to be installed:\n%s", strings.Join(texts(lack), "\n"))
	return e, i.deed(ctx, h, lack, func() (err error) {
		e.Changes, err = i.fill(ctx, env, h)
		return err
	})
}

// create makes it, or makes it anew.
func (m *Managed) create(ctx context.Context, env *modules.Env, h host.Host, word string) (state.Effect, error) {
	if err := m.ready(h, m.Name, m.User); err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Foretold: value.DictOf("new", value.Str(m.Name)), Comment: "Created new virtualenv",
		Preview: fmt.Sprintf("Virtualenv %s is set to be %s", m.Name, word), Once: m.Clear}
	if m.Clear {
		e.Comment = "Cleared existing virtualenv"
	}
	did := value.NewDict(2)
	i := m.inside()
	if i != nil { // what is to be read is there
		if _, err := i.wanted(ctx, env, h); err != nil {
			return e, err
		}
	}
	if word == "cleared" {
		old, err := m.contents(ctx, h)
		if err != nil {
			return e, err
		}
		did.SetStr("cleared_packages", value.From(old))
		did.SetStr("old", value.Str(python(ctx, h, m.Name)))
	}
	e.Changes = e.Foretold
	return e, m.make(ctx, h, m.Name, m.User, func() error {
		did.SetStr("new", value.Str(python(ctx, h, m.Name)))
		e.Changes = did
		if i == nil {
			return nil
		}
		packages, err := i.fill(ctx, env, h)
		if p, ok := packages.GetStr("packages"); ok {
			did.SetStr("packages", p)
		}
		return err
	})
}

// contents are the packages of the environment, as pip writes them.
func (m *Managed) contents(ctx context.Context, h host.Reader) ([]string, error) {
	i := m.Installed
	i.BinEnv = m.Name
	return i.frozen(ctx, h)
}

// frozen are the packages with their versions, as pip writes them.
func (c *Common) frozen(ctx context.Context, h host.Reader) ([]string, error) {
	out, err := c.ask(ctx, h, "freeze", "--all")
	if err != nil {
		return nil, err
	}
	return strings.FieldsFunc(string(out.Stdout), func(r rune) bool { return r == '\n' }), nil
}

// fill installs what an environment lacks, and gives the changes.
func (p *Installed) fill(ctx context.Context, env *modules.Env, h host.Host) (*value.Dict, error) {
	out := value.NewDict(1)
	lack, err := p.lacking(ctx, env, h)
	if err != nil || len(lack) == 0 {
		return out, err
	}
	before, err := p.frozen(ctx, h)
	if err != nil {
		return out, err
	}
	if _, err := p.install(ctx, env, h, lack); err != nil {
		return out, err
	}
	after, err := p.frozen(ctx, h)
	if come, gone := without(after, before), without(before, after); len(come)+len(gone) > 0 {
		out.SetStr("packages", value.DictOf("new", orText(come), "old", orText(gone)))
	}
	return out, err
}

// without are the words that others do not have.
func without(words, others []string) (out []string) {
	for _, w := range words {
		if !slices.Contains(others, w) {
			out = append(out, w)
		}
	}
	return out
}

// orText is a list, or the empty text for none, as Salt shows it.
func orText(words []string) value.Value {
	if len(words) == 0 {
		return value.Str("")
	}
	return value.From(words)
}
