package postgres

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// RoleAbsent removes a user or a group.
type RoleAbsent struct {
	Name string `arg:"name,required" doc:"The role."`
	maintained

	title string
}

func roleAbsentSpec(title string) modules.StateSpec {
	module := "postgres_" + strings.ToLower(title)
	return modules.StateSpec{Name: module + ".absent", Doc: "Removes a role, on which nothing may depend.",
		Example: "app:\n  " + module + ".absent: []", New: func() modules.StateFunc { return &RoleAbsent{title: title} }}
}

// Act removes the role.
func (r *RoleAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := r.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.role(r.Name)
	what := r.title + " " + r.Name
	if err != nil || was == nil {
		return absent(what), err
	}
	if err := c.dropRole(r.Name); err != nil {
		return state.Effect{}, failed(err, "%s failed to be removed", what)
	}
	return removed(r.Name, what), nil
}

// absent and removed are the effects of a removal in Salt's words.
func absent(what string) state.Effect {
	return state.Settled(what + " is not present, so it cannot be removed")
}

func removed(name, what string) state.Effect {
	return state.Effect{Changes: value.DictOf(name, value.Str("Absent")), Comment: what + " has been removed",
		Preview: what + " is set to be removed", Foretold: value.NewDict(0)}
}
