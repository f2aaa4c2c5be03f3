package postgres

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func databaseExecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		listing("db_list", "db_list(...): the databases, each with its properties.", databases, shows("Owner", "owner",
			"Encoding", "encoding", "Collate", "collate", "Ctype", "ctype", "Access privileges", "acl", "Tablespace",
			"tablespace")),
		there("db_exists", "db_exists(name, ...): whether there is the database.", databases, "name"),
		writing("db_create", "db_create(name, ..., owner=None, template=None): makes a database.",
			func(c *catalog, call *modules.Call) error { return c.createDatabase(databaseOf(call)) },
			"name", "|", "tablespace=", "encoding=", "lc_collate=", "lc_ctype=", "owner=", "template="),
		writing("db_alter", "db_alter(name, ..., tablespace=None, owner=None, owner_recurse=False): changes a database.",
			func(c *catalog, call *modules.Call) error {
				was, err := c.get(databases, "", call.Str("name"))
				if err == nil && was == nil {
					err = missing("database", call.Str("name"))
				}
				if err != nil {
					return err
				}
				return c.alterDatabase(databaseOf(call), was)
			}, "name", "|", "tablespace=", "owner=", "owner_recurse=False"),
		writing("db_remove", "db_remove(name, ...): removes a database with all that it holds.",
			func(c *catalog, call *modules.Call) error {
				if err := c.dropDatabase(call.Str("name")); err != nil {
					return value.Raise("Exception", "Failed: %v", err)
				}
				return nil
			}, "name"),
		writing("owner_to", "owner_to(dbname, ownername, ...): gives a role a database and all that it holds.",
			func(c *catalog, call *modules.Call) error {
				d := &DatabasePresent{Name: call.Str("dbname"), Owner: call.Str("ownername"), OwnerRecurse: true}
				return c.alterDatabase(d, object{"name": d.Name})
			}, "dbname", "ownername", "user=", "host=", "port=", "password=", "runas="),
		listing("tablespace_list", "tablespace_list(...): the tablespaces, each with its properties.", tablespaces,
			shows("Owner", "owner", "ACL", "acl", "Opts", "options", "Location", "location")),
		there("tablespace_exists", "tablespace_exists(name, ...): whether there is the tablespace.", tablespaces, "name"),
		writing("tablespace_create", "tablespace_create(name, location, options=None, owner=None, ...): makes a tablespace.",
			func(c *catalog, call *modules.Call) error {
				return c.createTablespace(&TablespacePresent{Name: call.Str("name"), Directory: call.Str("location"),
					Options: call.Dict("options"), Owner: call.Str("owner")})
			}, "name", "location", "options=", "owner="),
		writing("tablespace_alter", "tablespace_alter(name, ..., new_owner=None, set_option=None): changes a tablespace.",
			alterTablespace, "name", "|", "new_name=", "new_owner=", "set_option=", "reset_option="),
		writing("tablespace_remove", "tablespace_remove(name, ...): removes a tablespace that holds nothing.",
			func(c *catalog, call *modules.Call) error { return c.dropTablespace(call.Str("name")) }, "name"),
	}
}

func databaseOf(call *modules.Call) *DatabasePresent {
	return &DatabasePresent{Name: call.Str("name"), Tablespace: call.Str("tablespace"), Encoding: call.Str("encoding"),
		LCCollate: call.Str("lc_collate"), LCCtype: call.Str("lc_ctype"), Owner: call.Str("owner"),
		Template: call.Str("template"), OwnerRecurse: call.Bool("owner_recurse")}
}

// alterTablespace is refused in a preview: what it leaves is not foretold.
func alterTablespace(c *catalog, call *modules.Call) error {
	name := call.Str("name")
	var list []statement
	if n := call.Str("new_name"); n != "" {
		list = append(list, sql("ALTER TABLESPACE %I RENAME TO %I", name, n))
		name = n
	}
	if o := call.Str("new_owner"); o != "" {
		list = append(list, sql("ALTER TABLESPACE %I OWNER TO %I", name, o))
	}
	for k, v := range call.Dict("set_option").All() {
		list = append(list, sql("ALTER TABLESPACE %I SET (%I = %L)", name, value.String(k), value.String(v)))
	}
	if r := call.Str("reset_option"); r != "" {
		list = append(list, sql("ALTER TABLESPACE %I RESET (%I)", name, r))
	}
	if len(list) == 0 {
		return nil
	}
	return c.do("change the tablespace "+name, "", nil, list...)
}
