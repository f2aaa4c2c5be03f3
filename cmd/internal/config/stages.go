package config

import (
	"slices"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// Stages are the run stages in their order, nil where none are configured. The stage of all states that name none is
// `main`; its place among the others is for the user to say.
func (c *Config) Stages() ([]string, error) {
	v, ok := c.Opts.GetStr("stages")
	if !ok || v == value.None {
		return nil, nil
	}
	bad := func(msg string, args ...any) error {
		return diag.Errorf(c.Pos("stages"), "stages "+msg, args...).WithHint("stages: [pre, main, post]")
	}
	list, ok := v.(*value.List)
	if !ok || len(list.Items) == 0 {
		return nil, bad("is %s, not a list of names", value.Repr(v))
	}
	var out []string
	for _, it := range list.Items {
		name, isText := it.(value.Str)
		switch {
		case !isText || name == "":
			return nil, bad("has %s, which is no name", value.Repr(it))
		case slices.Contains(out, string(name)):
			return nil, bad("has '%s' twice", name)
		}
		out = append(out, string(name))
	}
	if !slices.Contains(out, state.MainStage) {
		return nil, bad("does not have 'main', the stage of all states that name none")
	}
	return out, nil
}
