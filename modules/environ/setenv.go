package environ

import (
	"context"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Setenv keeps variables of gostate's own environment, which the commands of later states get.
type Setenv struct {
	Name      string      `arg:"name,required,word" not:"=" doc:"The variable, where value is text."`
	Value     value.Value `arg:"value,required,text" doc:"Its value, false, or a map of variables and values."`
	Unset     bool        `arg:"false_unsets" doc:"Takes a variable whose value is false away; else it becomes empty."`
	ClearAll  bool        `arg:"clear_all" doc:"Does the same with all other variables."`
	Minion    bool        `arg:"update_minion" doc:"No effect: there is no other process."`
	Permanent value.Value `arg:"permanent" doc:"Of Windows; no effect here."`
}

func setenvSpec() modules.StateSpec {
	return modules.StateSpec{
		Name:    "environ.setenv",
		Doc:     "Sets variables of the environment of this run, for the commands of later states.",
		Example: "HTTP_PROXY:\n  environ.setenv:\n    - value: http://proxy.example.org:3128",
		New:     func() modules.StateFunc { return &Setenv{} },
	}
}

// wanted are the variables that are given.
func wanted(name string, v value.Value) *value.Dict {
	if d, ok := v.(*value.Dict); ok {
		return d
	}
	return value.DictOf(name, v)
}

// Validate wants text, or false.
func (s *Setenv) Validate() []modules.Fault {
	for k, v := range wanted(s.Name, s.Value).All() {
		name, isText := k.(value.Str)
		if !isText || name == "" || strings.ContainsAny(string(name), "=\x00") {
			return []modules.Fault{{Arg: "name", Msg: value.Repr(k) + " is no name of a variable"}}
		}
		if text, _ := v.(value.Str); strings.ContainsRune(string(text), 0) {
			return []modules.Fault{{Arg: "value", Msg: value.Repr(v) + " holds NUL, which no variable can"}}
		}
		if _, text := v.(value.Str); !text && v != value.Value(value.Bool(false)) {
			return []modules.Fault{{Arg: "value", Msg: "Environ value must be string, dict or False",
				Hint: "put numbers in quotes"}}
		}
	}
	return nil
}

// Act sets them.
func (s *Setenv) Act(ctx context.Context, env *modules.Env, h host.Host) (state.Effect, error) {
	c := change{wanted(s.Name, s.Value), s.Unset, s.ClearAll}
	if c.todo(env, h).Len() == 0 {
		return state.Settled("Environ values were already set with the correct values"), nil
	}
	told, err := c.do(ctx, env, h)
	return state.Effect{Changes: told, Comment: "Environ values were set", Preview: "Environ values will be changed",
		Once: true}, err
}

// A change is what is to become of the environment.
type change struct {
	vars         *value.Dict
	unset, clear bool
}

// now is what a variable is, as far as earlier states have set it.
func now(env *modules.Env, h host.Reader, name string) (string, bool) {
	if f, ok := h.Fact(host.FactVariable, name); ok {
		return f.Value, f.Attrs["unset"] == ""
	}
	return env.LookupEnv(name)
}

// each are all variables that are set, those that are to be cleared first: None for one that goes.
func (c change) each(env *modules.Env, h host.Reader) *value.Dict {
	out := value.NewDict(0)
	gone := value.Value(value.Str(""))
	if c.unset {
		gone = value.None
	}
	names := slices.Clone(env.Environ)
	slices.Sort(names)
	for _, kv := range names {
		name, _, _ := strings.Cut(kv, "=")
		_, given := c.vars.GetStr(name)
		if _, there := now(env, h, name); c.clear && !given && there {
			out.SetStr(name, gone)
		}
	}
	for k, v := range c.vars.All() {
		if _, text := v.(value.Str); !text {
			v = gone
		}
		_ = out.Set(k, v)
	}
	return out
}

// todo are those that are not as wanted.
func (c change) todo(env *modules.Env, h host.Reader) *value.Dict {
	out := value.NewDict(0)
	for k, v := range c.each(env, h).All() {
		is, there := now(env, h, value.String(k))
		if v == value.Value(value.None) && there || v != value.Value(value.None) && (!there || is != value.String(v)) {
			_ = out.Set(k, v)
		}
	}
	return out
}

// do sets all, and tells them.
func (c change) do(ctx context.Context, env *modules.Env, h host.Host) (*value.Dict, error) {
	all := c.each(env, h)
	return all, h.Do(ctx, host.Deed{What: "set the environment", On: host.FactVariable,
		Do: func(context.Context) error {
			for k, v := range all.All() {
				if err := env.Setenv(value.String(k), value.String(v), v == value.Value(value.None)); err != nil {
					return err
				}
			}
			return nil
		},
		Foretell: func(o host.Host) error {
			for k, v := range all.All() {
				f := host.Fact{Kind: host.FactVariable, Name: value.String(k), Value: value.String(v)}
				if v == value.Value(value.None) {
					f.Attrs = map[string]string{"unset": "yes"}
				}
				o.Promise(f)
			}
			return nil
		}})
}
