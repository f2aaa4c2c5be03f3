package orchestrate

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// A runnerCall is one call of a runner.
type runnerCall struct {
	c      *Conductor
	name   string
	args   []value.Value
	kwargs *value.Dict
}

// nested says whether it is an orchestration.
func (r *runnerCall) nested() bool {
	return r.name == "state.orchestrate" || r.name == "state.orch" || r.name == "state.sls"
}

// local is the execution function of this machine that a runner of the name is; "" where there is none.
func (r *runnerCall) local() string {
	switch r.name {
	case "http.query", "test.sleep", "test.arg", "test.metasyntactic":
		return r.name
	}
	return ""
}

// idle says whether a runner has nothing to do here: the tree is read where it is.
func (r *runnerCall) idle() bool {
	module, fun, _ := strings.Cut(r.name, ".")
	switch module {
	case "saltutil":
		return strings.HasPrefix(fun, "sync_")
	case "fileserver":
		return fun == "update" || strings.HasPrefix(fun, "clear_")
	case "git_pillar":
		return fun == "update"
	case "cache":
		return strings.HasPrefix(fun, "clear_")
	case "pillar":
		return fun == "clear_pillar_cache"
	}
	return false
}

// check finds what is wrong with it; arg is the argument that names it.
func (r *runnerCall) check(arg string) []modules.Fault {
	switch {
	case r.nested():
		n, err := r.orchestration(r.c.Test)
		if err == nil {
			err = r.c.Check(context.Background(), n)
		}
		return faultsOf("mods", err)
	case r.idle(), r.asks(), r.local() != "", r.name == "salt.cmd":
		return nil
	}
	return faultsOf(arg, r.unknown())
}

// unknown is the error of a runner that there is not.
func (r *runnerCall) unknown() error {
	return diag.Errorf(diag.Pos{}, "runner '%s' is a Salt master's, and there is none", r.name).
		WithHint("%s", r.instead())
}

// instead is what to do in place of a runner.
func (r *runnerCall) instead() string {
	module, _, _ := strings.Cut(r.name, ".")
	switch module {
	case "cloud":
		return "make machines with OpenTofu, Terraform or the cloud's own tool (cmd.run), and name them in the roster"
	case "manage", "jobs", "minions":
		return "manage.up, manage.down and manage.status ask which machines answer; a salt.function test.ping with " +
			"expect_minions: true waits for them"
	case "mine":
		return "mine.get asks machines for what they have published; mine.update is a salt.function"
	case "event", "reactor", "queue", "filequeue":
		return "there is no bus of events: require the step that has to be before it"
	}
	return "state.orchestrate, salt.cmd, http.query, cache.grains, mine.get and manage.up work without one; for a " +
		"program of the " +
		"tree's own use cmd.run, which runs on this machine here"
}

func faultsOf(arg string, err error) []modules.Fault {
	var d *diag.Diagnostic
	var l *diag.List
	switch {
	case err == nil:
		return nil
	case errors.As(err, &l) && len(l.All) > 0:
		d = l.All[0]
	case !errors.As(err, &d):
		return []modules.Fault{{Arg: arg, Msg: err.Error()}}
	}
	at := ""
	if d.Pos.File != "" {
		at = d.Pos.String() + ": "
	}
	return []modules.Fault{{Arg: arg, Msg: at + d.Msg, Hint: d.Hint}}
}

// orchestration reads the arguments of state.orchestrate.
func (r *runnerCall) orchestration(test bool) (Nested, error) {
	n := Nested{Test: test}
	given := r.kwargs
	for i, v := range r.args {
		if names := []string{"mods", "saltenv", "test", "exclude", "pillar", "pillarenv"}; i < len(names) {
			given.SetStr(names[i], v)
		}
	}
	for k, v := range given.All() {
		if v == nil || v == value.Value(value.None) {
			continue
		}
		switch name := value.String(k); name {
		case "mods":
			n.SLS = words(v)
		case "exclude":
			n.Exclude = words(v)
		case "saltenv":
			n.SaltEnv = value.String(v)
		case "pillarenv":
			n.PillarEnv = value.String(v)
		case "test":
			n.Test = test || value.Truth(v)
		case "pillar":
			p, ok := v.(*value.Dict)
			if !ok {
				return n, errors.New("Pillar data must be formatted as a dictionary") //nolint:staticcheck // Salt's words
			}
			n.Pillar = p
		}
	}
	if len(n.SLS) == 0 {
		return n, fmt.Errorf("%s needs mods, the names of SLS files", r.name)
	}
	return n, nil
}

// run carries it out and says whether it succeeded.
func (r *runnerCall) run(ctx context.Context, env *modules.Env, test bool) (value.Value, bool, error) {
	switch {
	case r.nested():
		n, err := r.orchestration(test)
		if err != nil {
			return nil, false, err
		}
		id, results, err := r.c.Orchestrate(ctx, n)
		if err != nil {
			return nil, false, err
		}
		ok, code := succeeded(results), 0
		if !ok {
			code = 1
		}
		out := value.DictOf("data", value.DictOf(id, results))
		out.SetStr("outputter", value.Str("highstate"))
		out.SetStr("retcode", value.Int(code))
		return out, ok, nil
	case r.idle():
		return value.Bool(true), true, nil
	case r.asks():
		v, err := r.ask(ctx)
		return v, err == nil, err
	}
	v, err := r.execute(ctx, env)
	if d, ok := v.(*value.Dict); ok && d.Has(value.Str("Error")) {
		return v, false, err
	}
	return v, err == nil, err
}

// execute calls the execution function of this machine that a runner stands for.
func (r *runnerCall) execute(ctx context.Context, env *modules.Env) (value.Value, error) {
	fun, args, kwargs := r.local(), r.args, r.kwargs
	if r.name == "salt.cmd" {
		if named, ok := kwargs.GetStr("fun"); ok {
			kwargs = without(kwargs, "fun")
			fun = value.String(named)
		} else if len(args) > 0 {
			fun, args = value.String(args[0]), args[1:]
		}
	}
	if fun == "test.sleep" {
		if s, ok := kwargs.GetStr("s_time"); ok {
			args, kwargs = []value.Value{s}, value.NewDict(0)
		}
	}
	switch {
	case fun == "":
		return nil, r.unknown()
	case !env.Exec.Has(fun):
		return nil, fmt.Errorf("there is no execution function %s", fun)
	}
	return env.Exec.Call(ctx, fun, args, kwargs)
}

func without(d *value.Dict, key string) *value.Dict {
	out := value.NewDict(d.Len())
	for k, v := range d.All() {
		if value.String(k) != key {
			_ = out.Set(k, v)
		}
	}
	return out
}

// why are the failures of an orchestration, each on a line of its own.
func (r *runnerCall) why(v value.Value) string {
	if !r.nested() {
		return ""
	}
	o := &outcome{}
	d, _ := v.(*value.Dict)
	data, _ := d.GetStr("data")
	for id, results := range data.(*value.Dict).All() {
		o.why(Answer{ID: value.String(id), Return: results})
	}
	return o.reasons()
}

// pendingIn says whether a preview of an orchestration would do something.
func pendingIn(v value.Value) bool {
	d, ok := v.(*value.Dict)
	if !ok {
		return false
	}
	if res, has := d.GetStr("result"); has {
		return res == value.Value(value.None)
	}
	for _, inner := range d.All() {
		if pendingIn(inner) {
			return true
		}
	}
	return false
}
