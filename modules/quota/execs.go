package quota

import (
	"context"
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execs() []modules.ExecSpec {
	return append(modules.Writing(
		modules.NewExec("quota.set", "Sets limits of a user or a group on a file system.", set, "device", "user=None",
			"group=None", "block-soft-limit:int=None", "block-hard-limit:int=None", "file-soft-limit:int=None",
			"file-hard-limit:int=None"),
		modules.NewExec("quota.on", "Switches the quotas of a file system on.", turn("quotaon"), "device"),
		modules.NewExec("quota.off", "Switches the quotas of a file system off.", turn("quotaoff"), "device"),
	),
		modules.NewExec("quota.report", "The quotas of a file system, of users and of groups.", report, "mount"),
		modules.NewExec("quota.get_mode", "Whether the quotas of a file system are on.", getMode, "device"))
}

func turn(program string) modules.ExecFunc {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		_, err := c.Outright(ctx, program, c.Str("device"))
		return value.Bool(err == nil), err
	}
}

func getMode(ctx context.Context, c *modules.Call) (value.Value, error) {
	all, err := modes(ctx, c.Host, c.Str("device"))
	out := value.NewDict(1)
	switch {
	case err != nil && strings.Contains(err.Error(), "Cannot"):
		out.SetStr(c.Str("device"), value.Str("Not found"))
	case err != nil:
		out.SetStr(c.Str("device"), value.Str("disabled"))
	}
	for _, mount := range slices.Sorted(maps.Keys(all)) {
		d := value.DictOf("device", value.Str(all[mount].device))
		for _, k := range all[mount].kinds {
			d.SetStr(k, value.Str(all[mount].is[k]))
		}
		out.SetStr(mount, d)
	}
	return out, nil
}

// parse reads what repquota prints: a head, a line of dashes, and a line of each user or group.
func parse(text, kind string) *value.Dict {
	owners := value.NewDict(0)
	out := value.DictOf(kind, owners)
	body := false
	for line := range strings.Lines(text) {
		f := strings.Fields(line)
		switch {
		case strings.Contains(line, "Block grace time"):
			block, inode, _ := strings.Cut(strings.TrimSpace(line), ";")
			for _, g := range [][2]string{{"Block Grace Time", block}, {"Inode Grace Time", inode}} {
				_, time, _ := strings.Cut(g[1], ": ")
				out.SetStr(g[0], value.NewList(value.Str(time)))
			}
		case strings.HasPrefix(line, "-"):
			body = true
		case body && len(f) >= 10:
			d := value.NewDict(8)
			for i, name := range strings.Fields("block-used block-soft-limit block-hard-limit block-grace file-used " +
				"file-soft-limit file-hard-limit file-grace") {
				d.SetStr(name, value.Str(f[i+2]))
			}
			owners.SetStr(f[0], d)
		}
	}
	return out
}

// ask is what repquota says of users (-u) or groups (-g).
func ask(ctx context.Context, c *modules.Call, option, device string) (*value.Dict, error) {
	out, err := c.Ask(ctx, "repquota", "-vp", option, device)
	if err != nil {
		return nil, value.Raise("CommandExecutionError", "%v", err)
	}
	return parse(string(out.Stdout), map[string]string{"-u": "Users", "-g": "Groups"}[option]), nil
}

func report(ctx context.Context, c *modules.Call) (value.Value, error) {
	users, err := ask(ctx, c, "-u", c.Str("mount"))
	if err != nil {
		return nil, err
	}
	groups, err := ask(ctx, c, "-g", c.Str("mount"))
	if err != nil {
		return nil, err
	}
	return value.DictOf(c.Str("mount"), value.DictOf("User Quotas", users, "Group Quotas", groups)), nil
}

// set sets limits, and keeps those that are not given.
//
// Salt differs: it sets those to none.
func set(ctx context.Context, c *modules.Call) (value.Value, error) {
	option, kind, title := "-u", "user", "Users"
	switch {
	case c.Bool("user") && c.Bool("group"):
		return nil, value.Raise("SaltInvocationError", "Please specify a user or group, not both.")
	case c.Bool("group"):
		option, kind, title = "-g", "group", "Groups"
	case !c.Bool("user"):
		return nil, value.Raise("CommandExecutionError", "A valid user or group was not found")
	}
	now, err := ask(ctx, c, option, c.Str("device"))
	if err != nil {
		return nil, err
	}
	owners, _ := now.GetStr(title)
	was, _ := owners.(*value.Dict).GetStr(c.Str(kind))
	d, args := value.NewDict(4), []string{"setquota", option, c.Str(kind)}
	for _, limit := range []string{"block-soft-limit", "block-hard-limit", "file-soft-limit", "file-hard-limit"} {
		var v value.Value = value.Int(0)
		if old, ok := was.(*value.Dict); ok {
			v, _ = old.GetStr(limit)
		}
		if given := c.Arg(limit); given != value.Value(value.None) {
			v = given
		}
		d.SetStr(limit, v)
		args = append(args, value.String(v))
	}
	out, err := c.Outright(ctx, append(args, c.Str("device"))...)
	if err != nil {
		return nil, err
	}
	if out.Code != 0 {
		return nil, value.Raise("CommandExecutionError", "Unable to set desired quota. Error follows: \n%s",
			strings.TrimSpace(string(out.Stderr)))
	}
	return value.DictOf(strings.ToUpper(kind[:1])+kind[1:]+": "+c.Str(kind), d), nil
}
