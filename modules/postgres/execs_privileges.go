package postgres

import (
	"maps"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func privilegeExecs() []modules.ExecSpec {
	link := []string{"maintenance_db=", "user=", "host=", "port=", "password=", "runas="}
	of := func(own ...string) []string { return append(append(own, "prepend='public'"), link...) }
	return []modules.ExecSpec{
		looking("privileges_list", "privileges_list(name, object_type, prepend='public', ...): who holds what on a thing.",
			value.NewDict(0), privilegesList, of("name", "object_type")...),
		looking("has_privileges", "has_privileges(name, object_name, object_type, privileges=None, ...): whether a role "+
			"has them.",
			value.Bool(false), func(c *catalog, call *modules.Call) (value.Value, error) {
				t, list, err := thingOf(c, call)
				if err != nil {
					return nil, err
				}
				has, _, err := c.has(t, call.Str("name"), list, call.Bool("grant_option"))
				return value.Bool(has), err
			}, of("name", "object_name", "object_type", "privileges=", "grant_option=")...),
		writing("privileges_grant", "privileges_grant(name, object_name, object_type, privileges=None, ...): grants them.",
			func(c *catalog, call *modules.Call) error {
				t, list, err := thingOf(c, call)
				if err != nil {
					return err
				}
				has, all, err := c.has(t, call.Str("name"), list, call.Bool("grant_option"))
				if err != nil || has {
					return errorOr(err, "the privileges are set already")
				}
				return c.grant(t, call.Str("name"), list, call.Bool("grant_option"), all)
			}, of("name", "object_name", "object_type", "privileges=", "grant_option=")...),
		writing("privileges_revoke", "privileges_revoke(name, object_name, object_type, privileges=None, ...): revokes them.",
			func(c *catalog, call *modules.Call) error {
				t, list, err := thingOf(c, call)
				if err != nil {
					return err
				}
				has, all, err := c.hasAny(t, call.Str("name"), list)
				if err != nil || !has {
					return errorOr(err, "the privileges are not set")
				}
				return c.revoke(t, call.Str("name"), list, all)
			}, of("name", "object_name", "object_type", "privileges=")...),
	}
}

// thingOf is what a call is about, and the privileges that it names.
func thingOf(c *catalog, call *modules.Call) (thing, []string, error) {
	t := thing{strings.ToLower(call.Str("object_type")), c.database, call.Str("prepend"), call.Str("object_name")}
	list, err := spelled(t.what, call.Strs("privileges"))
	if err != nil {
		return t, nil, value.Raise("SaltInvocationError", "%v", err)
	}
	return t, list, nil
}

// privilegesList shows who holds what, and whether it may be handed on. What comes by default is not shown.
func privilegesList(c *catalog, call *modules.Call) (value.Value, error) {
	t := thing{strings.ToLower(call.Str("object_type")), c.database, call.Str("prepend"), call.Str("name")}
	out := value.NewDict(0)
	if t.what == "group" {
		all, err := c.list(members, "")
		for _, m := range all {
			if m["group"] == t.name {
				out.SetStr(m["member"], value.Bool(m["admin"] == "t"))
			}
		}
		return out, err
	}
	if privilegesOf(t.what) == nil {
		return nil, value.Raise("SaltInvocationError", "Invalid object_type: %s provided", t.what)
	}
	all, err := c.rights(t)
	for _, r := range all {
		for _, role := range slices.Sorted(maps.Keys(r.granted)) {
			held := value.NewDict(0)
			for _, p := range privilegesOf(t.what) {
				if option, has := r.granted[role][p]; has {
					held.SetStr(p, value.Bool(option))
				}
			}
			if !r.implied && held.Len() > 0 {
				out.SetStr(role, held)
			}
		}
	}
	return out, err
}
