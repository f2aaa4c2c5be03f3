// Package module runs execution functions as states: module.run and module.wait.
package module

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "module", States: []modules.StateSpec{runSpec(), waitSpec("wait"), waitSpec("watch")}}
}

// Run calls execution functions, in either of Salt's forms: `service.restart: [{name: nginx}]` below module.run, or
// name (or m_name) with the arguments beside it.
type Run struct {
	modules.Base
	Name   string      `arg:"name,required,text" doc:"The function, where it is not a key of its own."`
	MName  *string     `arg:"m_name,text" doc:"The function's argument called name."`
	MFun   *string     `arg:"m_fun,text" doc:"The function's argument called fun."`
	MState *string     `arg:"m_state,text" doc:"The function's argument called state."`
	MEnv   *string     `arg:"m_saltenv,text" doc:"The function's argument called saltenv."`
	Func   string      `arg:"func,word" doc:"The function."`
	Args   *value.List `arg:"args,text" doc:"Positional arguments."`
	Kwargs *value.Dict `arg:"kwargs,text" doc:"Keyword arguments."`
	Ret    value.Value `arg:"returner,text" doc:"No effect: there are no returners."`
	Rest   *value.Dict `arg:"**,text"`
}

func runSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "module.run",
		Doc:     "Calls an execution function, at every run.",
		Example: "refresh:\n  module.run:\n    - service.systemctl_reload: []",
		New:     func() modules.StateFunc { return &Run{} },
	}
}

// waitSpec is module.wait, or module.watch, its other name.
func waitSpec(name string) modules.StateSpec {
	return modules.StateSpec{
		Name: "module." + name,
		Doc:  "Calls an execution function when something that it watches changes.",
		Example: "refresh:\n  module." + name + ":\n    - name: service.systemctl_reload\n    - watch:\n      - file: " +
			"/etc/systemd/system/own.service",
		New: func() modules.StateFunc { return &Wait{} },
	}
}

// A call is one function with its arguments. key is the name as it is written: a function that is called twice has a
// number behind it, test.ping:1.
type call struct {
	name   string
	key    string
	args   []value.Value
	kwargs *value.Dict
}

// calls are the functions to call, in the order written. legacy is the form with the name.
func (r *Run) calls() (out []call, legacy bool) {
	if r.Rest != nil {
		for k, v := range r.Rest.All() {
			if name := value.String(k); strings.Contains(name, ".") {
				out = append(out, newCall(name, v))
			}
		}
	}
	if len(out) > 0 {
		return out, false
	}
	c := call{name: r.Name, key: "ret", kwargs: value.NewDict(0)}
	if r.Func != "" {
		c.name = r.Func
	}
	if r.Args != nil {
		c.args = r.Args.Items
	}
	for _, d := range []*value.Dict{r.Rest, r.Kwargs} {
		if d == nil {
			continue
		}
		for k, v := range d.All() {
			c.kwargs.SetStr(value.String(k), v)
		}
	}
	for _, m := range []struct {
		key string
		val *string
	}{{"name", r.MName}, {"fun", r.MFun}, {"state", r.MState}, {"saltenv", r.MEnv}} {
		if m.val != nil {
			c.kwargs.SetStr(m.key, value.Str(*m.val))
		}
	}
	return []call{c}, true
}

// newCall reads the arguments below a function's name: a list of values and of maps with one key, or one map.
func newCall(name string, v value.Value) call {
	function, _, _ := strings.Cut(name, ":")
	c := call{name: function, key: name, kwargs: value.NewDict(0)}
	add := func(d *value.Dict) {
		for k, val := range d.All() {
			c.kwargs.SetStr(value.String(k), val)
		}
	}
	switch v := v.(type) {
	case *value.List:
		for _, it := range v.Items {
			if d, ok := it.(*value.Dict); ok {
				add(d)
			} else {
				c.args = append(c.args, it)
			}
		}
	case *value.Dict:
		add(v)
	case value.NoneType, nil:
	default:
		c.args = append(c.args, v)
	}
	return c
}

// Act calls the functions. What they do is not known: an overlay is told only that they would be called.
func (r *Run) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	calls, legacy := r.calls()
	names, err := callable(env.Exec, calls)
	e := state.Effect{Changes: value.NewDict(len(calls)), Pending: true, Once: true}
	if err != nil {
		return e, err
	}
	e.Preview = fmt.Sprintf("Module function %s is set to execute", names)
	err = h.Do(ctx, host.Deed{What: "call " + names, On: host.Anything, Do: func(ctx context.Context) (err error) {
		e.Comment, err = callAll(ctx, env.Exec, calls, legacy, e.Changes)
		return err
	}, Foretell: func(host.Host) error { return nil }})
	return e, err
}

// callable gives the names of the functions, and what is wrong with the calls as far as that can be seen without
// calling.
func callable(exec modules.Exec, calls []call) (string, error) {
	var names, missing []string
	for _, c := range calls {
		names = append(names, c.name)
		if !exec.Has(c.name) {
			missing = append(missing, c.name)
		}
	}
	if len(missing) > 0 {
		return "", fmt.Errorf("Module function %s is not available", strings.Join(missing, ", ")) //nolint:staticcheck // Salt's words
	}
	if checker, ok := exec.(modules.ExecChecker); ok {
		for _, c := range calls {
			if err := checker.CheckCall(c.name, c.args, c.kwargs); err != nil {
				return "", c.threw(err)
			}
		}
	}
	return strings.Join(names, ", "), nil
}

func (c call) threw(err error) error {
	return fmt.Errorf("Module function %s threw an exception. Exception: %w", c.name, err) //nolint:staticcheck // Salt's words
}

// callAll calls the functions and puts what they give into the changes; of several, all are called, and those that fail
// are left out.
func callAll(ctx context.Context, exec modules.Exec, calls []call, legacy bool, changes *value.Dict) (string, error) {
	var words, failed []string
	for _, c := range calls {
		v, err := exec.Call(ctx, c.name, c.args, c.kwargs)
		if err != nil {
			failed = append(failed, c.threw(err).Error())
			continue
		}
		if v == nil {
			v = value.None
		}
		if succeeded(v) {
			words = append(words, fmt.Sprintf("%s: %s", c.key, value.String(v)))
		} else {
			failed = append(failed, fmt.Sprintf("Module function %s failed: %s", c.name, value.String(v)))
		}
		if legacy || succeeded(v) {
			changes.SetStr(c.key, v)
		}
	}
	switch {
	case len(failed) > 0:
		return "", errors.New(strings.Join(append(failed, words...), "\n"))
	case legacy:
		return fmt.Sprintf("Module function %s executed", calls[0].name), nil
	}
	return strings.Join(words, "\n"), nil
}

// succeeded reads what a function gives for success: no False, no retcode, no result: False at any depth. Salt differs:
// it overlooks a result where the function is a key of its own.
func succeeded(v value.Value) bool {
	switch v := v.(type) {
	case value.Bool:
		return bool(v)
	case *value.Dict:
		code, ok := v.GetStr("retcode")
		return !(ok && value.Truth(code)) && !denies(v)
	}
	return true
}

// denies says whether a result of False is in it.
func denies(d *value.Dict) bool {
	for k, v := range d.All() {
		inner, nested := v.(*value.Dict)
		if value.String(k) == "result" && v == value.Value(value.Bool(false)) || nested && denies(inner) {
			return true
		}
	}
	return false
}

// Calls are the functions that it calls.
func (r *Run) Calls() []string {
	calls, _ := r.calls()
	names := make([]string, len(calls))
	for i, c := range calls {
		names[i] = c.name
	}
	return names
}

// ModWatch calls the functions.
func (r *Run) ModWatch() modules.StateFunc { return r }
