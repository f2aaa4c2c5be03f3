package rabbitmq

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func execSpecs() []modules.ExecSpec {
	look := func(name, doc string, f func(ctx context.Context, c *modules.Call, b *broker) (value.Value, error),
		params ...string) modules.ExecSpec {
		return modules.NewExec("rabbitmq."+name, doc, func(ctx context.Context, c *modules.Call) (value.Value, error) {
			v, err := f(ctx, c, &broker{c.Host, c.Str("runas")})
			return v, raised(err)
		}, append(params, "runas=None")...)
	}
	return []modules.ExecSpec{
		look("list_users", "Gives the users with their tags.", listUsers),
		look("list_vhosts", "Lists the virtual hosts.", listVhosts),
		look("list_user_permissions", "Gives what a user may do, by virtual hosts.", listMay, "name"),
		look("list_policies", "Gives the policies of a virtual host.", listPolicies, "vhost=/"),
		look("list_enabled_plugins", "Lists the plugins that are enabled.", listPlugins(true)),
		look("list_available_plugins", "Lists all plugins.", listPlugins(false)),
		look("user_exists", "Says whether there is a user.", userExists, "name"),
		look("vhost_exists", "Says whether there is a virtual host.", vhostExists, "name"),
		look("policy_exists", "Says whether there is a policy.", policyExists, "vhost", "name"),
		look("plugin_is_enabled", "Says whether a plugin is enabled.", pluginEnabled, "name"),
		look("upstream_exists", "Says whether there is an upstream.", upstreamExists, "name"),
		look("cluster_status", "Tells of the cluster.", clusterStatus),
	}
}

func raised(err error) error {
	if err == nil {
		return nil
	}
	return value.Raise("CommandExecutionError", "%v", err)
}

func listUsers(ctx context.Context, _ *modules.Call, b *broker) (value.Value, error) {
	all, err := b.list(ctx, "list_users")
	out := value.NewDict(len(all))
	for _, d := range all {
		tags, _ := d.GetStr("tags")
		out.SetStr(text(d, "user"), tags)
	}
	return out, err
}

func userExists(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	all, err := b.list(ctx, "list_users")
	return value.Bool(find(all, "user", c.Str("name")) != nil), err
}

func listVhosts(ctx context.Context, _ *modules.Call, b *broker) (value.Value, error) {
	all, err := b.list(ctx, "list_vhosts", "name")
	var out []string
	for _, d := range all {
		out = append(out, text(d, "name"))
	}
	return modules.TextList(out), err
}

func vhostExists(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	all, err := b.list(ctx, "list_vhosts", "name")
	return value.Bool(find(all, "name", c.Str("name")) != nil), err
}

func listMay(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	all, err := b.list(ctx, "list_user_permissions", c.Str("name"))
	out := value.NewDict(len(all))
	for _, d := range all {
		vhost := text(d, "vhost")
		_ = d.Delete(value.Str("vhost"))
		out.SetStr(vhost, d)
	}
	return out, err
}

func listPolicies(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	all, err := b.list(ctx, "list_policies", "-p", c.Str("vhost"))
	inner := value.NewDict(len(all))
	for _, d := range all {
		inner.SetStr(text(d, "name"), shown(d))
	}
	if inner.Len() == 0 {
		return value.NewDict(0), err
	}
	return value.DictOf(c.Str("vhost"), inner), err
}

func policyExists(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	now, err := b.policy(ctx, c.Str("vhost"), c.Str("name"))
	return value.Bool(now != nil), err
}

func listPlugins(enabled bool) func(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	return func(ctx context.Context, _ *modules.Call, b *broker) (value.Value, error) {
		all, err := b.plugins(ctx, enabled)
		return modules.TextList(all), err
	}
}

func pluginEnabled(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	all, err := b.plugins(ctx, true)
	return value.Bool(slices.Contains(all, c.Str("name"))), err
}

func upstreamExists(ctx context.Context, c *modules.Call, b *broker) (value.Value, error) {
	now, err := b.upstream(ctx, c.Str("name"))
	return value.Bool(now != nil), err
}

func clusterStatus(ctx context.Context, _ *modules.Call, b *broker) (value.Value, error) {
	return b.ask(ctx, "cluster_status", "-q", "--formatter", "json")
}
