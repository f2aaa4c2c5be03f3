package logrotate

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	file := "conf_file=" + confFile
	return append(modules.Writing(
		modules.NewExec("logrotate.set", "Sets a command, or one of a block; whether the files have it then.", setValue,
			"key", "value", "setting=None", file)),
		modules.NewExec("logrotate.show_conf", "What the files of logrotate come to.", show, file),
		modules.NewExec("logrotate.get", "A command, a block, or a command of a block; False where there is none.", get,
			"key", "value=None", file))
}

func show(_ context.Context, c *modules.Call) (value.Value, error) {
	all, err := read(c.Host, c.Str("conf_file"), 0)
	if err != nil {
		return nil, modules.Failed(err)
	}
	return all.d, nil
}

func get(_ context.Context, c *modules.Call) (value.Value, error) {
	all, err := read(c.Host, c.Str("conf_file"), 0)
	if err != nil {
		return nil, modules.Failed(err)
	}
	v, ok := all.d.GetStr(c.Str("key"))
	if !ok {
		return value.Bool(false), nil
	}
	if block, isBlock := v.(*value.Dict); isBlock && c.Bool("value") {
		if v, ok = block.GetStr(c.Str("value")); !ok {
			return value.Bool(false), nil
		}
	}
	return v, nil
}

func setValue(_ context.Context, c *modules.Call) (value.Value, error) {
	want, err := of(c.Str("conf_file"), c.Str("key"), c.Arg("value"), c.Arg("setting"))
	if err != nil {
		return nil, value.Raise("SaltInvocationError", "value %v", err)
	}
	all, err := read(c.Host, want.file, 0)
	if err != nil {
		return nil, modules.Failed(err)
	}
	is, misplaced := want.now(all)
	switch {
	case misplaced != nil:
		return nil, value.Raise("SaltInvocationError", "%v", misplaced)
	case want.is(is):
		return value.Bool(true), nil
	}
	return value.Bool(true), modules.Failed(want.write(c.Host, all))
}
