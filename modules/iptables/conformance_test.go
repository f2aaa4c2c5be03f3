package iptables

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// kernel is where the fake iptables keeps the rules of a kind of addresses.
const kernel = "/var/fw/"

// tools is an iptables that keeps its rules as iptables-save writes them. It takes the long names of options for what
// they are short for.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	file := kernel + strings.TrimSuffix(strings.TrimPrefix(c.Args[0], "/usr/sbin/"), "-save")
	raw, _ := m.ReadFile(file)
	if strings.HasSuffix(c.Args[0], "-save") {
		return &host.Output{Stdout: raw}, nil
	}
	if c.Args[1] == "--version" {
		return &host.Output{Stdout: []byte("iptables v1.8.9 (nf_tables)\n")}, nil
	}
	args := slices.Clone(c.Args[1:])
	if args[0] == "--wait" {
		args = args[1:]
	}
	all := parse(string(raw))
	code, complaint := order(all, args[1], args[2], args[3:])
	if complaint == "" && args[2] != "-C" {
		m.MustWrite(file, write(all), 0o444)
	}
	return &host.Output{Code: code, Stderr: []byte(complaint)}, nil
}

// order carries out one command on the rules.
func order(all rules, table, verb string, args []string) (code int, complaint string) {
	if slices.Contains(args, "--bogus") {
		return 2, "iptables v1.8.9 (nf_tables): unknown option \"--bogus\"\nTry `iptables -h' for more information."
	}
	name := ""
	if len(args) > 0 {
		name, args = args[0], args[1:]
	}
	rule := canonical(args)
	if i := slices.Index(args, "--jump"); i >= 0 && strings.HasPrefix(args[i+1], "C_") &&
		all.chain(table, args[i+1]) == nil {
		return 2, "iptables v1.8.9 (nf_tables): Chain '" + args[i+1] + "' does not exist"
	}
	c := all.chain(table, name)
	switch {
	case name == "" && verb == "-F":
		for _, c := range all[table] {
			c.lines = nil
		}
		return 0, ""
	case verb == "-N" && all.has(table, name):
		return 1, "iptables: Chain already exists."
	case verb == "-N":
		all.use(table)
		all[table] = append(all[table], &chain{name: name, policy: "-", packets: "0", bytes: "0"})
		return 0, ""
	case verb == "-C" && (c == nil || !slices.Contains(c.lines, rule)):
		return 1, "iptables: Bad rule (does a matching rule exist in that chain?)."
	case !all.has(table, name):
		return 1, "iptables: No chain/target/match by that name."
	}
	all.use(table)
	c = all.chain(table, name)
	switch verb {
	case "-A":
		c.lines = append(c.lines, rule)
	case "-I":
		at, _ := strconv.Atoi(args[0])
		if at > len(c.lines)+1 {
			return 1, "iptables: Index of insertion too big."
		}
		c.lines = slices.Insert(c.lines, at-1, canonical(args[1:]))
	case "-D":
		i := slices.Index(c.lines, rule)
		if at, err := strconv.Atoi(args[0]); err == nil {
			i = at - 1
		}
		if i < 0 || i >= len(c.lines) {
			return 1, "iptables: Index of deletion too big."
		}
		c.lines = slices.Delete(c.lines, i, i+1)
	case "-P":
		if c.policy == "-" {
			return 1, "iptables: Bad built-in chain name."
		}
		if args[0] != "ACCEPT" && args[0] != "DROP" {
			return 1, "iptables: Bad policy name."
		}
		c.policy = args[0]
	case "-F":
		c.lines = nil
	case "-X":
		all[table] = slices.DeleteFunc(all[table], func(o *chain) bool { return o == c })
	}
	return 0, ""
}

func canonical(args []string) string {
	short := map[string]string{"--jump": "-j", "--source": "-s", "--protocol": "-p"}
	var out []string
	for _, a := range args {
		if s, ok := short[a]; ok {
			a = s
		}
		if strings.Contains(a, " ") {
			a = strconv.Quote(a)
		}
		out = append(out, a)
	}
	return strings.Join(out, " ")
}

func write(all rules) string {
	var b strings.Builder
	for _, table := range []string{"filter", "nat", "mangle"} {
		if all[table] == nil {
			continue
		}
		fmt.Fprintf(&b, "*%s\n", table)
		for _, c := range all[table] {
			fmt.Fprintf(&b, ":%s %s [%s:%s]\n", c.name, c.policy, c.packets, c.bytes)
		}
		for _, c := range all[table] {
			for _, l := range c.lines {
				fmt.Fprintf(&b, "-A %s %s\n", c.name, l)
			}
		}
		b.WriteString("COMMIT\n")
	}
	return b.String()
}

const some = `*filter
:INPUT ACCEPT [12:345]
:FORWARD DROP [0:0]
:OUTPUT ACCEPT [0:0]
:C_LOG - [0:0]
:C_OLD - [0:0]
-A INPUT -i lo -j ACCEPT
-A INPUT ! -s 192.0.2.0/24 -p tcp -m tcp --dport 22 -m comment --comment "a b" -j C_LOG
-A C_OLD -j DROP
COMMIT
`

func with(text string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		for _, name := range []string{"iptables", "ip6tables"} {
			m.MustWrite("/usr/sbin/"+name, "", 0o755)
			m.MustWrite("/usr/sbin/"+name+"-save", "", 0o755)
			m.MustWrite(kernel+name, text, 0o444)
		}
		m.MustMkdir("/etc")
	})
}

func debian(t *testing.T) *modules.Env {
	return &modules.Env{Grains: modtest.Dict(t, `{"os_family": "Debian", "os": "Debian"}`),
		Opts: modtest.Dict(t, "{}"), Pillar: modtest.Dict(t, "{}"), Progress: func(string) {}}
}

func TestConformance(t *testing.T) {
	rule := func(fun string, args ...any) modtest.Deed {
		return modtest.State("iptables."+fun, "a rule", append([]any{"chain", "INPUT"}, args...)...)
	}
	chain := func(fun, name string, args ...any) modtest.Deed { return modtest.State("iptables."+fun, name, args...) }
	modtest.Suite{
		Family: Family(),
		Env:    debian,
		Beyond: []string{strings.TrimSuffix(kernel, "/")},
		Situations: modtest.Situations{
			"nothing": with(""), "some": with(some),
			"saved": func(t *testing.T) host.Host {
				m := with(some)(t)
				if err := modules.WriteLines(m, "/etc/iptables/rules.v4", strings.Split(some, "\n")); err != nil {
					t.Fatal(err)
				}
				return m
			},
			"not installed": modtest.Memory(tools, nil),
		},
		Deeds: []modtest.Deed{
			rule("append", "jump", "ACCEPT", "if", "lo"),
			rule("append", "jump", "ACCEPT", "if", "lo", "save", true),
			rule("append", "jump", "DROP", "protocol", "udp", "save", "/etc/fw/rules").In("nothing", "not installed"),
			rule("append", "jump", "DROP", "family", "ipv6"),
			rule("append", "jump", "C_LOG", "save", true).Untold("the words of a new rule are iptables'").In("some", "saved"),
			rule("append", "jump", "C_NONE"), rule("append", "bogus", 1, "jump", "DROP"), rule("append"),
			modtest.State("iptables.append", "no chain", "chain", "NONE", "jump", "DROP"),
			modtest.State("iptables.append", "no table", "chain", "INPUT", "table", "none", "jump", "DROP"),
			rule("insert", "jump", "DROP", "position", 1), rule("insert", "jump", "DROP", "position", 2),
			rule("insert", "jump", "DROP", "position", -1), rule("insert", "jump", "DROP", "position", 9),
			rule("insert", "jump", "ACCEPT", "if", "lo", "position", 2),
			rule("delete", "jump", "ACCEPT", "if", "lo"), rule("delete", "jump", "DROP"), rule("delete", "jump", "C_NONE"),
			rule("delete", "position", 2), rule("delete", "position", 3),
			rule("set_policy", "policy", "DROP"), rule("set_policy", "policy", "ACCEPT"),
			rule("set_policy", "policy", "ODD"), rule("set_policy", "policy", "DROP", "table", "nat"),
			modtest.State("iptables.set_policy", "no", "chain", "C_OLD", "policy", "DROP"),
			rule("flush"), modtest.State("iptables.flush", "all"), modtest.State("iptables.flush", "x", "chain", "NONE"),
			chain("chain_present", "C_OLD"), chain("chain_present", "INPUT"), chain("chain_present", "NEW", "table", "nat"),
			chain("chain_present", "PREROUTING", "table", "nat"), chain("chain_present", "NEW", "table", "none"),
			chain("chain_absent", "C_OLD"), chain("chain_absent", "C_LOG"), chain("chain_absent", "INPUT"),
			chain("chain_absent", "NONE"),
		},
	}.Run(t)
}
