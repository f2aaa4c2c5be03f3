package mysql

import (
	"context"
	"errors"
	"fmt"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// A work is what an execution function does with a server.
type work func(c *catalog, call *modules.Call) (value.Value, error)

// accessOf is the server that a call names.
func accessOf(c *modules.Call) access {
	s := func(name string) string { return c.Str("connection_" + name) }
	return access{Host: s("host"), Port: s("port"), User: s("user"), Pass: s("pass"), DB: s("db"),
		UnixSocket: s("unix_socket"), DefaultFile: s("default_file"), DefaultGroup: s("default_group"), Charset: s("charset")}
}

// looking declares a function that asks; none is its answer where the server does not.
func looking(name, doc string, none value.Value, do work, own ...string) modules.ExecSpec {
	params := slices.Concat(own, []string{"connection_host=", "connection_port=", "connection_user=", "connection_pass=",
		"connection_db=", "connection_unix_socket=", "connection_default_file=", "connection_default_group=",
		"connection_charset="})
	return modules.NewExec("mysql."+name, doc, func(ctx context.Context, call *modules.Call) (value.Value, error) {
		c, err := accessOf(call).catalog(ctx, call.Env, call.Host)
		if err == nil {
			defer c.close()
			var v value.Value
			if v, err = do(c, call); err == nil {
				return v, nil
			}
		}
		var raised *value.Error
		if errors.Is(err, host.ErrPreview) || host.IsUnknown(err) || errors.As(err, &raised) {
			return nil, err
		}
		call.Log("error", "mysql."+name+": "+err.Error())
		return none, nil
	}, params...)
}

func writing(name, doc string, do func(c *catalog, call *modules.Call) error, own ...string) modules.ExecSpec {
	spec := looking(name, doc, value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
		return value.Bool(true), do(c, call)
	}, own...)
	spec.Class = modules.Writes
	return spec
}

// rows declares a function that gives the rows of a query as maps.
func rows(name, doc, query string, first bool) modules.ExecSpec {
	return looking(name, doc, value.NewList(), func(c *catalog, _ *modules.Call) (value.Value, error) {
		r, err := c.ask(query)
		if err != nil {
			return nil, err
		}
		all := r.dicts()
		if !first {
			return all, nil
		}
		if len(all.Items) == 0 {
			return value.NewList(), nil
		}
		return all.Items[0], nil
	})
}

// dicts are the rows as maps.
func (r result) dicts() *value.List {
	out := value.NewList()
	for i, row := range r.rows {
		d := value.NewDict(len(row))
		for j, name := range r.columns {
			var v value.Value = value.Str(row[j])
			if r.nulls[i][j] {
				v = value.None
			}
			d.SetStr(name, v)
		}
		out.Items = append(out.Items, d)
	}
	return out
}

// pairsOf are the rows of a query of two columns as one map.
func pairsOf(query string) work {
	return func(c *catalog, _ *modules.Call) (value.Value, error) {
		r, err := c.ask(query)
		out := value.NewDict(len(r.rows))
		for _, row := range r.rows {
			out.SetStr(row[0], value.Str(row[1]))
		}
		return out, err
	}
}

func execs() []modules.ExecSpec {
	return slices.Concat(databaseExecs(), userExecs(), grantExecs(), []modules.ExecSpec{
		looking("version", "version(...): the server's version.", value.Str(""),
			func(c *catalog, _ *modules.Call) (value.Value, error) { return value.Str(c.version), nil }),
		looking("status", "status(...): the counters of SHOW STATUS.", value.NewDict(0), pairsOf("SHOW STATUS")),
		rows("showvariables", "showvariables(...): the variables of the session.", "SHOW VARIABLES", false),
		rows("showglobal", "showglobal(...): the variables of the server.", "SHOW GLOBAL VARIABLES", false),
		rows("processlist", "processlist(...): who does what.", "SHOW FULL PROCESSLIST", false),
		rows("get_master_status", "get_master_status(...): where the log of a master is.", "SHOW MASTER STATUS", true),
		rows("get_slave_status", "get_slave_status(...): where a replica is.", "SHOW SLAVE STATUS", true),
		looking("plugins_list", "plugins_list(...): the plugins and their status.", value.NewList(),
			func(c *catalog, _ *modules.Call) (value.Value, error) {
				r, err := c.ask("SHOW PLUGINS")
				out := value.NewList()
				for _, row := range r.rows {
					out.Items = append(out.Items, value.DictOf("name", value.Str(row[0]), "status", value.Str(row[1])))
				}
				return out, err
			}),
		looking("plugin_status", "plugin_status(name, ...): the status of a plugin, '' for none.", value.Str(""),
			func(c *catalog, call *modules.Call) (value.Value, error) {
				r, err := c.ask("SELECT PLUGIN_STATUS FROM INFORMATION_SCHEMA.PLUGINS WHERE PLUGIN_NAME = ?", call.Str("name"))
				return value.Str(r.one()), err
			}, "name"),
		queryExec(), fileQueryExec(),
		modules.NewExec("mysql.verify_login", "verify_login(user, password=None, ...): whether a user gets in.", verifyLogin,
			"user", "password=", "connection_host=", "connection_port=", "connection_unix_socket=", "connection_default_file="),
		modules.NewExec("mysql.quote_identifier", "quote_identifier(identifier, for_grants=False): a name as SQL has it.",
			quoteIdentifier, "identifier", "for_grants=False"),
		modules.NewExec("mysql.tokenize_grant", "tokenize_grant(grant): the parts of a GRANT statement.", tokenizeGrant,
			"grant"),
	}, []modules.ExecSpec{
		looking("slave_lag", "slave_lag(...): how many seconds a replica is behind; -1 for none, -2 for a stopped one.",
			value.Int(-3), slaveLag),
		writing("free_slave", "free_slave(...): makes a replica a server of its own.",
			func(c *catalog, _ *modules.Call) error {
				return c.do("free the replica", nil, stmt("STOP SLAVE"), stmt("RESET SLAVE ALL"))
			}),
		pluginExec("plugin_add", "plugin_add(name, soname=None, ...): installs a plugin.", true, "name", "soname="),
		pluginExec("plugin_remove", "plugin_remove(name, ...): removes a plugin.", false, "name"),
		tables("db_check", "CHECK"), tables("db_repair", "REPAIR"), tables("db_optimize", "OPTIMIZE"),
	})
}

func slaveLag(c *catalog, _ *modules.Call) (value.Value, error) {
	r, err := c.ask("SHOW SLAVE STATUS")
	if err != nil {
		return nil, err
	}
	all := r.objects()
	switch {
	case len(all) == 0:
		return value.Int(-1), nil
	case all[0]["Slave_IO_Running"] != "Yes":
		return value.Int(-2), nil
	}
	n, _ := modules.Integer(value.Str(all[0]["Seconds_Behind_Master"]))
	return value.Int(n), nil
}

// pluginExec installs or removes a plugin, which a preview refuses.
func pluginExec(name, doc string, there bool, own ...string) modules.ExecSpec {
	return writing(name, doc, func(c *catalog, call *modules.Call) error {
		plugin := call.Str("name")
		r, err := c.ask("SELECT 1 FROM INFORMATION_SCHEMA.PLUGINS WHERE PLUGIN_NAME = ?", plugin)
		if err != nil || (len(r.rows) > 0) == there {
			return err
		}
		s := stmt("UNINSTALL PLUGIN " + quoted(plugin))
		if there {
			file := call.Str("soname")
			if file == "" {
				file = plugin + ".so"
			}
			s = stmt("INSTALL PLUGIN "+quoted(plugin)+" SONAME ?", file)
		}
		return c.do(name+" "+plugin, nil, s)
	}, own...)
}

// tables checks, repairs or optimizes tables, which a preview refuses but for a check.
func tables(name, verb string) modules.ExecSpec {
	spec := looking(name, name+"(name, table=None, ...): "+verb+" TABLE of one or all tables of a database.",
		value.NewList(),
		func(c *catalog, call *modules.Call) (v value.Value, err error) {
			db, table := call.Str("name"), call.Str("table")
			one := func(ctx context.Context, table string) (value.Value, error) {
				r, err := read(ctx, c.db, fmt.Sprintf("%s TABLE %s.%s", verb, quoted(db), quoted(table)))
				return r.dicts(), err
			}
			err = c.h.Do(c.ctx, host.Deed{What: name, On: host.FactDatabase, Do: func(ctx context.Context) error {
				if table != "" {
					v, err = one(ctx, table)
					return err
				}
				r, err := c.ask("SHOW TABLES IN " + quoted(db))
				all := value.NewList()
				for _, row := range r.rows {
					t, err := one(ctx, row[0])
					if err != nil {
						return err
					}
					all.Items = append(all.Items, t)
				}
				v = all
				return err
			}})
			return v, err
		}, "name", "table=")
	spec.Class = modules.Writes
	return spec
}

func verifyLogin(ctx context.Context, call *modules.Call) (value.Value, error) {
	a := accessOf(call)
	a.User, a.Pass = call.Str("user"), call.Str("password")
	c, err := a.catalog(ctx, call.Env, call.Host)
	if err != nil {
		return value.Bool(false), nil
	}
	c.close()
	return value.Bool(true), nil
}
