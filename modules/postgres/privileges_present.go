package postgres

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Privileges are the arguments of both states of privileges.
type Privileges struct {
	Name       string   `arg:"name,required" doc:"The role, or public for all."`
	ObjectName string   `arg:"object_name,required" doc:"What they are held on; ALL for all tables or sequences of a schema."`
	ObjectType string   `arg:"object_type,required" doc:"What kind of thing that is: table (also for a view), sequence, schema, tablespace, language, database, function, or group for membership."`
	Privileges []string `arg:"privileges" doc:"The privileges: ALL, SELECT, INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER, USAGE, CREATE, CONNECT, TEMPORARY, EXECUTE, as the thing has them; none for a group."`
	Prepend    string   `arg:"prepend" default:"public" doc:"The schema of a table, a sequence or a function."`
	maintained
}

// Validate finds privileges that there are not.
func (p *Privileges) Validate() []modules.Fault { return fault(p.ObjectType, p.Privileges) }

// about is what the state is about.
func (p *Privileges) about(c *catalog) (thing, []string, string) {
	t := thing{strings.ToLower(p.ObjectType), c.database, p.Prepend, p.ObjectName}
	list, _ := spelled(t.what, p.Privileges)
	shown := strings.Join(p.Privileges, ",")
	if t.what == "group" {
		shown = p.ObjectName
	}
	return t, list, shown
}

// PrivilegesPresent keeps privileges of a role.
type PrivilegesPresent struct {
	Privileges
	GrantOption bool `arg:"grant_option" doc:"Lets the role hand them on."`
}

func privilegesPresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_privileges.present", Doc: "Keeps privileges of a role on a thing.",
		Example: "app:\n  postgres_privileges.present:\n    - object_name: orders\n    - object_type: table\n    - " +
			"privileges: " +
			"[SELECT, INSERT]\n    - maintenance_db: shop",
		New: func() modules.StateFunc { return &PrivilegesPresent{} }}
}

// Act grants the privileges. Salt differs: a grant option of some privileges is never found there, nor what was granted
// on ALL.
func (p *PrivilegesPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := p.server().catalog(ctx, env, h)
	defer c.close()
	t, list, shown := p.about(c)
	has, all, err := c.has(t, p.Name, list, p.GrantOption)
	if err != nil || has {
		return state.Settled("The requested privilege(s) are already set"), err
	}
	if t.all() && len(all) == 0 {
		return state.Settled("The requested privilege(s) are already set"), c.knows(t, p.Name, all)
	}
	return outcome(state.Effect{Changes: value.DictOf(p.Name, value.Str("Present")), Foretold: value.NewDict(0),
		Comment: fmt.Sprintf("The privilege(s): %s have been granted to %s", shown, p.Name),
		Preview: fmt.Sprintf("The privilege(s): %s are set to be granted to %s", shown, p.Name),
	}, failedIf(c.grant(t, p.Name, list, p.GrantOption, all), "Failed to grant privilege(s): %s to %s", shown, p.Name))
}
