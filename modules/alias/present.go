package alias

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps an alias.
type Present struct {
	Name   string   `arg:"name,required" doc:"the alias"`
	Target []string `arg:"target,required" doc:"where its mail goes"`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alias.present",
		Doc:     "Keeps a mail alias in /etc/aliases.",
		Example: "root:\n  alias.present:\n    - target: admin@example.org",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Locks keeps other changes of the file out.
func (*Present) Locks() []string { return []string{"aliases"} }

func (p *Present) target() string { return strings.Join(p.Target, ", ") }

// Check says whether the alias would be set.
func (p *Present) Check(_ context.Context, _ *modules.Env, h host.Reader) (state.Forecast, error) {
	lines, err := read(h)
	if err != nil {
		return state.Forecast{}, err
	}
	_, now := find(lines, p.Name)
	if f, ok := h.Fact(host.FactAlias, p.Name); ok {
		now = f.Value
	}
	if now == p.target() {
		return state.Forecast{Comment: fmt.Sprintf("Alias %s already present", p.Name)}, nil
	}
	return state.Forecast{Pending: true, Changes: value.DictOf("alias", value.Str(p.Name)), Effects: []host.Fact{{Kind: host.FactAlias, Name: p.Name, Value: p.target()}},
		Comment: fmt.Sprintf("Alias %s -> %s is set to be added", p.Name, p.target())}, nil
}

// Apply sets it.
func (p *Present) Apply(ctx context.Context, _ *modules.Env, h host.Host, f state.Forecast) (state.Applied, error) {
	lines, err := read(h)
	if err != nil {
		return state.Applied{}, err
	}
	line := p.Name + ": " + p.target()
	if i, _ := find(lines, p.Name); i >= 0 {
		lines[i] = line
	} else {
		lines = append(lines, line)
	}
	return state.Applied{Changes: f.Changes, Comment: fmt.Sprintf("Set email alias %s -> %s", p.Name, p.target())}, write(ctx, h, lines)
}
