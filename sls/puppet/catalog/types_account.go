package catalog

import (
	"slices"
	"strings"

	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/value"
)

func group(a *attrs) []*call {
	a.ignore("forcelocal", "provider")
	c := of("group.present", a.title("name"))
	if a.absent() {
		a.ignore("gid", "members", "system", "allowdupe", "auth_membership")
		return []*call{of("group.absent", a.title("name"))}
	}
	a.to(c, "gid", "gid", "system", "system", "allowdupe", "non_unique")
	if all, given := a.truth("auth_membership"); given && !all {
		c.texts("addusers", a.texts("members"))
	} else {
		c.texts("members", a.texts("members"))
	}
	return []*call{c}
}

// user keeps an account. Without managehome its directory is left alone.
func user(a *attrs) []*call {
	name := a.title("name")
	a.ignore("forcelocal", "provider")
	if a.isTrue("purge_ssh_keys") {
		a.m.fault(a.r, "purge_ssh_keys is not supported")
	}
	home, _ := a.truth("managehome")
	if a.absent() {
		a.ignore("uid", "gid", "groups", "membership", "home", "shell", "password", "comment", "system", "expiry")
		return []*call{of("user.absent", name).truth("purge", home)}
	}
	c := of("user.present", name).truth("createhome", home)
	a.to(c, "uid", "uid", "gid", "gid", "home", "home", "shell", "shell", "system", "system", "password", "password",
		"password_min_age", "mindays", "password_max_age", "maxdays", "password_warn_days", "warndays", "allowdupe",
		"non_unique")
	if a.has("uid") {
		c.truth("allow_uid_change", true)
	}
	if a.has("gid") {
		c.truth("allow_gid_change", true)
	}
	if groups := a.texts("groups"); len(groups) > 0 {
		c.texts("groups", groups).truth("remove_groups", a.word("membership", "minimum", "inclusive") == "inclusive")
	}
	a.ignore("membership")
	a.comment(c)
	if day := a.text("expiry"); day == "absent" {
		c.set("expire", value.Int(-1))
	} else {
		c.text("expire", day)
	}
	return []*call{c}
}

// comment sets the parts of the field with the full name.
func (a *attrs) comment(c *call) {
	if !a.has("comment") {
		return
	}
	parts := strings.SplitN(a.text("comment"), ",", 5)
	for i, arg := range []string{"fullname", "roomnumber", "workphone", "homephone", "other"} {
		if i < len(parts) {
			c.set(arg, value.Str(parts[i]))
		}
	}
}

func sshKey(a *attrs) []*call {
	fun := "ssh_auth.present"
	if a.absent() {
		fun = "ssh_auth.absent"
	}
	if !a.has("key") || !a.has("user") {
		a.m.fault(a.r, "user and key are needed")
		return nil
	}
	c := of(fun, a.text("key")).text("comment", a.title("name"))
	a.to(c, "user", "user")
	kind := a.text("type")
	if full := map[string]string{"rsa": "ssh-rsa", "dsa": "ssh-dss", "dss": "ssh-dss",
		"ed25519": "ssh-ed25519"}[kind]; full != "" {
		kind = full
	}
	if kind == "" {
		kind = "ssh-rsa"
	}
	c.text("enc", kind).text("config", a.text("target"))
	if opts := a.texts("options"); len(opts) > 0 && !slices.Equal(opts, []string{"absent"}) {
		c.texts("options", opts)
	}
	return []*call{c}
}

// cronJob keeps a job, known by its title.
func cronJob(a *attrs) []*call {
	name := a.title("name")
	a.ignore("target", "provider")
	owner := a.text("user")
	if owner == "" {
		if owner = a.text("target"); owner == "" {
			owner = "root"
		}
	}
	command := a.text("command")
	if a.absent() {
		a.ignore("minute", "hour", "monthday", "month", "weekday", "special", "environment")
		if command == "" {
			command = name
		}
		return []*call{of("cron.absent", command).text("identifier", name).text("user", owner)}
	}
	if command == "" {
		a.m.fault(a.r, "a job needs a command")
		return nil
	}
	c := of("cron.present", command).text("identifier", name).text("user", owner)
	for attr, arg := range cronFields() {
		if times := a.texts(attr); len(times) > 0 && times[0] != "absent" {
			c.text(arg, strings.ToLower(strings.Join(times, ",")))
		}
	}
	slices.SortFunc(c.args[3:], func(x, y state.Arg) int { return strings.Compare(x.Name, y.Name) })
	if special := a.text("special"); special != "" && special != "absent" {
		c.text("special", "@"+strings.TrimPrefix(special, "@"))
	}
	return append(a.cronEnvironment(owner), c)
}

func cronFields() map[string]string {
	return map[string]string{"minute": "minute", "hour": "hour", "monthday": "daymonth", "month": "month",
		"weekday": "dayweek"}
}

// cronEnvironment keeps the variables of a job. They hold for all of the crontab here.
func (a *attrs) cronEnvironment(owner string) (out []*call) {
	for _, pair := range a.texts("environment") {
		k, v, ok := strings.Cut(pair, "=")
		if !ok {
			a.m.fault(a.r, "environment has %q, which is no NAME=VALUE", pair)
			continue
		}
		c := of("cron.env_present", k).text("value", v).text("user", owner)
		c.id = a.r.Ref() + " (" + k + ")"
		out = append(out, c)
	}
	return out
}
