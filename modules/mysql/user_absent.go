package mysql

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// UserAbsent removes a user.
type UserAbsent struct {
	Name string `arg:"name" doc:"The user; '' for the anonymous one."`
	Host string `arg:"host" default:"localhost" doc:"Where the user connects from."`
	access
}

func userAbsentSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_user.absent", Doc: "Removes a user.",
		Example: "app:\n  mysql_user.absent:\n    - host: localhost", New: func() modules.StateFunc { return &UserAbsent{} }}
}

// Act removes the user.
func (u *UserAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := u.catalog(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	defer c.close()
	id := "User " + u.Name + "@" + u.Host
	was, err := c.get(users, u.Name+"\n"+u.Host)
	if err != nil || was == nil {
		return state.Settled(id + " is not present, so it cannot be removed"), err
	}
	return outcome(state.Effect{Changes: value.DictOf(u.Name, value.Str("Absent")), Foretold: value.NewDict(0),
		Comment: id + " has been removed", Preview: id + " is set to be removed",
	}, failed(c.dropUser(u.Name, u.Host), id+" failed to be removed"))
}
