package sysctl

import (
	"cmp"
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	looks := []modules.ExecSpec{
		{Name: "sysctl.default_config", Doc: "Names the file that sets the kernel at boot.",
			Fn: func(_ context.Context, c *modules.Call) (value.Value, error) {
				return value.Str(defaultConfig(c.Host)), nil
			}},
		{Name: "sysctl.get", Doc: "Gives a kernel setting.", Params: []string{"name"}, Fn: get},
		{Name: "sysctl.show", Doc: "Gives all kernel settings, or those of a file.", Params: []string{"config_file=false"},
			Fn: show},
	}
	return append(looks, modules.Writing(
		modules.ExecSpec{Name: "sysctl.assign", Doc: "Sets the running kernel.", Params: []string{"name", "value"},
			Fn: assigned},
		modules.ExecSpec{Name: "sysctl.persist", Doc: "Sets the running kernel and the file that sets it at boot: Updated, " +
			"or Already set.",
			Params: []string{"name:word", "value", "config:path!..=None"}, Fn: persist},
	)...)
}

func get(_ context.Context, c *modules.Call) (value.Value, error) {
	now, ok, err := current(c.Host, c.Str("name"))
	if err == nil && !ok {
		now = "sysctl: cannot stat " + proc(c.Str("name")) + ": No such file or directory"
	}
	return value.Str(now), err
}

func show(ctx context.Context, c *modules.Call) (value.Value, error) {
	if c.Bool("config_file") {
		return showFile(c)
	}
	out, err := c.Host.Query(ctx, host.Cmd{Args: []string{"sysctl", "-a"}})
	if err != nil {
		return nil, err
	}
	all := value.NewDict(0)
	for l := range strings.Lines(string(out.Stdout)) {
		if key, val, ok := strings.Cut(strings.TrimRight(l, "\n"), " = "); ok {
			all.SetStr(key, value.Str(val))
		}
	}
	return all, nil
}

func showFile(c *modules.Call) (value.Value, error) {
	if _, err := c.Host.Stat(c.Str("config_file")); err != nil {
		return value.NewList(), nil
	}
	lines, err := modules.ReadLines(c.Host, c.Str("config_file"))
	all := value.NewDict(0)
	for _, l := range lines {
		if key, val, ok := strings.Cut(strings.TrimSpace(l), "="); ok && !strings.HasPrefix(key, "#") {
			all.SetStr(strings.TrimRight(key, " \t"), value.Str(strings.TrimLeft(val, " \t")))
		}
	}
	return all, err
}

func assigned(ctx context.Context, c *modules.Call) (value.Value, error) {
	return value.DictOf(c.Str("name"), value.Str(c.Str("value"))), assign(ctx, c.Host, c.Str("name"), c.Str("value"))
}

func persist(ctx context.Context, c *modules.Call) (value.Value, error) {
	p := &Present{Name: c.Str("name"), Value: c.Arg("value"), Config: cmp.Or(c.Str("config"), defaultConfig(c.Host))}
	e, err := p.Act(ctx, nil, c.Host)
	if e.Alters() {
		return value.Str("Updated"), err
	}
	return value.Str("Already set"), err
}
