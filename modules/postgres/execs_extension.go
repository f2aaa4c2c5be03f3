package postgres

import (
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func extensionExecs() []modules.ExecSpec {
	installed := shows("oid", "oid", "extname", "extname", "extowner", "extowner", "extnamespace", "extnamespace",
		"extrelocatable", "extrelocatable", "extversion", "extversion", "extconfig", "extconfig", "extcondition",
		"extcondition", "schema_name", "schema_name")
	return []modules.ExecSpec{
		looking("available_extensions", "available_extensions(...): the extensions that may be installed.", value.NewDict(0),
			func(c *catalog, _ *modules.Call) (value.Value, error) { return c.allAvailable() }),
		looking("get_available_extension", "get_available_extension(name, ...): one of them, None where it is none.",
			value.None,
			func(c *catalog, call *modules.Call) (value.Value, error) {
				all, err := c.allAvailable()
				v, ok := all.GetStr(call.Str("name"))
				return modules.OrElse(v, ok, value.None), err
			}, "name"),
		looking("is_available_extension", "is_available_extension(name, ...): whether an extension may be installed.",
			value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
				all, err := c.allAvailable()
				found := false
				for k := range all.All() {
					found = found || strings.EqualFold(value.String(k), call.Str("name"))
				}
				return value.Bool(found), err
			}, "name"),
		listing("installed_extensions", "installed_extensions(...): the extensions of a database.", extensions, installed),
		looking("get_installed_extension", "get_installed_extension(name, ...): one of them, None where it is none.",
			value.None,
			func(c *catalog, call *modules.Call) (value.Value, error) {
				o, err := c.get(extensions, c.database, call.Str("name"))
				if err != nil || o == nil {
					return value.None, err
				}
				return installed(o), nil
			}, "name"),
		there("is_installed_extension", "is_installed_extension(name, ...): whether an extension is installed.", extensions,
			"name"),
		looking("create_metadata", "create_metadata(name, ext_version=None, schema=None, ...): what is to be done with it.",
			value.NewList(), func(c *catalog, call *modules.Call) (value.Value, error) {
				was, err := c.get(extensions, c.database, call.Str("name"))
				return modules.TextList(lifecycle(was, call.Str("ext_version"), call.Str("schema"))), err
			}, "name", "ext_version=", "schema="),
		writing("create_extension", "create_extension(name, if_not_exists=None, schema=None, ...): installs an extension.",
			createExtension, "name", "if_not_exists=", "schema=", "ext_version=", "from_version="),
		writing("drop_extension", "drop_extension(name, if_exists=None, restrict=None, cascade=None, ...): removes one.",
			func(c *catalog, call *modules.Call) error {
				was, err := c.get(extensions, c.database, call.Str("name"))
				if err != nil || was == nil {
					return err
				}
				cascade := call.Arg("cascade") == value.Value(value.None) && !call.Bool("restrict") || call.Bool("cascade")
				return c.dropExtension(call.Str("name"), call.Bool("if_exists"), cascade)
			}, "name", "if_exists=", "restrict=", "cascade="),
	}
}

// allAvailable are the extensions that may be installed.
func (c *catalog) allAvailable() (*value.Dict, error) {
	r, err := c.ask("", "SELECT * FROM pg_available_extensions()")
	out := value.NewDict(len(r.rows))
	for _, v := range r.dicts().Items {
		name, _ := v.(*value.Dict).GetStr("name")
		out.SetStr(value.String(name), v)
	}
	return out, err
}

func createExtension(c *catalog, call *modules.Call) error {
	x := &ExtensionPresent{Name: call.Str("name"), Schema: call.Str("schema"), ExtVersion: call.Str("ext_version"),
		FromVersion: call.Str("from_version")}
	if v := call.Arg("if_not_exists"); v != value.Value(value.None) {
		b := value.Truth(v)
		x.IfNotExists = &b
	}
	was, err := c.get(extensions, c.database, x.Name)
	todo := lifecycle(was, x.ExtVersion, x.Schema)
	if err != nil || was != nil && len(todo) == 1 {
		return err
	}
	return c.createExtension(x, was, todo)
}
