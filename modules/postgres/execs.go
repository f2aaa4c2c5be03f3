package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// connection are the parameters that say which server an execution function speaks with, in Salt's order.
var connection = [...]string{"user=", "host=", "port=", "maintenance_db=", "password=", "runas="}

// A work is what an execution function does with a server.
type work func(c *catalog, call *modules.Call) (value.Value, error)

// looking and writing declare functions. own are the parameters before those of the connection; what is after a "|"
// stands behind the password, before runas. none is the answer where the server does not.
func looking(name, doc string, none value.Value, do work, own ...string) modules.ExecSpec {
	of := serverOf
	if slices.Contains(own, "db_host=") {
		of = schemaServerOf
	}
	return modules.NewExec("postgres."+name, doc, func(ctx context.Context, call *modules.Call) (value.Value, error) {
		c := of(call).catalog(ctx, call.Env, call.Host)
		defer c.close()
		v, err := do(c, call)
		if err == nil || errors.Is(err, host.ErrPreview) || host.IsUnknown(err) {
			return v, err
		}
		var raised *value.Error
		if errors.As(err, &raised) {
			return nil, err
		}
		call.Log("error", "postgres."+name+": "+err.Error())
		return none, nil
	}, parameters(own)...)
}

func writing(name, doc string, do func(c *catalog, call *modules.Call) error, own ...string) modules.ExecSpec {
	spec := looking(name, doc, value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
		if err := do(c, call); err != nil {
			return value.Bool(false), err
		}
		return value.Bool(true), nil
	}, own...)
	spec.Class = modules.Writes
	return spec
}

// parameters puts the parameters of the connection among the function's own.
func parameters(own []string) []string {
	if slices.Contains(own, "db_host=") || slices.Contains(own, "runas=") {
		return own
	}
	at := slices.Index(own, "|")
	if at < 0 {
		at = len(own)
	}
	in := slices.DeleteFunc(connection[:], func(p string) bool {
		return slices.ContainsFunc(own, func(o string) bool {
			mine, _, _ := strings.Cut(o, "=")
			return mine+"=" == p
		})
	})
	last := len(in) - 1
	out := slices.Concat(own[:at], in[:last])
	if at < len(own) {
		out = append(out, own[at+1:]...)
	}
	return append(out, in[last])
}

// serverOf is the server that a call names.
func serverOf(c *modules.Call) server {
	return server{runas: c.Str("runas"), host: c.Str("host"), port: c.Str("port"), user: c.Str("user"),
		password: c.Str("password"), database: c.Str("maintenance_db")}
}

// schemaServerOf is the same for functions of schemas, whose user is one of the machine.
func schemaServerOf(c *modules.Call) server {
	return server{runas: c.Str("user"), host: c.Str("db_host"), port: c.Str("db_port"), user: c.Str("db_user"),
		password: c.Str("db_password"), database: c.Str("dbname")}
}

// there declares a function that says whether an object is there.
func there(name, doc string, k kind, own ...string) modules.ExecSpec {
	return looking(name, doc, value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
		o, err := c.get(k, c.database, call.Str("name"))
		return value.Bool(o != nil), err
	}, own...)
}

// listing declares a function that gives all objects of a kind by their names, each as shown.
func listing(name, doc string, k kind, shown func(o object) value.Value, own ...string) modules.ExecSpec {
	return looking(name, doc, value.NewDict(0), func(c *catalog, _ *modules.Call) (value.Value, error) {
		all, err := c.list(k, c.database)
		out := value.NewDict(len(all))
		for _, o := range all {
			out.SetStr(o["name"], shown(o))
		}
		return out, err
	}, own...)
}

// shows gives columns names of Salt's: name, column, name, column...
func shows(pairs ...string) func(o object) value.Value {
	return func(o object) value.Value {
		out := value.NewDict(len(pairs) / 2)
		for i := 0; i < len(pairs); i += 2 {
			out.SetStr(pairs[i], value.Str(o[pairs[i+1]]))
		}
		return out
	}
}

// query is Salt's psql_query: the rows of one query, in a transaction that only reads unless it has to write.
func query(c *catalog, call *modules.Call) (value.Value, error) {
	text := strings.TrimRight(strings.TrimSpace(call.Str("query")), "; \n\t")
	var r result
	err := c.reading(text, &r)
	if no := (refusal{}); errors.As(err, &no) && no.code == codeNoWrite || call.Bool("write") && err == nil {
		err = c.h.Do(c.ctx, host.Deed{What: "run a query of PostgreSQL's", On: host.FactDatabase,
			Do: func(ctx context.Context) error {
				s, err := c.session(ctx, "")
				if err == nil {
					r, err = s.ask(ctx, text)
				}
				return err
			}})
	}
	if err != nil {
		return nil, err
	}
	return r.dicts(), nil
}

// reading asks in a transaction that only reads.
func (c *catalog) reading(text string, r *result) error {
	s, err := c.session(c.ctx, "")
	if err != nil {
		return err
	}
	if rows, err := s.gives(c.ctx, text); err != nil || !rows {
		return errorOr(err, "psql_query takes only what gives rows")
	}
	if err := s.run(c.ctx, "BEGIN READ ONLY"); err != nil {
		return err
	}
	*r, err = s.ask(c.ctx, text)
	return errors.Join(err, s.run(c.ctx, "ROLLBACK"))
}

// dicts are the rows as Salt gives them.
func (r result) dicts() *value.List {
	out := value.NewList()
	for _, row := range r.rows {
		d := value.NewDict(len(row))
		for i, name := range r.columns {
			d.SetStr(name, value.Str(row[i]))
		}
		out.Items = append(out.Items, d)
	}
	return out
}

func version(c *catalog, _ *modules.Call) (value.Value, error) {
	r, err := c.ask("", "SHOW server_version")
	if err != nil || len(r.rows) == 0 {
		return value.Str(""), err
	}
	return value.Str(r.rows[0][0]), nil
}

// execs are all execution functions.
func execs() []modules.ExecSpec {
	return slices.Concat([]modules.ExecSpec{
		looking("version", "version(...): the server's version.", value.None, version),
		queryExec(),
	}, databaseExecs(), roleExecs(), schemaExecs(), extensionExecs(), privilegeExecs(), clusterExecs())
}

func queryExec() modules.ExecSpec {
	spec := looking("psql_query", "psql_query(query, ..., write=False): the rows of one query, each as a map.",
		value.NewList(), query, "query:text", "|", "write=False")
	spec.Params = append(slices.DeleteFunc(spec.Params, func(p string) bool { return p == "write=False" }), "write=False")
	spec.Class = modules.Writes
	return spec
}

// errorOr is an error, or else why a function answers False.
func errorOr(err error, format string, args ...any) error {
	if err != nil {
		return err
	}
	return fmt.Errorf(format, args...)
}
