package mysql

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// DatabaseAbsent removes a database.
type DatabaseAbsent struct {
	Name string `arg:"name,required" doc:"The database."`
	access
}

func databaseAbsentSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_database.absent",
		Doc:     "Removes a database with all that it holds.",
		Example: "app:\n  mysql_database.absent: []", New: func() modules.StateFunc { return &DatabaseAbsent{} }}
}

// Act removes the database. Salt differs: it says that the server's own is not present.
func (d *DatabaseAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := d.catalog(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	defer c.close()
	was, err := c.get(databases, d.Name)
	if err != nil || was == nil {
		return state.Settled("Database " + d.Name + " is not present, so it cannot be removed"), err
	}
	return outcome(state.Effect{Changes: value.DictOf(d.Name, value.Str("Absent")), Foretold: value.NewDict(0),
		Comment: "Database " + d.Name + " has been removed",
		Preview: "Database " + d.Name + " is present and needs to be removed",
	}, failed(c.dropDatabase(d.Name), "Unable to remove database "+d.Name))
}
