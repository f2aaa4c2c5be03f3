package postgres

import (
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func roleExecs() []modules.ExecSpec {
	own := func(name string, more ...string) []string {
		return append([]string{name, "|", "createdb=", "createroles=", "inherit=", "login=", "connlimit=", "encrypted=",
			"superuser=", "replication=", "rolepassword="}, more...)
	}
	user, group := own("username", "valid_until=", "groups="), own("groupname", "groups=")
	return []modules.ExecSpec{
		looking("user_list", "user_list(..., return_password=False): the roles, each with its properties.", value.Bool(false),
			userList, "|", "return_password=False"),
		looking("role_get", "role_get(name, ..., return_password=False): the properties of a role, None where there is none.",
			value.None, func(c *catalog, call *modules.Call) (value.Value, error) {
				o, err := c.role(call.Str("name"))
				if err != nil || o == nil {
					return value.None, err
				}
				return c.shownRole(o, call.Bool("return_password"))
			}, "name", "|", "return_password=False"),
		there("user_exists", "user_exists(name, ...): whether there is the role.", roles, "name"),
		writing("user_create", "user_create(username, ..., rolepassword=None, groups=None): makes a user.",
			creating("username",
				true), user...),
		writing("user_update", "user_update(username, ..., rolepassword=None, groups=None): changes a user.",
			updating("username"), user...),
		writing("user_remove", "user_remove(username, ...): removes a user.", dropping("username"), "username"),
		writing("group_create", "group_create(groupname, ..., groups=None): makes a group.", creating("groupname", false),
			group...),
		writing("group_update", "group_update(groupname, ..., groups=None): changes a group.", updating("groupname"),
			group...),
		writing("group_remove", "group_remove(groupname, ...): removes a group.", dropping("groupname"), "groupname"),
	}
}

func userList(c *catalog, call *modules.Call) (value.Value, error) {
	all, err := c.list(roles, "")
	out := value.NewDict(len(all))
	for _, o := range all {
		v, err := c.shownRole(o, call.Bool("return_password"))
		if err != nil {
			return nil, err
		}
		out.SetStr(o["name"], v)
	}
	return out, err
}

// shownRole is a role in Salt's shape, in which connections are never told.
func (c *catalog) shownRole(o object, password bool) (value.Value, error) {
	out := value.NewDict(12)
	for _, p := range [][2]string{{"superuser", "superuser"}, {"inherits privileges", "inherit"}, {"can create roles",
		"createroles"}, {"can create databases", "createdb"}, {"can update system catalogs", ""}, {"can login", "login"},
		{"replication", "replication"}, {"connections", ""}} {
		var v value.Value = value.None
		if p[1] != "" {
			v = value.Bool(o[p[1]] == "t")
		}
		out.SetStr(p[0], v)
	}
	var until value.Value = value.None
	if t := when(o["valid_until"]); t != "" {
		until = value.Str(t)
	}
	out.SetStr("expiry time", until)
	out.SetStr("defaults variables", value.Str(o["settings"]))
	if password {
		kept, err := c.kept(o["name"])
		if err != nil {
			return nil, err
		}
		out.SetStr("password", value.Str(kept))
	}
	groups, err := c.groupsOf(o["name"])
	slices.Sort(groups)
	out.SetStr("groups", modules.TextList(groups))
	return out, err
}

// wishOf is the role that a call asks for.
func wishOf(call *modules.Call, name string) (*wish, error) {
	w := &wish{name: call.Str(name), connlim: call.Str("connlimit"), password: call.Str("rolepassword")}
	if call.Arg("valid_until") != value.Value(value.None) {
		w.until = call.Str("valid_until")
	}
	for i, flag := range flagNames {
		if v := call.Arg(flag); v != value.Value(value.None) {
			b := value.Truth(v)
			w.flags[i] = &b
		}
	}
	if v := call.Arg("encrypted"); v != value.Value(value.None) {
		if err := w.hashing.BindValue(v); err != nil {
			return nil, value.Raise("ValueError", "Unknown password algorithm: %s", value.String(v))
		}
	}
	if v := call.Arg("groups"); v != value.Value(value.None) {
		if err := (*names)(&w.groups).BindValue(v); err != nil {
			return nil, value.Raise("TypeError", "groups %v", err)
		}
	}
	return w, nil
}

func creating(name string, login bool) func(c *catalog, call *modules.Call) error {
	return func(c *catalog, call *modules.Call) error {
		w, err := wishOf(call, name)
		if err != nil {
			return err
		}
		was, err := c.role(w.name)
		if err != nil || was != nil {
			return errorOr(err, "role %q is there already", w.name)
		}
		w.asNew(login, "")
		return c.save(w, nil)
	}
}

func updating(name string) func(c *catalog, call *modules.Call) error {
	return func(c *catalog, call *modules.Call) error {
		w, err := wishOf(call, name)
		if err != nil {
			return err
		}
		was, err := c.role(w.name)
		if err != nil || was == nil {
			return errorOr(err, "role %q does not exist", w.name)
		}
		return c.save(w, was)
	}
}

func dropping(name string) func(c *catalog, call *modules.Call) error {
	return func(c *catalog, call *modules.Call) error {
		was, err := c.role(call.Str(name))
		if err != nil || was == nil {
			return errorOr(err, "role %q does not exist", call.Str(name))
		}
		return c.dropRole(call.Str(name))
	}
}
