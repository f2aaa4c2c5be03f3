package postgres

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// DatabaseAbsent removes a database.
type DatabaseAbsent struct {
	Name string `arg:"name,required" doc:"The database."`
	maintained
}

func databaseAbsentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_database.absent",
		Doc:     "Removes a database with all that it holds. Who works in it is sent away.",
		Example: "app:\n  postgres_database.absent: []", New: func() modules.StateFunc { return &DatabaseAbsent{} }}
}

// Act removes the database.
func (d *DatabaseAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := d.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(databases, "", d.Name)
	what := "Database " + d.Name
	if err != nil || was == nil {
		return absent(what), err
	}
	return outcome(removed(d.Name, what), failedIf(c.dropDatabase(d.Name), "%s failed to be removed", what))
}

func (c *catalog) dropDatabase(name string) error {
	switch name {
	case c.database:
		return refusal{text: "cannot drop the currently open database"}
	case "template0", "template1":
		return refusal{text: "cannot drop a template database"}
	}
	return c.do("remove the database "+name, "", func(o host.Host) error {
		c.foresee(o, databases, "", name, nil)
		return nil
	}, sql("REVOKE CONNECT ON DATABASE %I FROM public", name),
		sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = %L AND pid <> pg_backend_pid()", name),
		sql("DROP DATABASE %I", name))
}
