package debconf

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

// Set keeps answers of one package.
type Set struct {
	tool
	Name string      `arg:"name,required,word" doc:"The package."`
	Data *value.Dict `arg:"data,required" doc:"The answers: question: {type, value}."`
}

func setSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "debconf.set",
		Doc:     "Keeps answers to the questions of a package.",
		Example: "tzdata:\n  debconf.set:\n    - data:\n        'tzdata/Areas': {'type': 'select', 'value': 'Europe'}",
		New:     func() modules.StateFunc { return &Set{} },
	}
}

// types are debconf's types of questions; "seen" says that one was asked.
func types() []string {
	return []string{"string", "boolean", "select", "multiselect", "note", "text", "password", "error", "title", "seen"}
}

func (s *Set) answers() ([]answer, error) {
	var out []answer
	for k, v := range s.Data.All() {
		d, err := modules.Map(v)
		if err != nil {
			return nil, fmt.Errorf("the answer to %s %w", value.String(k), err)
		}
		kind, _ := d.GetStr("type")
		val, _ := d.GetStr("value")
		a := answer{owner: s.Name, question: value.String(k)}
		if a.kind, err = modules.Text(kind); err != nil || a.kind == "" {
			return nil, fmt.Errorf("the answer to %s has no type", a.question)
		}
		if !slices.Contains(types(), a.kind) {
			return nil, fmt.Errorf("the answer to %s has the type %q, which is none of %s", a.question, a.kind,
				strings.Join(types(), ", "))
		}
		switch b, is := val.(value.Bool); {
		case is && bool(b):
			a.value = "true"
		case is:
			a.value = "false"
		default:
			if a.value, err = modules.Text(val); err != nil {
				return nil, fmt.Errorf("the answer to %s %w", a.question, err)
			}
		}
		out = append(out, a)
	}
	return out, nil
}

// Validate reads the answers.
func (s *Set) Validate() []modules.Fault {
	if _, err := s.answers(); err != nil {
		return []modules.Fault{{Arg: "data", Msg: err.Error(), Hint: "an answer is: question: {type: select, value: x}"}}
	}
	return nil
}

// Act sets the answers that differ.
func (s *Set) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	all, err := s.answers()
	if err != nil {
		return state.Effect{}, err
	}
	return settle(ctx, h, all, func(n int) string { return fmt.Sprintf("Set %d answers", n) })
}
