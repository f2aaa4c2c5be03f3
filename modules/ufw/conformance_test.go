package ufw

import (
	"slices"
	"strings"
	"testing"

	"github.com/gostate/gostate/modules"
	"github.com/gostate/gostate/modules/modtest"
	"github.com/gostate/gostate/state/host"
	"github.com/gostate/gostate/state/host/hosttest"
	"github.com/gostate/gostate/state/value"
)

const userRules = "/etc/ufw/user.rules" // where the fake ufw keeps its rules, one on a line

// tools is a ufw, and a getent that knows one name.
func tools(m *hosttest.Memory, c host.Cmd) (*host.Output, error) {
	if c.Args[0] == "getent" {
		if c.Args[2] == "db.example" {
			return &host.Output{Stdout: []byte("192.0.2.5 STREAM db.example\n")}, nil
		}
		return &host.Output{Code: 2}, nil
	}
	words := c.Args[1:]
	dry := words[0] == "--dry-run"
	if dry {
		words = words[1:]
	}
	fault := func(text string) (*host.Output, error) {
		return &host.Output{Code: 1, Stderr: []byte(text + "\n")}, nil
	}
	switch {
	case slices.Contains(words, "--force"):
		return &host.Output{}, set(m, switchFile, "ENABLED", "yes")
	case words[0] == "default":
		key := map[string]string{"incoming": "DEFAULT_INPUT_POLICY", "outgoing": "DEFAULT_OUTPUT_POLICY"}[words[2]]
		return &host.Output{}, set(m, policyFile, key, map[string]string{"allow": `"ACCEPT"`, "deny": `"DROP"`}[words[1]])
	case slices.Contains(words, "nowhere"):
		return fault("ERROR: Bad port 'nowhere'")
	}
	lines, _ := modules.ReadLines(m, userRules)
	said, place := "Rule added\nRule added (v6)\n", len(lines)
	if words[0] == "insert" {
		if len(lines) == 0 {
			return fault("ERROR: Invalid position '1'")
		}
		said, place, words = "Rule inserted\n", 0, words[2:]
	}
	rule := strings.Join(words, " ")
	switch {
	case slices.Contains(lines, rule):
		return &host.Output{Stdout: []byte("Skipping adding existing rule\n")}, nil
	case dry:
		return &host.Output{Stdout: []byte("*filter\n")}, nil
	}
	return &host.Output{Stdout: []byte(said)}, modules.WriteLines(m, userRules, slices.Insert(lines, place, rule))
}

func TestConformance(t *testing.T) {
	with := func(on, policy, rules string) func(*testing.T) host.Host {
		return modtest.Memory(tools, func(m *hosttest.Memory) {
			m.MustWrite("/usr/sbin/ufw", "", 0o755)
			m.MustWrite(switchFile, "# ufw\nENABLED="+on+"\nLOGLEVEL=low\n", 0o644)
			m.MustWrite(policyFile, "DEFAULT_INPUT_POLICY=\""+policy+"\"\n", 0o644)
			m.MustWrite(userRules, rules, 0o640)
		})
	}
	rule := func(fun string, args ...any) modtest.Deed { return modtest.State("ufw."+fun, "a rule", args...) }
	modtest.Suite{
		Family: Family(),
		Beyond: []string{userRules},
		Situations: modtest.Situations{
			"not installed": modtest.Memory(tools, nil),
			"off":           with("no", "ACCEPT", ""),
			"on":            with("yes", "DROP", "allow from any to any port 22\ndeny from 10.0.0.1 to any\n"),
		},
		Deeds: []modtest.Deed{
			modtest.State("ufw.enabled", "x"),
			modtest.State("ufw.default_incoming", "x", "default", "deny"),
			modtest.State("ufw.default_outgoing", "x", "default", "allow"),
			rule("allow", "to_port", "22"), rule("allow", "to_port", 443, "protocol", "tcp", "comment", `"two words"`),
			rule("allowed", "app", `"Nginx Full"`), rule("allow", "interface", "eth1"),
			rule("allow", "app", "*", "from_addr", "db.example", "to_port", `"*"`),
			rule("deny", "from_addr", "10.0.0.1"), rule("deny", "from_addr", "10.0.0.2", "from_port", "53"),
			rule("limit", "to_port", "22", "to_addr", "192.0.2.1"),
			rule("allow", "to_port", "nowhere"), rule("allow", "from_addr", "unknown.example"),
			rule("allow", "comment", `"open`),
		},
	}.Run(t)
}

// TestChanges: what a state shows is what the formula's own function shows.
func TestChanges(t *testing.T) {
	h := modtest.Memory(tools, func(m *hosttest.Memory) {
		m.MustWrite("/usr/sbin/ufw", "", 0o755)
		m.MustWrite(userRules, "allow from any to any port 22\n", 0o640)
	})(t)
	r := &Rule{Name: "no", FromAddr: "10.0.0.9", ToPort: "80", verb: "deny"}
	e, err := r.Act(t.Context(), nil, h)
	if got := value.Repr(e.Changes); err != nil || e.Comment != "no inserted" ||
		got != "{'rule': 'insert 1 deny from 10.0.0.9 to any port 80'}" {
		t.Errorf("%s %s %v", e.Comment, got, err)
	}
}
