package run

import (
	"context"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// conditions asks onlyif, unless and creates. When they hold the state back, or cannot be asked, the result says so and
// false is returned. They are asked in a preview too, as Salt does: a condition is a command that only looks.
func (x *executor) conditions(t *task, env *modules.Env, over *host.Overlay, r *state.Result) bool {
	o := t.low.Opts()
	if !o.HasOnlyif && len(o.Onlyif) == 0 && !o.HasUnless && len(o.Unless) == 0 && len(o.Creates) == 0 {
		return true
	}
	a := asker{x, env.On(over), over, o}
	held, err := a.heldBack()
	over.Doubt() // what decided nothing does not matter; what did is in the error
	switch by := inDoubt(t, over, err); {
	case by != "":
		r.Outcome, r.Comment, r.Doubt = state.Pending, cannotTell(by, err), by
	case err != nil && !errors.Is(err, errMissing):
		fail(r, err)
	case held != "":
		r.How, r.Comment = state.Conditional, held
	default:
		return true
	}
	return false
}

// errMissing says that a condition's command is not there, or cannot be run as asked. As in Salt it then does not hold;
// in a preview, a state that is only promised may bring it.
var errMissing = errors.New("the command of the condition is not there")

// An asker asks the conditions of one state.
type asker struct {
	x    *executor
	env  *modules.Env
	over *host.Overlay
	o    *state.Options
}

// heldBack says why a state is not to run, "" when it is.
func (a *asker) heldBack() (string, error) {
	// Salt fails a state whose onlyif or unless is an empty list, too.
	if a.o.HasOnlyif && len(a.o.Onlyif) == 0 {
		return "", errors.New("onlyif is an empty list: it can neither hold nor fail")
	}
	if a.o.HasUnless && len(a.o.Unless) == 0 {
		return "", errors.New("unless is an empty list: it can neither hold nor fail")
	}
	all, err := a.all(a.o.Onlyif)
	if !all || err != nil {
		return "onlyif condition is false", named("onlyif", err)
	}
	if len(a.o.Unless) > 0 {
		if all, err = a.all(a.o.Unless); err != nil && !errors.Is(err, errMissing) {
			return "", named("unless", err)
		}
		if all {
			return "unless condition is true", nil
		}
	}
	return a.created()
}

func named(key string, err error) error {
	if err == nil {
		return nil
	}
	return fmt.Errorf("%s: %w", key, err)
}

// all says whether all conditions hold. One that does not decides it; after that, the first that nobody can tell.
func (a *asker) all(list []state.Condition) (bool, error) {
	var doubt error
	for i := range list {
		ok, err := a.holds(&list[i])
		switch {
		case host.IsUnknown(err):
			if doubt == nil {
				doubt = err
			}
		case err != nil || !ok:
			return false, err
		}
	}
	return doubt == nil, doubt
}

// created says that all paths of creates are there.
func (a *asker) created() (string, error) {
	var doubt error
	for _, path := range a.o.Creates {
		switch _, err := a.over.Stat(path); {
		case host.IsUnknown(err):
			doubt = err
		case err != nil:
			return "", nil
		}
	}
	switch {
	case doubt != nil || len(a.o.Creates) == 0:
		return "", doubt
	case len(a.o.Creates) == 1:
		return a.o.Creates[0] + " exists", nil
	}
	return "All files in creates exist", nil
}

// holds judges one condition: a command that ends with 0, a call that gives a true value.
func (a *asker) holds(c *state.Condition) (bool, error) {
	if c.Fun != "" {
		a.over.Doubt()
		ok, err := a.x.callHolds(a.env, c)
		if u := a.over.Doubt(); u != nil {
			return false, u
		}
		return ok, err
	}
	code := a.x.code(a.over.Query, a.o, c.Command)
	if code == unavailable || code == 126 || code == 127 {
		return false, errMissing
	}
	return code == 0, nil
}

// unavailable is the code of a command that could not be started at all, as in Salt.
const unavailable = 100

func (x *executor) code(run func(context.Context, host.Cmd) (*host.Output, error), o *state.Options, text string) int {
	out, err := run(x.cfg.Abort, x.command(o, text))
	switch {
	case err != nil:
		return unavailable
	case out.TimedOut:
		return 1
	}
	return out.Code
}

// command is how the commands of a state's options run: as, where and with what the state itself would.
func (x *executor) command(o *state.Options, text string) host.Cmd {
	c := host.Cmd{Args: []string{text}, Shell: o.Shell, Dir: o.Cwd, Env: o.Env, RunAs: o.RunAs, Umask: o.Umask,
		Timeout: o.Timeout, Users: true}
	if c.Shell == "" {
		c.Shell = "/bin/sh" // Salt differs: it takes $SHELL of whoever started it, so that results depend on that
	}
	if c.Dir == "" {
		c.Dir = "/"
		if u, err := x.cfg.Host.User(o.RunAs); o.RunAs != "" && err == nil && u.Home != "" {
			c.Dir = u.Home
		}
	}
	return c
}

func (x *executor) callHolds(env *modules.Env, c *state.Condition) (bool, error) {
	exec := env.Exec // it sees the machine that the state is tried on
	if exec == nil {
		exec = x.cfg.Exec
	}
	if exec == nil || !exec.Has(c.Fun) {
		return false, fmt.Errorf("the function %s is not available", c.Fun)
	}
	var args []value.Value
	if c.Args != nil {
		args = c.Args.Items
	}
	kwargs := c.Kwargs
	if kwargs == nil {
		kwargs = value.NewDict(0)
	}
	v, err := exec.Call(x.cfg.Abort, c.Fun, args, kwargs)
	if err != nil {
		return false, fmt.Errorf("%s: %w", c.Fun, err)
	}
	if c.GetReturn != "" {
		v = traverse(v, c.GetReturn)
	}
	return value.Truth(v), nil
}

// traverse follows a colon-separated path into maps and lists; nil when it leads nowhere.
func traverse(v value.Value, path string) value.Value {
	for _, key := range strings.Split(path, ":") {
		switch c := v.(type) {
		case *value.Dict:
			v, _ = c.GetStr(key)
		case *value.List:
			i, err := strconv.Atoi(key)
			if err != nil || i < 0 || i >= len(c.Items) {
				return nil
			}
			v = c.Items[i]
		default:
			return nil
		}
	}
	return v
}

// checkCmd lets the commands of check_cmd judge the state: their verdict replaces its result, whatever that was, and
// also where conditions held it back, as in Salt. Functions that have an argument of the name use it in their own way.
//
// Salt differs: a preview does not run them, since they may write.
func (x *executor) checkCmd(fn modules.StateFunc, env *modules.Env, r *state.Result) {
	o := r.Low.Opts()
	if len(o.CheckCmd) == 0 || x.cfg.Preview || ownCheckCmd(fn) {
		return
	}
	for i := range o.CheckCmd {
		c := &o.CheckCmd[i]
		ok, err := true, error(nil)
		if c.Fun == "" {
			ok = x.code(x.cfg.Host.Run, o, c.Command) == 0
		} else {
			ok, err = x.callHolds(env, c)
		}
		if err != nil || !ok {
			r.Outcome, r.Comment = state.Failed, "check_cmd determined the state failed"
			return
		}
	}
	r.Outcome, r.Comment = state.Succeeded, "check_cmd determined the state succeeded"
}

func ownCheckCmd(fn modules.StateFunc) bool {
	t := reflect.TypeOf(fn)
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	if t.Kind() != reflect.Struct {
		return false
	}
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("arg"), ","); name == "check_cmd" {
			return true
		}
	}
	return false
}
