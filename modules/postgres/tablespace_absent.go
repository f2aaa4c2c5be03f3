package postgres

import (
	"context"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// TablespaceAbsent removes a tablespace.
type TablespaceAbsent struct {
	Name string `arg:"name,required" doc:"The tablespace."`
	maintained
}

func tablespaceAbsentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_tablespace.absent", Doc: "Removes a tablespace that holds nothing.",
		Example: "fast:\n  postgres_tablespace.absent: []", New: func() modules.StateFunc { return &TablespaceAbsent{} }}
}

// Act removes the tablespace.
func (t *TablespaceAbsent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := t.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(tablespaces, "", t.Name)
	what := "Tablespace " + t.Name
	if err != nil || was == nil {
		return absent(what), err
	}
	return outcome(removed(t.Name, what), failedIf(c.dropTablespace(t.Name), "%s failed to be removed", what))
}

func (c *catalog) dropTablespace(name string) error {
	all, err := c.list(databases, "")
	if err != nil {
		return err
	}
	if slices.ContainsFunc(all, func(o object) bool { return o["tablespace"] == name }) {
		return fmt.Errorf("tablespace %q is not empty", name)
	}
	return c.do("remove the tablespace "+name, "", func(o host.Host) error {
		c.foresee(o, tablespaces, "", name, nil)
		return nil
	}, sql("DROP TABLESPACE %I", name))
}
