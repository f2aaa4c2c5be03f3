package postgres

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Schema are the arguments of both states of schemas.
type Schema struct {
	DBName string `arg:"dbname,required" doc:"The database."`
	Name   string `arg:"name,required" doc:"The schema."`
	access
}

// SchemaPresent keeps a schema.
type SchemaPresent struct {
	Schema
	Owner string `arg:"owner" doc:"The role that owns a new schema."`
}

func schemaPresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_schema.present", Doc: "Keeps a schema of a database.",
		Example: "sales:\n  postgres_schema.present:\n    - dbname: app\n    - owner: app",
		New:     func() modules.StateFunc { return &SchemaPresent{} }}
}

// Act makes the schema.
func (s *SchemaPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := s.server(s.DBName).catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(schemas, s.DBName, s.Name)
	where := fmt.Sprintf("%s in database %s", s.Name, s.DBName)
	if err != nil || was != nil {
		return state.Settled(fmt.Sprintf("Schema %s already exists in database %s", s.Name, s.DBName)), err
	}
	return outcome(state.Effect{Changes: value.DictOf(s.Name, value.Str("Present")), Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("Schema %s has been created in database %s", s.Name, s.DBName),
		Preview: fmt.Sprintf("Schema %s is set to be created in database %s.", s.Name, s.DBName),
	}, failedIf(c.createSchema(s.DBName, s.Name, s.Owner), "Failed to create schema %s", where))
}

func (c *catalog) createSchema(database, name, owner string) error {
	if err := c.needs(roles, owner); err != nil {
		return err
	}
	if strings.HasPrefix(name, "pg_") {
		return fmt.Errorf("unacceptable schema name %q", name)
	}
	st := sql("CREATE SCHEMA %I", name)
	if owner != "" {
		st = st.and(" AUTHORIZATION %I", owner)
	}
	return c.do("make the schema "+name, database, func(o host.Host) error {
		c.foresee(o, schemas, database, name, object{"owner": cmp.Or(owner, c.user), "acl": ""})
		return nil
	}, st)
}
