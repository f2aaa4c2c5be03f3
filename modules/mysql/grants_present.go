package mysql

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Grants are the arguments of both states of grants.
type Grants struct {
	Name        string `arg:"name,required,text" doc:"The name of the state."`
	Grant       string `arg:"grant,required" doc:"The privileges, with commas: select,insert or all privileges."`
	Database    string `arg:"database,required" doc:"What they are on: db.* or db.table, or *.* for all."`
	GrantUser   string `arg:"user,required" doc:"The user."`
	GrantHost   string `arg:"host" default:"localhost" doc:"Where the user connects from."`
	GrantOption bool   `arg:"grant_option" doc:"Lets the user hand them on."`
	Escape      bool   `arg:"escape" default:"true" doc:"Quotes the names in the argument database, in which an underline is then no pattern."`
	access
}

// GrantsPresent keeps privileges of a user.
type GrantsPresent struct {
	Grants
	RevokeFirst bool        `arg:"revoke_first" doc:"Takes away what the user has there before privileges that are lacking are granted."`
	SSLOption   value.Value `arg:"ssl_option" doc:"How the user has to connect: a list of maps such as SSL: true or SUBJECT: text, for servers whose grants say that."`
}

func grantsPresentSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_grants.present", Doc: "Keeps privileges of a user.",
		Example: "app may:\n  mysql_grants.present:\n    - grant: select,insert,update\n    - database: app.*\n    - user: " +
			"app",
		New: func() modules.StateFunc { return &GrantsPresent{} }}
}

func (g *Grants) parse() (grant, error) {
	return newGrant(g.Grant, g.Database, g.GrantUser, g.GrantHost, g.GrantOption, g.Escape)
}

// Validate finds privileges that there are not.
func (g *Grants) Validate() []modules.Fault {
	if _, err := g.parse(); err != nil {
		return []modules.Fault{{Arg: "grant", Msg: err.Error(), Hint: "write grant: select,insert and database: db.*"}}
	}
	return nil
}

// Validate finds privileges and options that there are not.
func (g *GrantsPresent) Validate() []modules.Fault {
	if _, err := require(g.SSLOption); err != nil {
		return []modules.Fault{{Arg: "ssl_option", Msg: err.Error(),
			Hint: "the options are SSL, X509, CIPHER, ISSUER and SUBJECT"}}
	}
	return g.Grants.Validate()
}

// Act grants what is lacking. Salt differs: it does not look for the grant option, finds nothing that is a part of ALL,
// and never revokes first.
func (g *GrantsPresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	want, err := g.parse()
	if err != nil {
		return state.Effect{}, err
	}
	if want.require, err = require(g.SSLOption); err != nil {
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
	about := fmt.Sprintf("%s on %s to %s@%s", g.Grant, g.Database, g.GrantUser, g.GrantHost)
	if held != nil && len(c.lacking(want, held)) == 0 {
		return state.Settled("Grant " + about + " is already present"), nil
	}
	return outcome(state.Effect{Changes: value.DictOf(g.Name, value.Str("Present")), Foretold: value.NewDict(0),
		Comment: "Grant " + about + " has been added", Preview: "MySQL grant " + g.Name + " is set to be created",
	}, failed(c.add(want, held, g.RevokeFirst), fmt.Sprintf("Failed to execute: \"GRANT %s ON %s TO %s@%s\"", g.Grant,
		g.Database, g.GrantUser, g.GrantHost)))
}

// grantsOf are the privileges of a user, nil where there is no such user.
func (c *catalog) grantsOf(g grant) (object, error) {
	u, err := c.get(users, g.key())
	if err != nil || u == nil {
		return nil, err
	}
	return c.held(g)
}
