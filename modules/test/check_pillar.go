package test

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

// CheckPillar is test.check_pillar.
type CheckPillar struct {
	base
	Name       string   `arg:"name,text" doc:"A unique text."`
	Present    []string `arg:"present" doc:"Keys that must be there, of whatever type."`
	Boolean    []string `arg:"boolean" doc:"Keys that must hold true or false."`
	Integer    []string `arg:"integer" doc:"Keys that must hold a whole number."`
	String     []string `arg:"string" doc:"Keys that must hold text."`
	Listing    []string `arg:"listing" doc:"Keys that must hold a list."`
	Dictionary []string `arg:"dictionary" doc:"Keys that must hold a map."`
	Verbose    bool     `arg:"verbose" doc:"Whether to tell what was found in place of what was wanted."`
}

func checkPillar() modules.StateSpec {
	return modules.StateSpec{Name: "test.check_pillar", Doc: "Fails where a pillar key is missing or of another type.",
		Example: "pillar-complete:\n  test.check_pillar:\n    - present:\n      - web:port\n    - failhard: true\n",
		New:     func() modules.StateFunc { return &CheckPillar{} }}
}

// Act looks all keys up.
func (c *CheckPillar) Act(_ context.Context, env *modules.Env, _ host.Host) (state.Effect, error) {
	var wrong []string
	for _, want := range []struct {
		keys []string
		name string
		is   func(value.Value) bool
	}{
		{c.Present, "", func(value.Value) bool { return true }},
		{c.Boolean, "boolean", is[value.Bool]},
		{c.Integer, "integer", func(v value.Value) bool { return is[value.Int](v) || is[value.BigInt](v) }},
		{c.String, "string", is[value.Str]},
		{c.Listing, "list", is[*value.List]},
		{c.Dictionary, "dictionary", is[*value.Dict]},
	} {
		for _, key := range want.keys {
			v, ok := env.Pillar(key)
			switch {
			case !ok:
				wrong = append(wrong, fmt.Sprintf("Pillar key %q is missing.", key))
			case !want.is(v) && c.Verbose:
				wrong = append(wrong, fmt.Sprintf("Pillar key %q is not %s. It is %s: %s.", key, want.name, v.TypeName(),
					value.String(v)))
			case !want.is(v):
				wrong = append(wrong, fmt.Sprintf("Pillar key %q is not %s.", key, want.name))
			}
		}
	}
	if wrong != nil {
		return state.Settled(""), errors.New(strings.Join(wrong, "\n"))
	}
	return state.Settled(""), nil
}

func is[T value.Value](v value.Value) bool { _, ok := v.(T); return ok }
