package modules

import (
	"slices"
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// bindOptions walks the options that some state functions also declare as arguments of their own.
func bindOptions(o *state.Options, bind func(name string, v value.Value)) {
	for _, t := range []struct{ name, text string }{{"runas", o.RunAs}, {"cwd", o.Cwd}, {"shell", o.Shell},
		{"umask", o.Umask}} {
		if t.text != "" {
			bind(t.name, value.Str(t.text))
		}
	}
	if o.Timeout > 0 {
		bind("timeout", value.Float(float64(o.Timeout)/float64(time.Second)))
	}
	if len(o.Creates) > 0 {
		bind("creates", TextList(o.Creates))
	}
	if len(o.Env) > 0 {
		bind("env", TextList(o.Env))
	}
	if len(o.CheckCmd) > 0 {
		bind("check_cmd", commandList(o.CheckCmd))
	}
}

// TextList is a list of texts.
func TextList(texts []string) *value.List {
	l := &value.List{Items: make([]value.Value, len(texts))}
	for i, t := range texts {
		l.Items[i] = value.Str(t)
	}
	return l
}

func commandList(conds []state.Condition) *value.List {
	l := value.NewList()
	for _, c := range conds {
		if c.Command != "" {
			l.Items = append(l.Items, value.Str(c.Command))
		}
	}
	return l
}

// isGlobalArg says whether every state takes the argument. cwd, shell and env are how the commands of conditions run.
func isGlobalArg(name string) bool {
	return name == "cwd" || name == "shell" || name == "env" || slices.Contains(state.GlobalArgs(), name)
}
