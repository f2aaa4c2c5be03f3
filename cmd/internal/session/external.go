package session

import (
	"context"
	"fmt"
	"strings"

	"github.com/gostate/gostate/modules/bridge"
	"github.com/gostate/gostate/sls/pillar"
	"github.com/gostate/gostate/state/diag"
	"github.com/gostate/gostate/state/value"
)

// externalPillars are those of the key ext_pillar: a list of maps, each the name of one with its arguments.
// Salt differs: one that there is not, or that fails, is left out with a line in the log.
func (s *Session) externalPillars(over *value.Dict) (out []pillar.External, err error) {
	pos := s.config.Pos("ext_pillar")
	v, ok := s.config.Opts.GetStr("ext_pillar")
	if !ok || v == value.Value(value.None) {
		return nil, nil
	}
	list, ok := v.(*value.List)
	if !ok {
		return nil, diag.Errorf(pos, "ext_pillar is %s, not a list",
			value.Repr(v)).WithHint("ext_pillar: [{NAME: ARGUMENTS}]")
	}
	for _, item := range list.Items {
		d, ok := item.(*value.Dict)
		if !ok {
			return nil, diag.Errorf(pos, "ext_pillar has %s, which is no map of a name to its arguments", value.Repr(item))
		}
		for k, arg := range d.All() {
			ask, err := s.externalPillar(value.String(k), arg, over)
			if err != nil {
				return nil, err
			}
			out = append(out, ask)
		}
	}
	return out, nil
}

func (s *Session) externalPillar(name string, arg value.Value, over *value.Dict) (pillar.External, error) {
	switch {
	case s.own.Has(bridge.Pillars, name):
		return func(ctx context.Context, p *value.Dict) (*value.Dict, error) {
			return s.external(name)(s.own.Pillar(ctx, name, s.id, p, arg))
		}, nil
	case name == "git":
		return s.gitPillar(arg, over), nil
	case name == "cmd_yaml" || name == "cmd_json":
		return func(ctx context.Context, _ *value.Dict) (*value.Dict, error) {
			return s.external(name)(s.commandPillar(ctx, strings.TrimPrefix(name, "cmd_"), value.String(arg)))
		}, nil
	}
	return nil, diag.Errorf(s.config.Pos("ext_pillar"), "there is no external pillar %q", name).
		WithHint("there are cmd_yaml, cmd_json, git, and those of the tree in _pillar")
}

// external is the data of an external pillar.
func (s *Session) external(name string) func(v value.Value, err error) (*value.Dict, error) {
	return func(v value.Value, err error) (*value.Dict, error) {
		if err != nil {
			return nil, diag.Errorf(s.config.Pos("ext_pillar"), "external pillar %s: %v", name, err)
		}
		switch v := v.(type) {
		case *value.Dict:
			return v, nil
		case value.NoneType:
			return value.NewDict(0), nil
		}
		return nil, diag.Errorf(s.config.Pos("ext_pillar"), "external pillar %s gave %s, which is no map", name,
			value.Repr(v))
	}
}

// commandPillar is what a command prints, in which %s is the minion's id.
func (s *Session) commandPillar(ctx context.Context, format, command string) (value.Value, error) {
	if s.opts.NoCommands {
		return nil, fmt.Errorf("it runs a command, and --no-commands is given: %s", command)
	}
	text, err := execFunctions{s, s.machine}.Call(ctx, "cmd.run_stdout",
		[]value.Value{value.Str(strings.ReplaceAll(command, "%s", s.id))}, value.DictOf("python_shell", value.Bool(true)))
	if err != nil {
		return nil, err
	}
	v, err := s.env(s.machine).Deserialize(format, value.String(text))
	if err != nil {
		return nil, fmt.Errorf("what %q printed is no %s: %w", command, format, err)
	}
	return v, nil
}
