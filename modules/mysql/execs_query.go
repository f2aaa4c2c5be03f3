package mysql

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// queryExec is mysql.query. What only looks runs in a transaction that only reads, in a preview too.
func queryExec() modules.ExecSpec {
	spec := looking("query", "query(database, query, ...): runs a query and gives its rows, or how many it changed.",
		value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
			text := call.Str("query")
			return inDatabase(c.ctx, call, harmless(text), func(ctx context.Context, c *catalog) (*value.Dict, error) {
				if harmless(text) {
					return c.looking(text)
				}
				return c.query(ctx, text)
			})
		}, "database", "query:text")
	spec.Class = modules.Writes
	return spec
}

func fileQueryExec() modules.ExecSpec {
	spec := looking("file_query", "file_query(database, file_name, ...): runs a file of statements.", value.Bool(false),
		func(c *catalog, call *modules.Call) (value.Value, error) {
			text, err := scriptOf(c.ctx, call.Env, call.Host, call.Str("file_name"), call.SaltEnv)
			if err != nil {
				return nil, err
			}
			return inDatabase(c.ctx, call, false, func(ctx context.Context, c *catalog) (*value.Dict,
				error) {
				return c.script(ctx, text)
			})
		}, "database", "file_name")
	spec.Class = modules.Writes
	return spec
}

// inDatabase asks in a database; what does not only look is refused in a preview.
func inDatabase(ctx context.Context, call *modules.Call, looks bool, ask question) (v value.Value, err error) {
	a := accessOf(call)
	a.DB = call.Str("database")
	do := func(ctx context.Context) error {
		c, err := a.catalog(ctx, call.Env, call.Host)
		if err != nil {
			return err
		}
		defer c.close()
		v, err = ask(ctx, c)
		return err
	}
	if looks {
		return v, do(ctx)
	}
	err = call.Host.Do(ctx, host.Deed{What: "run a query of MySQL's", On: host.Anything, Do: do})
	return v, err
}

func quoteIdentifier(_ context.Context, c *modules.Call) (value.Value, error) {
	name := strings.ReplaceAll(c.Str("identifier"), "`", "``")
	if c.Bool("for_grants") {
		name = strings.ReplaceAll(name, "_", `\_`)
	}
	return value.Str("`" + strings.ReplaceAll(name, "%", "%%") + "`"), nil
}

func tokenizeGrant(_ context.Context, c *modules.Call) (value.Value, error) {
	g, _ := tokenize(c.Str("grant"))
	return value.DictOf("user", value.Str(g.user), "host", value.Str(g.host), "grant", modules.TextList(g.list),
		"database",
		value.Str(g.on)), nil
}
