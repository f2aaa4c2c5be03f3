package webutil

import (
	"context"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("webutil.useradd", "Adds a user to a file of passwords, or gives one a new password.", useradd,
			"pwfile:path", "user:word!:", "password", "opts=", "runas=None"),
		modules.NewExec("webutil.userdel", "Takes a user out of a file of passwords.", userdel, "pwfile:path", "user:word!:",
			"runas=None", "all_results=true"),
	), modules.NewExec("webutil.verify", "Says whether a user of a file of passwords has a password.", verify, "pwfile",
		"user", "password", "opts=", "runas=None"))
}

func of(c *modules.Call) (*table, string, error) {
	user := c.Str("user")
	if strings.ContainsAny(user, ":\n\r\x00") || strings.HasPrefix(user, "-") || user == "" {
		return nil, "", value.Raise("CommandExecutionError", "'%s' is no name of a user", strings.ToValidUTF8(user, "?"))
	}
	return &table{c.Str("pwfile"), c.Str("runas")}, user, nil
}

func useradd(ctx context.Context, c *modules.Call) (value.Value, error) {
	t, user, err := of(c)
	if err != nil {
		return nil, err
	}
	out, err := t.set(ctx, c.Host, user, c.Str("password"), c.Str("opts"))
	if err != nil {
		return nil, err
	}
	return modules.Ran(out), nil
}

func userdel(ctx context.Context, c *modules.Call) (value.Value, error) {
	t, user, err := of(c)
	if err != nil {
		return nil, err
	}
	if _, err := c.Host.Stat(t.file); err != nil {
		return value.Str("Error: The specified htpasswd file does not exist"), nil
	}
	out, err := t.drop(ctx, c.Host, user)
	if err != nil {
		return nil, err
	}
	if c.Bool("all_results") {
		return modules.Ran(out), nil
	}
	return value.From(strings.Split(strings.TrimSpace(string(out.Stdout)), "\n")), nil
}

func verify(ctx context.Context, c *modules.Call) (value.Value, error) {
	t, user, err := of(c)
	if err != nil {
		return nil, err
	}
	ok, err := t.verify(ctx, c.Host, user, c.Str("password"), c.Str("opts"))
	return value.Bool(ok), err
}
