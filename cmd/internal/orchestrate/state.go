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

// State is salt.state.
type State struct {
	Name string `arg:"name,required,text" doc:"A name for the step."`
	machines
	Highstate     bool        `arg:"highstate" doc:"Applies what the top file says; sls is not looked at then."`
	SLS           []string    `arg:"sls" doc:"The SLS files."`
	Top           string      `arg:"top" doc:"Applies what the top file of this name says."`
	Exclude       value.Value `arg:"exclude,text" doc:"SLS files that are left out."`
	SaltEnv       string      `arg:"saltenv" doc:"The environment of the SLS files."`
	Test          *bool       `arg:"test" doc:"Previews, or applies though the orchestration is a preview no state of which does so."`
	Pillar        *value.Dict `arg:"pillar,text" doc:"Lies over the pillar of each machine."`
	PillarEnv     string      `arg:"pillarenv" doc:"The environment of the pillar."`
	ExpectMinions bool        `arg:"expect_minions" default:"true" doc:"Fails where a machine does not answer, and where none is meant."`
	AllowFail     int64       `arg:"allow_fail" doc:"How many machines may fail."`
	Concurrent    bool        `arg:"concurrent" doc:"Does not care for other runs of the machines."`
	Queue         bool        `arg:"queue" doc:"Waits for other runs of the machines to end."`

	c *Conductor
}

func (c *Conductor) stateSpec() modules.StateSpec {
	return modules.StateSpec{Name: "salt.state", AnyArgs: true,
		Doc:     "Applies SLS files, or what the top file says, on other machines.",
		Example: "databases:\n  salt.state:\n    - tgt: 'db*'\n    - sls: [postgres]\n    - batch: 10%",
		New:     func() modules.StateFunc { return &State{c: c} }}
}

// Validate finds a target that means nobody, and a step that says nothing.
func (s *State) Validate() []modules.Fault {
	faults := s.check(s.c, s.ExpectMinions)
	if !s.Highstate && s.Top == "" && len(s.SLS) == 0 {
		faults = append(faults, modules.Fault{Arg: "sls", Msg: "No highstate or sls specified, no execution made",
			Hint: "say sls: NAME, or highstate: true"})
	}
	return faults
}

// Act applies the states. A preview previews them over there.
func (s *State) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	e := state.Effect{Pending: true, Once: true, Preview: "States would be applied to " + s.target()}
	test := s.Test != nil && *s.Test
	err := h.Do(ctx, host.Deed{What: "apply states on " + s.target(), On: host.Nothing,
		Do: func(ctx context.Context) error {
			out, err := s.run(ctx, env, test)
			e.Changes, e.Comment, e.Warnings = out.changes(), out.comment, out.warnings
			return err
		}, Foretell: func(host.Host) error {
			if !env.Told {
				return nil
			}
			return s.foretell(ctx, env, &e)
		}})
	return e, err
}

// foretell previews over there. What fails on a machine where an earlier step is only promised is in doubt.
// Salt differs: it fails.
func (s *State) foretell(ctx context.Context, env *modules.Env, e *state.Effect) error {
	out, err := s.run(ctx, env, true)
	me := env.Low.Fun() + " " + env.Low.ID
	if by := s.c.pending.first(out.failed); err != nil && by != "" {
		return &host.Unknown{What: "what comes of it", By: by}
	}
	s.c.pending.note(me, out.changed)
	e.Changes, e.Preview, e.Warnings = out.changes(), out.comment, out.warnings
	e.Pending = err == nil && e.Changes != nil
	if err == nil && !e.Pending {
		e.Comment = out.comment
	}
	return err
}

func (s *State) run(ctx context.Context, env *modules.Env, test bool) (*outcome, error) {
	ids, err := s.ids(ctx, s.c)
	if err != nil {
		return &outcome{}, err
	}
	w := s.work(env.Low)
	w.Top, w.TopFile, w.SLS = s.Highstate || s.Top != "", s.Top, s.SLS
	if s.Highstate {
		w.TopFile = ""
	}
	if w.Top {
		w.SLS = nil
	}
	w.Exclude = words(s.Exclude)
	w.Test, w.Pillar, w.PillarEnv, w.SaltEnv = test, s.Pillar, s.PillarEnv, s.SaltEnv
	w.Queue, w.Concurrent = s.Queue, s.Concurrent
	answers, err := s.c.Machines.Run(ctx, w, ids, through(env, len(ids)))
	if err != nil {
		return &outcome{}, err
	}
	return s.judge(answers)
}

// judge says what came of it in Salt's words, and below them why machines have failed.
func (s *State) judge(answers []Answer) (*outcome, error) {
	out := &outcome{shape: "highstate"}
	if len(answers) == 0 && s.ExpectMinions {
		return out, fmt.Errorf("No minions returned") //nolint:staticcheck // Salt's words
	}
	var failed, same []string
	for _, a := range answers {
		switch {
		case a.Err != nil && !s.ExpectMinions:
			out.warnings = append(out.warnings, a.ID+": "+a.Err.Error())
		case a.Err != nil || !succeeded(a.Return):
			out.add(a)
			out.failed = append(out.failed, a.ID)
			if out.why(a); !s.may(a.ID) {
				failed = append(failed, a.ID)
			}
		case changed(a.Return):
			out.add(a)
			out.changed = append(out.changed, a.ID)
		default:
			same = append(same, a.ID)
		}
	}
	if len(failed) > int(s.AllowFail) {
		out.comment = "Run failed on minions: " + strings.Join(failed, ", ") + out.reasons()
		return out, fmt.Errorf("%s", out.comment)
	}
	out.comment = "States ran successfully."
	if out.rets != nil {
		out.comment += " Updating " + strings.Join(out.ids(), ", ") + "."
	}
	if len(same) > 0 {
		out.comment += " No changes made to " + strings.Join(same, ", ") + "."
	}
	out.comment += out.reasons()
	return out, nil
}
