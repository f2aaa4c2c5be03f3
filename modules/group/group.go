// Package group keeps groups present with their number and members, or absent, through groupadd and its kin.
package group

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"strings"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// Family lists the functions of the family.
func Family() modules.Family {
	return modules.Family{Name: "group", States: []modules.StateSpec{presentSpec(), absentSpec()}, Execs: execSpecs()}
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
	if f, promised := h.Fact(host.FactGroup, name); promised {
		if m, given := f.Attrs["members"]; given {
			g.Members = splitMembers(m)
		}
	}
	return g, true, nil
}

func splitMembers(text string) []string {
	if text == "" {
		return nil
	}
	return strings.Split(text, ",")
}

// run runs a command of the account tools; its error is the tool's own words.
func run(ctx context.Context, h host.Host, args ...string) error {
	out, err := h.Run(ctx, host.Cmd{Args: args, Env: []string{"LC_ALL=C.UTF-8"}})
	if err != nil {
		return fmt.Errorf("run %s: %w", args[0], err)
	}
	h.Invalidate("accounts")
	if out.Code != 0 {
		text := strings.TrimSpace(string(out.Stderr))
		if text == "" {
			text = fmt.Sprintf("it ended with exit code %d", out.Code)
		}
		return fmt.Errorf("%s: %s", args[0], strings.ReplaceAll(strings.TrimPrefix(text, args[0]+": "), "\n", "; "))
	}
	return nil
}

// info is Salt's description of a group.
func info(g host.Group) *value.Dict {
	members := value.NewList()
	for _, m := range g.Members {
		members.Items = append(members.Items, value.Str(m))
	}
	var gid value.Value = value.Int(g.GID)
	if g.Promised {
		gid = value.Str("")
	}
	return value.DictOf("name", value.Str(g.Name), "passwd", value.Str("x"), "gid", gid, "members", members)
}
