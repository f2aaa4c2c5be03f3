package group

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// tools are groupadd and its like on a machine in memory.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	raw, _ := m.ReadFile("/etc/group")
	var groups [][]string
	for l := range strings.Lines(string(raw)) {
		groups = append(groups, strings.Split(strings.TrimSpace(l), ":"))
	}
	option := func(flag, def string) string {
		if i := slices.Index(c.Args, flag); i > 0 {
			return c.Args[i+1]
		}
		return def
	}
	name := c.Args[len(c.Args)-1]
	at := slices.IndexFunc(groups, func(g []string) bool { return g[0] == name })
	switch {
	case c.Args[0] == "groupadd" && at < 0:
		groups = append(groups, []string{name, "x", option("-g", "997"), ""})
	case at < 0 || c.Args[0] == "groupadd":
		return &host.Output{Code: 9, Stderr: []byte(fmt.Sprintf("%s: group '%s' is wrong", c.Args[0], name))}, nil
	case c.Args[0] == "groupdel":
		groups = slices.Delete(groups, at, at+1)
	case c.Args[0] == "groupmod":
		groups[at][2] = option("-g", groups[at][2])
	case c.Args[0] == "gpasswd":
		groups[at][3] = option("-M", groups[at][3])
	}
	var text strings.Builder
	for _, g := range groups {
		text.WriteString(strings.Join(g, ":") + "\n")
	}
	m.MustWrite("/etc/group", text.String(), 0o644)
	return &host.Output{}, nil
}

func TestConformance(t *testing.T) {
	with := func(group string) func(m *hosttest.Memory) {
		return func(m *hosttest.Memory) {
			m.AddUser("alice", 1000)
			m.AddUser("bob", 1001)
			raw, _ := m.ReadFile("/etc/group")
			m.MustWrite("/etc/group", string(raw)+group, 0o644)
		}
	}
	modtest.Suite{
		Family: Family(),
		Situations: modtest.Situations{
			"no group":     modtest.Memory(tools, with("")),
			"empty":        modtest.Memory(tools, with("web:x:300:\n")),
			"with members": modtest.Memory(tools, with("web:x:301:alice,bob\n")),
			"with others":  modtest.Memory(tools, with("web:x:302:root\nother:x:300:\n")),
		},
		Deeds: []modtest.Deed{
			modtest.State("group.present", "web"),
			modtest.State("group.present", "web", "gid", 300),
			modtest.State("group.present", "web", "gid", 300, "non_unique", true),
			modtest.State("group.present", "web", "system", true, "members", []string{"bob"}),
			modtest.State("group.present", "web", "addusers", []string{"alice"}, "delusers", []string{"root"}),
			modtest.State("group.present", "web", "members", []string{"nobody-here"}),
			modtest.State("group.present", "web", "members", []string{}),
			modtest.State("group.present", "web", "addusers", []string{"alice", "nobody-here"}),
			modtest.State("group.absent", "web"),
			modtest.State("group.absent", "alice"), // the primary group of a user
		},
	}.Run(t)
}
