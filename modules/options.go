package modules

import (
	"time"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

// bindOptions walks the options that some state functions also declare as arguments of their own.
func bindOptions(o *state.Options, bind func(name string, v value.Value)) {
	for _, t := range []struct{ name, text string }{{"runas", o.RunAs}, {"cwd", o.Cwd}, {"shell", o.Shell}, {"umask", o.Umask}} {
		if t.text != "" {
			bind(t.name, value.Str(t.text))
		}
	}
	if o.Timeout > 0 {
		bind("timeout", value.Float(float64(o.Timeout)/float64(time.Second)))
	}
	if len(o.Creates) > 0 {
		bind("creates", textList(o.Creates))
	}
	if len(o.Env) > 0 {
		bind("env", textList(o.Env))
	}
	if len(o.CheckCmd) > 0 {
		bind("check_cmd", commandList(o.CheckCmd))
	}
}

func textList(texts []string) *value.List {
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

func isGlobalArg(name string) bool {
	for _, g := range globalArgs() {
		if g == name {
			return true
		}
	}
	return false
}

// globalArgs are the arguments that every state takes.
func globalArgs() []string { return globalNames[:] }

var globalNames = [...]string{
	"name", "names", "order", "require", "require_in", "require_any", "watch", "watch_in", "watch_any", "prereq", "prereq_in",
	"onchanges", "onchanges_in", "onchanges_any", "onfail", "onfail_in", "onfail_any", "onfail_all", "listen", "listen_in",
	"use", "use_in", "onlyif", "unless", "creates", "check_cmd", "retry", "failhard", "parallel", "reload_modules",
	"reload_grains", "reload_pillar", "runas", "runas_password", "cwd", "shell", "umask", "timeout", "env", "fire_event",
	"aggregate", "saltenv", "state", "fun",
}
