package postgres

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

// A cluster is one of Debian's: a server with a version and a name, as pg_lsclusters shows it.
type cluster struct {
	version, name, port, status, owner, datadir, log string
}

func (c cluster) id() string { return c.version + "/" + c.name }

const clusterKey = "cluster\n" // begins the names of facts of clusters

// clusters are those of the machine, with what earlier states of a preview did.
func clusters(ctx context.Context, h host.Reader) ([]cluster, error) {
	if _, err := h.LookPath("pg_lsclusters"); err != nil {
		return nil, host.Missing("pg_lsclusters is not installed: pkg.installed postgresql-common before it")
	}
	out, err := h.Query(ctx, host.Cmd{Args: []string{"pg_lsclusters", "--no-header"}, Env: []string{"LC_ALL=C.UTF-8"}})
	if err == nil {
		err = modules.Complaint("pg_lsclusters", out)
	}
	if err != nil {
		return nil, err
	}
	var all []cluster
	for l := range strings.Lines(string(out.Stdout)) {
		if f := strings.Fields(l); len(f) >= 7 {
			all = append(all, cluster{f[0], f[1], f[2], f[3], f[4], f[5], f[6]})
		}
	}
	for _, f := range h.Facts(host.FactDatabase) {
		id, ok := strings.CutPrefix(f.Name, clusterKey)
		if !ok {
			continue
		}
		all = slices.DeleteFunc(all, func(c cluster) bool { return c.id() == id })
		if v, name, _ := strings.Cut(id, "/"); f.Value == "present" {
			all = append(all, cluster{version: v, name: name, port: f.Attrs["port"], datadir: f.Attrs["datadir"],
				status: "down"})
		}
	}
	return all, nil
}

// find is a cluster, nil where there is none.
func findCluster(ctx context.Context, h host.Reader, id string) (*cluster, error) {
	all, err := clusters(ctx, h)
	if i := slices.IndexFunc(all, func(c cluster) bool { return c.id() == id }); i >= 0 {
		return &all[i], err
	}
	return nil, err
}

// A clusterWish is a cluster that is to be made.
type clusterWish struct {
	version, name, port, locale, encoding, datadir, segment string
	group, checksums                                        bool
}

// create makes a cluster.
func (w *clusterWish) create(ctx context.Context, h host.Host) error {
	if _, err := h.Stat("/usr/lib/postgresql/" + w.version + "/bin/initdb"); err != nil {
		return host.Missing("PostgreSQL %s is not installed: pkg.installed postgresql-%s before it", w.version, w.version)
	}
	args := []string{"pg_createcluster"}
	for _, o := range [][2]string{{"--port", w.port}, {"--locale", w.locale}, {"--encoding", w.encoding},
		{"--datadir", w.datadir}} {
		if o[1] != "" {
			args = append(args, o[0], o[1])
		}
	}
	args = append(args, w.version, w.name)
	var initdb []string
	if w.group {
		initdb = append(initdb, "--allow-group-access")
	}
	if w.checksums {
		initdb = append(initdb, "--data-checksums")
	}
	if w.segment != "" {
		initdb = append(initdb, "--wal-segsize", w.segment)
	}
	if len(initdb) > 0 {
		args = append(append(args, "--"), initdb...)
	}
	port := w.port
	if port == "" {
		port = freePort(ctx, h)
	}
	datadir := w.datadir
	if datadir == "" {
		datadir = "/var/lib/postgresql/" + w.version + "/" + w.name
	}
	return modules.Tool{On: host.FactDatabase, Args: args, Foretell: func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactDatabase, Name: clusterKey + w.version + "/" + w.name, Value: "present",
			Attrs: map[string]string{"port": port, "datadir": datadir}})
		return nil
	}}.Run(ctx, h)
}

// freePort is the port that a new cluster gets: the first after those in use.
func freePort(ctx context.Context, h host.Reader) string {
	all, _ := clusters(ctx, h)
	for port := 5432; ; port++ {
		text := strconv.Itoa(port)
		if !slices.ContainsFunc(all, func(c cluster) bool { return c.port == text }) {
			return text
		}
	}
}

// dropCluster removes a cluster with all that it holds.
func dropCluster(ctx context.Context, h host.Host, version, name string, stop bool) error {
	args := []string{"pg_dropcluster"}
	if stop {
		args = append(args, "--stop")
	} else if c, err := findCluster(ctx, h, version+"/"+name); err == nil && c != nil &&
		strings.HasPrefix(c.status, "online") {
		return fmt.Errorf("the cluster %s runs: stop=True stops it", c.id())
	}
	return modules.Tool{On: host.FactDatabase, Args: append(args, version, name), Foretell: func(o host.Host) error {
		o.Promise(host.Fact{Kind: host.FactDatabase, Name: clusterKey + version + "/" + name, Value: "absent"})
		return nil
	}}.Run(ctx, h)
}
