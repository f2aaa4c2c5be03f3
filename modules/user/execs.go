package user

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	looks := []modules.ExecSpec{
		{Name: "user.info", Doc: "Tells numbers, groups, home and shell of a user; empty when there is none.",
			Params: []string{"name", "root=None"}, Fn: userInfo},
		{Name: "user.list_users", Doc: "Lists the names of all users.", Params: []string{"root=None"}, Fn: listUsers},
		{Name: "user.list_groups", Doc: "Lists the groups that a user is in.", Params: []string{"name"}, Fn: listGroups},
		{Name: "user.getent", Doc: "Lists all users.", Params: []string{"refresh=false", "root=None"}, Fn: getent},
		{Name: "user.primary_group", Doc: "Names the primary group of a user.", Params: []string{"name"}, Fn: primaryGroup},
		{Name: "user.current", Doc: "Names the user that gostate runs as.", Params: []string{"get_uid=false"}, Fn: current},
		{Name: "user.get_loginclass", Doc: "Is False: login classes are OpenBSD's.", Params: []string{"name"},
			Fn: func(context.Context, *modules.Call) (value.Value, error) { return value.Bool(false), nil }},
	}
	return append(append(looks, changeSpecs()...), shadowSpecs()...)
}

func userInfo(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	a, ok, err := find(c.Host, c.Str("name"))
	if !ok || err != nil {
		return value.NewDict(0), err
	}
	return a.info(), nil
}

func listUsers(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	users, err := c.Host.Users()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, u := range users {
		names = append(names, u.Name)
	}
	slices.Sort(names)
	return modules.TextList(names), nil
}

func listGroups(_ context.Context, c *modules.Call) (value.Value, error) {
	a, _, err := find(c.Host, c.Str("name"))
	return modules.TextList(a.Groups), err
}

func getent(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	users, err := c.Host.Users()
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, u := range users {
		a, ok, err := find(c.Host, u.Name)
		if err != nil {
			return nil, err
		}
		if ok {
			out.Items = append(out.Items, a.info())
		}
	}
	return out, nil
}

func primaryGroup(_ context.Context, c *modules.Call) (value.Value, error) {
	u, err := c.Host.User(c.Str("name"))
	if err != nil {
		return value.Str(""), nil
	}
	g, err := c.Host.GroupByID(u.GID)
	if err != nil {
		return value.Str(""), nil
	}
	return value.Str(g.Name), nil
}

func current(ctx context.Context, c *modules.Call) (value.Value, error) {
	flag := "-un"
	if c.Bool("get_uid") {
		flag = "-u"
	}
	out, err := c.Host.Query(ctx, host.Cmd{Args: []string{"id", flag}})
	if err != nil {
		return nil, err
	}
	text := value.Str(string(out.Stdout[:max(0, len(out.Stdout)-1)]))
	if c.Bool("get_uid") {
		n, err := modules.Integer(text)
		return value.Int(n), err
	}
	return text, nil
}
