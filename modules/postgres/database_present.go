package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// DatabasePresent keeps a database.
type DatabasePresent struct {
	Name         string `arg:"name,required" doc:"The database."`
	Tablespace   string `arg:"tablespace" doc:"Where its tables are kept."`
	Encoding     string `arg:"encoding" doc:"The encoding of its text; of a database that is there it cannot be changed."`
	LCCollate    string `arg:"lc_collate" doc:"The locale of its order, which cannot be changed either."`
	LCCtype      string `arg:"lc_ctype" doc:"The locale of its letters, which cannot be changed either."`
	Owner        string `arg:"owner" doc:"The role that owns it."`
	OwnerRecurse bool   `arg:"owner_recurse" doc:"Gives the owner all that is in the database, too, when the owner changes."`
	Template     string `arg:"template" doc:"The database that a new one is a copy of."`
	maintained
}

func databasePresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_database.present", Doc: "Keeps a database.",
		Example: "app:\n  postgres_database.present:\n    - owner: app\n    - encoding: UTF8\n    - template: template0",
		New:     func() modules.StateFunc { return &DatabasePresent{} }}
}

// Act makes or changes the database.
func (d *DatabasePresent) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := d.server().catalog(ctx, env, h)
	defer c.close()
	was, err := c.get(databases, "", d.Name)
	if err != nil {
		return state.Effect{}, err
	}
	e := state.Effect{Changes: value.DictOf(d.Name, value.Str("Present")), Foretold: value.NewDict(0),
		Comment: "The database " + d.Name + " has been created", Preview: "Database " + d.Name + " is set to be created"}
	if was == nil {
		return outcome(e, failedIf(c.createDatabase(d), "Failed to create database %s", d.Name))
	}
	wrong := func(want, is string) bool { return want != "" && want != is }
	encoding, err := c.encoding(d.Encoding)
	switch {
	case err != nil:
		return state.Effect{}, err
	case wrong(encoding, was["encoding"]), wrong(d.LCCollate, was["collate"]), wrong(d.LCCtype, was["ctype"]):
		return state.Effect{}, errors.New("Database " + d.Name + " has wrong parameters which couldn't be changed on fly.")
	case !wrong(d.Tablespace, was["tablespace"]) && !wrong(d.Owner, was["owner"]):
		return state.Settled("Database " + d.Name + " is already present"), nil
	}
	e.Changes = value.DictOf(d.Name, value.Str("Parameters changed"))
	e.Comment = "Parameters for database " + d.Name + " have been changed"
	e.Preview = "Database " + d.Name + " exists, but parameters need to be changed"
	return outcome(e, failedIf(c.alterDatabase(d, was), "Failed to change parameters for database %s", d.Name))
}

// outcome is an effect that counts for nothing beside an error.
func outcome(e state.Effect, err error) (state.Effect, error) {
	if err != nil {
		return state.Effect{}, err
	}
	return e, nil
}

func failedIf(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return failed(err, format, args...)
}

// encoding is an encoding as the server calls it: UTF8 for utf-8. Salt differs: it compares what was written.
func (c *catalog) encoding(name string) (string, error) {
	if name == "" {
		return "", nil
	}
	r, err := c.ask("", "SELECT pg_encoding_to_char(pg_char_to_encoding($1))", name)
	if err == nil && (len(r.rows) == 0 || r.rows[0][0] == "") {
		err = fmt.Errorf("PostgreSQL has no encoding %q", name)
	}
	if err != nil {
		return "", err
	}
	return r.rows[0][0], nil
}

func (c *catalog) createDatabase(d *DatabasePresent) error {
	as, err := c.newDatabase(d)
	if err != nil {
		return err
	}
	st := sql("CREATE DATABASE %I", d.Name)
	for _, o := range [][2]string{{" TABLESPACE = %I", d.Tablespace}, {" OWNER = %I", d.Owner},
		{" TEMPLATE = %I", d.Template},
		{" ENCODING = %L", d.Encoding}, {" LC_COLLATE = %L", d.LCCollate}, {" LC_CTYPE = %L", d.LCCtype}} {
		if o[1] != "" {
			st = st.and(o[0], o[1])
		}
	}
	return c.do("make the database "+d.Name, "", func(o host.Host) error {
		c.foresee(o, databases, "", d.Name, as)
		return nil
	}, st)
}

// newDatabase is a database as it will be, or why the server would not make it.
func (c *catalog) newDatabase(d *DatabasePresent) (object, error) {
	from := cmp.Or(d.Template, "template1")
	template, err := c.get(databases, "", from)
	encoding, err2 := c.encoding(d.Encoding)
	if err := errors.Join(err, err2, c.needs(roles, d.Owner), c.needs(tablespaces, d.Tablespace)); err != nil {
		return nil, err
	}
	if template == nil {
		return nil, fmt.Errorf("template database %q does not exist", from)
	}
	as := object{"owner": cmp.Or(d.Owner, c.user), "encoding": cmp.Or(encoding, template["encoding"]), "template": from,
		"collate": cmp.Or(d.LCCollate, template["collate"]), "ctype": cmp.Or(d.LCCtype, template["ctype"]), "acl": "",
		"tablespace": cmp.Or(d.Tablespace, template["tablespace"])}
	for _, k := range [][2]string{{"encoding", "encoding"}, {"collate", "collation"}, {"ctype", "LC_CTYPE"}} {
		if from != "template0" && as[k[0]] != template[k[0]] {
			return nil, fmt.Errorf("new %s (%s) is incompatible with the one of the template database (%s); template: "+
				"template0 takes any", k[1], as[k[0]], template[k[0]])
		}
	}
	return as, nil
}

// needs is the error for an object that is not there, none for "".
func (c *catalog) needs(k kind, name string) error {
	if name == "" {
		return nil
	}
	o, err := c.get(k, "", name)
	if err == nil && o == nil {
		err = missing(string(k), name)
	}
	return err
}

func (c *catalog) alterDatabase(d *DatabasePresent, was object) error {
	if err := errors.Join(c.needs(roles, d.Owner), c.needs(tablespaces, d.Tablespace)); err != nil {
		return err
	}
	as := maps.Clone(was)
	as["owner"] = cmp.Or(d.Owner, was["owner"])
	foretell := func(o host.Host) error { c.foresee(o, databases, "", d.Name, as); return nil }
	what := "change the database " + d.Name
	var list []statement
	if d.Owner != "" && d.Owner != was["owner"] {
		if d.OwnerRecurse {
			if err := c.do(what, d.Name, foretell, sql(ownerOfAll, d.Owner)); err != nil {
				return err
			}
		}
		list = append(list, sql("ALTER DATABASE %I OWNER TO %I", d.Name, d.Owner))
	}
	if d.Tablespace != "" && d.Tablespace != was["tablespace"] {
		as["tablespace"] = d.Tablespace
		list = append(list, sql("ALTER DATABASE %I SET TABLESPACE %I", d.Name, d.Tablespace))
	}
	for s := range c.sessions { // the server moves no database that somebody uses
		c.leave(s)
	}
	return c.do(what, "", foretell, list...)
}

func (c *catalog) leave(database string) {
	c.sessions[database].close()
	delete(c.sessions, database)
}

// ownerOfAll gives a role all that is in a database but what is the system's own. It is a statement of the server's own
// language, in which format() writes the names; the percent signs of its own are doubled for the first format().
const ownerOfAll = `DO $do$ DECLARE r record; BEGIN
FOR r IN SELECT format('SCHEMA %%I', nspname) AS n FROM pg_namespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
UNION ALL SELECT format(CASE relkind WHEN 'v' THEN 'VIEW' WHEN 'm' THEN 'MATERIALIZED VIEW' WHEN 'S' THEN 'SEQUENCE'
  WHEN 'f' THEN 'FOREIGN TABLE' ELSE 'TABLE' END || ' %%I.%%I', nspname, relname)
  FROM pg_class c JOIN pg_namespace s ON s.oid = relnamespace
  WHERE relkind IN ('r', 'p', 'v', 'm', 'f', 'S') AND nspname !~ '^pg_' AND nspname <> 'information_schema'
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = c.oid AND deptype IN ('a', 'i', 'e') AND classid = 'pg_class'::regclass)
UNION ALL SELECT format('ROUTINE %%s', p.oid::regprocedure) FROM pg_proc p JOIN pg_namespace s ON s.oid = pronamespace
  WHERE nspname !~ '^pg_' AND nspname <> 'information_schema'
  AND NOT EXISTS (SELECT FROM pg_depend WHERE objid = p.oid AND deptype = 'e' AND classid = 'pg_proc'::regclass)
LOOP EXECUTE 'ALTER ' || r.n || format(' OWNER TO %%I', %L); END LOOP; END $do$`
