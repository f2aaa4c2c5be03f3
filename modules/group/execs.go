package group

import (
	"context"
	"errors"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		{Name: "group.info", Doc: "Tells name, gid and members of a group; empty when there is none.", Params: []string{"name", "**kwargs"}, Fn: groupInfo},
		{Name: "group.getent", Doc: "Lists all groups.", Params: []string{"refresh=false", "**kwargs"}, Fn: getent},
		{Name: "group.add", Doc: "Makes a group.", Params: []string{"name", "gid=None", "system=false", "**kwargs"}, Fn: add},
		{Name: "group.delete", Doc: "Removes a group.", Params: []string{"name", "**kwargs"}, Fn: remove},
		{Name: "group.members", Doc: "Sets the members of a group.", Params: []string{"name", "members_list", "**kwargs"}, Fn: setMembers},
		{Name: "group.adduser", Doc: "Makes a user a member.", Params: []string{"name", "username", "**kwargs"}, Fn: member("-a")},
		{Name: "group.deluser", Doc: "Ends a user's membership.", Params: []string{"name", "username", "**kwargs"}, Fn: member("-d")},
		{Name: "group.chgid", Doc: "Changes the number of a group.", Params: []string{"name", "gid", "**kwargs"}, Fn: chgid},
	}
}

func groupInfo(_ context.Context, c *modules.Call) (value.Value, error) {
	g, ok, err := find(c.World.Host, c.Str("name"))
	if !ok || err != nil {
		return value.NewDict(0), err
	}
	return info(g), nil
}

func getent(_ context.Context, c *modules.Call) (value.Value, error) {
	groups, err := c.World.Host.Groups()
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, g := range groups {
		out.Items = append(out.Items, info(g))
	}
	return out, nil
}

// done runs a tool and gives True.
func done(ctx context.Context, c *modules.Call, args ...string) (value.Value, error) {
	if err := run(ctx, c.World.Host, args...); err != nil {
		return nil, err
	}
	return value.Bool(true), nil
}

func add(ctx context.Context, c *modules.Call) (value.Value, error) {
	args := []string{"groupadd"}
	if g := c.Str("gid"); g != "" {
		args = append(args, "-g", g)
	}
	if c.Bool("system") {
		args = append(args, "-r")
	}
	return done(ctx, c, append(args, c.Str("name"))...)
}

func remove(ctx context.Context, c *modules.Call) (value.Value, error) {
	return done(ctx, c, "groupdel", c.Str("name"))
}

func setMembers(ctx context.Context, c *modules.Call) (value.Value, error) {
	return done(ctx, c, "gpasswd", "-M", strings.Join(c.Strs("members_list"), ","), c.Str("name"))
}

func member(flag string) func(context.Context, *modules.Call) (value.Value, error) {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		return done(ctx, c, "gpasswd", flag, c.Str("username"), c.Str("name"))
	}
}

func chgid(ctx context.Context, c *modules.Call) (value.Value, error) {
	gid := c.Int("gid", -1)
	if gid < 0 {
		return nil, errors.New("group.chgid needs a number")
	}
	return done(ctx, c, "groupmod", "-g", strconv.Itoa(gid), c.Str("name"))
}
