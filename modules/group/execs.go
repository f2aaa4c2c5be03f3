package group

import (
	"context"
	"errors"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	return []modules.ExecSpec{
		{Name: "group.info", Doc: "Tells name, gid and members of a group; empty when there is none.", Params: []string{"name", "**kwargs"}, Fn: groupInfo},
		{Name: "group.getent", Doc: "Lists all groups.", Params: []string{"refresh=false", "**kwargs"}, Fn: getent},
		{Name: "group.add", Class: modules.Writes, Doc: "Makes a group.", Params: []string{"name", "gid=None", "system=false", "**kwargs"}, Fn: add},
		{Name: "group.delete", Class: modules.Writes, Doc: "Removes a group.", Params: []string{"name", "**kwargs"}, Fn: remove},
		{Name: "group.members", Class: modules.Writes, Doc: "Sets the members of a group.", Params: []string{"name", "members_list", "**kwargs"}, Fn: setMembers},
		{Name: "group.adduser", Class: modules.Writes, Doc: "Makes a user a member.", Params: []string{"name", "username", "**kwargs"}, Fn: addMember},
		{Name: "group.deluser", Class: modules.Writes, Doc: "Ends a user's membership.", Params: []string{"name", "username", "**kwargs"}, Fn: dropMember},
		{Name: "group.chgid", Class: modules.Writes, Doc: "Changes the number of a group.", Params: []string{"name", "gid", "**kwargs"}, Fn: chgid},
	}
}

func groupInfo(_ context.Context, c *modules.Call) (value.Value, error) {
	g, ok, err := find(c.Host, c.Str("name"))
	if !ok || err != nil {
		return value.NewDict(0), err
	}
	return info(g), nil
}

func getent(_ context.Context, c *modules.Call) (value.Value, error) {
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

// done is True where it went well.
func done(err error) (value.Value, error) {
	if err != nil {
		return nil, err
	}
	return value.Bool(true), nil
}

func add(ctx context.Context, c *modules.Call) (value.Value, error) {
	p := &Present{Name: c.Str("name"), System: c.Bool("system")}
	if gid := c.Int("gid", -1); gid >= 0 {
		p.GID = &gid
	}
	_, err := p.add(ctx, c.Host)
	return done(err)
}

func remove(ctx context.Context, c *modules.Call) (value.Value, error) {
	return done(groupdel(ctx, c.Host, c.Str("name")))
}

// changed gives a group that is there the members and the number that are asked for.
func changed(ctx context.Context, h host.Host, p *Present) (value.Value, error) {
	g, ok, err := find(h, p.Name)
	switch {
	case err != nil:
		return nil, err
	case !ok:
		return nil, fmt.Errorf("group '%s' does not exist", p.Name)
	case p.GID != nil:
		return done(p.renumber(ctx, h, g))
	}
	return done(p.join(ctx, h, g))
}

func setMembers(ctx context.Context, c *modules.Call) (value.Value, error) {
	return changed(ctx, c.Host, &Present{Name: c.Str("name"), Members: append([]string{}, c.Strs("members_list")...)})
}

func addMember(ctx context.Context, c *modules.Call) (value.Value, error) {
	return changed(ctx, c.Host, &Present{Name: c.Str("name"), AddUsers: []string{c.Str("username")}})
}

func dropMember(ctx context.Context, c *modules.Call) (value.Value, error) {
	return changed(ctx, c.Host, &Present{Name: c.Str("name"), DelUsers: []string{c.Str("username")}})
}

func chgid(ctx context.Context, c *modules.Call) (value.Value, error) {
	gid := c.Int("gid", -1)
	if gid < 0 {
		return nil, errors.New("group.chgid needs a number")
	}
	return changed(ctx, c.Host, &Present{Name: c.Str("name"), GID: &gid})
}
