package nfs3

import (
	"context"
	"fmt"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Absent keeps a path from being exported.
type Absent struct {
	root
	Name    string `arg:"name,required,word" doc:"The path."`
	Exports string `arg:"exports,path" default:"/etc/exports" doc:"The file."`
}

func absentSpec() modules.StateSpec {
	return modules.StateSpec{
		Name: "nfs_export.absent", Doc: "Keeps a path from being exported by the NFS server.",
		Example: "/srv/nfs:\n  nfs_export.absent: []", New: func() modules.StateFunc { return &Absent{} },
	}
}

// Act takes the path out of the file.
func (a *Absent) Act(ctx context.Context, _ *modules.Env, h host.Host) (state.Effect, error) {
	if err := installed(h); err != nil {
		return state.Effect{}, err
	}
	entries, err := read(h, a.Exports)
	if err != nil {
		return state.Effect{}, err
	}
	was, there := of(entries, a.Name)
	if !there {
		return state.Settled(fmt.Sprintf("Export %s already absent", a.Name)), nil
	}
	if err := write(h, a.Exports, without(entries, a.Name)); err != nil {
		return state.Effect{}, err
	}
	_, err = reload(ctx, h)
	return state.Effect{Changes: value.DictOf(a.Name, dicts(was)), Comment: fmt.Sprintf("Export %s removed", a.Name),
		Preview: fmt.Sprintf("Export %s would be removed", a.Name)}, err
}
