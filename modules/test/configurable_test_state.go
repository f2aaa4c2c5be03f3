package test

import (
	"cmp"
	"context"
	"errors"
	"math/rand/v2"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Configurable is test.configurable_test_state.
type Configurable struct {
	Name     string      `arg:"name,text" doc:"A unique text."`
	Changes  choice      `arg:"changes" default:"true" doc:"Whether it claims a change: true, false or 'Random'."`
	Result   choice      `arg:"result" default:"true" doc:"Whether it succeeds: true, false or 'Random'."`
	Comment  string      `arg:"comment,text" doc:"The comment of the result."`
	Warnings value.Value `arg:"warnings,text" doc:"A warning, or a list of them, to show with the result."`
	// AllowFailure is Salt's allow_test_mode_failure.
	AllowFailure bool `arg:"allow_test_mode_failure" doc:"Whether it also fails in test mode when result is false."`
}

func configurable() modules.StateSpec {
	return modules.StateSpec{Name: "test.configurable_test_state",
		Doc: "Succeeds or fails, with or without changes, as it is told.",
		Example: "pretend:\n  test.configurable_test_state:\n    - changes: true\n    - result: false\n    - comment: it " +
			"went wrong\n",
		New: func() modules.StateFunc { return &Configurable{} }}
}

// A choice is true, false or left to chance.
type choice string

const random choice = "Random"

// BindValue takes a boolean or the word Random.
func (c *choice) BindValue(v value.Value) error {
	if s, ok := v.(value.Str); ok && strings.EqualFold(string(s), "random") {
		*c = random
		return nil
	}
	b, err := modules.Boolean(v)
	if err != nil {
		return errors.New("must be either true, false, or 'Random'")
	}
	if *c = "false"; b {
		*c = "true"
	}
	return nil
}

// ArgType names the type in documentation.
func (*choice) ArgType() string { return "boolean or 'Random'" }

func (c choice) decide() bool { return c == "true" || c == random && rand.N(2) == 1 }

func (c *Configurable) warnings() []string {
	if c.Warnings == nil {
		return nil
	}
	l, _ := modules.Texts(c.Warnings)
	return l
}

// Validate finds warnings that are no text.
func (c *Configurable) Validate() []modules.Fault {
	if c.Warnings == nil {
		return nil
	}
	if _, err := modules.Texts(c.Warnings); err != nil {
		return []modules.Fault{{Arg: "warnings", Msg: "warnings " + err.Error(), Hint: "write a text or a list of texts"}}
	}
	return nil
}

// ModWatch fires; as in Salt, with the result that was asked for.
func (c *Configurable) ModWatch() modules.StateFunc { return &ModWatch{fails: c.Result == "false"} }

// Act pretends, and on the machine decides what is left to chance. As in Salt, a preview does not foretell a failure
// unless it is asked to.
func (c *Configurable) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	e := state.NewEffect()
	e.Comment, e.Preview, e.Warnings, e.Once = c.Comment, cmp.Or(c.Comment, "This is a test"), c.warnings(), true
	err := h.Do(ctx, host.Deed{What: "pretend", Do: func(context.Context) error {
		if c.Changes.decide() {
			e.Changes = pretended()
		}
		if !c.Result.decide() {
			return errors.New(c.Comment)
		}
		return nil
	}, Foretell: func(host.Host) error {
		if c.AllowFailure && c.Result == "false" {
			return errors.New(e.Preview)
		}
		if c.Changes != "false" {
			e.Changes = pretended()
		}
		return nil
	}})
	return e, err
}
