package mysql

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// DatabasePresent keeps a database.
type DatabasePresent struct {
	Name         string `arg:"name,required" doc:"The database."`
	CharacterSet string `arg:"character_set" doc:"Its character set, the server's by default."`
	Collate      string `arg:"collate" doc:"Its collation, that of the character set by default."`
	access
}

func databasePresentSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_database.present", Doc: "Keeps a database.",
		Example: "app:\n  mysql_database.present:\n    - character_set: utf8mb4\n    - collate: utf8mb4_general_ci",
		New:     func() modules.StateFunc { return &DatabasePresent{} }}
}

// Act makes or changes the database.
func (d *DatabasePresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c, err := d.catalog(ctx, env, h)
	if err != nil {
		return state.Effect{}, err
	}
	defer c.close()
	was, err := c.get(databases, d.Name)
	if err != nil {
		return state.Effect{}, err
	}
	if was == nil {
		return outcome(state.Effect{Changes: value.DictOf(d.Name, value.Str("Present")), Foretold: value.NewDict(0),
			Comment: "The database " + d.Name + " has been created",
			Preview: "Database " + d.Name + " is not present and needs to be created",
		}, failed(c.createDatabase(d.Name, d.CharacterSet, d.Collate), "Failed to create database "+d.Name))
	}
	return d.alter(c, was)
}

// alter changes what is not as wanted, and says so in Salt's words. Salt differs: it never finds utf8, which the server
// calls utf8mb3, and with a character set alone it asks for a collation of another one.
func (d *DatabasePresent) alter(c *catalog, was object) (state.Effect, error) {
	charset, collate, err := c.text(d.CharacterSet, d.Collate)
	if err != nil {
		return state.Effect{}, err
	}
	comment, e := "Database "+d.Name+" is already present", state.NewEffect()
	preview := ""
	if d.CharacterSet != "" && charset != was["charset"] {
		comment = fmt.Sprintf("Database character set %s != %s needs to be updated", d.CharacterSet, was["charset"])
		preview = comment + "\nDatabase " + d.Name + " is going to be updated"
	}
	if d.Collate != "" && collate != was["collation"] {
		comment += fmt.Sprintf("\nDatabase collate %s != %s needs to be updated", d.Collate, was["collation"])
		preview = comment
	}
	if preview == "" {
		return state.Settled(comment), nil
	}
	e.Comment, e.Preview, e.Foretold = comment, preview, value.NewDict(0)
	for _, p := range [][3]string{{"collate", was["collation"], collate}, {"character_set", was["charset"], charset}} {
		if p[1] != p[2] {
			e.Changes.SetStr(p[0], value.DictOf("before", value.Str(p[1]), "now", value.Str(p[2])))
		}
	}
	return outcome(e, failed(c.alterDatabase(d.Name, charset, collate), "Failed to update database "+d.Name))
}

// text is a character set and a collation as the server calls them; one says the other where it is not given.
func (c *catalog) text(charset, collate string) (string, string, error) {
	if collate != "" {
		r, err := c.ask("SELECT COLLATION_NAME, CHARACTER_SET_NAME FROM INFORMATION_SCHEMA.COLLATIONS WHERE COLLATION_NAME "+
			"IN "+
			"(?, ?)", collate, strings.Replace(collate, "utf8_", "utf8mb3_", 1))
		if err == nil && len(r.rows) == 0 {
			err = fmt.Errorf("the server has no collation %q", collate)
		}
		if err != nil {
			return "", "", err
		}
		if of := r.rows[0][1]; charset != "" && charset != of && !(charset == "utf8" && of == "utf8mb3") && of != "" {
			return "", "", fmt.Errorf("collation %q is not one of the character set %q", collate, charset)
		}
		return cmp.Or(r.rows[0][1], charset), r.rows[0][0], nil
	}
	if charset == "" {
		return "", "", nil
	}
	r, err := c.ask("SELECT CHARACTER_SET_NAME, DEFAULT_COLLATE_NAME FROM INFORMATION_SCHEMA.CHARACTER_SETS WHERE "+
		"CHARACTER_SET_NAME IN (?, ?)", charset, strings.Replace(charset+"|", "utf8|", "utf8mb3", 1))
	if err == nil && len(r.rows) == 0 {
		err = fmt.Errorf("the server has no character set %q", charset)
	}
	if err != nil {
		return "", "", err
	}
	return r.rows[0][0], r.rows[0][1], nil
}

func (c *catalog) createDatabase(name, charset, collate string) error {
	if name == "" || len(name) > 64 {
		return fmt.Errorf("incorrect database name %q", name)
	}
	charset, collate, err := c.text(charset, collate)
	if err != nil {
		return err
	}
	s := stmt("CREATE DATABASE IF NOT EXISTS " + quoted(name))
	as := object{"charset": charset, "collation": collate}
	if charset != "" {
		s = stmt(s.text+" CHARACTER SET ? COLLATE ?", charset, collate)
	} else {
		r, err := c.ask("SELECT @@character_set_server, @@collation_server")
		if err != nil {
			return err
		}
		if len(r.rows) == 1 {
			as["charset"], as["collation"] = r.rows[0][0], r.rows[0][1]
		}
	}
	return c.do("make the database "+name, func(o host.Host) error { c.foresee(o, databases, name, as); return nil }, s)
}

func (c *catalog) alterDatabase(name, charset, collate string) error {
	return c.do("change the database "+name, func(o host.Host) error {
		c.foresee(o, databases, name, object{"charset": charset, "collation": collate})
		return nil
	}, stmt("ALTER DATABASE "+quoted(name)+" CHARACTER SET ? COLLATE ?", charset, collate))
}

func (c *catalog) dropDatabase(name string) error {
	switch strings.ToLower(name) {
	case "mysql", "information_schema", "performance_schema", "sys":
		return errors.New("it is the server's own")
	}
	return c.do("remove the database "+name, func(o host.Host) error { c.foresee(o, databases, name, nil); return nil },
		stmt("DROP DATABASE "+quoted(name)))
}
