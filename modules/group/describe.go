package group

import (
	"context"
	"slices"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/state/host"
)

func describer() modules.Describer {
	return modules.Describer{Kind: "group", ByName: true, Doc: "Groups with their numbers and members.",
		Left: "Groups of the system (by GID_MIN and GID_MAX of /etc/login.defs): packages make them.",
		Rank: 20, Describe: describe}
}

func describe(_ context.Context, l *modules.Look) error {
	groups, err := l.Host.Groups()
	if err != nil {
		return err
	}
	usual := host.Usual(l.Host, "GID")
	for _, g := range groups {
		if !l.Wants(usual(g.GID), g.Name) {
			continue
		}
		t := l.Tell(g.Name, "group.present", "gid", g.GID)
		same := func(o host.Group) bool { return o.GID == g.GID && o.Name != g.Name }
		t.SetIf(slices.ContainsFunc(groups, same), "non_unique", true)
		if !l.Whole {
			t.SetIf(len(g.Members) > 0, "members", g.Members)
			continue
		}
		others := strangersTo(l, g.Members)
		t.SetIf(len(others) > 0, "addusers", others)
	}
	for _, n := range l.Absent() {
		l.Lack(n, "group.absent")
	}
	return nil
}

// strangersTo are the members who are not told of where all is told: those who are have their groups themselves, and do
// not exist yet when their groups are made.
func strangersTo(l *modules.Look, members []string) []string {
	usual := host.Usual(l.Host, "UID")
	return slices.DeleteFunc(slices.Clone(members), func(m string) bool {
		u, err := l.Host.User(m)
		return err != nil || l.System || usual(u.UID)
	})
}
