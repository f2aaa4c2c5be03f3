package postgres

import (
	"context"
	"errors"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// ClusterPresent keeps a cluster.
type ClusterPresent struct {
	Version          string `arg:"version,required,file" doc:"The version of its server, as it is installed: '15'."`
	Name             string `arg:"name,required,file" doc:"The cluster."`
	Port             string `arg:"port" doc:"The port that it listens on, the next free one by default."`
	Encoding         string `arg:"encoding" doc:"The encoding of a new cluster."`
	Locale           string `arg:"locale" doc:"The locale of a new cluster."`
	Datadir          string `arg:"datadir,path" doc:"The directory of its data."`
	AllowGroupAccess bool   `arg:"allow_group_access" doc:"Lets the group of the owner read a new cluster's files."`
	DataChecksums    bool   `arg:"data_checksums" doc:"Gives the pages of a new cluster checksums."`
	WalSegsize       string `arg:"wal_segsize" doc:"The size of a new cluster's WAL files, in megabytes."`
}

func clusterPresentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_cluster.present", Doc: "Keeps a cluster of Debian's (pg_createcluster).",
		Example: "main:\n  postgres_cluster.present:\n    - version: '15'",
		New:     func() modules.StateFunc { return &ClusterPresent{} }}
}

// NeedsRoot is true: only root makes clusters of others.
func (*ClusterPresent) NeedsRoot(*modules.Env) bool { return true }

// Act makes the cluster.
func (p *ClusterPresent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	id := p.Version + "/" + p.Name
	was, err := findCluster(ctx, h, id)
	switch {
	case err != nil:
		return state.Effect{}, err
	case was != nil && (p.Port != "" && p.Port != was.port || p.Datadir != "" && p.Datadir != was.datadir):
		return state.Effect{}, errors.New("Cluster " + id + " has wrong parameters which couldn't be changed on fly.")
	case was != nil:
		return state.Settled("Cluster " + id + " is already present"), nil
	}
	w := clusterWish{version: p.Version, name: p.Name, port: p.Port, locale: p.Locale, encoding: p.Encoding,
		datadir: p.Datadir, segment: p.WalSegsize, group: p.AllowGroupAccess, checksums: p.DataChecksums}
	return outcome(state.Effect{Changes: value.DictOf(id, value.Str("Present")), Foretold: value.NewDict(0),
		Comment: "The cluster " + id + " has been created", Preview: "Cluster " + id + " is set to be created",
	}, failedIf(w.create(ctx, h), "Failed to create cluster %s", id))
}
