package postgres

import (
	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func schemaExecs() []modules.ExecSpec {
	link := []string{"user=", "db_user=", "db_password=", "db_host=", "db_port="}
	of := func(own ...string) []string { return append(own, link...) }
	shown := shows("owner", "owner", "acl", "acl")
	language := func(own ...string) []string {
		return append(own, "maintenance_db", "user=", "host=", "port=", "password=", "runas=")
	}
	return []modules.ExecSpec{
		listing("schema_list", "schema_list(dbname, ...): the schemas of a database.", schemas, shown, of("dbname")...),
		looking("schema_get", "schema_get(dbname, name, ...): owner and ACL of a schema, None where there is none.",
			value.None,
			func(c *catalog, call *modules.Call) (value.Value, error) {
				o, err := c.get(schemas, c.database, call.Str("name"))
				if err != nil || o == nil {
					return value.None, err
				}
				return shown(o), nil
			}, of("dbname", "name")...),
		there("schema_exists", "schema_exists(dbname, name, ...): whether there is the schema.", schemas,
			of("dbname", "name")...),
		writing("schema_create", "schema_create(dbname, name, owner=None, ...): makes a schema.",
			func(c *catalog, call *modules.Call) error {
				was, err := c.get(schemas, c.database, call.Str("name"))
				if err != nil || was != nil {
					return errorOr(err, "schema %q is there already", call.Str("name"))
				}
				return c.createSchema(c.database, call.Str("name"), call.Str("owner"))
			}, of("dbname", "name", "owner=")...),
		writing("schema_remove", "schema_remove(dbname, name, ...): removes a schema that holds nothing.",
			func(c *catalog, call *modules.Call) error {
				was, err := c.get(schemas, c.database, call.Str("name"))
				if err != nil || was == nil {
					return errorOr(err, "schema %q does not exist", call.Str("name"))
				}
				return c.dropSchema(c.database, call.Str("name"))
			}, of("dbname", "name")...),
		listing("language_list", "language_list(maintenance_db, ...): the languages of a database.", languages,
			func(o object) value.Value { return value.Str(o["name"]) }, language()...),
		there("language_exists", "language_exists(name, maintenance_db, ...): whether there is the language.", languages,
			language("name")...),
		writing("language_create", "language_create(name, maintenance_db, ...): installs a language.",
			func(c *catalog, call *modules.Call) error {
				was, err := c.get(languages, c.database, call.Str("name"))
				if err != nil || was != nil {
					return errorOr(err, "language %q is there already", call.Str("name"))
				}
				return c.createLanguage(c.database, call.Str("name"))
			}, language("name")...),
		writing("language_remove", "language_remove(name, maintenance_db, ...): removes a language.",
			func(c *catalog, call *modules.Call) error {
				was, err := c.get(languages, c.database, call.Str("name"))
				if err != nil || was == nil {
					return errorOr(err, "language %q does not exist", call.Str("name"))
				}
				return c.dropLanguage(c.database, call.Str("name"))
			}, language("name")...),
	}
}
