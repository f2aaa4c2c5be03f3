package group

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		{Name: "group.info", Doc: "Tells name, gid and members of a group; empty when there is none.",
			Params: []string{"name", "root=None"}, Fn: groupInfo},
		{Name: "group.getent", Doc: "Lists all groups.", Params: []string{"refresh=false", "root=None"}, Fn: getent},
		{Name: "group.add", Class: modules.Writes, Doc: "Makes a group.",
			Params: []string{"name:file!:,#", "gid:int=None", "system=false", "root=None", "non_unique=false"}, Fn: add},
		{Name: "group.delete", Class: modules.Writes, Doc: "Removes a group.", Params: []string{"name", "root=None"},
			Fn: remove},
		{Name: "group.members", Class: modules.Writes, Doc: "Sets the members of a group.",
			Params: []string{"name", "members_list:list+word!:", "root=None"}, Fn: setMembers},
		{Name: "group.adduser", Class: modules.Writes, Doc: "Makes a user a member.",
			Params: []string{"name", "username:word!:,", "root=None"}, Fn: addMember},
		{Name: "group.deluser", Class: modules.Writes, Doc: "Ends a user's membership.",
			Params: []string{"name", "username:word!:,", "root=None"}, Fn: dropMember},
		{Name: "group.chgid", Class: modules.Writes, Doc: "Changes the number of a group.",
			Params: []string{"name", "gid:int", "root=None", "non_unique=false"}, Fn: chgid},
	}
}

func groupInfo(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	g, ok, err := find(c.Host, c.Str("name"))
	if !ok || err != nil {
		return value.NewDict(0), err
	}
	return info(g), nil
}

func getent(_ context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	groups, err := c.Host.Groups()
	if err != nil {
		return nil, err
	}
	out := value.NewList()
	for _, g := range groups {
		out.Items = append(out.Items, info(g))
	}
	return out, nil
}

func add(ctx context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	p := &Present{Name: c.Str("name"), System: c.Bool("system"), NonUnique: c.Bool("non_unique")}
	if gid := c.Int("gid", -1); gid >= 0 {
		p.GID = &gid
	}
	if _, ok, _ := find(c.Host, p.Name); ok {
		return c.Answer(fmt.Errorf("group '%s' already exists", p.Name))
	}
	_, err := p.add(ctx, c.Host)
	return c.Answer(err)
}

func remove(ctx context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	return c.Answer(groupdel(ctx, c.Host, c.Str("name")))
}

// changed gives a group that is there the members and the number that are asked for, and says whether it could.
func changed(ctx context.Context, c *modules.Call, p *Present) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	g, ok, err := find(c.Host, p.Name)
	if err != nil || !ok {
		return value.Bool(false), err
	}
	d := p.differs(c.Host, g)
	if d.failed.Len() > 0 {
		return c.Answer(fmt.Errorf("this cannot be had: %s", value.String(d.failed)))
	}
	return c.Answer(d.apply(ctx, c.Host, p, g))
}

func setMembers(ctx context.Context, c *modules.Call) (value.Value, error) {
	return changed(ctx, c, &Present{Name: c.Str("name"), Members: append([]string{}, c.Strs("members_list")...)})
}

func addMember(ctx context.Context, c *modules.Call) (value.Value, error) {
	return changed(ctx, c, &Present{Name: c.Str("name"), AddUsers: []string{c.Str("username")}})
}

func dropMember(ctx context.Context, c *modules.Call) (value.Value, error) {
	if _, ok, _ := find(c.Host, c.Str("name")); !ok {
		return value.Bool(true), nil
	}
	return changed(ctx, c, &Present{Name: c.Str("name"), DelUsers: []string{c.Str("username")}})
}

func chgid(ctx context.Context, c *modules.Call) (value.Value, error) {
	gid := c.Int("gid", -1)
	if gid < 0 {
		return nil, errors.New("group.chgid needs a number")
	}
	return changed(ctx, c, &Present{Name: c.Str("name"), GID: &gid, NonUnique: c.Bool("non_unique")})
}
