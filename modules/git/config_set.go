package git

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

// ConfigSet keeps a setting of git's.
type ConfigSet struct {
	Config
	Value *string  `arg:"value,text" doc:"The value."`
	Multi []string `arg:"multivar,text" doc:"Several values."`
}

func configSetSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "git.config_set",
		Doc:     "Keeps a setting of git's.",
		Example: "user.name:\n  git.config_set:\n    - value: Web Server\n    - global: true\n    - user: www-data",
		New:     func() modules.StateFunc { return &ConfigSet{} },
		AnyArgs: true,
	}
}

// Validate wants to know what is to be set: a setting that is given nothing would lose what it has.
func (c *ConfigSet) Validate() []modules.Fault {
	switch {
	case c.Value == nil && len(c.Multi) == 0:
		return []modules.Fault{{Arg: "value", Msg: "git.config_set needs a value or multivar",
			Hint: "git.config_unset takes a setting away"}}
	case c.Value != nil && c.Multi != nil:
		return []modules.Fault{{Arg: "multivar", Msg: "only one of value and multivar is permitted"}}
	}
	return nil
}

func (c *ConfigSet) want() []string {
	if c.Value == nil {
		return c.Multi
	}
	return []string{*c.Value}
}

// Act sets it.
func (c *ConfigSet) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	now, err := c.now(ctx, h)
	switch {
	case err != nil:
		return state.Effect{}, err
	case slices.Equal(now, c.want()):
		return state.Settled(fmt.Sprintf("'%s' is already set to '%s'", c.Name, strings.Join(now, ", "))), nil
	}
	calls := [][]string{}
	for i, v := range c.want() {
		verb := "--replace-all"
		if i > 0 {
			verb = "--add"
		}
		calls = append(calls, []string{verb, c.Name, v})
	}
	want := strings.Join(c.want(), ", ")
	var old value.Value = value.None
	if len(now) > 0 {
		old = modules.TextList(now)
	}
	set := value.DictOf("old", old, "new", modules.TextList(c.want()))
	return state.Done(state.Effect{Changes: value.DictOf(c.Name, set), Foretold: set,
		Comment: fmt.Sprintf("'%s' was set to '%s'", c.Name, want),
		Preview: fmt.Sprintf("'%s' would be set to '%s'", c.Name, want)}, c.set(ctx, h, c.want(), calls...))
}
