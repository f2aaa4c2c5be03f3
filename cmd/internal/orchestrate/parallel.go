package orchestrate

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"sync"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ParallelRunners is salt.parallel_runners.
type ParallelRunners struct {
	Name    string      `arg:"name,required,text" doc:"A name for the step."`
	Runners value.Value `arg:"runners,required,text" doc:"The runners: a map of a name to name and kwarg, or the name of one."`
	Rest    *value.Dict `arg:"**,text"`

	c *Conductor
}

func (c *Conductor) parallelSpec() modules.StateSpec {
	return modules.StateSpec{Name: "salt.parallel_runners", Doc: "Carries several runners out at once.",
		Example: "both:\n  salt.parallel_runners:\n    - runners:\n        one: [{name: state.orchestrate}, {kwarg: {mods: " +
			"orch.one}}]\n        two: [{name: state.orchestrate}, {kwarg: {mods: orch.two}}]",
		New: func() modules.StateFunc { return &ParallelRunners{c: c} }}
}

// A lane is one of the runners, and what came of it.
type lane struct {
	id   string
	call *runnerCall
	out  value.Value
	ok   bool
	err  error
}

// lanes are the runners, in the order written.
func (p *ParallelRunners) lanes() ([]*lane, error) {
	switch v := p.Runners.(type) {
	case value.Str:
		return []*lane{{id: string(v), call: &runnerCall{c: p.c, name: string(v), kwargs: value.NewDict(0)}}}, nil
	case *value.Dict:
		var out []*lane
		for id, config := range v.All() {
			l := &lane{id: value.String(id), call: &runnerCall{c: p.c, name: value.String(id), kwargs: value.NewDict(0)}}
			for k, item := range merged(config).All() {
				switch d, _ := item.(*value.Dict); {
				case value.String(k) == "name":
					l.call.name = value.String(item)
				case value.String(k) == "kwarg" && d != nil:
					l.call.kwargs = without(d, "")
				}
			}
			out = append(out, l)
		}
		return out, nil
	}
	return nil, fmt.Errorf("The runners parameter must be a string or dict.") //nolint:staticcheck // Salt's words
}

// merged is a list of maps as one map.
func merged(v value.Value) *value.Dict {
	out := value.NewDict(2)
	list, ok := v.(*value.List)
	if d, isDict := v.(*value.Dict); isDict {
		list, ok = value.NewList(d), true
	}
	if !ok {
		return out
	}
	for _, item := range list.Items {
		if d, isDict := item.(*value.Dict); isDict {
			for k, v := range d.All() {
				_ = out.Set(k, v)
			}
		}
	}
	return out
}

// Validate finds runners that there are not.
func (p *ParallelRunners) Validate() (out []modules.Fault) {
	lanes, err := p.lanes()
	if err != nil {
		return faultsOf("runners", err)
	}
	for _, l := range lanes {
		for _, f := range l.call.check("runners") {
			f.Arg, f.Msg = "runners", l.id+": "+f.Msg
			out = append(out, f)
		}
	}
	return out
}

// Act carries them out. A preview previews the orchestrations among them. Salt differs: its test mode carries all of
// them out, and changes what they change.
func (p *ParallelRunners) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e := state.Effect{Pending: true, Once: true, Preview: "The runner functions would be executed."}
	lanes, err := p.lanes()
	if err != nil {
		return e, err
	}
	err = h.Do(ctx, host.Deed{What: "carry out " + p.Name, On: host.Nothing,
		Do: func(ctx context.Context) error {
			runAll(ctx, env, lanes, false)
			e.Changes = changesOf(lanes)
			e.Comment = "All runner functions executed successfully."
			return failures(lanes)
		}, Foretell: func(host.Host) error {
			if !env.Told {
				return nil
			}
			nested := slices.DeleteFunc(slices.Clone(lanes), func(l *lane) bool { return !l.call.nested() })
			runAll(ctx, env, nested, true)
			e.Foretold = changesOf(nested)
			e.Pending = len(nested) < len(lanes) || slices.ContainsFunc(nested, func(l *lane) bool { return pendingIn(l.out) })
			return failures(nested)
		}})
	return e, err
}

// runAll carries all out at once.
func runAll(ctx context.Context, env *modules.Env, lanes []*lane, test bool) {
	var wg sync.WaitGroup
	for _, l := range lanes {
		wg.Go(func() { l.out, l.ok, l.err = l.call.run(ctx, env, test) })
	}
	wg.Wait()
}

// failures is the error of the runners that failed, nil for none.
func failures(lanes []*lane) error {
	var names []string
	var why strings.Builder
	for _, l := range lanes {
		switch {
		case l.err != nil:
			fmt.Fprintf(&why, "\n%s: %v", l.id, l.err)
		case !l.ok:
			why.WriteString(strings.ReplaceAll(l.call.why(l.out), "\n", "\n"+l.id+": "))
		default:
			continue
		}
		names = append(names, l.id)
	}
	switch len(names) {
	case 0:
		return nil
	case 1:
		return fmt.Errorf("Runner %s failed.%s", names[0], why.String()) //nolint:staticcheck // Salt's words
	}
	return fmt.Errorf("Runners %s failed.%s", strings.Join(names, ", "), why.String()) //nolint:staticcheck // Salt's words
}

// changesOf are the changes in Salt's shape: of orchestrations what their states changed, else what the runners gave.
func changesOf(lanes []*lane) *value.Dict {
	states := !slices.ContainsFunc(lanes, func(l *lane) bool { return !l.call.nested() || l.out == nil })
	out := value.NewDict(len(lanes))
	for _, l := range lanes {
		if !states {
			out.SetStr(l.id, orNone(l.out))
			continue
		}
		data, _ := l.out.(*value.Dict).GetStr("data")
		if c, ok := extracted(data); ok && value.Truth(c) {
			out.SetStr(l.id, c)
		}
	}
	switch {
	case !states:
		return value.DictOf("ret", out)
	case out.Len() == 0:
		return nil
	}
	return out
}

// extracted are the changes that results hold, at any depth.
func extracted(v value.Value) (value.Value, bool) {
	d, ok := v.(*value.Dict)
	if !ok {
		return nil, false
	}
	if c, has := d.GetStr("changes"); has {
		inner, _ := c.(*value.Dict)
		if inner != nil {
			shape, _ := inner.GetStr("out")
			if ret, has := inner.GetStr("ret"); has && shape == value.Value(value.Str("highstate")) {
				return ret, true
			}
		}
		return c, true
	}
	out := value.NewDict(d.Len())
	for k, v := range d.All() {
		if c, ok := extracted(v); ok && value.Truth(c) {
			_ = out.Set(k, c)
		}
	}
	return out, true
}
