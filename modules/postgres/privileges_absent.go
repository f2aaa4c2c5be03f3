package postgres

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// PrivilegesAbsent revokes privileges of a role.
type PrivilegesAbsent struct{ Privileges }

func privilegesAbsentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_privileges.absent", Doc: "Revokes privileges of a role on a thing.",
		Example: "app:\n  postgres_privileges.absent:\n    - object_name: orders\n    - object_type: table\n    - " +
			"privileges: " +
			"[INSERT]\n    - maintenance_db: shop",
		New: func() modules.StateFunc { return &PrivilegesAbsent{} }}
}

// Act revokes the privileges. Salt differs: it revokes none where one of them is not held, and what comes by default
// stays.
func (p *PrivilegesAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := p.server().catalog(ctx, env, h)
	defer c.close()
	t, list, shown := p.about(c)
	has, all, err := c.hasAny(t, p.Name, list)
	if noDatabase(err) {
		err = nil
	}
	if err != nil || !has {
		return state.Settled("The requested privilege(s) are not set so cannot be revoked"), err
	}
	return outcome(state.Effect{Changes: value.DictOf(p.Name, value.Str("Absent")), Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("The privilege(s): %s have been revoked from %s", shown, p.Name),
		Preview: fmt.Sprintf("The privilege(s): %s are set to be revoked from %s", shown, p.Name),
	}, failedIf(c.revoke(t, p.Name, list, all), "Failed to revoke privilege(s): %s from %s", shown, p.Name))
}
