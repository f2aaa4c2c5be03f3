package mysql

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// GrantsAbsent revokes privileges of a user.
type GrantsAbsent struct{ Grants }

func grantsAbsentSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_grants.absent", Doc: "Revokes privileges of a user.",
		Example: "app may not:\n  mysql_grants.absent:\n    - grant: insert\n    - database: app.*\n    - user: app",
		New:     func() modules.StateFunc { return &GrantsAbsent{} }}
}

// Act revokes what is held. Salt differs: it revokes nothing unless all that is named is held, and forgets escape.
func (g *GrantsAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	want, err := g.parse()
	if err != nil {
		return state.Effect{}, err
	}
	c, err := g.catalog(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	defer c.close()
	held, err := c.grantsOf(want)
	if err != nil {
		return state.Effect{}, err
	}
	about := fmt.Sprintf("%s on %s for %s@%s", g.Grant, g.Database, g.GrantUser, g.GrantHost)
	list := c.holding(want, held)
	if len(list) == 0 {
		return state.Settled(fmt.Sprintf("Grant %s on %s to %s@%s is not present, so it cannot be revoked", g.Grant,
			g.Database, g.GrantUser, g.GrantHost)), nil
	}
	return outcome(state.Effect{Changes: value.DictOf(g.Name, value.Str("Absent")), Foretold: value.NewDict(0),
		Comment: "Grant " + about + " has been revoked", Preview: "MySQL grant " + g.Name + " is set to be revoked",
	}, failed(c.remove(want, held, list), "Unable to revoke grant "+about))
}
