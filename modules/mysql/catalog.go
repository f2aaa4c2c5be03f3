package mysql

import (
	"context"
	"database/sql"
	"errors"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// A catalog is what a server holds, with what earlier states of a preview did to it.
type catalog struct {
	access
	ctx     context.Context
	h       host.Host
	env     *modules.Env
	where   string
	db      *sql.DB
	version string
}

// An object is a row by the names of its columns.
type object map[string]string

// A kind is a kind of object.
type kind string

const (
	databases kind = "database"
	users     kind = "user"   // by name and host, each on a line
	grants    kind = "grants" // of a user, by what they are on
)

// catalog connects. retry are other passwords to try where that of the connection is refused: a state may just have
// changed it.
func (a access) catalog(ctx context.Context, env *modules.Env, h host.Host, retry ...string) (*catalog, error) {
	if err := a.fill(env, h); err != nil {
		return nil, err
	}
	_, where := a.address(h)
	c := &catalog{access: a, ctx: ctx, h: h, env: env, where: where}
	var err error
	c.db, err = c.connect(ctx, h)
	for _, p := range retry {
		if r := (refusal{}); errors.As(err, &r) && r.code == codeDenied && p != "" {
			c.Pass = p
			c.db, err = c.connect(ctx, h)
		}
	}
	if err != nil {
		return nil, err
	}
	r, err := c.ask("SELECT VERSION()")
	if err != nil {
		c.close()
		return nil, err
	}
	c.version = r.one()
	return c, nil
}

func (c *catalog) close() { _ = c.db.Close() }

// mariadb says whether it is one.
func (c *catalog) mariadb() bool { return strings.Contains(c.version, "MariaDB") }

// A result is what a query gives, as text; NULL is the empty text in rows and true in nulls.
type result struct {
	columns []string
	rows    [][]string
	nulls   [][]bool
}

// one is the first value, "" for none.
func (r result) one() string {
	if len(r.rows) == 0 {
		return ""
	}
	return r.rows[0][0]
}

// ask runs a query that only looks.
func (c *catalog) ask(query string, args ...any) (result, error) {
	ctx, cancel := context.WithTimeout(c.ctx, lookTime)
	defer cancel()
	return read(ctx, c.db, query, args...)
}

// asker is a connection or a transaction.
type asker interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

func read(ctx context.Context, db asker, query string, args ...any) (out result, err error) {
	rows, err := db.QueryContext(ctx, query, args...)
	if err != nil {
		return out, told(err)
	}
	defer rows.Close()
	if out.columns, err = rows.Columns(); err != nil {
		return out, told(err)
	}
	for rows.Next() {
		cells := make([]sql.NullString, len(out.columns))
		into := make([]any, len(cells))
		for i := range cells {
			into[i] = &cells[i]
		}
		if err := rows.Scan(into...); err != nil {
			return out, told(err)
		}
		row, nulls := make([]string, len(cells)), make([]bool, len(cells))
		for i, cell := range cells {
			row[i], nulls[i] = cell.String, !cell.Valid
		}
		out.rows, out.nulls = append(out.rows, row), append(out.nulls, nulls)
	}
	return out, told(rows.Err())
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

// list are the objects of a kind.
func (c *catalog) list(k kind) ([]object, error) {
	query := "SELECT SCHEMA_NAME AS name, DEFAULT_CHARACTER_SET_NAME AS charset, DEFAULT_COLLATION_NAME AS collation FROM " +
		"INFORMATION_SCHEMA.SCHEMATA"
	if k == users {
		query = "SELECT u.* FROM mysql.user u"
	}
	r, err := c.ask(query)
	if err != nil {
		return nil, err
	}
	out := r.objects()
	if k == users {
		for _, o := range out {
			o["name"] = o["User"] + "\n" + o["Host"]
		}
	}
	prefix := c.key(k, "")
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
func (c *catalog) get(k kind, name string) (object, error) {
	all, err := c.list(k)
	if i := slices.IndexFunc(all, func(o object) bool { return o["name"] == name }); i >= 0 {
		return all[i], err
	}
	return nil, err
}

func (c *catalog) key(k kind, name string) string { return c.where + "\n" + string(k) + "\n\n" + name }

// foresee leaves an object on an overlay as it will be, nil for gone.
func (c *catalog) foresee(o host.Host, k kind, name string, as object) {
	f := host.Fact{Kind: host.FactDatabase, Name: c.key(k, name), Value: "absent"}
	if as != nil {
		f.Value, f.Attrs = "present", as
		if k != grants {
			as["name"] = name
		}
	}
	o.Promise(f)
}

// A statement is SQL with its values.
type statement struct {
	text string
	args []any
}

func stmt(text string, args ...any) statement { return statement{text, args} }

// do runs statements one after the other; what they leave is foretold.
func (c *catalog) do(what string, foretell func(o host.Host) error, list ...statement) error {
	return c.h.Do(c.ctx, host.Deed{What: what, On: host.FactDatabase, Foretell: foretell,
		Do: func(ctx context.Context) error {
			// what another session holds is not waited for without end
			if _, err := c.db.ExecContext(ctx, "SET SESSION lock_wait_timeout = 60"); err != nil {
				return told(err)
			}
			for _, s := range list {
				if _, err := c.db.ExecContext(ctx, s.text, s.args...); err != nil {
					return told(err)
				}
			}
			return nil
		}})
}

// quoted is a name as it is written in statements.
func quoted(name string) string { return "`" + strings.ReplaceAll(name, "`", "``") + "`" }

// outcome is an effect that counts for nothing beside an error.
func outcome(e state.Effect, err error) (state.Effect, error) {
	if err != nil {
		return state.Effect{}, err
	}
	return e, nil
}

// failed words why a deed failed as Salt does, with the reason.
func failed(err error, comment string) error {
	if err == nil || host.IsUnknown(err) {
		return err
	}
	return errReason{comment, err}
}

type errReason struct {
	comment string
	why     error
}

func (e errReason) Error() string { return e.comment + " (" + e.why.Error() + ")" }
func (e errReason) Unwrap() error { return e.why }
