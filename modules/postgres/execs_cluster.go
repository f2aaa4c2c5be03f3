package postgres

import (
	"context"
	"strconv"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/value"
)

func clusterExecs() []modules.ExecSpec {
	return append([]modules.ExecSpec{
		modules.NewExec("postgres.cluster_list", "cluster_list(verbose=False): Debian's clusters, as version/name.",
			clusterList,
			"verbose=False"),
		modules.NewExec("postgres.cluster_exists", "cluster_exists(version, name='main'): whether there is the cluster.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				was, err := findCluster(ctx, c.Host, c.Str("version")+"/"+c.Str("name"))
				return value.Bool(was != nil), err
			}, "version", "name='main'"),
		modules.NewExec("postgres.datadir_exists", "datadir_exists(name): whether a directory holds a cluster.",
			func(_ context.Context, c *modules.Call) (value.Value, error) {
				there, err := hasData(c.Host, c.Str("name"))
				return value.Bool(there), err
			}, "name"),
	}, modules.Writing(
		modules.NewExec("postgres.cluster_create", "cluster_create(version, name='main', port=None, ...): makes a cluster.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				w := clusterWish{version: c.Str("version"), name: c.Str("name"), port: c.Str("port"), locale: c.Str("locale"),
					encoding: c.Str("encoding"), datadir: c.Str("datadir"), segment: c.Str("wal_segsize"),
					group: c.Bool("allow_group_access"), checksums: c.Bool("data_checksums")}
				return c.Answer(w.create(ctx, c.Host))
			}, "version", "name='main'", "port=", "locale=", "encoding=", "datadir=", "allow_group_access=", "data_checksums=",
			"wal_segsize="),
		modules.NewExec("postgres.cluster_remove", "cluster_remove(version, name='main', stop=False): removes a cluster.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				return c.Answer(dropCluster(ctx, c.Host, c.Str("version"), c.Str("name"), c.Bool("stop")))
			}, "version", "name='main'", "stop=False"),
		modules.NewExec("postgres.datadir_init", "datadir_init(name, auth='password', ...): makes a cluster in a directory.",
			func(ctx context.Context, c *modules.Call) (value.Value, error) {
				there, err := hasData(c.Host, c.Str("name"))
				if err == nil && !there {
					w := &InitdbPresent{Name: c.Str("name"), Auth: c.Str("auth"), User: c.Str("user"), Password: c.Str("password"),
						Encoding: c.Str("encoding"), Locale: c.Str("locale"), Waldir: c.Str("waldir"),
						Checksums: c.Bool("checksums"), RunAs: c.Str("runas")}
					return c.Answer(w.init(ctx, c.Env, c.Host))
				}
				return value.Bool(false), err
			}, "name", "auth='password'", "user=", "password=", "encoding='UTF8'", "locale=", "waldir=", "checksums=False",
			"runas="),
	)...)
}

func clusterList(ctx context.Context, c *modules.Call) (value.Value, error) {
	all, err := clusters(ctx, c.Host)
	out := value.NewDict(len(all))
	for _, l := range all {
		port, _ := strconv.Atoi(l.port)
		out.SetStr(l.id(), value.DictOf("port", value.Int(port), "status", value.Str(l.status), "user", value.Str(l.owner),
			"datadir", value.Str(l.datadir), "log", value.Str(l.log)))
	}
	if err != nil || c.Bool("verbose") {
		return out, err
	}
	return modules.Keys(out), nil
}
