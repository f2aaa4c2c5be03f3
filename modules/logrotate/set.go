package logrotate

import (
	"context"
	"fmt"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Set keeps a setting.
type Set struct {
	Name     string      `arg:"name,required" doc:"The name of the state."`
	Key      string      `arg:"key,required,line" doc:"The command; with a setting, the block: a path."`
	Value    value.Value `arg:"value,required,line" doc:"What the command is to be: true for the command alone, false for none. With a setting, the command in the block."`
	Setting  value.Value `arg:"setting,line" doc:"What the command of the block is to be."`
	ConfFile string      `arg:"conf_file,line" default:"/etc/logrotate.conf" doc:"The file. What it includes is looked at too."`
}

func setSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "logrotate.set",
		Doc:  "Keeps a setting of logrotate, in the file that has it, or in the main one.",
		Example: "keep four:\n  logrotate.set:\n    - key: rotate\n    - value: 4\nkeep two of wtmp:\n  logrotate.set:\n" +
			"    - key: /var/log/wtmp\n    - value: rotate\n    - setting: 2",
		New: func() modules.StateFunc { return &Set{} },
	}
}

// converted is a value as Salt compares it: a number where its text is one. No text is False.
func converted(v value.Value) value.Value {
	if text, err := modules.Text(v); err == nil {
		if text == "" {
			return value.Bool(false)
		}
		if i, err := strconv.Atoi(text); err == nil {
			return value.Int(i)
		}
	}
	return v
}

// of is the setting that is meant.
func of(file, key string, v, inBlock value.Value) (setting, error) {
	if inBlock == nil || inBlock == value.Value(value.None) {
		return setting{file: file, command: key, want: converted(v)}, nil
	}
	command, err := modules.Text(v)
	return setting{file: file, block: key, command: command, want: converted(inBlock)}, err
}

// words begin Salt's sentences.
func (s setting) words() string {
	if s.block == "" {
		return "ommand '" + s.command + "'"
	}
	return fmt.Sprintf("lock '%s' command '%s'", s.block, s.command)
}

// Act sets.
func (s *Set) Act(_ context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	want, err := of(s.ConfFile, s.Key, s.Value, s.Setting)
	if err != nil {
		return state.Effect{}, fmt.Errorf("value %w", err)
	}
	c, err := read(h, s.ConfFile, 0)
	if err != nil {
		return state.Effect{}, err
	}
	is, misplaced := want.now(c)
	small, large := "c", "C"
	if want.block != "" {
		small, large = "b", "B"
	}
	shown := value.String(want.want)
	switch {
	case misplaced != nil:
		return state.Effect{}, misplaced
	case want.is(is):
		return state.Settled(large + want.words() + " already has value: " + shown), nil
	}
	return state.Effect{Changes: value.DictOf("old", is, "new", want.want),
		Comment: "Set " + small + want.words() + " value: " + shown,
		Preview: large + want.words() + " will be set to value: " + shown}, want.write(h, c)
}
