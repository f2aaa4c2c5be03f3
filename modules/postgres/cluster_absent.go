package postgres

import (
	"context"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
)

// ClusterAbsent removes a cluster.
type ClusterAbsent struct {
	Version string `arg:"version,required,file" doc:"The version of its server."`
	Name    string `arg:"name,required,file" doc:"The cluster."`
}

func clusterAbsentSpec() modules.StateSpec {
	return modules.StateSpec{Name: "postgres_cluster.absent",
		Doc:     "Stops a cluster of Debian's and removes it with its data.",
		Example: "old:\n  postgres_cluster.absent:\n    - version: '13'",
		New:     func() modules.StateFunc { return &ClusterAbsent{} }}
}

// NeedsRoot is true: only root removes clusters of others.
func (*ClusterAbsent) NeedsRoot(*modules.Env) bool { return true }

// Act removes the cluster.
func (a *ClusterAbsent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	what := "Cluster " + a.Version + "/" + a.Name
	was, err := findCluster(ctx, h, a.Version+"/"+a.Name)
	if err != nil || was == nil {
		return absent(what), err
	}
	return outcome(removed(a.Name, what), failedIf(dropCluster(ctx, h, a.Version, a.Name, true), "%s failed to be removed",
		what))
}
