package nftables

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/value"
)

// TestSpell: the words and their order are those that Salt 3006 writes.
func TestSpell(t *testing.T) {
	tests := []struct{ args, want string }{
		{`{"match": "state", "connstate": "new", "dport": 80, "proto": "tcp", "sport": "1025:65535", "jump": "accept"}`,
			"ct state { new } tcp dport { 80 } tcp sport { 1025-65535 } accept"},
		{`{"proto": "udp", "dports": "22,443,80", "target": "accept", "jump": "drop"}`, "udp dport { 443, 80, 22 } accept"},
		{`{"proto": "tcp", "sports": 1}`, "tcp sport { 1 }"},
		{`{"if": "lo", "of": "eth0", "counter": false, "saddr": "", "source": "10.0.0.1", "j": "drop"}`,
			"meta iifname lo meta oifname eth0 counter ip saddr 10.0.0.1 drop"},
		{`{"icmp-type": "echo-request", "pkttype": "multicast", "daddr": "10.0.0.2", "jump": "reject"}`,
			"icmp type { echo-request } meta pkttype { multicast } ip daddr 10.0.0.2 reject"},
		{`{"jump": "dnat", "redirect-to": ":80", "to-source": "a", "to-destination": "b", "reject-with": "tcp reset"}`,
			"dnat redirect to :80 a b reject with tcp reset"},
		{`{"dport": 1}`, " dport { 1 }"}, {`{}`, ""},
		{`{"dports": "1,x"}`, `error: dports: "x" is no port: give numbers with commas between them`},
	}
	for _, tt := range tests {
		got, err := spell(modtest.JSON(t, tt.args).(*value.Dict))
		if err != nil {
			got = "error: " + err.Error()
		}
		if got != tt.want {
			t.Errorf("%s:\n got %s\nwant %s", tt.args, got, tt.want)
		}
	}
}

// TestParse: a rule of the kernel's and one of a trial come out the same where they do the same.
func TestParse(t *testing.T) {
	trial := parse(`ip (null) (null) use 0
__set%d t 3 size 2
__set%d t 0
	element 00005000  : 0 [end]	element 00001600  : 0 [end]
ip t c
  [ payload load 2b @ transport header + 2 => reg 1 ]
  [ lookup reg 1 set __set%d ]
  [ counter pkts 0 bytes 0 ]

ip t c
  [ lookup reg 1 set blocked ]
  [ log prefix a b  ]
  [ nat dnat ip addr_min reg 1 proto_min reg 2 flags 0x2 ]
  userdata = { \x00 }

`)
	kernel := parse(`ip t @__set3
	element 00001600  : 0 [end]
	element 00005000  : 0 [end]
ip t @blocked
	element 0100000a  : 0 [end]
ip t c 5 4
  [ payload load 2b @ transport header + 2 => reg 1 ]
  [ lookup reg 1 set __set3 0x0 ]
  [ counter pkts 7 bytes 420 ]

ip t c 6 5
  [ lookup reg 1 set blocked 0x0 ]
  [ log prefix a b level 4  ]
  [ nat dnat ip addr_min reg 1 addr_max reg 1 proto_min reg 2 proto_max reg 2 flags 0x3 ]
  userdata = { \x00 }

table ip t {
	chain c {
		tcp dport { 22, 80 } counter packets 7 bytes 420
	}
}
`)
	if len(trial) != 2 || len(kernel) != 2 || kernel[0].handle != 5 || kernel[1].handle != 6 {
		t.Fatalf("%v\n%v", trial, kernel)
	}
	for i := range trial {
		if diff := cmp.Diff(kernel[i].code, trial[i].code); diff != "" {
			t.Errorf("rule %d (-kernel +trial):\n%s", i, diff)
		}
	}
	if kernel[0].code == kernel[1].code {
		t.Error("two rules are one")
	}
}

func act(t *testing.T, h host.Host, f interface {
	Act(context.Context, *modules.Env, host.Host) (state.Effect, error)
}) string {
	t.Helper()
	e, err := f.Act(t.Context(), debian(t), h)
	switch {
	case err != nil:
		return err.Error()
	case e.Preview != "" && e.Changes.Len() > 0:
		return "changes: " + e.Comment
	}
	return e.Comment
}

func drop() Rule {
	return Rule{Name: "r", Net: Net{"ipv4"}, Table: "filter", Chain: "input",
		Rest: value.DictOf("jump", value.Str("drop"))}
}

// TestExact: a rule is there only as a whole, whatever longer rule ends in its words; and all of its copies go.
func TestExact(t *testing.T) {
	h := with(some + "\nadd rule ip filter input ip saddr 10.0.0.9 drop")(t)
	if got := act(t, h, &Append{drop()}); got != "changes: Set nftables rule for r to: drop for ipv4" {
		t.Error(got)
	}
	if got := act(t, h, &Append{drop()}); got != "nftables rule for r already set (drop) for ipv4" {
		t.Error(got)
	}
	if got := act(t, h, &Delete{Rule: drop()}); got != "changes: Delete nftables rule for r drop" {
		t.Error(got)
	}
	if got := act(t, h, &Delete{Rule: drop()}); got != "nftables rule for r already absent for ipv4 (drop)" {
		t.Error(got)
	}
}

// TestPolicyOfAnyTable: a policy is that of the chain in its table, not of a table named as the chain's type.
func TestPolicyOfAnyTable(t *testing.T) {
	h := with("add table ip own\nadd chain ip own in { type filter hook input priority 0; }")(t)
	p := &Policy{Name: "p", Net: Net{"ip"}, Table: "own", Chain: "in", Policy: "DROP"}
	for _, want := range []string{"changes: Set default policy for in to DROP family ip",
		"nftables default policy for chain in on table own for ip already set to DROP"} {
		if got := act(t, h, p); got != want {
			t.Errorf("%s\nwant %s", got, want)
		}
	}
}

// TestAbsent: a chain goes with its rules, in a run only.
func TestAbsent(t *testing.T) {
	h := with(some)(t)
	a := &ChainAbsent{Chain{Name: "old", Table: "filter", Net: Net{"ipv4"}}}
	over := host.NewOverlay(h)
	for _, want := range []string{"changes: nftables old chain in filter table delete success for ipv4",
		"nftables old chain is already absent in filter table for ipv4"} {
		if got := act(t, over, a); got != want {
			t.Errorf("preview: %s\nwant %s", got, want)
		}
	}
	if got := act(t, h, a); got != "changes: nftables old chain in filter table delete success for ipv4" {
		t.Error(got)
	}
}

// TestPreview: what a state finds is what those before it in a preview would have left.
func TestPreview(t *testing.T) {
	over := host.NewOverlay(with("")(t))
	r := drop()
	r.Table = "new"
	steps := []struct {
		do interface {
			Act(context.Context, *modules.Env, host.Host) (state.Effect, error)
		}
		want string
	}{
		{&Append{r}, "Failed to set nftables rule for r.\nAttempted rule was drop for ipv4.\nTable new in family ipv4 does " +
			"not exist"},
		{&TablePresent{Table{"new", Net{"ip"}}}, "changes: nftables table new successfully created in family ip"},
		{&Append{r}, "Failed to set nftables rule for r.\nAttempted rule was drop for ipv4.\n" +
			"Chain input in table new in family ipv4 does not exist"},
		{&ChainPresent{Chain: Chain{"input", "new", Net{"ipv4"}}}, "changes: nftables input chain in new table create " +
			"success for ipv4"},
		{&Append{r}, "changes: Set nftables rule for r to: drop for ipv4"},
		{&Append{r}, "nftables rule for r already set (drop) for ipv4"},
		{&Delete{Rule: r}, "changes: Delete nftables rule for r drop"},
		{&Append{r}, "changes: Set nftables rule for r to: drop for ipv4"},
		{&Flush{Name: "f", Net: Net{"ip4"}, Table: "new"}, "changes: Flush nftables rules in new table  chain ip4 family"},
		{&Append{r}, "changes: Set nftables rule for r to: drop for ipv4"},
		{&TableAbsent{Table{"new", Net{"ip"}}}, "changes: nftables table new successfully deleted from family ip"},
	}
	for i, s := range steps {
		if got := act(t, over, s.do); got != s.want {
			t.Errorf("step %d: %s\nwant %s", i, got, s.want)
		}
	}
}

// TestComing: where a package of the run brings nft, there are no rules yet.
func TestComing(t *testing.T) {
	over := host.NewOverlay(modtest.Memory(tools, nil)(t))
	over.Promise(host.Fact{Kind: host.FactPackage, Name: "nftables", Value: "1.0"})
	r := drop()
	for i, s := range []struct {
		do interface {
			Act(context.Context, *modules.Env, host.Host) (state.Effect, error)
		}
		want string
	}{
		{&TablePresent{Table{"filter", Net{"ip"}}}, "changes: nftables table filter successfully created in family ip"},
		{&ChainPresent{Chain: Chain{"input", "filter", Net{"ipv4"}}, Type: "filter", Hook: "input", Priority: "0"},
			"changes: nftables input chain in filter table create success for ipv4"},
		{&Append{r}, "changes: Set nftables rule for r to: drop for ipv4"},
		{&Append{r}, "nftables rule for r already set (drop) for ipv4"},
		{&Policy{Name: "p", Net: Net{"ip"}, Table: "filter", Chain: "input", Policy: "accept"},
			"nftables default policy for chain input on table filter for ip already set to accept"},
	} {
		if got := act(t, over, s.do); got != s.want {
			t.Errorf("step %d: %s\nwant %s", i, got, s.want)
		}
	}
}

// TestUnknownArgument: what would be left out of a rule is refused.
func TestUnknownArgument(t *testing.T) {
	r := drop()
	r.Rest.SetStr("protocol", value.Str("tcp"))
	if faults := r.Validate(); len(faults) != 1 || faults[0].Arg != "protocol" {
		t.Errorf("faults %v", faults)
	}
}

func TestExecs(t *testing.T) {
	h := with(some)(t)
	modtest.Execs{Family: Family(), Host: h, Env: debian(t)}.Table(t, [][4]string{
		{"nftables.version", `[]`, "", `'v1.0.6'`},
		{"nftables.list_tables", `[]`, "", `[{'family': 'ip', 'name': 'filter', 'handle': 0}]`},
		{"nftables.list_tables", `["inet"]`, "", `[]`},
		{"nftables.get_rules", `[]`, "", `['table ip filter {\n}']`},
		{"nftables.build_rule", `["filter", "input", "insert", 3, "True"]`, `{"jump": "drop"}`,
			`{'comment': 'Successfully built rule', 'rule': 'nft insert rule ip filter input position 3 drop', 'result': True}`},
		{"nftables.build_rule", `["filter", "input", "add"]`, `{"jump": "drop", "full": true}`,
			`{'comment': 'Successfully built rule', 'rule': 'drop', 'result': True}`},
		{"nftables.build_rule", `["filter"]`, `{"jump": "drop", "full": "true"}`,
			`{'comment': 'Chain needs to be specified', 'rule': 'drop', 'result': False}`},
		{"nftables.build_rule", `[]`, "", `{'comment': '', 'rule': '', 'result': True}`},
		{"nftables.check", `["filter", "old", "ip saddr 10.0.0.1 drop"]`, "",
			`{'comment': 'Rule ip saddr 10.0.0.1 drop in chain old in table filter in family ipv4 exists', 'result': True}`},
		{"nftables.check", `["filter", "old", "drop"]`, "",
			`{'comment': 'Rule drop in chain old in table filter in family ipv4 does not exist', 'result': False}`},
		{"nftables.check", `["filter"]`, "", `{'comment': 'Chain needs to be specified', 'result': False}`},
		{"nftables.check_chain", `["filter", "none"]`, "",
			`{'comment': 'Chain none in table filter in family ipv4 does not exist', 'result': False}`},
		{"nftables.check_table", `["filter"]`, "", `{'comment': 'Table filter in family ipv4 exists', 'result': True}`},
		{"nftables.get_rule_handle", `["filter", "input", "tcp dport 80 accept"]`, "", `{'result': True, 'handle': '5'}`},
		{"nftables.get_policy", `["filter", "input"]`, "", `'accept'`},
		{"nftables.get_policy", `["filter", "old"]`, "", `None`},
		{"nftables.set_policy", `["filter", "input", "drop"]`, "", `True`},
		{"nftables.set_policy", `["filter", "old", "drop"]`, "", `False`},
		{"nftables.new_table", `["new"]`, "", `{'comment': 'Table new in family ipv4 created', 'result': True}`},
		{"nftables.new_chain", `["new", "c"]`, "", `{'comment': 'Chain c in table new in family ipv4 created', 'result': True}`},
		{"nftables.new_chain", `["new", "c"]`, "",
			`{'comment': 'Chain c in table new in family ipv4 already exists', 'result': False}`},
		{"nftables.append", `["new", "c", "drop"]`, "",
			`{'comment': 'Added rule "drop" chain c in table new in family ipv4.', 'result': True}`},
		{"nftables.append", `["new", "c", "drop"]`, "",
			`{'comment': 'Rule drop chain c in table new in family ipv4 already exists', 'result': False}`},
		{"nftables.insert", `["new", "c"]`, `{"rule": "accept"}`,
			`{'comment': 'Added rule "accept" chain c in table new in family ipv4.', 'result': True}`},
		{"nftables.delete", `["new", "c"]`, `{"rule": "drop"}`,
			`{'comment': 'Deleted rule "drop" in chain c in table new in family ipv4.', 'result': True}`},
		{"nftables.delete", `["new", "c", 4]`, `{"rule": "drop"}`,
			`{'comment': 'Only specify a position or a rule, not both', 'result': False}`},
		{"nftables.delete", `["none", "c"]`, `{"rule": "drop"}`,
			`{'comment': 'Table none in family ipv4 does not exist', 'result': False}`},
		{"nftables.append", `["new", "c", "bogus"]`, "",
			`{'comment': 'Failed to add rule "bogus" chain c in table new in family ipv4. nft: syntax error', 'result': False}`},
		{"nftables.flush", `["new", "c"]`, "",
			`{'comment': 'Flushed rules from chain c in table new in family ipv4.', 'result': True}`},
		{"nftables.flush", `["none"]`, "", `{'comment': 'Table none in family ipv4 does not exist', 'result': False}`},
		{"nftables.delete_chain", `["new", "c"]`, "",
			`{'comment': 'Chain c in table new in family ipv4 deleted', 'result': True}`},
		{"nftables.delete_table", `["new"]`, "", `{'comment': 'Table new in family ipv4 deleted', 'result': True}`},
		{"nftables.save", `["/etc/fw"]`, "", `'#! nft -f\n\ntable ip filter {\n}\n'`},
		{"nftables.get_saved_rules", `["/etc/fw"]`, "", `['table ip filter {\n', '}\n']`},
	})
}
