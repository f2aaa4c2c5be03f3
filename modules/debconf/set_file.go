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
	return parseAnswers(string(data)), nil
}

// parseAnswers reads lines as debconf-set-selections does: a backslash at the end of a line joins the next one to it.
// What is around a value is not kept, since debconf-show does not tell it.
func parseAnswers(text string) (out []answer) {
	lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
	for i := 0; i < len(lines); i++ {
		line := strings.TrimSuffix(lines[i], "\r")
		for strings.HasSuffix(line, `\`) && i < len(lines)-1 {
			i++
			line = strings.TrimSuffix(line, `\`) + strings.TrimSuffix(lines[i], "\r")
		}
		var f [3]string
		rest := line
		for n := range f {
			rest = strings.TrimLeft(rest, blanks)
			end := strings.IndexAny(rest+" ", blanks)
			f[n], rest = rest[:end], rest[end:]
		}
		if f[2] != "" && f[0][0] != '#' {
			out = append(out, answer{f[0], f[1], f[2], strings.Trim(rest, blanks)})
		}
	}
	return out
}

// blanks stand between the words of a line.
const blanks = " \t\r\v\f"

// Act sets the answers that differ.
func (s *SetFile) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	all, err := s.answers(ctx, env)
	if err != nil {
		return state.Effect{}, err
	}
	return settle(ctx, h, all, func(int) string { return "Debconf selections were set." })
}
