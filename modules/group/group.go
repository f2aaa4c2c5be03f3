// Package group keeps groups present with their number and members, or absent, through groupadd and its kin.
package group

import (
	"context"
	"errors"
	"fmt"
	"io/fs"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "group", States: []modules.StateSpec{presentSpec(), absentSpec()}, Execs: execSpecs(),
		Describers: []modules.Describer{describer()}}
}

// find is the group of the name; ok is false when there is none.
func find(h host.Reader, name string) (g host.Group, ok bool, err error) {
	g, err = h.Group(name)
	if errors.Is(err, fs.ErrNotExist) {
		return g, false, nil
	}
	if err != nil {
		return g, false, fmt.Errorf("look up the group %s: %w", name, err)
	}
	return g, true, nil
}

// run runs one of the account tools.
func run(ctx context.Context, h host.Host, foretell func(o host.Host) error, args ...string) error {
	err := modules.Tool{On: host.FactGroup, Args: args, Foretell: foretell}.Run(ctx, h)
	h.Invalidate("accounts")
	return err
}

// promise leaves a fact on an overlay.
func promise(f host.Fact) func(host.Host) error {
	return func(o host.Host) error { o.Promise(f); return nil }
}

// info is Salt's description of a group.
func info(g host.Group) *value.Dict {
	members := value.NewList()
	for _, m := range g.Members {
		members.Items = append(members.Items, value.Str(m))
	}
	return value.DictOf("name", value.Str(g.Name), "passwd", value.Str("x"), "gid", value.Int(g.GID), "members", members)
}
