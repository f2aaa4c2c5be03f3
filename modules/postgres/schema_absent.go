package postgres

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// SchemaAbsent removes a schema.
type SchemaAbsent struct{ Schema }

func schemaAbsentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_schema.absent", Doc: "Removes a schema that holds nothing.",
		Example: "sales:\n  postgres_schema.absent:\n    - dbname: app",
		New:     func() modules.StateFunc { return &SchemaAbsent{} }}
}

// Act removes the schema.
func (s *SchemaAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := s.server(s.DBName).catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(schemas, s.DBName, s.Name)
	if noDatabase(err) {
		err = nil
	}
	if err != nil || was == nil {
		return state.Settled(fmt.Sprintf("Schema %s is not present in database %s, so it cannot be removed", s.Name,
			s.DBName)), err
	}
	e := removed(s.Name, "Schema "+s.Name)
	e.Comment += " from database " + s.DBName
	e.Preview += " from database " + s.DBName
	return outcome(e, failedIf(c.dropSchema(s.DBName, s.Name), "Schema %s failed to be removed", s.Name))
}

func (c *catalog) dropSchema(database, name string) error {
	if err := c.empty(database, name); err != nil {
		return err
	}
	return c.do("remove the schema "+name, database, func(o host.Host) error {
		c.foresee(o, schemas, database, name, nil)
		return nil
	}, sql("DROP SCHEMA %I", name))
}

// empty is the error for a schema that holds something, be it what belongs to an extension.
func (c *catalog) empty(database, name string) error {
	r, err := c.ask(database, "SELECT DISTINCT coalesce(x.extname, y.extname, '') FROM pg_depend d "+
		"LEFT JOIN pg_extension x ON d.classid = 'pg_extension'::regclass AND x.oid = d.objid "+
		"LEFT JOIN pg_depend m ON m.classid = d.classid AND m.objid = d.objid AND m.deptype = 'e' "+
		"LEFT JOIN pg_extension y ON y.oid = m.refobjid WHERE d.refclassid = 'pg_namespace'::regclass AND d.deptype = 'n' "+
		"AND d.refobjid = (SELECT oid FROM pg_namespace WHERE nspname = $1)", name)
	if err != nil {
		return err
	}
	for _, row := range r.rows {
		if f, ok := c.promise(extensions, database, row[0]); !ok || f.Value != "absent" {
			return fmt.Errorf("cannot drop schema %s because other objects depend on it", name)
		}
	}
	return nil
}
