package orchestrate

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Function is salt.function.
type Function struct {
	Name string `arg:"name,required,word" doc:"The execution function."`
	machines
	Arg           value.Value `arg:"arg,text" doc:"The arguments: a list, or a text whose words they are."`
	Kwarg         *value.Dict `arg:"kwarg,text" alias:"kwargs" doc:"The keyword arguments."`
	ExpectMinions bool        `arg:"expect_minions" doc:"Fails where a machine does not answer."`
	FailFunction  string      `arg:"fail_function,word" doc:"An execution function of this machine, which says of an answer whether it is good."`

	c *Conductor
}

func (c *Conductor) functionSpec() modules.StateSpec {
	return modules.StateSpec{Name: "salt.function", AnyArgs: true,
		Doc:     "Calls an execution function on other machines, at every run.",
		Example: "restart:\n  salt.function:\n    - name: service.restart\n    - tgt: 'web*'\n    - arg: [nginx]",
		New:     func() modules.StateFunc { return &Function{c: c} }}
}

// Validate finds a target that means nobody.
func (f *Function) Validate() []modules.Fault { return f.check(f.c, true) }

// Calls is the function that judges.
func (f *Function) Calls() []string {
	if f.FailFunction == "" {
		return nil
	}
	return []string{f.FailFunction}
}

// Act calls it. A preview calls nothing.
func (f *Function) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e := state.Effect{Pending: true, Once: true,
		Preview: fmt.Sprintf("Function %s would be executed on target %s", f.Name, f.target())}
	err := h.Do(ctx, host.Deed{What: "call " + f.Name + " on " + f.target(), On: host.Nothing,
		Do: func(ctx context.Context) error {
			out, err := f.run(ctx, env)
			e.Changes, e.Comment, e.Warnings = out.changes(), out.comment, out.warnings
			return err
		}, Foretell: func(host.Host) error {
			ids, err := f.ids(ctx, f.c)
			if env.Told {
				f.c.pending.note(env.Low.Fun()+" "+env.Low.ID, ids)
			}
			return err
		}})
	return e, err
}

func (f *Function) run(ctx context.Context, env *modules.Env) (*outcome, error) {
	ids, err := f.ids(ctx, f.c)
	if err != nil {
		return &outcome{}, err
	}
	w := f.work(env.Low)
	w.Function, w.Kwargs = f.Name, f.Kwarg
	split := false
	switch v := f.Arg.(type) {
	case *value.List:
		w.Args = v.Items
	case value.Str:
		for word := range strings.FieldsSeq(string(v)) {
			w.Args = append(w.Args, value.Str(word))
		}
		split = true
	}
	answers, err := f.c.Machines.Run(ctx, w, ids, through(env, len(ids)))
	if err != nil {
		return &outcome{}, err
	}
	out, err := f.judge(ctx, env, answers)
	if split {
		out.warnings = append(out.warnings, "Please specify 'arg' as a list of arguments.")
	}
	return out, err
}

// judge says what came of it in Salt's words.
func (f *Function) judge(ctx context.Context, env *modules.Env, answers []Answer) (*outcome, error) {
	out := &outcome{}
	for _, a := range answers {
		if a.Err != nil && !f.ExpectMinions {
			out.warnings = append(out.warnings, a.ID+": "+a.Err.Error())
			continue
		}
		out.add(a)
		bad := a.Retcode != 0
		if ok, err := f.good(ctx, env, a); err != nil {
			return out, err
		} else if !ok && !f.may(a.ID) {
			bad = true
		}
		if bad {
			out.failed = append(out.failed, a.ID)
			out.why(a)
		}
	}
	if out.rets == nil {
		return out, fmt.Errorf("%s", strings.Join(append([]string{"No minions responded"}, out.warnings...), "\n"))
	}
	ran := fmt.Sprintf(" Function %s ran on %s.", f.Name, strings.Join(out.ids(), ", "))
	if len(out.failed) > 0 {
		out.comment = fmt.Sprintf("Running function %s failed on minions: %s%s%s", f.Name,
			strings.Join(out.failed, ", "), ran, out.reasons())
		return out, fmt.Errorf("%s", out.comment)
	}
	out.comment = "Function ran successfully." + ran
	return out, nil
}

// good says whether an answer is one that counts as success beside its exit code.
func (f *Function) good(ctx context.Context, env *modules.Env, a Answer) (bool, error) {
	switch {
	case a.Err != nil || a.Return == value.Value(value.Bool(false)):
		return false, nil
	case f.FailFunction == "":
		return true, nil
	}
	v, err := env.Exec.Call(ctx, f.FailFunction, []value.Value{orNone(a.Return)}, nil)
	return err == nil && value.Truth(v), err
}
