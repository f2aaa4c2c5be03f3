package debconf

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// SetFile keeps the answers of a file.
type SetFile struct {
	tool
	Name     string      `arg:"name,required" doc:"A name for the state."`
	Source   string      `arg:"source,required" doc:"The file, in the format of debconf-set-selections."`
	Template string      `arg:"template" doc:"The engine that renders it first."`
	Context  *value.Dict `arg:"context" doc:"Variables of the template."`
	Defaults *value.Dict `arg:"defaults" doc:"Variables of the template where context does not have them."`
}

func setFileSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "debconf.set_file",
		Doc:     "Keeps the answers of a file in the format of debconf-set-selections.",
		Example: "answers:\n  debconf.set_file:\n    - source: salt://answers",
		New:     func() modules.StateFunc { return &SetFile{} },
	}
}

func (s *SetFile) answers(ctx context.Context, env *modules.Env) ([]answer, error) {
	data, err := env.Files.Fetch(ctx, s.Source, env.Low.Env)
	if err != nil {
		return nil, fmt.Errorf("fetch the answers: %w", err)
	}
	if s.Template != "" {
		vars := value.NewDict(0)
		for _, d := range []*value.Dict{s.Defaults, s.Context} {
			if d == nil {
				continue
			}
			for k, v := range d.All() {
				vars.SetStr(value.String(k), v)
			}
		}
		if data, err = env.Templates.Render(ctx, s.Template, s.Source, data, env.Low.SLS, env.Low.Env, vars); err != nil {
			return nil, err
		}
	}
	var out []answer
	for line := range strings.Lines(string(data)) {
		f := strings.Fields(line)
		if len(f) < 3 || strings.HasPrefix(f[0], "#") {
			continue
		}
		out = append(out, answer{f[0], f[1], f[2], strings.Join(f[3:], " ")})
	}
	return out, nil
}

// Act sets the answers that differ.
func (s *SetFile) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	all, err := s.answers(ctx, env)
	if err != nil {
		return state.Effect{}, err
	}
	return settle(ctx, h, all, func(int) string { return "Debconf selections were set." })
}
