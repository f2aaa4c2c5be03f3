package debconf

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// SetFile keeps the answers of a file.
type SetFile struct {
	tool
	modules.Rendered
	Name   string `arg:"name,required,text" doc:"A name for the state."`
	Source string `arg:"source,required,path" doc:"The file, in the format of debconf-set-selections."`
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
	data, err := s.Read(ctx, env, s.Source)
	if err != nil {
		return nil, fmt.Errorf("fetch the answers: %w", err)
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
