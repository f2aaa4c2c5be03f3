package mysql

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// QueryRunFile runs a file of statements.
type QueryRunFile struct {
	Run
	QueryFile string `arg:"query_file,required,path" doc:"The file: one of the machine's, or a source such as salt://app/schema.sql."`
	SaltEnv   string `arg:"saltenv" doc:"The environment of the source."`
}

func queryRunFileSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_query.run_file",
		Doc:     "Runs a file of statements, at every run unless overwrite is false.",
		Example: "schema:\n  mysql_query.run_file:\n    - database: app\n    - query_file: salt://app/schema.sql",
		New:     func() modules.StateFunc { return &QueryRunFile{} }}
}

// UsesSources names the file.
func (q *QueryRunFile) UsesSources() []modules.SourceUse {
	return []modules.SourceUse{{Arg: "query_file", Any: []string{q.QueryFile}}}
}

// Act runs the file.
func (q *QueryRunFile) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	saltenv := q.SaltEnv
	if saltenv == "" && env.Low != nil {
		saltenv = env.Low.Env
	}
	text, err := scriptOf(ctx, env, h, q.QueryFile, saltenv)
	if err != nil {
		return state.Effect{}, err
	}
	return q.execute(ctx, env, h, func(ctx context.Context, c *catalog) (*value.Dict,
		error) {
		return c.script(ctx, text)
	})
}

// scriptOf is the content of a file of the machine's, or of a source.
func scriptOf(ctx context.Context, env *modules.Env, h host.Host, file, saltenv string) (string, error) {
	if strings.Contains(file, "://") {
		raw, err := env.Files.Fetch(ctx, file, saltenv)
		return string(raw), err
	}
	raw, err := h.ReadFile(file)
	if err != nil && !host.IsUnknown(err) {
		err = fmt.Errorf("File %s does not exist", file)
	}
	return string(raw), err
}
