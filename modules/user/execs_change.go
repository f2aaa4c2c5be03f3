package user

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// parted is what must not be in a part of the comment field: the last one may have commas.
func parted(key string) string {
	if key == "other" {
		return "!:"
	}
	return "!:,"
}

func changeSpecs() []modules.ExecSpec {
	specs := []modules.ExecSpec{
		{Name: "user.add", Doc: "Makes a user.", Params: []string{"name:file", "uid:int=None", "gid:word!:=None",
			"groups:list+word!:=None", "home:path!:=None", "shell:path!:=None", "unique=true", "system=false",
			"fullname!:,=", "roomnumber!:,=", "workphone!:,=", "homephone!:,=", "other!:=", "createhome=true",
			"loginclass=None", "nologinit=false",
			"root=None", "usergroup=None"}, Fn: add},
		{Name: "user.delete", Doc: "Removes a user.", Params: []string{"name", "remove=false", "force=false", "root=None"},
			Fn: remove},
		{Name: "user.chhome", Doc: "Changes the home directory of a user; with persist what is in it moves along.",
			Params: []string{"name", "home:path!:", "persist=false", "root=None"}, Fn: changeHome},
		{Name: "user.chgroups", Doc: "Sets the groups that a user is in beside the primary one, or adds to them.",
			Params: []string{"name", "groups:list+word!:", "append=false", "root=None"}, Fn: changed(changeGroups)},
		{Name: "user.chuid", Doc: "Changes the number of a user.", Params: []string{"name", "uid", "root=None"},
			Fn: changed(func(c *modules.Call, _ host.Reader, a account, d *difference) error {
				n, err := modules.Integer(c.Arg("uid"))
				if uid := int(n); uid != a.UID {
					d.uid = &uid
				}
				return err
			})},
		{Name: "user.chgid", Doc: "Changes the primary group of a user.", Params: []string{"name", "gid", "root=None"},
			Fn: changed(func(c *modules.Call, h host.Reader, a account, d *difference) error {
				gid, _, err := (&Present{Name: a.Name, GID: c.Arg("gid")}).gid(h, true)
				if gid != a.GID {
					d.gid = &gid
				}
				return err
			})},
		{Name: "user.chshell", Doc: "Changes the shell of a user.", Params: []string{"name", "shell:path!:", "root=None"},
			Fn: changed(func(c *modules.Call, _ host.Reader, a account, d *difference) error {
				if c.Str("shell") != a.Shell {
					d.shell = c.Str("shell")
				}
				return nil
			})},
		{Name: "user.rename", Doc: "Gives a user another name.", Params: []string{"name", "new_name:file", "root=None"},
			Fn: rename},
		{Name: "user.chloginclass", Doc: "Is False: login classes are OpenBSD's.",
			Params: []string{"name", "loginclass", "root=None"},
			Fn:     func(context.Context, *modules.Call) (value.Value, error) { return value.Bool(false), nil }},
	}
	for i, key := range gecosNames() {
		specs = append(specs, modules.ExecSpec{Name: "user.ch" + key, Doc: "Changes the " + key + " of a user.",
			Params: []string{"name", key + parted(key), "root=None"},
			Fn: changed(func(c *modules.Call, _ host.Reader, a account, d *difference) error {
				if a.Gecos[i] != c.Str(key) {
					d.gecos = &a.Gecos
					d.gecos[i] = c.Str(key)
				}
				return nil
			})})
	}
	return modules.Writing(specs...)
}

// changed is a function that changes a user who is there and says whether it could.
func changed(differs func(c *modules.Call, h host.Reader, a account, d *difference) error) func(context.Context, *modules.Call) (value.Value, error) {
	return func(ctx context.Context, c *modules.Call) (value.Value, error) {
		h := c.Host
		a, err := there(c)
		if err != nil {
			return nil, err
		}
		var d difference
		if err := differs(c, h, a, &d); err != nil {
			return c.Answer(err)
		}
		return c.Answer(d.apply(ctx, h, &Present{Name: a.Name, Unique: true}, a))
	}
}

func there(c *modules.Call) (account, error) {
	if err := c.NoRoot(); err != nil {
		return account{}, err
	}
	a, ok, err := find(c.Host, c.Str("name"))
	if err == nil && !ok {
		err = value.Raise("CommandExecutionError", "User '%s' does not exist", c.Str("name"))
	}
	return a, err
}

func changeGroups(c *modules.Call, h host.Reader, a account, d *difference) error {
	want := c.Strs("groups")
	for _, g := range want {
		if _, err := h.Group(g); err != nil {
			return host.Missing("usermod: group '%s' does not exist", g)
		}
	}
	primary := groupName(h, a.GID)
	beside := slices.DeleteFunc(slices.Clone(a.Groups), func(g string) bool { return g == primary })
	if c.Bool("append") {
		want = append(slices.Clone(want), beside...)
	}
	slices.Sort(want)
	d.groups = slices.Compact(want)
	d.regroup = !slices.Equal(d.groups, beside)
	return nil
}

func changeHome(ctx context.Context, c *modules.Call) (value.Value, error) {
	a, err := there(c)
	home := c.Str("home")
	if err != nil || home == a.Home {
		return value.Bool(true), err
	}
	args, now := []string{"usermod", "-d", home}, a.User
	now.Home = home
	if c.Bool("persist") {
		args = append(args, "-m")
	}
	return c.Answer(run(ctx, c.Host, func(o host.Host) error {
		o.Promise(now.Fact())
		if _, err := o.Lstat(a.Home); err != nil || !c.Bool("persist") {
			return nil
		}
		return o.Rename(a.Home, home)
	}, "", append(args, a.Name)...))
}

// number of an argument that may be None.
func optional(c *modules.Call, name string) *int {
	if n, err := modules.Integer(c.Arg(name)); err == nil {
		number := int(n)
		return &number
	}
	return nil
}

func add(ctx context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	p := &Present{Name: c.Str("name"), UID: optional(c, "uid"), Groups: c.Strs("groups"), Home: c.Str("home"),
		Shell: c.Str("shell"), Unique: c.Bool("unique"),
		System: c.Bool("system"), CreateHome: c.Bool("createhome"), NoLoginIt: c.Bool("nologinit"), Remove: true}
	if gid := c.Arg("gid"); value.String(gid) != "" {
		p.GID = gid
	}
	if b, err := modules.Boolean(c.Arg("usergroup")); err == nil && c.Arg("usergroup") != value.Value(value.None) {
		p.UserGroup = &b
	}
	for i, to := range []**string{&p.FullName, &p.RoomNumber, &p.WorkPhone, &p.HomePhone, &p.Other} {
		if text := c.Str(gecosNames()[i]); text != "" {
			*to = &text
		}
	}
	if _, ok, err := find(c.Host, p.Name); ok || err != nil {
		return c.Answer(fmt.Errorf("user '%s' already exists", p.Name))
	}
	if err := p.taken(c.Host); err != nil {
		return c.Answer(err)
	}
	_, err := p.add(ctx, c.Host)
	return c.Answer(err)
}

func remove(ctx context.Context, c *modules.Call) (value.Value, error) {
	if err := c.NoRoot(); err != nil {
		return nil, err
	}
	u, err := c.Host.User(c.Str("name"))
	if err != nil {
		return c.Answer(fmt.Errorf("user '%s' does not exist", c.Str("name")))
	}
	return c.Answer(userdel(ctx, c.Host, u, c.Bool("remove"), c.Bool("force")))
}

func rename(ctx context.Context, c *modules.Call) (value.Value, error) {
	a, err := there(c)
	if err != nil {
		return nil, err
	}
	to := strings.TrimSpace(c.Str("new_name"))
	if _, err := c.Host.User(to); err == nil {
		return nil, value.Raise("CommandExecutionError", "User '%s' already exists", to)
	}
	return c.Answer(run(ctx, c.Host, func(o host.Host) error {
		now := a.User
		now.Name = to
		o.Promise(now.Fact(), host.Fact{Kind: host.FactUser, Name: a.Name, Value: "absent"})
		groups := slices.Clone(a.Groups)
		setGroups(o, a.Name, nil)
		setGroups(o, to, slices.DeleteFunc(groups, func(g string) bool { return g == groupName(o, a.GID) }))
		return editShadow(o, a.Name, func(f []string) []string {
			if len(f) > 0 {
				f[0] = to
			}
			return f
		})
	}, "", "usermod", "-l", to, a.Name))
}
