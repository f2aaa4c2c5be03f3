package postgres

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A catalog is what a server holds, with what earlier states of a preview did to it.
type catalog struct {
	server
	ctx      context.Context
	h        host.Host
	where    string              // the server's address
	sessions map[string]*session // by database
}

// An object is a row of the server's catalogs by the names of its columns.
type object map[string]string

// A kind is a kind of object.
type kind string

const (
	roles       kind = "role"
	members     kind = "member"
	databases   kind = "database"
	tablespaces kind = "tablespace"
	schemas     kind = "schema"     // of one database, as those below
	extensions  kind = "extension"  //
	languages   kind = "language"   //
	privileges  kind = "privileges" // on one thing, or on all tables or sequences of a schema
)

// query is how the server is asked for all objects of a kind.
func (k kind) query() string {
	switch k {
	case roles:
		return "SELECT rolname AS name, rolsuper AS superuser, rolinherit AS inherit, rolcreaterole AS createroles, " +
			"rolcreatedb AS createdb, rolcanlogin AS login, rolreplication AS replication, rolconnlimit AS connlimit, " +
			"rolvaliduntil::timestamp(0)::text AS valid_until, rolconfig::text AS settings FROM pg_roles"
	case members:
		return "SELECT g.rolname || E'\\n' || m.rolname AS name, g.rolname AS group, m.rolname AS member, a.admin_option AS " +
			"admin FROM pg_auth_members a JOIN pg_roles g ON g.oid = a.roleid JOIN pg_roles m ON m.oid = a.member"
	case databases:
		return "SELECT datname AS name, pg_get_userbyid(datdba) AS owner, pg_encoding_to_char(encoding) AS encoding, " +
			"datcollate AS collate, datctype AS ctype, datacl::text AS acl, spcname AS tablespace " +
			"FROM pg_database JOIN pg_tablespace t ON t.oid = dattablespace"
	case tablespaces:
		return "SELECT spcname AS name, pg_get_userbyid(spcowner) AS owner, spcacl::text AS acl, spcoptions::text AS " +
			"options, " +
			"pg_tablespace_location(oid) AS location FROM pg_tablespace"
	case schemas:
		return "SELECT nspname AS name, pg_get_userbyid(nspowner) AS owner, nspacl::text AS acl, oid FROM pg_namespace"
	case extensions:
		return "SELECT extname AS name, e.*, nspname AS schema_name " +
			"FROM pg_extension e JOIN pg_namespace n ON n.oid = extnamespace"
	case languages:
		return "SELECT lanname AS name, pg_get_userbyid(lanowner) AS owner, oid FROM pg_language"
	}
	return ""
}

func (s server) catalog(ctx context.Context, env *modules.Env, h host.Host) *catalog {
	s.fill(env)
	_, where := s.address(h)
	return &catalog{server: s, ctx: ctx, h: h, where: where, sessions: map[string]*session{}}
}

func (c *catalog) close() {
	for _, s := range c.sessions {
		s.close()
	}
}

// session is the connection to a database, "" for the usual one.
func (c *catalog) session(ctx context.Context, database string) (*session, error) {
	database = cmp.Or(database, c.database)
	if s := c.sessions[database]; s != nil {
		return s, nil
	}
	if f, ok := c.promise(databases, "", database); ok && f.Value == "absent" {
		return nil, refusal{code: codeNoDatabase, text: missing("database", database).Error()}
	}
	s, err := c.connect(ctx, c.h, database)
	if err == nil {
		c.sessions[database] = s
	}
	return s, err
}

// noDatabase says whether an error is that of a database that is not there: what was in it is gone, too.
func noDatabase(err error) bool {
	r := refusal{}
	return errors.As(err, &r) && r.code == codeNoDatabase
}

// missing is the server's error for what it has not.
func missing(what, name string) error { return fmt.Errorf("%s %q does not exist", what, name) }

// ask asks a database, or what it will be made of.
func (c *catalog) ask(database, query string, args ...string) (result, error) {
	ctx, cancel := context.WithTimeout(c.ctx, lookTime)
	defer cancel()
	real, _ := c.template(database)
	s, err := c.session(ctx, real)
	if err != nil {
		return result{}, err
	}
	return s.ask(ctx, query, args...)
}

// template is the database that tells what will be in one: itself, unless a state of a preview makes it. template0 lets
// nobody in: then pristine says that only what initdb made counts.
func (c *catalog) template(database string) (real string, pristine bool) {
	database = cmp.Or(database, c.database)
	for range 8 {
		f, ok := c.promise(databases, "", database)
		from := f.Attrs["template"]
		switch {
		case !ok || from == "":
			return database, false
		case from == "template0":
			return c.home, true
		}
		database = from
	}
	return database, false
}

// firstNormal is the first number of an object that initdb has not made.
const firstNormal = 16384

// list are all objects of a kind, of a database where they are of one.
func (c *catalog) list(k kind, database string) ([]object, error) {
	r, err := c.ask(database, k.query())
	if err != nil {
		return nil, err
	}
	_, pristine := c.template(database)
	out := r.objects()
	if pristine {
		out = slices.DeleteFunc(out, func(o object) bool {
			n, err := strconv.Atoi(o["oid"])
			return err == nil &&
				n >= firstNormal
		})
	}
	prefix := c.key(k, database, "")
	for _, f := range c.h.Facts(host.FactDatabase) {
		if name, ok := strings.CutPrefix(f.Name, prefix); ok {
			out = slices.DeleteFunc(out, func(o object) bool { return o["name"] == name })
			if f.Value == "present" {
				out = append(out, f.Attrs)
			}
		}
	}
	return out, nil
}

// get is one object, nil where there is none.
func (c *catalog) get(k kind, database, name string) (object, error) {
	all, err := c.list(k, database)
	if i := slices.IndexFunc(all, func(o object) bool { return o["name"] == name }); i >= 0 {
		return all[i], err
	}
	return nil, err
}

// key is the name of the fact of an object.
func (c *catalog) key(k kind, database, name string) string {
	database = cmp.Or(database, c.database)
	if k == roles || k == members || k == databases || k == tablespaces {
		database = ""
	}
	return strings.Join([]string{c.where, string(k), database, name}, "\n")
}

func (c *catalog) promise(k kind, database, name string) (host.Fact, bool) {
	return c.h.Fact(host.FactDatabase, c.key(k, database, name))
}

// foresee leaves an object on an overlay as it will be, nil for gone.
func (c *catalog) foresee(o host.Host, k kind, database, name string, as object) {
	f := host.Fact{Kind: host.FactDatabase, Name: c.key(k, database, name), Value: "absent"}
	if as != nil {
		as["name"] = name
		f.Value, f.Attrs = "present", as
	}
	o.Promise(f)
}

// objects are the rows with the names of their columns.
func (r result) objects() []object {
	out := make([]object, len(r.rows))
	for i, row := range r.rows {
		out[i] = object{}
		for j, name := range r.columns {
			out[i][name] = row[j]
		}
	}
	return out
}

// A statement is SQL with %I for names and %L for texts, which the server itself puts in: format() of PostgreSQL knows
// how they are quoted.
type statement struct {
	text string
	args []string
}

func sql(text string, args ...string) statement { return statement{text, args} }

// and joins another one, to be run with it.
func (s statement) and(text string, args ...string) statement {
	return statement{s.text + text, slices.Concat(s.args, args)}
}

// do runs statements in a database, one after the other; what they leave is foretold.
func (c *catalog) do(what, database string, foretell func(o host.Host) error, list ...statement) error {
	return c.h.Do(c.ctx, host.Deed{What: what, On: host.FactDatabase, Foretell: foretell,
		Do: func(ctx context.Context) error {
			if c.timeout > 0 {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, c.timeout)
				defer cancel()
			}
			s, err := c.session(ctx, database)
			if err != nil {
				return err
			}
			// what another session holds is not waited for without end
			if err := s.run(ctx, "SET lock_timeout = '60s'"); err != nil {
				return err
			}
			for _, st := range list {
				if err := s.perform(ctx, st); err != nil {
					return err
				}
			}
			return nil
		}})
}

// perform runs one statement.
func (s *session) perform(ctx context.Context, st statement) error {
	call := "SELECT format($1::text"
	for i := range st.args {
		call += fmt.Sprintf(", $%d::text", i+2)
	}
	r, err := s.ask(ctx, call+")", append([]string{st.text}, st.args...)...)
	if err != nil {
		return err
	}
	if len(r.rows) != 1 {
		return fmt.Errorf("the server did not spell the statement %q", st.text)
	}
	return s.run(ctx, r.rows[0][0])
}
