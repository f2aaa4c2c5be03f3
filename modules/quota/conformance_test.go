package quota

import (
	"strings"
	"testing"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// store is where the fake quota keeps whether it is on.
const store = "/var/quota/mode"

const table = `*** Report for user quotas on device /dev/sda2
Block grace time: 7days; Inode grace time: 00:00
                        Block limits                File limits
User            used    soft    hard  grace    used  soft  hard  grace
----------------------------------------------------------------------
root      --      20       0       0      0       2     0     0      0
carol     --      40     100     200      0       5    10    20      0
`

// tools are the quota tools, in the lines of quota 4.06.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	last := c.Args[len(c.Args)-1]
	switch {
	case c.Args[0] == "repquota":
		return &host.Output{Stdout: []byte(table)}, nil
	case c.Args[0] == "setquota":
		m.MustWrite("/var/quota/set", strings.Join(c.Args, " "), 0o644)
		return &host.Output{}, nil
	case last != "/home":
		return &host.Output{Code: 1, Stderr: []byte("quotaon: Mountpoint (or device) " + last +
			" not found or has no quota enabled.\n")}, nil
	case c.Args[1] == "-p":
		raw, _ := m.ReadFile(store)
		return &host.Output{Code: 1, Stdout: []byte("group quota on /home (/dev/sda2) is " + string(raw) +
			"\nuser quota on /home (/dev/sda2) is " + string(raw) + "\n")}, nil
	}
	m.MustWrite(store, strings.TrimPrefix(c.Args[0], "quota"), 0o644)
	return &host.Output{}, nil
}

func with(mode string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		for _, p := range []string{"quotaon", "quotaoff", "repquota", "setquota"} {
			m.MustWrite("/usr/sbin/"+p, "", 0o755)
		}
		m.MustWrite(store, mode, 0o644)
	})
}

func TestConformance(t *testing.T) {
	mode := func(name string, args ...any) modtest.Deed { return modtest.State("quota.mode", name, args...) }
	modtest.Suite{
		Family: Family(), Beyond: []string{"/var/quota"},
		Situations: modtest.Situations{"not installed": modtest.Memory(tools, nil), "on": with("on"), "off": with("off")},
		Deeds: []modtest.Deed{mode("/home", "mode", true, "quotatype", "user"), mode("/home", "mode", "off", "quotatype",
			"group"), mode("/srv", "mode", true, "quotatype", "user")},
	}.Run(t)
	if len((&Mode{Mode: "maybe"}).Validate()) != 1 {
		t.Error("maybe is taken")
	}
}

// TestRefused: what quotaon refuses is a failure, and the text on is on.
func TestRefused(t *testing.T) {
	refusing := func(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
		if c.Args[0] == "quotaon" && c.Args[1] != "-p" {
			return &host.Output{Code: 1, Stderr: []byte("quotaon: No such process\n")}, nil
		}
		return tools(m, c)
	}
	h := modtest.Memory(refusing, func(m *hosttest.Memory) {
		m.MustWrite("/usr/sbin/quotaon", "", 0o755)
		m.MustWrite(store, "off", 0o644)
	})(t)
	_, err := (&Mode{Name: "/home", Mode: "on", Type: "user"}).Act(t.Context(), nil, h)
	if err == nil || err.Error() != "Failed to set quota for /home to on: quotaon: No such process" {
		t.Error(err)
	}
}

func TestExecs(t *testing.T) {
	h := with("on")(t)
	modtest.Execs{Family: Family(), Host: h}.Table(t, [][4]string{
		{"quota.get_mode", `["/home"]`, "", `{'/home': {'device': '/dev/sda2', 'group': 'on', 'user': 'on'}}`},
		{"quota.get_mode", `["/srv"]`, "", `{'/srv': 'disabled'}`},
		{"quota.set", `["/home"]`, `{"user": "carol", "file-hard-limit": 30}`,
			`{'User: carol': {'block-soft-limit': '100', ` +
				`'block-hard-limit': '200', 'file-soft-limit': '10', 'file-hard-limit': 30}}`},
		{"quota.off", `["/home"]`, "", `True`},
		{"quota.get_mode", `["/home"]`, "", `{'/home': {'device': '/dev/sda2', 'group': 'off', 'user': 'off'}}`},
	})
	if raw, _ := h.ReadFile("/var/quota/set"); string(raw) != "setquota -u carol 100 200 10 30 /home" {
		t.Errorf("ran %s", raw)
	}
}
