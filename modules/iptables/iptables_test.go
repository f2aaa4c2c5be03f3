package iptables

import (
	"context"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

// TestSpell: the words and their order are those that Salt 3006 writes.
func TestSpell(t *testing.T) {
	tests := []struct{ args, want string }{
		{`{"match": "state", "connstate": "RELATED,ESTABLISHED", "jump": "ACCEPT"}`,
			"-m state --state RELATED,ESTABLISHED --jump ACCEPT"},
		{`{"connstate": "NEW", "jump": "ACCEPT", "protocol": "tcp", "dport": 80, "sport": "1025:65535", "comment": "a b"}`,
			`-p tcp -m state --state NEW --dport 80 --sport 1025:65535 -m comment --comment "a b" --jump ACCEPT`},
		{`{"source": "!127.0.0.1", "destination": "not 10.0.0.1", "if": "!eth0", "of": "lo"}`,
			"! -i eth0 -o lo ! --source 127.0.0.1 ! --destination 10.0.0.1"},
		{`{"proto": "tcp", "dports": [80, 443], "jump": "ACCEPT"}`, "-p tcp -m multiport --dports 80,443 --jump ACCEPT"},
		{`{"proto": "tcp", "match": "multiport", "sports": "!80,443"}`, "-p tcp -m multiport ! --sports 80,443"},
		{`{"proto": "udp", "dports": ["not 1", 2]}`, "-p udp -m multiport ! --dports 1,2"},
		{`{"match": "policy", "proto": "esp", "dir": "in"}`, "-m policy --proto esp --dir in"},
		{`{"match": ["recent", "tcp"], "name_": "SSH", "rcheck": "", "p": "tcp", "target": "DROP"}`,
			"-m recent --name SSH -m tcp --rcheck -p tcp --jump DROP"},
		{`{"match-set": ["a src", "!b dst"], "syn": null}`, "-m set --match-set a src -m set ! --match-set b dst --syn"},
		{`{"set": "!blocked src", "jump": "LOG", "log-prefix": "no: ", "log-uid": null}`,
			`! --match-set blocked src --jump LOG --log-prefix "no: " --log-uid`},
		{`{"position": "last", "source": "10.0.0.1"}`, "--source 10.0.0.1"},
		{`{"set": "", "name": "x", "state": "NEW", "save": true, "table": "nat"}`, "--set"},
		{`{"dports": 1}`, "error: dports takes a protocol beside it: protocol: tcp"},
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

func TestExecs(t *testing.T) {
	h := with(some)(t)
	modtest.Execs{Family: Family(), Host: h, Env: debian(t)}.Table(t, [][4]string{
		{"iptables.version", `[]`, "", `'v1.8.9'`},
		{"iptables.build_rule", `["filter", "INPUT"]`, `{"command": "I", "position": 3, "full": true, "jump": "ACCEPT"}`,
			`'/usr/sbin/iptables --wait -t filter -I INPUT 3 --jump ACCEPT'`},
		{"iptables.build_rule", `["filter", "INPUT", "append", "", true, "ipv6"]`, `{"jump": "DROP"}`,
			`'/usr/sbin/ip6tables --wait -t filter --append INPUT  --jump DROP'`},
		{"iptables.build_rule", `[]`, `{"full": true}`, `'Error: Chain needs to be specified'`},
		{"iptables.build_rule", `[]`, `{"dports": 1}`, `'Error: protocol must be specified'`},
		{"iptables.get_policy", `["filter", "FORWARD"]`, "", `'DROP'`},
		{"iptables.get_policy", `["nat", "OUTPUT"]`, "", `None`},
		{"iptables.get_policy", `[]`, "", `'Error: Chain needs to be specified'`},
		{"iptables.check", `["filter", "INPUT", "-i lo -j ACCEPT"]`, "", `True`},
		{"iptables.check", `["filter", "INPUT", "-j ACCEPT"]`, "", `False`},
		{"iptables.check_chain", `["filter", "C_OLD"]`, "", `True`},
		{"iptables.check_chain", `["filter", "C_NEW"]`, "", `False`},
		{"iptables.new_chain", `["filter", "C_NEW"]`, "", `True`},
		{"iptables.new_chain", `["filter", "C_NEW"]`, "", `'iptables: Chain already exists.'`},
		{"iptables.append", `["filter", "C_NEW", "-j DROP"]`, "", `True`},
		{"iptables.append", `["filter", "C_NEW", "-j DROP"]`, "", `False`},
		{"iptables.append", `["filter", "NONE", "-j DROP"]`, "", `False`},
		{"iptables.insert", `["filter", "C_NEW", 1, "-s 1.1.1.1 -j DROP"]`, "", `''`},
		{"iptables.insert", `["filter", "C_NEW"]`, `{"rule": "-j LOG"}`,
			`'Error: Position needs to be specified or use append (-A)'`},
		{"iptables.delete", `["filter", "C_NEW", 1, "-j DROP"]`, "",
			`'Error: Only specify a position or a rule, not both'`},
		{"iptables.delete", `["filter", "C_NEW", 1]`, "", `''`},
		{"iptables.flush", `["filter", "C_NEW"]`, "", `''`},
		{"iptables.delete_chain", `["filter", "C_NEW"]`, "", `True`},
		{"iptables.set_policy", `["filter", "INPUT", "DROP"]`, "", `''`},
		{"iptables.save", `[]`, "", `'Wrote 1 lines to "/etc/iptables/rules.v4"'`},
		{"iptables.get_saved_policy", `["filter", "INPUT"]`, "", `'DROP'`},
		{"iptables.get_saved_rules", `[]`, "", `{'filter': {` +
			`'INPUT': {'policy': 'DROP', 'packet count': '12', 'byte count': '345', 'rules': [` +
			`{'in-interface': ['lo'], 'jump': ['ACCEPT']}, ` +
			`{'source': ['! 192.0.2.0/24'], 'protocol': ['tcp'], 'match': ['tcp', 'comment'], 'destination_port': ['22'], ` +
			`'comment': ['a b'], 'jump': ['C_LOG']}], 'rules_comment': {'a b': ` +
			`{'source': ['! 192.0.2.0/24'], 'protocol': ['tcp'], 'match': ['tcp', 'comment'], 'destination_port': ['22'], ` +
			`'comment': ['a b'], 'jump': ['C_LOG']}}}, ` +
			`'FORWARD': {'policy': 'DROP', 'packet count': '0', 'byte count': '0', 'rules': [], 'rules_comment': {}}, ` +
			`'OUTPUT': {'policy': 'ACCEPT', 'packet count': '0', 'byte count': '0', 'rules': [], 'rules_comment': {}}, ` +
			`'C_LOG': {'policy': '-', 'packet count': '0', 'byte count': '0', 'rules': [], 'rules_comment': {}}, ` +
			`'C_OLD': {'policy': '-', 'packet count': '0', 'byte count': '0', 'rules': [{'jump': ['DROP']}], ` +
			`'rules_comment': {}}}}`},
	})
}

// TestAbsentKeepsRules: a chain that cannot be deleted keeps its rules.
func TestAbsentKeepsRules(t *testing.T) {
	const text = "*filter\n:INPUT ACCEPT [0:0]\n:C_USED - [0:0]\n-A INPUT -j C_USED\n-A C_USED -j DROP\nCOMMIT\n"
	h := with(text)(t)
	for _, name := range []string{"INPUT", "C_USED"} {
		_, err := (&Absent{Chain{Name: name, Net: Net{"filter", "ipv4"}}}).Act(context.Background(), debian(t), h)
		if got, _ := h.ReadFile(kernel + "iptables"); err == nil || string(got) != text {
			t.Errorf("%s: %v, left\n%s", name, err, got)
		}
	}
}

// TestSettledSaves: rules that are in the kernel and not in the file are saved, which is no change.
func TestSettledSaves(t *testing.T) {
	h, env := with(some)(t), debian(t)
	env.Opts = modtest.Dict(t, `{"iptables.save_filters": ["C_OLD"]}`)
	a := &Append{Rule{Name: "lo", Net: Net{"filter", "ipv4"}, Chain: "INPUT", Save: value.Bool(true),
		Rest: value.DictOf("if", value.Str("lo"), "jump", value.Str("ACCEPT"))}}
	e, err := a.Act(context.Background(), env, h)
	if err != nil || !e.Once || e.Alters() || !strings.HasSuffix(e.Comment, `Wrote 1 lines to "/etc/iptables/rules.v4"`) {
		t.Errorf("%+v %v", e, err)
	}
	got, _ := h.ReadFile("/etc/iptables/rules.v4")
	want := strings.ReplaceAll(strings.ReplaceAll(some, ":C_OLD - [0:0]\n", ""), "-A C_OLD -j DROP\n", "")
	if d := cmp.Diff(want, string(got)); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
}

// TestPreviewKnowsEarlierStates: what follows in a preview finds the chains, rules and policies of what went before.
func TestPreviewKnowsEarlierStates(t *testing.T) {
	over := host.NewOverlay(with(some)(t))
	call := func(fun, args string) string {
		return modtest.Execs{Family: Family(), Host: over, Env: debian(t)}.Call(t, "iptables."+fun, args, "")
	}
	rows := [][3]string{
		{"append", `["filter", "C_NEW", "-j DROP"]`, "False"},
		{"new_chain", `["filter", "C_NEW"]`, "True"},
		{"append", `["filter", "C_NEW", "-j DROP"]`, "True"},
		{"check", `["filter", "C_NEW", "-j DROP"]`, "True"},
		{"append", `["filter", "INPUT", "--jump C_NEW"]`, "True"},
		{"check", `["filter", "INPUT", "-i lo -j ACCEPT"]`, "True"},
		{"delete", `["filter", "INPUT", null, "-i lo -j ACCEPT"]`, "''"},
		{"check", `["filter", "INPUT", "-i lo -j ACCEPT"]`, "False"},
		{"append", `["filter", "INPUT", "-i lo -j ACCEPT"]`, "True"},
		{"check", `["filter", "INPUT", "-i lo -j ACCEPT"]`, "True"},
		{"delete", `["filter", "INPUT", null, "-p tcp ! --source 192.0.2.0/24 --jump C_LOG"]`, "''"},
		{"delete_chain", `["filter", "C_LOG"]`, "True"},
		{"delete_chain", `["filter", "C_OLD"]`,
			"'iptables: CHAIN_DEL failed (Device or resource busy): chain C_OLD'"},
		{"flush", `["filter"]`, "''"},
		{"check", `["filter", "C_OLD", "-j DROP"]`, "False"},
		{"set_policy", `["nat", "OUTPUT", "DROP"]`, "''"},
		{"get_policy", `["nat", "OUTPUT"]`, "'DROP'"},
		{"get_policy", `["nat", "INPUT"]`, "'ACCEPT'"},
		{"delete_chain", `["filter", "C_OLD"]`, "True"},
		{"check_chain", `["filter", "C_OLD"]`, "False"},
		{"save", `["/etc/fw"]`, `'Wrote 1 lines to "/etc/fw"'`},
	}
	for _, r := range rows {
		if got := call(r[0], r[1]); got != r[2] {
			t.Errorf("%s %s: %s, want %s", r[0], r[1], got, r[2])
		}
	}
	if _, err := over.ReadFile("/etc/fw"); !host.IsUnknown(err) {
		t.Errorf("the file's content is taken for known: %v", err)
	}
}

// TestComing: where a package of the run brings iptables there are no rules yet, and what the states make of them is
// known.
func TestComing(t *testing.T) {
	over := host.NewOverlay(modtest.Memory(nil, nil)(t))
	over.Promise(host.Fact{Kind: host.FactPackage, Name: "iptables", Value: "1.8"},
		host.Fact{Kind: host.FactCommand, Name: "*", Value: "unknown"})
	call := func(fun, args string) string {
		return modtest.Execs{Family: Family(), Host: over, Env: debian(t)}.Call(t, "iptables."+fun, args, "")
	}
	for _, r := range [][3]string{
		{"check_chain", `["filter", "INPUT"]`, "True"},
		{"get_policy", `["filter", "INPUT"]`, "None"},
		{"append", `["filter", "INPUT", "-j DROP"]`, "True"},
		{"get_policy", `["filter", "INPUT"]`, "'ACCEPT'"},
		{"check", `["filter", "INPUT", "-j DROP"]`, "True"},
	} {
		if got := call(r[0], r[1]); got != r[2] {
			t.Errorf("%s %s: %s, want %s", r[0], r[1], got, r[2])
		}
	}
	if err := over.Doubt(); err != nil {
		t.Error(err)
	}
}

// TestNoRules: what iptables-save cannot say is an error, not an empty table.
func TestNoRules(t *testing.T) {
	h := modtest.Memory(func(_ *hosttest.Memory, c host.Cmd) (*host.Output, error) {
		return &host.Output{Code: 4, Stderr: []byte("iptables-save: Permission denied (you must be root)\n")}, nil
	}, func(m *hosttest.Memory) { m.MustWrite("/usr/sbin/iptables", "", 0o755) })(t)
	_, err := (&Present{Chain{Name: "X", Net: Net{"filter", "ipv4"}}}).Act(context.Background(), debian(t), h)
	if err == nil || !strings.Contains(err.Error(), "Permission denied") {
		t.Errorf("error %v", err)
	}
}
