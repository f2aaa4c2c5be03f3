package mysql

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Run are the arguments of both states that run queries.
type Run struct {
	Name          string   `arg:"name,required,text" doc:"The name of the state."`
	Database      string   `arg:"database,required" doc:"The database."`
	Output        string   `arg:"output" doc:"Where the answer goes: grain, the path of a file, or the comment where it is not given."`
	Grain         string   `arg:"grain" doc:"The grain for output: grain."`
	Key           string   `arg:"key" doc:"The key of that grain, which then is a map."`
	Overwrite     bool     `arg:"overwrite" default:"true" doc:"Runs the query also where its answer is there already."`
	CheckDBExists bool     `arg:"check_db_exists" default:"true" doc:"Looks whether there is the database first."`
	ClientFlags   []string `arg:"client_flags" doc:"Flags of Salt's client library; several statements and all kinds of answers are taken without."`
	access
}

// QueryRun runs a query.
type QueryRun struct {
	Run
	Query string `arg:"query,required,text" doc:"The query."`
}

func queryRunSpec() modules.StateSpec {
	return modules.StateSpec{AnyArgs: true, Name: "mysql_query.run",
		Doc:     "Runs a query, at every run unless overwrite is false.",
		Example: "tidy:\n  mysql_query.run:\n    - database: app\n    - query: DELETE FROM sessions WHERE done = 1",
		New:     func() modules.StateFunc { return &QueryRun{} }}
}

// Validate finds an output to a grain without a name.
func (r *Run) Validate() []modules.Fault {
	if r.Output == "grain" && r.Grain == "" {
		return []modules.Fault{{Arg: "output", Msg: "Error: output type 'grain' needs the grain parameter",
			Hint: "give grain"}}
	}
	return nil
}

// Act runs the query.
func (q *QueryRun) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	return q.execute(ctx, env, h, func(ctx context.Context, c *catalog) (*value.Dict,
		error) {
		return c.query(ctx, q.Query)
	})
}

// a question gives Salt's answer of a query or a file.
type question = func(ctx context.Context, c *catalog) (*value.Dict, error)

func (r *Run) execute(ctx context.Context, env *modules.Env, h host.Host, ask question) (state.Effect, error) {
	a := r.access
	a.DB = ""
	if r.CheckDBExists {
		if err := r.there(ctx, env, h, a); err != nil {
			return state.Effect{}, err
		}
	}
	if held, err := r.settled(env, h); err != nil || held != "" {
		return state.Settled("No execution needed. " + held + " already set"), err
	}
	e := state.Effect{Changes: value.DictOf("query", value.Str("Executed"+r.into(". Output into "))),
		Foretold: value.NewDict(0), Preview: "Query would execute, not storing result", Pending: true, Once: true}
	if r.Output != "" {
		e.Preview = "Query would execute, storing result in" +
			strings.Replace(r.into(" "), " "+r.Output, " file: "+r.Output, 1)
	}
	a.DB = r.Database
	err := h.Do(ctx, host.Deed{What: "run a query of MySQL's", On: host.Anything, Foretell: r.foretell,
		Do: func(ctx context.Context) error {
			c, err := a.catalog(ctx, env, h)
			if err != nil {
				return err
			}
			defer c.close()
			answer, err := ask(ctx, c)
			if err != nil {
				return err
			}
			mapped(answer)
			e.Comment = value.Repr(answer)
			return r.keep(ctx, env, h, answer)
		}})
	return outcome(e, err)
}

// there is the error for a database that is not there. Salt differs: its result is null then, in a run too.
func (r *Run) there(ctx context.Context, env *modules.Env, h host.Host, a access) error {
	c, err := a.catalog(ctx, env, h)
	if err != nil {
		return err
	}
	defer c.close()
	was, err := c.get(databases, r.Database)
	if err == nil && was == nil {
		err = errors.New("Database " + r.Database + " is not present")
	}
	return err
}

// into says where the answer goes, "" for the comment.
func (r *Run) into(words string) string {
	switch {
	case r.Output == "":
		return ""
	case r.Output != "grain":
		return words + r.Output
	case r.Key != "":
		return words + "grain: " + r.Grain + ":" + r.Key
	}
	return words + "grain: " + r.Grain
}

// settled names the answer that is there already and stays, "" for none.
func (r *Run) settled(env *modules.Env, h host.Host) (string, error) {
	if r.Overwrite || r.Output == "" {
		return "", nil
	}
	if r.Output != "grain" {
		switch i, err := h.Stat(r.Output); {
		case err == nil && i.IsRegular():
			return "File " + r.Output, nil
		case err != nil && !errors.Is(err, fs.ErrNotExist):
			return "", err
		}
		return "", nil
	}
	grain, ok := env.Grains.Dict().GetStr(r.Grain)
	if d, is := grain.(*value.Dict); r.Key != "" && is {
		_, ok = d.GetStr(r.Key)
		return map[bool]string{true: "Grain " + r.Grain + ":" + r.Key}[ok], nil
	}
	return map[bool]string{true: "Grain " + r.Grain}[ok && r.Key == ""], nil
}

// foretell leaves a file of which nobody knows the content.
func (r *Run) foretell(o host.Host) error {
	if r.Output != "" && r.Output != "grain" {
		o.Promise(host.Fact{Kind: host.FactPath, Name: r.Output, Value: "unknown"})
	}
	return nil
}

// mapped gives the rows of an answer the names of its columns.
func mapped(answer *value.Dict) {
	rows, ok := answer.GetStr("results")
	names, _ := answer.GetStr("columns")
	columns, is := names.(*value.Tuple)
	all, are := rows.(*value.Tuple)
	if !ok || !is || !are {
		return
	}
	out := value.NewList()
	for _, row := range all.Items {
		d := value.NewDict(len(columns.Items))
		for i, v := range row.(*value.Tuple).Items {
			d.SetStr(value.String(columns.Items[i]), v)
		}
		out.Items = append(out.Items, d)
	}
	answer.SetStr("results", out)
}

// keep writes the answer where it goes.
func (r *Run) keep(ctx context.Context, env *modules.Env, h host.Host, answer *value.Dict) error {
	switch r.Output {
	case "":
		return nil
	case "grain":
		var v value.Value = answer
		if r.Key != "" {
			now, _ := env.Grains.Dict().GetStr(r.Grain)
			d, ok := now.(*value.Dict)
			if !ok {
				d = value.NewDict(1)
			}
			d = d.Copy()
			d.SetStr(r.Key, answer)
			v = d
		}
		_, err := env.Exec.Call(ctx, "grains.setval", []value.Value{value.Str(r.Grain), v}, nil)
		return err
	}
	var b strings.Builder
	rows, _ := answer.GetStr("results")
	if list, ok := rows.(*value.List); ok {
		for _, row := range list.Items {
			pairs(&b, row)
		}
	} else {
		pairs(&b, answer)
	}
	return h.WriteFile(r.Output, strings.NewReader(b.String()), host.KeepAttr())
}

func pairs(b *strings.Builder, v value.Value) {
	d, ok := v.(*value.Dict)
	if !ok {
		b.WriteString(value.String(v) + "\n")
		return
	}
	for k, v := range d.All() {
		fmt.Fprintf(b, "%s:%s\n", value.String(k), value.String(v))
	}
}
