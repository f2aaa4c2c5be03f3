package release

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// TestReadNodes: what nodes.yaml may hold, and what is said of what it may not.
func TestReadNodes(t *testing.T) {
	file := filepath.Join(t.TempDir(), "nodes.yaml")
	read := func(text string) ([]Node, error) {
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return ReadNodes(file)
	}
	nodes, err := read(`nodes:
  web2: {age: [age1a, age1b], env: prod, nkey: U1, labels: {role: web}, grains: {os: Debian}, host: 10.0.0.5, port: 22}
  web1: {age: age1c}
  web3:
`)
	if err != nil || len(nodes) != 3 {
		t.Fatalf("%v, %v", nodes, err)
	}
	n := nodes[0]
	if n.ID != "web2" || len(n.Age) != 2 || n.Env != "prod" || n.NKey != "U1" || n.Labels.Len() != 1 ||
		n.Grains.Len() != 1 || n.Other.Len() != 2 || n.Pos.Line != 2 {
		t.Errorf("%+v", n)
	}
	for text, want := range map[string]string{
		"":                            "no list of machines",
		"nodes: [web1]":               "no list of machines",
		"nodes: {web1: {aeg: x}}":     `unknown key "aeg"`,
		"nodes: {web1: x}":            "not a map",
		"nodes: {'../x': {age: x}}":   "no name of a machine",
		"nodes: {web1: {labels: x}}":  "labels of web1 is 'x', not a map",
		"nodes: {web1: {}, web1: {}}": "web1",
		"nodes: {web1: {":             "nodes.yaml",
	} {
		if _, err := read(text); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, not %q", text, err, want)
		}
	}
	if _, err := ReadNodes(file + "x"); err == nil || !strings.Contains(err.Error(), "cannot read the list") {
		t.Errorf("no file: %v", err)
	}
}
