package alias

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Present keeps an alias.
type Present struct {
	Name   string   `arg:"name,required" doc:"The alias."`
	Target []string `arg:"target,required" doc:"Where its mail goes."`
}

func presentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "alias.present",
		Doc:     "Keeps a mail alias in /etc/aliases.",
		Example: "root:\n  alias.present:\n    - target: admin@example.org",
		New:     func() modules.StateFunc { return &Present{} },
	}
}

// Act sets it.
func (p *Present) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	lines, err := modules.ReadLines(h, file)
	if err != nil {
		return state.Effect{}, err
	}
	want := strings.Join(p.Target, ", ")
	line := p.Name + ": " + want
	i := slices.IndexFunc(lines, func(l string) bool { _, is := target(l, p.Name); return is })
	if i < 0 {
		lines = append(lines, line)
	} else if now, _ := target(lines[i], p.Name); now != want {
		lines[i] = line
	} else {
		return state.Settled(fmt.Sprintf("Alias %s already present", p.Name)), nil
	}
	return state.Effect{Changes: value.DictOf("alias", value.Str(p.Name)), Comment: fmt.Sprintf("Set email alias %s -> %s", p.Name, want),
		Preview: fmt.Sprintf("Alias %s -> %s is set to be added", p.Name, want)}, write(ctx, h, lines)
}
