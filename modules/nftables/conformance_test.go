package nftables

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
)

// kernel is where the fake nft keeps what it was told to do: its ruleset is what comes of that.
const kernel = "/var/fw/nft"

// A fake is the ruleset with the words of its rules; the handle of a rule is the number of the command that made it.
type fake struct {
	lines []string
	all   ruleset
}

func (f *fake) tell(line string) error {
	if strings.Contains(line, "bogus") {
		return complaint("Error: syntax error")
	}
	err := f.all.take(line, len(f.lines))
	f.lines = append(f.lines, line)
	for _, t := range f.all.tables {
		for _, c := range t.chains {
			for i := range c.rules {
				c.rules[i].Handle = c.rules[i].told + 1
			}
		}
	}
	return err
}

// code is a rule as the kernel takes it: here only without the words and brackets that nft leaves out.
func (f *fake) code(r rule) string {
	text := strings.NewReplacer("meta iifname", "iifname", "{ 80 }", "80").Replace(words(f.lines[r.told]))
	return "  [ " + text + " ]\n\n"
}

// tools is nft.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	f := &fake{}
	had, _ := modules.ReadLines(m, kernel)
	for _, line := range had {
		if line != "" && f.tell(line) != nil {
			panic(line)
		}
	}
	args, script := strings.Join(c.Args[1:], " "), ""
	switch {
	case args == "--version":
		return &host.Output{Stdout: []byte("nftables v1.0.6 (Lester Gooch #5)\n")}, nil
	case strings.HasSuffix(args, "list ruleset") || strings.Contains(args, "--json"):
		return &host.Output{Stdout: f.json()}, nil
	case strings.Contains(args, "list chain"):
		return &host.Output{Stdout: []byte(f.chain(strings.Fields(args)[3:]))}, nil
	case strings.Contains(args, "list table"):
		w := strings.Fields(args)
		return &host.Output{Stdout: []byte(fmt.Sprintf("table %s %s {\n}\n", w[5], w[6]))}, nil
	case c.Args[1] == "--":
		script = c.Args[2]
	default:
		script = string(c.Stdin)
	}
	out, err := f.run(script)
	if err != nil {
		return &host.Output{Code: 1, Stderr: []byte("/dev/stdin:1:1-2: Error: " +
			strings.TrimPrefix(strings.TrimPrefix(err.Error(), "nft: "), "Error: ") + "\nmore\n")}, nil
	}
	if c.Args[1] == "--" {
		m.MustWrite(kernel, strings.Join(f.lines, "\n"), 0o444)
	}
	return &host.Output{Stdout: []byte(out)}, nil
}

// run gives the kernel commands; what it prints is the translation of the rules among them.
func (f *fake) run(script string) (string, error) {
	var b strings.Builder
	for line := range strings.SplitSeq(strings.TrimSpace(script), "\n") {
		if err := f.tell(line); err != nil {
			return "", err
		}
		if w := strings.Fields(line); w[1] == "rule" && w[0] != "delete" {
			b.WriteString(strings.Join(w[2:5], " ") + "\n" + f.code(rule{told: len(f.lines) - 1}))
		}
	}
	return b.String(), nil
}

func (f *fake) chain(place []string) string {
	var b strings.Builder
	for _, r := range f.all.chain(place[0], place[1], place[2]).rules {
		fmt.Fprintf(&b, "%s %d\n%s", strings.Join(place, " "), r.Handle, f.code(r))
	}
	return b.String() + "table {\n}\n"
}

func (f *fake) json() []byte {
	items := []any{map[string]any{"metainfo": map[string]string{"version": "1.0.6"}}}
	lower := func(v any) any { // nft writes the names in lower case
		raw, _ := json.Marshal(v)
		var d map[string]any
		_ = json.Unmarshal(raw, &d)
		out := map[string]any{}
		for k, v := range d {
			out[strings.ToLower(k)] = v
		}
		return out
	}
	for _, t := range f.all.tables {
		items = append(items, map[string]any{"table": lower(t)})
		for _, c := range t.chains {
			items = append(items, map[string]any{"chain": lower(c)})
			for _, r := range c.rules {
				r.Family, r.Table, r.Chain = c.Family, c.Table, c.Name
				items = append(items, map[string]any{"rule": lower(r)})
			}
		}
	}
	raw, _ := json.Marshal(map[string]any{"nftables": items})
	return raw
}

// some is a firewall with a rule that is there twice.
const some = `add table ip filter
add chain ip filter input { type filter hook input priority 0; }
add chain ip filter old
add rule ip filter input iifname lo accept
add rule ip filter input tcp dport 80 accept
add rule ip filter old ip saddr 10.0.0.1 drop
add rule ip filter old ip saddr 10.0.0.1 drop`

func with(lines string) func(*testing.T) host.Host {
	return modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/sbin/nft", "", 0o755)
		m.MustWrite(kernel, lines, 0o444)
		m.MustMkdir("/etc")
	})
}

func debian(t *testing.T) *modules.Env {
	return &modules.Env{Grains: modtest.Dict(t, `{"os_family": "Debian", "os": "Debian"}`),
		Opts: modtest.Dict(t, "{}"), Pillar: modtest.Dict(t, "{}"), Progress: func(string) {}}
}

func TestConformance(t *testing.T) {
	rule := func(fun string, args ...any) modtest.Deed {
		return modtest.State("nftables."+fun, "a rule", slices.Concat([]any{"table", "filter", "chain", "input"}, args)...)
	}
	state := func(fun, name string, args ...any) modtest.Deed { return modtest.State("nftables."+fun, name, args...) }
	modtest.Suite{
		Family: Family(),
		Env:    debian,
		Beyond: []string{"/var/fw"},
		Situations: modtest.Situations{"nothing": with(""), "some": with(some),
			"not installed": modtest.Memory(tools, nil)},
		Deeds: []modtest.Deed{
			rule("append", "if", "lo", "jump", "accept"), rule("append", "jump", "drop"), rule("append"),
			rule("append", "proto", "tcp", "dport", 80, "jump", "accept"), rule("append", "jump", "bogus"),
			rule("append", "jump", "drop", "family", "ipv6"),
			rule("append", "jump", "drop", "save", true).Untold("the words of a new rule are nft's").In("some"),
			rule("insert", "jump", "drop"), rule("insert", "jump", "drop", "position", 5),
			rule("insert", "jump", "drop", "position", 99), rule("insert", "if", "lo", "jump", "accept"),
			rule("delete", "if", "lo", "jump", "accept"), rule("delete", "jump", "drop"), rule("delete", "position", 5),
			rule("delete", "position", 5, "if", "lo", "jump", "accept"), rule("delete", "jump", "bogus"), rule("delete"),
			state("delete", "twice", "table", "filter", "chain", "old", "saddr", "10.0.0.1", "jump", "drop"),
			rule("set_policy", "policy", "drop"), rule("set_policy", "policy", "ACCEPT"),
			rule("set_policy", "policy", "drop", "save", true, "save_filename", "/etc/fw").
				Untold("the words of a new policy are nft's").In("some"),
			state("set_policy", "no base", "chain", "old", "policy", "drop"),
			rule("flush"), state("flush", "all"), state("flush", "x", "chain", "none"),
			state("flush", "x", "chain", "none", "ignore_absence", true),
			state("chain_present", "old"), state("chain_present", "new"), state("chain_present", "new", "hook", "input"),
			state("chain_present", "new", "table_type", "filter", "hook", "input", "priority", -5),
			state("chain_present", "new", "table", "none"),
			state("chain_absent", "old"), state("chain_absent", "none"),
			state("table_present", "filter"), state("table_present", "new", "family", "inet"),
			state("table_absent", "filter"), state("table_absent", "none"),
		},
	}.Run(t)
}
