package mysql

import (
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

type nothing struct{}

func (nothing) Error() string { return "there is nothing to do" }

func databaseExecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		looking("db_list", "db_list(...): the databases.", value.NewList(),
			func(c *catalog, _ *modules.Call) (value.Value, error) {
				all, err := c.list(databases)
				out := value.NewList()
				for _, o := range all {
					out.Items = append(out.Items, value.Str(o["name"]))
				}
				return out, err
			}),
		looking("db_get", "db_get(name, ...): character set and collation of a database.", value.NewList(),
			func(c *catalog, call *modules.Call) (value.Value, error) {
				o, err := c.get(databases, call.Str("name"))
				if err != nil || o == nil {
					return value.NewDict(0), err
				}
				return value.DictOf("character_set", value.Str(o["charset"]), "collate", value.Str(o["collation"])), nil
			}, "name"),
		looking("db_exists", "db_exists(name, ...): whether there is the database.", value.Bool(false),
			func(c *catalog, call *modules.Call) (value.Value, error) {
				o, err := c.get(databases, call.Str("name"))
				return value.Bool(o != nil), err
			}, "name"),
		looking("db_tables", "db_tables(name, ...): the tables of a database, False where there is none.", value.Bool(false),
			func(c *catalog, call *modules.Call) (value.Value, error) {
				r, err := c.ask("SHOW TABLES IN " + quoted(call.Str("name")))
				out := value.NewList()
				for _, row := range r.rows {
					out.Items = append(out.Items, value.Str(row[0]))
				}
				return out, err
			}, "name"),
		writing("db_create", "db_create(name, character_set=None, collate=None, ...): makes a database.",
			func(c *catalog, call *modules.Call) error {
				if o, err := c.get(databases, call.Str("name")); err != nil || o != nil {
					return errors.Join(err, nothing{})
				}
				return c.createDatabase(call.Str("name"), call.Str("character_set"), call.Str("collate"))
			}, "name", "character_set=", "collate="),
		writing("alter_db", "alter_db(name, character_set=None, collate=None, ...): changes a database.",
			func(c *catalog, call *modules.Call) error {
				charset, collate, err := c.text(call.Str("character_set"), call.Str("collate"))
				if err != nil {
					return err
				}
				return c.alterDatabase(call.Str("name"), charset, collate)
			}, "name", "character_set=", "collate="),
		writing("db_remove", "db_remove(name, ...): removes a database with all that it holds.",
			func(c *catalog, call *modules.Call) error {
				if o, err := c.get(databases, call.Str("name")); err != nil || o == nil {
					return errors.Join(err, nothing{})
				}
				return c.dropDatabase(call.Str("name"))
			}, "name"),
	}
}

func userExecs() []modules.ExecSpec {
	secret := []string{"user", "host='localhost'", "password=", "password_hash="}
	return []modules.ExecSpec{
		looking("user_list", "user_list(...): the users, each with User and Host.", value.NewList(),
			func(c *catalog, _ *modules.Call) (value.Value, error) {
				all, err := c.list(users)
				out := value.NewList()
				for _, o := range all {
					out.Items = append(out.Items, value.DictOf("User", value.Str(o["User"]), "Host", value.Str(o["Host"])))
				}
				return out, err
			}),
		looking("user_exists", "user_exists(user, host='localhost', password=None, ...): whether a user logs in like that.",
			value.Bool(false), userExists, append(secret, "passwordless=False", "unix_socket=False", "password_column=")...),
		looking("user_info", "user_info(user, host='localhost', ...): what the server holds of a user.", value.Bool(false),
			func(c *catalog, call *modules.Call) (value.Value, error) {
				r, err := c.ask("SELECT u.* FROM mysql.user u WHERE User = ? AND Host = ?", call.Str("user"), call.Str("host"))
				if err != nil || len(r.rows) == 0 {
					return value.None, err
				}
				return r.dicts().Items[0], nil
			}, "user", "host='localhost'"),
		writing("user_create", "user_create(user, host='localhost', password=None, ...): makes a user.",
			func(c *catalog, call *modules.Call) error { return changeUser(c, call, false) },
			append(secret, "allow_passwordless=False", "unix_socket=False", "password_column=",
				"auth_plugin='mysql_native_password'")...),
		writing("user_chpass", "user_chpass(user, host='localhost', password=None, ...): changes how a user logs in.",
			func(c *catalog, call *modules.Call) error { return changeUser(c, call, true) },
			append(secret, "allow_passwordless=False", "unix_socket=", "password_column=")...),
		writing("user_remove", "user_remove(user, host='localhost', ...): removes a user.",
			func(c *catalog, call *modules.Call) error {
				if o, err := c.get(users, call.Str("user")+"\n"+call.Str("host")); err != nil || o == nil {
					return errors.Join(err, nothing{})
				}
				return c.dropUser(call.Str("user"), call.Str("host"))
			}, "user", "host='localhost'"),
	}
}

func loginOf(call *modules.Call) login {
	plugin := native
	if p := call.Str("auth_plugin"); p != "" {
		plugin = p
	}
	return login{user: call.Str("user"), host: call.Str("host"), password: call.Str("password"),
		hash: call.Str("password_hash"), plugin: plugin, socket: call.Bool("unix_socket")}
}

func userExists(c *catalog, call *modules.Call) (value.Value, error) {
	l := loginOf(call)
	was, err := c.get(users, l.key())
	if err != nil || was == nil {
		return value.Bool(false), err
	}
	if l.password == "" && l.hash == "" && !call.Bool("passwordless") {
		return value.Bool(true), nil
	}
	same, told := c.matches(l, was)
	return value.Bool(same || !told), nil
}

func changeUser(c *catalog, call *modules.Call, there bool) error {
	l := loginOf(call)
	was, err := c.get(users, l.key())
	switch {
	case err != nil:
		return err
	case (was != nil) != there:
		return nothing{}
	case l.password == "" && l.hash == "" && !call.Bool("allow_passwordless"):
		return errors.New("password or password_hash must be specified, unless allow_passwordless=True")
	}
	return c.enter(l, was)
}

func grantExecs() []modules.ExecSpec {
	own := []string{"grant", "database", "user", "host='localhost'", "grant_option=False", "escape=True"}
	return []modules.ExecSpec{
		looking("user_grants", "user_grants(user, host='localhost', ...): the grants of a user, as the server writes them.",
			value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
				list, err := c.shown(call.Str("user"), call.Str("host"))
				return modules.TextList(list), err
			}, "user", "host='localhost'"),
		looking("grant_exists", "grant_exists(grant, database, user, host='localhost', ...): whether a user has privileges.",
			value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
				g, held, err := grantOf(c, call)
				return value.Bool(err == nil && held != nil && len(c.lacking(g, held)) == 0), err
			}, own...),
		writing("grant_add", "grant_add(grant, database, user, host='localhost', ...): grants privileges.",
			func(c *catalog, call *modules.Call) error {
				g, held, err := grantOf(c, call)
				if err == nil {
					g.require, err = require(call.Arg("ssl_option"))
				}
				if err != nil {
					return err
				}
				return c.add(g, held, false)
			}, append(own, "ssl_option=False")...),
		writing("grant_revoke", "grant_revoke(grant, database, user, host='localhost', ...): revokes privileges.",
			func(c *catalog, call *modules.Call) error {
				g, held, err := grantOf(c, call)
				if err != nil {
					return err
				}
				list := c.holding(g, held)
				if len(list) == 0 {
					return nothing{}
				}
				return c.remove(g, held, list)
			}, own...),
	}
}

func grantOf(c *catalog, call *modules.Call) (grant, object, error) {
	g, err := newGrant(call.Str("grant"), call.Str("database"), call.Str("user"), call.Str("host"),
		call.Bool("grant_option"),
		call.Bool("escape"))
	if err != nil {
		return g, nil, err
	}
	held, err := c.grantsOf(g)
	return g, held, err
}
